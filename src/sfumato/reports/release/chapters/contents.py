"""The section on what is released: the file, its records, and each variable with what became of it."""

from collections.abc import Iterator, Mapping
from math import isfinite

from sfumato.data import CATEGORICAL, Kind, Microdata, Role, Variable
from sfumato.data.column_recoding import text_of
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.display import format_count
from sfumato.keys.findings.counted_units import counted_as
from sfumato.reports.release.chapters.variable_fates import fates
from sfumato.reports.release.chapters.variable_gaps import count_gaps
from sfumato.reports.release.chapters.whole_records import households_of_equals
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, Emphasis, FigureRow, FigureTable, Prose, WordTable
from sfumato.reports.release.words.trial_words import rounded_count

ROLES = {
    Role.IDENTIFIER: "names the person",
    Role.KEY: "key: others may know it",
    Role.CONFIDENTIAL: "confidential",
    Role.WEIGHT: "sampling weight",
    Role.HOUSEHOLD: "household",
    Role.STRATUM: "sampling design",
    Role.OTHER: "other",
}
KINDS = {
    Kind.CONTINUOUS: "number",
    Kind.ORDINAL: "ordered categories",
    Kind.NOMINAL: "categories",
    Kind.DATE: "date",
}
RECORDS = Words(
    "Records",
    "The file has {value}.",
    "As many as users need.",
    "So few that groups of interest hardly occur.",
    "The number of rows of the file.",
    "record",
)
VARIABLES = Words(
    "Variables",
    "The file has {value}.",
    "Those that users need, and no more.",
    "Variables that nobody needs: each one helps an intruder.",
    "The number of columns of the file.",
    "record",
)


GAPS = (
    "A gap is a field without a value: empty in the file, or one of the codes that the schema lists as missing. Shares "
    "of gaps here are of all released records; elsewhere, shares of values taken out are of the values that were there."
)
GONE_UNNAMED = "A category that few persons had, or that gaps stand in place of, may be gone without being named here."
NO_LABELS = "codes without labels"
UNLABELLED = (
    "The schema does not say what the codes of these variables mean, so that nobody can read them from the file"
)


def contents(measured: MeasuredRelease) -> Draft:
    """Return the section."""
    original, released = measured.original, measured.released
    figures: list[ReportFigure] = []
    for when, side, data in (("before", Side.ORIGINAL, original), ("after", Side.RELEASED, released)):
        count = len(data.schema.names)
        figures.append(make_figure(f"contents/records/{when}", data.n, "records", RECORDS, Origin("records", side)))
        figures.append(
            make_figure(f"contents/variables/{when}", count, "variables", VARIABLES, Origin("variables", side))
        )
    rows = tuple(
        FigureRow(words.label, (f"contents/{name}/before", f"contents/{name}/after"))
        for name, words in (("records", RECORDS), ("variables", VARIABLES))
    )
    became, codes = fates(measured), unlabelled_codes(released)
    new = [name for name in released.schema.names if name not in original.schema]
    schemas = {name: (original if name in original.schema else released).schema[name] for name in became}
    headings = ("variable", "label", "kind and role", "what became of it")
    about = {
        name: (name, one.label or "no label", f"{KINDS[one.kind]}{_unit(one)}{_codes(codes, name)}; {ROLES[one.role]}")
        for name, one in schemas.items()
    }
    in_release = [name for name in became if name in released.schema]
    has_gaps = any(count_gaps(measured, name).found for name in in_release if name not in new)
    return draft(
        "contents",
        "What is released",
        [
            Prose(_sentence(measured), audience=Audience.ALL),
            *([] if measured.is_synthetic else [Prose(counted_as(original))]),
            *_about_order(measured),
            *([Prose(_control(measured))] if measured.question.control is not None else []),
            FigureTable("Size of the file", ("original", "released"), rows, Audience.ALL, public_columns=(1,)),
            WordTable("Variables", headings, tuple((*about[name], fate.words) for name, fate in became.items())),
            WordTable(
                "Variables",
                headings,
                tuple((*about[name], became[name].public_words) for name in in_release),
                audience=Audience.PUBLIC,
            ),
            *([Prose(f"{UNLABELLED}: {', '.join(codes)}.", Emphasis.NOTICE, Audience.ALL)] if codes else []),
            *([Prose(GAPS, audience=Audience.ALL)] if has_gaps else []),
            Prose(GONE_UNNAMED, audience=Audience.PUBLIC),
            *([Prose(f"New in the released file: {', '.join(new)}.", audience=Audience.ALL)] if new else []),
        ],
        figures,
    )


def _about_order(measured: MeasuredRelease) -> Iterator[Prose]:
    """Yield whether the order of the records was drawn at random, and of how many households equal ones are."""
    if not measured.is_synthetic:
        drawn = {True: "yes", False: "no, they stand as in the original", None: "nothing tells it"}
        yield Prose(
            f"The records were put into an order drawn at random: {drawn[measured.is_shuffled]}.",
            audience=Audience.ALL if measured.is_shuffled else Audience.HOUSE,
        )
    if homes := households_of_equals(measured):
        yield Prose(f"Equal records are of at least {format_count(homes, 'household')} of the original.")


def unlabelled_codes(data: Microdata) -> dict[str, tuple[int, int]]:
    """Return the variables whose codes are numbers without a label: of how many codes, and how many it has.

    Numbers of a variable with a unit are no codes, nor are those of households, persons and the sampling design.
    """
    found = {}
    for one in data.schema.variables:
        if one.kind not in CATEGORICAL or one.role not in CONTENT_ROLES or one.unit:
            continue
        categories = data.codes(one.name)[1]
        bare = [each for each in categories if each not in one.value_labels and _is_number(text_of(each))]
        if bare:
            found[one.name] = len(bare), len(categories)
    return found


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _codes(codes: Mapping[str, tuple[int, int]], name: str) -> str:
    """Return that codes of a variable have no labels, and how many of them where others have."""
    if name not in codes:
        return ""
    bare, all_of_them = codes[name]
    return f", {NO_LABELS}" if bare == all_of_them else f", {bare:,} of {all_of_them:,} {NO_LABELS}"


def _unit(variable: Variable) -> str:
    return f" in {variable.unit}" if variable.unit and variable.kind is Kind.CONTINUOUS else ""


def _sentence(measured: MeasuredRelease) -> str:
    released = measured.released
    what = "synthetic record" if measured.is_synthetic else "record"
    size = f"{format_count(released.n, what)} with {format_count(len(released.schema.names), 'variable')}"
    if measured.is_synthetic:
        return (
            f"{size} are to be released. They were drawn anew from models of {rounded_count(measured.original.n)} "
            f"original records: none was taken over as a whole, but models can carry traces of persons, which this "
            f"report looks for."
        )
    return f"{size} are to be released, made from the original file as the table says."


def _control(measured: MeasuredRelease) -> str:
    control = measured.question.control
    count = 0 if control is None else control.n
    return (
        f"Attacks are held against a control of {format_count(count, 'record')} that the file was not made from; these "
        f"are not among the original records below. The checksum under provenance is of the original file as it was "
        f"given."
    )
