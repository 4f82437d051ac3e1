"""The figures of what keys tell of confidential answers and numbers."""

from dataclasses import replace

from sfumato.contracts import Measurement
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.learnt_numbers import LearntNumbers
from sfumato.reports.release.sections import FigureRow
from sfumato.reports.release.words.bound_words import (
    LEARNT_BY_FIT,
    LEARNT_NUMBERS,
    LEARNT_OF_RECORD,
    LEARNT_WITHOUT_OWN,
)
from sfumato.reports.release.words.measure_words import words_of
from sfumato.risk import (
    AttributeDisclosure,
)

BASELINE = Words(
    "Baseline",
    "Without the released file, or by chance, it would be {value}.",
    "The figure itself is near this one.",
    "The figure itself is far above this one.",
    "What somebody achieves by chance, or who guesses from the whole file without knowing anything of the person.",
    "baseline",
)
LEARNT = "risk/measures/learnt_numbers"


def attribute_rows(found: Measurement) -> tuple[list[FigureRow], list[ReportFigure]]:
    """Return how well answers are guessed, how many are certain, and what guessing without keys achieves."""
    words = words_of(AttributeDisclosure)
    columns = tuple(name for name in found.parts if name not in AttributeDisclosure.part_symbols)
    origin = Origin(AttributeDisclosure.name(), Side.BOTH, columns)
    path = f"risk/measures/{found.symbol}"
    certain = replace(
        words,
        label="Confidential answers that are certain",
        sentence="For {value} of the persons all records with their keys agree in the answer, and it is right.",
        good="0 %, or answers that are no secret.",
        bad="Many: knowing the keys is knowing the answer.",
    )
    figures = [
        make_figure(path, found.value, PERCENT, words, origin),
        make_figure(f"{path}/baseline", found.parts["ADB"], PERCENT, BASELINE, replace(origin, part="ADB")),
        make_figure(f"{path}/certain", found.parts["ADC"], PERCENT, certain, replace(origin, part="ADC")),
    ]
    rows = [
        FigureRow(words.label, (path, "", f"{path}/baseline"), path),
        FigureRow(certain.label, (f"{path}/certain", "", ""), f"{path}/certain"),
    ]
    return rows, figures


def learnt_rows(found: LearntNumbers) -> tuple[list[FigureRow], list[ReportFigure]]:
    """Return how often confidential numbers are learnt nearly by the keys, and without them."""
    origin = Origin("learnt_numbers", Side.BOTH, found.names)
    figures = [
        make_figure(LEARNT, found.by_keys, PERCENT, LEARNT_NUMBERS, origin),
        make_figure(f"{LEARNT}/baseline", found.by_chance, PERCENT, BASELINE, replace(origin, part="baseline")),
    ]
    rows = [FigureRow(LEARNT_NUMBERS.label, (LEARNT, "", f"{LEARNT}/baseline"), LEARNT)]
    others = {
        "by_fit": (LEARNT_BY_FIT, found.by_fit),
        "without_own": (LEARNT_WITHOUT_OWN, found.without_own),
        "of_record": (LEARNT_OF_RECORD, found.of_record),
    }
    for name, (words, value) in others.items():
        if value is not None:
            path = f"{LEARNT}/{name}"
            figures.append(make_figure(path, value, PERCENT, words, replace(origin, part=name)))
            rows.append(FigureRow(words.label, (path, "", f"{LEARNT}/baseline"), path))
    return rows, figures
