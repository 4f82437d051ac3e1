"""The questions of the law and of standards, answered with the figures of the report."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from sfumato.display import format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.reports.release.chapters.intruders import unprotected_variables
from sfumato.reports.release.chapters.iso_answers import iso_tables
from sfumato.reports.release.chapters.judged_intruders import k_in_doubt
from sfumato.reports.release.chapters.measure_figures import baseline_of, figure_of_measure, parameters_of
from sfumato.reports.release.chapters.wp216_answers import wp216_answers
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.measured_release import KeyRisk, MeasuredRelease
from sfumato.reports.release.question import Standard
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading
from sfumato.risk import ProsecutorRisk

NO_ADVICE = (
    "The figures below are evidence for those who answer these questions. They are not legal advice, and no "
    "figure makes data anonymous by itself."
)
HIPAA_LARGEST = Words(
    "Largest risk of a person known to be in the file",
    "The record that is found most surely is found with a chance of at least {value} by somebody who knows the keys "
    "and that the person is in the file.",
    "At or below the threshold.",
    "Above the threshold.",
    "One over the size of the smallest group of records with equal keys, in percent; a gap fits every value.",
    "individual risk",
)
HIPAA_MEAN = replace(
    HIPAA_LARGEST,
    label="Mean risk of a person known to be in the file",
    sentence="A record is found with a chance of at least {value}, on average.",
    definition="The mean over all records of one over the size of the group of records with equal keys, in percent.",
)
HIPAA_ABOVE = replace(
    HIPAA_LARGEST,
    label="Records above the threshold",
    sentence="{value} of the records have a risk above the threshold.",
    good="0 %.",
    bad="Anything above 0 %.",
    definition="The share of records whose risk is above the threshold.",
)


def standards_section(measured: MeasuredRelease, figures: Sequence[ReportFigure]) -> Draft | None:
    """Return the section; None where no standard is asked for."""
    asked = measured.question.standards
    if not asked:
        return None
    made: list[ReportFigure] = []
    parts: list[Part] = [Prose(NO_ADVICE, audience=Audience.ALL)]
    if Standard.WP216 in asked:
        made += _attack_figures(measured, {figure.path for figure in figures})
        known = {figure.path: figure for figure in (*figures, *made)}
        parts += wp216_answers(measured, known)
    if Standard.HIPAA in asked:
        more, found = _hipaa(measured)
        made += found
        parts += more
    if Standard.ISO27559 in asked:
        parts += [
            Subheading("ISO/IEC 27559:2022, de-identification framework", Audience.ALL),
            *iso_tables(measured),
        ]
    return draft("standards", "Questions of the law and of standards", parts, made)


def _attack_figures(measured: MeasuredRelease, known: Collection[str]) -> Iterator[ReportFigure]:
    """Yield the attacks that WP216 asks for, where the assessment did not make them."""
    for measure, found in measured.attacks:
        path = f"risk/measures/{found.symbol}"
        if path not in known:
            columns = measure.columns if isinstance(measure.columns, tuple) else ()
            has_control = measured.question.control is not None
            figure = figure_of_measure(path, measure, found, columns, has_control=has_control)
            yield figure
            if (baseline := baseline_of(measured, measure, found, figure)) is not None:
                yield baseline


def _hipaa(measured: MeasuredRelease) -> tuple[list[Part], list[ReportFigure]]:
    threshold = measured.question.threshold
    title = Subheading("HIPAA: expert determination (45 CFR 164.514(b)(1))", Audience.ALL)
    if measured.after is None:
        why = "its records come from nobody" if measured.is_synthetic else "no variable is marked as a key"
        return [title, Prose(f"The risk by keys was not measured, as {why}.", audience=Audience.ALL)], []
    figures, rows = [], []
    files = {"before": (Side.ORIGINAL, measured.original, measured.before)}
    files["after"] = (Side.RELEASED, measured.released, measured.after)
    for when, (side, data, keys) in files.items():
        if keys is None:
            continue
        measure = ProsecutorRisk(columns=keys.keys, max_risk=threshold)
        found = measure.of(data)
        for name, words, value in (
            ("largest", HIPAA_LARGEST, found.value),
            ("mean", HIPAA_MEAN, found.parts["PRA"]),
            ("above", HIPAA_ABOVE, found.parts["PRL"]),
        ):
            origin = Origin(measure.name(), side, keys.keys, name, parameters_of(measure))
            figures.append(make_figure(f"standards/hipaa/{name}/{when}", value, PERCENT, words, origin))
    known = {figure.path for figure in figures}
    for name, words in (("largest", HIPAA_LARGEST), ("mean", HIPAA_MEAN), ("above", HIPAA_ABOVE)):
        paths = tuple(f"standards/hipaa/{name}/{when}" for when in ("before", "after"))
        rows.append(FigureRow(words.label, (paths[0] if paths[0] in known else "", paths[1]), paths[1]))
    largest = next(figure.value for figure in figures if figure.path == "standards/hipaa/largest/after") or 0.0
    is_met = largest <= threshold
    verdict = "at or below" if is_met else "ABOVE"
    text = (
        f"The rule asks an expert to determine that the risk is very small. The threshold taken here is "
        f"{format_percent(threshold)}, which is the choice of whoever made this report and not a figure of "
        f"the rule; the "
        f"largest risk of a released record is {verdict} it. The rule asks for a named expert; the author of this "
        f"report is not taken for one."
    )
    doubt = " Other columns, gaps or households tell more than the keys, so that some fit fewer." * k_in_doubt(measured)
    text += (
        f" These are least risks: a gap fits every value here, and whoever knows what was taken out finds more.{doubt}"
    )
    return [
        title,
        Prose(text, audience=Audience.ALL),
        *(
            Prose(more, audience=Audience.PUBLIC if for_all else Audience.HOUSE)
            for for_all in (False, True)
            if (more := _found_by_more(measured, measured.after, for_all=for_all))
        ),
        FigureTable("Risk by the keys", ("before", "after"), tuple(rows), Audience.ALL, public_columns=(1,)),
    ], figures


def _found_by_more(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> str:
    """Return how many fit fewer where gaps are read as values, or whole households are known, and what is not counted.

    Everybody is told no count below k.
    """
    told = {one.name: int(one.value) for one in after.report.figures}
    strict = told.get("strict_violations", 0)
    found = persons_found(measured.released, after.keys) or 0
    passages = []
    if strict:
        alone = told.get("strict_uniques", 0)
        counts = [_count(one, "record", measured.k, for_all=for_all) for one in (strict, alone)]
        found_surely = f", {counts[1]} of them alone, at a risk of 100 %" if alone else ""
        passages.append(f"where a gap is read as a value, {counts[0]} fit fewer than {measured.k}{found_surely}")
    if found:
        persons = _count(found, "person", measured.k, for_all=for_all)
        passages.append(f"whoever knows the keys of a whole household finds {persons}, at 100 %")
    if names := unprotected_variables(measured):
        passages.append(f"not counted as known: {', '.join(names)}, released as they were")
    return f"Beside this: {'; '.join(passages)}." if passages else ""


def _count(count: int, noun: str, k: int, *, for_all: bool) -> str:
    """Return a count; for everybody a bound in place of one below k."""
    return f"fewer than {k} {noun}s" if for_all and 0 < count < k else format_count(count, noun)
