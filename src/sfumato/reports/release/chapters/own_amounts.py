"""Amounts that one person alone has and that a synthetic file shows, too, beside those of persons of the control."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_percent
from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.release.chapters.utility.amounts import amounts_of
from sfumato.reports.release.chapters.utility.compared_statistics import numbers_of_both
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.public_edition import MIN_TOLD
from sfumato.reports.release.sections import FigureRow, FigureTable
from sfumato.reports.release.words.bound_words import bound_class

TITLE = "Amounts of one person that come back"
OWN = Words(
    "Amounts of one person that come back",
    "Of the amounts that one person alone has, {value} stand in the released file, too.",
    "About as many as of the control, which come back by chance.",
    "Far more than of the control: amounts were taken over from persons.",
    "The share of the amounts other than 0 that exactly one record of the original and the control together has, and "
    "that some released record shows.",
    "copies",
)
OF_CONTROL = replace(
    OWN, sentence="Of the amounts that one person of the control alone has, {value} stand in the released file, too."
)


class OwnAmounts(NamedTuple):
    """A number, and the percent of the amounts of one person alone that come back: of the file and of the control.

    With how many such amounts there are; of the control None where none was given, or it has none.
    """

    name: str
    file: float
    persons: int
    control: float | None
    control_persons: int


def own_amounts(measured: MeasuredRelease) -> list[OwnAmounts]:
    """Return the amounts of a synthetic file that one person alone has; those come back most first."""
    if not measured.is_synthetic:
        return []
    original, released, control = measured.original, measured.released, measured.question.control
    found = []
    for name in amounts_of(original, released, numbers_of_both(original, released)):
        files = [_amounts(data, name) for data in (original, control)]
        values, counts = np.unique(np.concatenate(files), return_counts=True)
        single = values[counts == 1]
        back = np.isin(single, _amounts(released, name))
        shares = [
            (100 * float(back[own].mean()), int(own.sum()))
            for own in (np.isin(single, one) for one in files)
            if own.any()
        ]
        if shares and np.isin(single, files[0]).any():
            of_control = shares[1] if len(shares) > 1 else (None, 0)
            found.append(OwnAmounts(name, *shares[0], *of_control))
    return sorted(found, key=lambda one: -one.file)


def _amounts(data: Microdata | None, name: str) -> FloatColumn:
    """Return the known values of a number that are not 0; none where there is no file, or no such number."""
    if data is None or name not in data.schema:
        return np.zeros(0)
    values = data.values(name)
    amounts: FloatColumn = values[~np.isnan(values) & (values != 0)]
    return amounts


def own_amount_figures(found: list[OwnAmounts]) -> Iterator[ReportFigure]:
    """Yield the figures of each number."""
    for one in found:
        for part, words, value, count in (
            ("file", OWN, one.file, one.persons),
            ("control", OF_CONTROL, one.control, one.control_persons),
        ):
            if value is not None:
                origin = Origin("own_amounts", Side.BOTH, (one.name,), part)
                figure = make_figure(_path(one.name, part), value, PERCENT, words, origin)
                yield replace(figure, base=count, fewest=value * count / 100)


def own_amount_table(found: list[OwnAmounts]) -> FigureTable:
    """Return the table, a number a row; for the house, as few amounts of a column tell of few persons."""
    rows = tuple(
        FigureRow(one.name, (_path(one.name, "file"), "" if one.control is None else _path(one.name, "control")))
        for one in found
    )
    return FigureTable(TITLE, ("of the file", "of the control"), rows)


def own_amounts_in_words(measured: MeasuredRelease, *, for_all: bool) -> str:
    """Return how many amounts of one person come back at most, as a clause; everybody reads steps."""
    found = [one for one in own_amounts(measured) if one.persons >= MIN_TOLD]
    if not found:
        return "whether single amounts are those of persons was not counted"
    most = found[0]
    told = bound_class if for_all else format_percent
    by_chance = "" if most.control is None else f", of those of the control, by chance, {told(most.control)}"
    column = f"({most.name}{by_chance})"
    return f"of the amounts that one person alone has, up to {told(most.file)} of a column come back {column}"


def _path(name: str, part: str) -> str:
    return f"risk/own_amounts/{name}/{part}"
