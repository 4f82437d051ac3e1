"""An assessment as plain text, and as a table for notebooks."""

from collections.abc import Iterator
from dataclasses import replace

from sfumato.assessment.assessment import LOSS, RISK, Assessment
from sfumato.assessment.outliers import Outliers
from sfumato.assessment.pairing import what_to_do
from sfumato.assessment.synthetic_files import SYNTHETIC
from sfumato.contracts import Measure, Measurement
from sfumato.contracts.figure_ends import format_both_ends, shows_interval
from sfumato.display import (
    Cell,
    Column,
    Row,
    Table,
    as_sentence,
    bullet_list,
    detail_column,
    format_compact,
    format_count,
    format_mean,
    format_number,
    header_column,
    heading,
    paragraph,
    render_page,
    text_column,
)

HEADINGS = {RISK: "Risk: what an intruder still learns", LOSS: "Loss: information lost in masking"}
THIRD_PERSON = {
    "Average": "Averages",
    "Cluster": "Clusters",
    "Compare": "Compares",
    "Count": "Counts",
    "Estimate": "Estimates",
    "Find": "Finds",
    "Put": "Puts",
    "Regress": "Regresses",
    "Say": "Says",
    "Tell": "Tells",
}
"""What the docstrings of measures begin with, as said of the measure."""
SECOND_VERBS = {" and compare ": " and compares ", " and model ": " and models "}
INSIDE = (
    "This page is for those who decide on the release and not for publication: it tells how the file was protected."
)
SCORES_HEADING = "Scores: lower is better"


def build_table(assessment: Assessment) -> Table:
    """Return the table: a group of rows for risks, one for losses, one for scores."""
    has_outliers = assessment.outliers is not None
    numbers = (Column("overall"), Column("outliers")) if has_outliers else (Column(),)
    return Table(
        columns=(header_column(), text_column(), *numbers, detail_column()),
        rows=tuple(row if isinstance(row, str) or has_outliers else row[:3] + row[4:] for row in _rows(assessment)),
        title=(
            f"Assessment of {format_count(assessment.masked_records, f'{_what(assessment)} record')} "
            f"against {format_count(assessment.original_records, 'original record')}"
        ),
        notes=tuple(_remarks(assessment)),
    )


def render_html(assessment: Assessment, title: str) -> str:
    """Return the page: what must be read with the figures, and the table."""
    table = build_table(assessment)
    notes = [heading("Notes, to be read with the figures"), bullet_list(map(as_sentence, table.notes))]
    parts = [
        paragraph(f"{table.title}."),
        *(notes if table.notes else []),
        heading("Figures"),
        replace(table, title="", notes=()).to_html(),
    ]
    return render_page(title, parts, notice=INSIDE)


def _rows(assessment: Assessment) -> Iterator[Row]:
    """Yield each heading that has something beneath it, and its rows, with a place for the figure of outliers."""
    for room, title in HEADINGS.items():
        measured = assessment.by_room(room)
        yield from [title] if measured else []
        for measure, found in measured:
            yield from measure_rows(measure, found, assessment.outliers, _what(assessment))
    if assessment.scores:
        yield SCORES_HEADING
    for score in assessment.scores:
        value = format_number(assessment.values[score.symbol])
        yield (score.symbol, _in_words(score.name), value, "", score.formula)


def _what(assessment: Assessment) -> str:
    """Return what the records are called that are held against the original."""
    return "synthetic" if SYNTHETIC in assessment.remarks else "masked"


def measure_rows(measure: Measure, found: Measurement, outliers: Outliers | None, what: str) -> Iterator[Row]:
    """Yield the row of a measure, and one of the part that has a figure for outliers, if only a part has one."""
    among_outliers = {} if outliers is None else found.among(outliers.among)
    overall = f"{format_ends(found)} {found.unit}".rstrip()
    of_outliers = {symbol: _with_unit(value, found) for symbol, value in among_outliers.items()}
    parts = tuple(_part_text(measure, part, value) for part, value in found.parts.items())
    meaning = Cell(_meaning(measure, found, what), parts=parts)
    yield (found.symbol, _in_words(found.name), overall, of_outliers.pop(found.symbol, ""), meaning)
    for symbol, figure in of_outliers.items():
        name = f"the part of {found.symbol} that tells records apart"
        yield (symbol, name, _with_unit(found.parts[symbol], found), figure, "")


