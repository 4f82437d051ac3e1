"""The three questions of Opinion 05/2014 (WP216), each with all figures of the report on it and the worst by name."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sfumato.assessment.release_notes import (
    DROPPED_COMPUTED,
    GAPS_TOLD,
    HOUSEHOLDS_FOUND,
    HOUSEHOLDS_TOLD,
    K_FAILS,
    LEARNT_FOUND,
    MEANS_TOLD,
    PERSONS_FOUND,
    PERSONS_REPEATED,
    RARE_VALUES,
    VALUES_COMPUTED,
)
from sfumato.display import format_percent
from sfumato.reports.release.chapters.told_shares import learnt_in_words
from sfumato.reports.release.chapters.verdict_warnings import words_for_everybody
from sfumato.reports.release.figure import COUNTS, PERCENT, ReportFigure, in_sentence
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading
from sfumato.reports.release.words.alarms import calm

TITLE = "Opinion 05/2014 (WP216): three questions"
NO_PERCENT = ("risk/keys/k/after", "risk/measures/WCL/WCB")
"""Figures that are no share of the persons whom somebody finds or learns about."""
ABOVE_CONTROL = ("risk/measures/SO", "risk/measures/LINK", "risk/measures/INF")
"""Figures that beside a control count what is above it."""


class Question(NamedTuple):
    """A question of the opinion, the paths of the figures that answer it, and the alarms that bear on it."""

    text: str
    paths: tuple[str, ...]
    alarms: tuple[str, ...]


QUESTIONS = (
    Question(
        "Singling out: is it still possible to single out an individual?",
        (
            "risk/measures/SO",
            "risk/measures/SR",
            "risk/keys/uniques/after",
            "risk/keys/strict_uniques/after",
            "risk/keys/k/after",
            "risk/households/found/after",
            "risk/measures/repU",
        ),
        (K_FAILS, PERSONS_REPEATED, PERSONS_FOUND, LEARNT_FOUND, GAPS_TOLD, RARE_VALUES, HOUSEHOLDS_FOUND),
    ),
    Question(
        "Linkability: is it still possible to link records relating to an individual?",
        (
            "risk/measures/LINK",
            "risk/measures/DLD",
            "risk/measures/BSLD",
            "risk/measures/WCL",
            "risk/measures/WCL/WCB",
        ),
        (HOUSEHOLDS_TOLD,),
    ),
    Question(
        "Inference: can information be inferred concerning an individual?",
        (
            "risk/measures/INF",
            "risk/measures/AD",
            "risk/measures/AD/certain",
            "risk/keys/single_valued/after",
            "risk/keys/strict_single_valued/after",
            "risk/measures/DiSCO",
            "risk/measures/learnt_numbers",
            "risk/measures/ID",
            "risk/measures/SDID",
            "risk/measures/MIA",
            "risk/measures/HMIA",
        ),
        (VALUES_COMPUTED, DROPPED_COMPUTED, MEANS_TOLD),
    ),
)


def wp216_answers(measured: MeasuredRelease, known: Mapping[str, ReportFigure]) -> Iterator[Part]:
    """Yield the questions with what the report found on each.

    Parameters
    ----------
    measured
        What was measured.
    known
        The figures of the report by path, those of the attacks that the opinion asks for among them.
    """
    yield Subheading(TITLE, Audience.ALL)
    held = (
        "without a control, so that what is true of everybody counts as found, too"
        if measured.question.control is None
        else "beside a control"
    )
    yield Prose(
        f"Attacks were tried {held}. The baseline is what chance, or the control, gives.", audience=Audience.ALL
    )
    for question in QUESTIONS:
        rows = tuple(
            FigureRow(known[path].label, (path, f"{path}/baseline" if f"{path}/baseline" in known else ""), path)
            for path in question.paths
            if path in known
        )
        if not rows:
            yield Prose(f"{question.text} No figure of this report answers it.", audience=Audience.ALL)
            continue
        yield FigureTable(question.text, ("found", "baseline"), rows, Audience.ALL, public_columns=(0, 1))
        for for_all in (False, True):
            yield Prose(
                " ".join(_worst_in_words(measured, known, question, for_all=for_all)),
                audience=Audience.PUBLIC if for_all else Audience.HOUSE,
            )


def _worst_in_words(
    measured: MeasuredRelease, known: Mapping[str, ReportFigure], question: Question, *, for_all: bool
) -> Iterator[str]:
    """Yield which figures are worst, and what the file tells beside the figures; everybody reads the labels alone."""
    found = [known[path] for path in question.paths if path in known and path not in NO_PERCENT]
    shares = {one.path: share for one in found if (share := _share(measured, one)) is not None}
    if highest := max(shares, key=lambda path: shares[path], default=""):
        told = _named(measured, known, known[highest], for_all=for_all)
        yield f"The highest figure of this page on it: {told}."
    beyond = {
        path: share - baseline
        for path, share in shares.items()
        if (baseline := _baseline(measured, known, path)) is not None
    }
    farthest = max(beyond, key=lambda path: beyond[path], default=highest)
    if farthest != highest and beyond[farthest] > 0:
        told = _named(measured, known, known[farthest], for_all=for_all)
        yield f"The one farthest above its baseline: {told}."
    if question is QUESTIONS[-1] and measured.learnt is not None:
        yield f"Read off by the keys, a confidential number is within 10 %: {_learnt(measured, for_all=for_all)}."
    alarms = [alarm for alarm in measured.assessment.alarms if alarm in question.alarms]
    if alarms:
        told = " ".join(words_for_everybody(alarm) if for_all else calm(alarm) for alarm in alarms)
        yield f"Beside the figures: {told}"


def _learnt(measured: MeasuredRelease, *, for_all: bool) -> str:
    return "" if measured.learnt is None else learnt_in_words(measured, measured.learnt, for_all=for_all)


def _share(measured: MeasuredRelease, figure: ReportFigure) -> float | None:
    """Return a figure in percent, counts of the released records; None for one that was not measured."""
    if figure.value is None or figure.unit not in (PERCENT, *COUNTS):
        return None
    return figure.value if figure.unit == PERCENT else 100 * figure.value / max(measured.released.n, 1)


def _baseline(measured: MeasuredRelease, known: Mapping[str, ReportFigure], path: str) -> float | None:
    """Return what a figure is held against; 0 where it counts only what is above a control, None if unknown."""
    baseline = known.get(f"{path}/baseline")
    if baseline is not None:
        return baseline.value
    is_excess = path in ABOVE_CONTROL and measured.question.control is not None
    return 0.0 if is_excess or known[path].unit in COUNTS else None


def _named(measured: MeasuredRelease, known: Mapping[str, ReportFigure], figure: ReportFigure, *, for_all: bool) -> str:
    """Return a figure by its label; for the house with its value, of how many a count is, and its baseline."""
    if for_all:
        return in_sentence(figure.label)
    records = measured.released.n
    count = figure.unit in COUNTS and figure.value is not None
    of_all = f" of {records:,} ({format_percent(100 * (figure.value or 0) / max(records, 1))})" if count else ""
    baseline = known.get(f"{figure.path}/baseline")
    against = "" if baseline is None else f", against a baseline of {baseline.text}"
    return f"{in_sentence(figure.label)}, {figure.text}{of_all}{against}"
