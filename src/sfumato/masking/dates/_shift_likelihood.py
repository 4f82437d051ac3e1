"""The likelihood of shifted dates: one shift in a window, and the time between dates of a person as it was."""

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Kind, Microdata
from sfumato.keys.households import Households, households_of
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.densities import UniformSteps

SECOND = 1 / 86_400  # in days


def shift_likelihood(
    original: Microdata, masked: Microdata, names: tuple[str, ...], household: tuple[str, ...], max_days: int
) -> Likelihood | None:
    """Return the coordinates of shifted dates; None where dates are no longer such.

    The first known date of a record is anywhere in the window. What stays as it was can only be equal: its time of day,
    the time to the other dates of the record, and where the masked file tells who belongs together, the time from
    the first date of the household, and how many dates it has with what total.
    """
    if any(file.schema[name].kind is not Kind.DATE for file in (original, masked) for name in names):
        return None
    before, after = original.matrix(names), masked.matrix(names)
    starts = _first_known(before), _first_known(after)
    days = [np.floor(start) for start in starts]
    pairs = [(starts[0] - days[0], starts[1] - days[1])]
    pairs += [(before[:, c] - starts[0], after[:, c] - starts[1]) for c in range(1, len(names))]
    are_alone = True
    if household and original.n == masked.n and all(name in masked.schema for name in household):
        groups = [households_of(file, household) for file in (original, masked)]
        are_alone = groups[0].count == original.n
        if not are_alone:
            pairs += list(zip(_of_household(before, groups[0]), _of_household(after, groups[1]), strict=True))
    kept = [Coordinate(*pair, UniformSteps(0, SECOND), is_exact=are_alone) for pair in pairs if _tells(pair[0])]
    return (Coordinate(days[0], days[1], UniformSteps(max_days, 1.0), is_exact=are_alone), *kept)


def _first_known(dates: FloatMatrix) -> FloatColumn:
    """Return the first date of each record that is known; NaN where none is."""
    first = dates[:, 0].copy()
    for column in dates.T[1:]:
        first = np.where(np.isnan(first), column, first)
    return first


def _of_household(dates: FloatMatrix, households: Households) -> tuple[FloatColumn, FloatColumn, FloatColumn]:
    """Return for each record the time from the first date of its household, and of the household what stays too."""
    number, known = households.number, ~np.isnan(dates)
    earliest = np.full(households.count, np.inf)
    np.minimum.at(earliest, number, np.where(known, dates, np.inf).min(axis=1))
    earliest = np.where(np.isinf(earliest), np.nan, earliest)[number]
    later = np.where(known, dates - earliest[:, None], 0.0).sum(axis=1)
    totals = [np.bincount(number, weights=part).astype(np.float64) for part in (later, known.sum(axis=1))]
    return _first_known(dates) - earliest, totals[0][number], totals[1][number]


def _tells(column: FloatColumn) -> bool:
    """Tell whether a coordinate distinguishes records at all."""
    known = column[~np.isnan(column)]
    return known.size > 0 and bool(known.min() < known.max())