def format_ends(found: Measurement) -> str:
    """Return a figure with its sampling error; with the largest that is possible, where an attack was tried."""
    if found.bound is None:
        return format_mean(found.value, found.standard_error)
    return format_both_ends(found.value, found.bound)


def _part_text(measure: Measure, part: str, value: float) -> str:
    """Return a part with what it is, where its symbol does not tell, and counts as whole numbers."""
    meaning = measure.part_meanings.get(part)
    figure = f"{value:,.0f}" if meaning and value.is_integer() else format_number(value)
    return f"{part}, {meaning}: {figure}" if meaning else f"{part}: {figure}"


def _meaning(measure: Measure, found: Measurement, what: str) -> str:
    """Return what the measure does, what it remarks, and its confidence interval, a sentence each.

    Where more than an attack found is not ruled out, chance in that attack is not what is unknown.
    """
    summary = (type(measure).__doc__ or "").strip().partition("\n")[0].replace("masked record", f"{what} record")
    passages = [in_third_person(summary), found.remark]
    if measure.column_parts and set(found.parts) - set(measure.part_symbols):
        passages.append(f"beside each column stands {measure.column_parts}")
    if found.interval is not None and (found.bound is None or shows_interval(found.value, found.bound)):
        low, high = map(format_number, found.interval)
        whose = "" if found.bound is None else " of this attack"
        passages.append(
            f"95 % confidence interval{whose}, for other records masked alike: {low} to {high} {found.unit}"
        )
    passages.append(_not_ruled_out(found))
    return " ".join(f"{passage[0].upper()}{passage[1:].rstrip('.')}." for passage in passages if passage)


def _not_ruled_out(found: Measurement) -> str:
    """Say of an attack that found no leak beside a control what it may have missed, among all that were tried."""
    joint = None if found.trials is None else found.trials.joint_interval
    if found.shows_leak is not False or joint is None:
        return ""
    low, high = map(format_number, joint)
    of_chance = "" if found.shows_trace else "chance gives as much in more than 2 of 1,000 files, and "
    return (
        f"Where all attacks are to be inside their intervals together, {low} to {high} {found.unit}: {of_chance}up to "
        f"{high} {found.unit} is not ruled out"
    )


def in_third_person(summary: str) -> str:
    """Return the first line of a docstring, an order, as a sentence about what the measure does.

    A line that begins with no verb of `THIRD_PERSON` is returned as it is.

    Examples
    --------
    >>> in_third_person("Cluster both files by `k` means and compare the partitions.")
    'Clusters both files by k means and compares the partitions.'
    >>> in_third_person("The share of records that are copies.")
    'The share of records that are copies.'
    """
    plain = summary.replace("`", "")
    first, space, rest = plain.partition(" ")
    if first not in THIRD_PERSON:
        return plain
    for order, sentence in SECOND_VERBS.items():
        rest = rest.replace(order, sentence)
    return f"{THIRD_PERSON[first]}{space}{rest}"


def _with_unit(value: float, found: Measurement) -> str:
    return f"{format_number(value)} {found.unit}".rstrip()


def _begun_as_sentence(remark: str) -> str:
    """Return a remark with a capital, unless it begins with the name of a column, as in `age: ...`.

    Examples
    --------
    >>> _begun_as_sentence("some keys have gaps."), _begun_as_sentence("age: 3 of 4 values are gaps.")
    ('Some keys have gaps.', 'age: 3 of 4 values are gaps.')
    """
    first = remark.partition(" ")[0]
    return remark[0].upper() + remark[1:] if first.isalpha() and first.islower() else remark


def _remarks(assessment: Assessment) -> Iterator[str]:
    """Yield what must be read with the figures."""
    yield from map(_begun_as_sentence, assessment.remarks)
    if assessment.outliers is not None:
        share, records = assessment.outliers.share, assessment.outliers.records
        yield (
            f"Outliers are the {format_compact(share)} % of the original records farthest from the mean record: "
            f"{format_count(records, 'masked record')}. A measure without a figure for outliers does not tell "
            "records apart."
        )
    if assessment.withheld:
        names = ", ".join(name.replace("_", " ") for name in assessment.withheld)
        to_do = what_to_do(assessment.original_records, assessment.masked_records)
        yield f"WITHHELD, as they rest on knowing which record is which: {names}. To have them, {to_do}."
    if assessment.not_measured:
        names = ", ".join(assessment.not_measured)
        yield f"Not measured, as the masked file no longer has them or has them in another kind: {names}."


def _in_words(name: str) -> str:
    return name.replace("_", " ").capitalize()
