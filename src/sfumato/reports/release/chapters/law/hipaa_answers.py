"""What HIPAA's expert determination asks, answered with the risk by the keys, from the side of the person."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sfumato.display import format_count, format_percent
from sfumato.keys.findings.found_households import persons_found
from sfumato.reports.release.chapters.acquaintance import k_in_doubt
from sfumato.reports.release.chapters.intruders import unprotected_variables
from sfumato.reports.release.chapters.measure_figures import parameters_of
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.key_risk import KeyRisk
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading
from sfumato.risk import ProsecutorRisk

TITLE = "HIPAA: expert determination (45 CFR 164.514(b)(1))"
HIPAA_LARGEST = Words(
    "Largest risk of a person known to be in the file",
    "The person who is found most surely is found with a chance of {value} by somebody who knows the keys and that the "
    "person is in the file.",
    "At or below the threshold.",
    "Above the threshold.",
    "One over the number of records that fit the person whom fewest fit, in percent; a gap fits every value. Where "
    "persons cannot be counted, one over the size of the smallest group of records.",
    "individual risk",
)
HIPAA_MEAN = replace(
    HIPAA_LARGEST,
    label="Mean risk of a person known to be in the file",
    sentence="A person is found with a chance of {value}, on average.",
    definition="The mean over all persons of one over the number of records that fit, in percent.",
)
HIPAA_ABOVE = replace(
    HIPAA_LARGEST,
    label="Persons above the threshold",
    sentence="{value} of the persons have a risk above the threshold.",
    good="0 %.",
    bad="Anything above 0 %.",
    definition="The share of persons whose risk is above the threshold.",
)
NOTHING_ADDED = " As whole records are equal, knowing what was taken out adds nothing."
ABOUT_THE_RULE = (
    "The rule asks a named expert to determine that the risk is very small; the threshold is the choice of whoever "
    "made this report, and its author is not taken for that expert."
)
FIGURES = {"largest": HIPAA_LARGEST, "mean": HIPAA_MEAN, "above": HIPAA_ABOVE}


def hipaa_answers(measured: MeasuredRelease) -> tuple[list[Part], list[ReportFigure]]:
    """Return the words and the table on the risk by the keys, and its figures."""
    title = Subheading(TITLE, Audience.ALL)
    after = measured.after
    if after is None:
        why = "its records come from nobody" if measured.is_synthetic else "no variable is marked as a key"
        return [title, Prose(f"The risk by keys was not measured, as {why}.", audience=Audience.ALL)], []
    figures = [figure for when in ("before", "after") for figure in _figures(measured, when)]
    known = {figure.path: figure for figure in figures}
    rows = []
    for name, words in FIGURES.items():
        paths = tuple(f"standards/hipaa/{name}/{when}" for when in ("before", "after"))
        rows.append(FigureRow(words.label, (paths[0] if paths[0] in known else "", paths[1]), paths[1]))
    told = _outcome(measured, *(known[f"standards/hipaa/{name}/after"].value or 0.0 for name in ("largest", "above")))
    return [
        title,
        Prose(told, audience=Audience.ALL),
        *(
            Prose(more, audience=Audience.PUBLIC if for_all else Audience.HOUSE)
            for for_all in (False, True)
            if (more := _found_by_more(measured, after, for_all=for_all))
        ),
        FigureTable("Risk by the keys", ("before", "after"), tuple(rows), Audience.ALL, public_columns=(1,)),
    ], figures


def _figures(measured: MeasuredRelease, when: str) -> Iterator[ReportFigure]:
    """Yield the largest risk, the mean, and the share above the threshold."""
    risk = measured.before if when == "before" else measured.after
    if risk is None:
        return
    measure = ProsecutorRisk(columns=risk.keys, max_risk=measured.question.threshold)
    values, side = _risks(measured, risk, measure, when)
    for (name, words), value in zip(FIGURES.items(), values, strict=True):
        origin = Origin(measure.name(), side, risk.keys, name, parameters_of(measure))
        yield make_figure(f"standards/hipaa/{name}/{when}", value, PERCENT, words, origin)


def _risks(
    measured: MeasuredRelease, risk: KeyRisk, measure: ProsecutorRisk, when: str
) -> tuple[tuple[float, float, float], Side]:
    """Return the three figures: by the records that fit each person, or by groups of records where these are equal."""
    if risk.sides is not None and not measured.equal_records:
        risks = 100 / np.maximum(risk.sides.records, 1)
        above = 100 * float((risks > measured.question.threshold).mean())
        return (float(risks.max()), float(risks.mean()), above), Side.BOTH
    found = measure.of(measured.original if when == "before" else measured.released)
    return (found.value, found.parts["PRA"], found.parts["PRL"]), (Side.ORIGINAL if when == "before" else Side.RELEASED)


def _outcome(measured: MeasuredRelease, largest: float, above: float) -> str:
    """Return whether the threshold is met, and what knowing more than the keys adds."""
    threshold = format_percent(measured.question.threshold)
    is_met = largest <= measured.question.threshold and not k_in_doubt(measured)
    if is_met:
        told = f"The threshold of {threshold} is met by the keys: the largest risk is {format_percent(largest)}."
    elif largest > measured.question.threshold:
        told = (
            f"The threshold of {threshold} is NOT met: the largest risk by the keys is {format_percent(largest)}, and "
            f"{format_percent(above)} of the persons are above it."
        )
    else:
        told = f"The threshold of {threshold} is NOT shown to be met."
    doubt = " Other columns, gaps or households tell more than the keys, so that some persons fit fewer records."
    adds = f"{doubt * k_in_doubt(measured)}{NOTHING_ADDED * bool(measured.equal_records)}"
    return f"{told}{adds} {ABOUT_THE_RULE}"


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
        passages.append(
            f"to whoever knows what was taken out of whom, {counts[0]} fit fewer than {measured.k}{found_surely}"
        )
    if found:
        persons = _count(found, "person", measured.k, for_all=for_all)
        passages.append(f"whoever knows the keys of a whole household finds {persons}, at 100 %")
    if names := unprotected_variables(measured):
        passages.append(f"not counted as known: {', '.join(names)}, released as they were")
    return f"Beside this: {'; '.join(passages)}." if passages else ""


def _count(count: int, noun: str, k: int, *, for_all: bool) -> str:
    """Return a count; for everybody a bound in place of one below k."""
    return f"fewer than {k} {noun}s" if for_all and 0 < count < k else format_count(count, noun)
