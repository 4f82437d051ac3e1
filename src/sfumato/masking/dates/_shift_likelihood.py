"""The likelihood of shifted dates: one shift in a window, and the time between dates of a person as it was."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import Kind, Microdata
from sfumato.data.dates import DAY, moments_of
from sfumato.keys.households import Households, households_of
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.densities import UniformSteps, Untold
from sfumato.numerics.joint_densities import JointDensity

MICROSECOND = 1.0  # the unit of moments: files keep times that finely, and so does a shift
MAX_MATES = 8  # others of a household that are looked at
LEAST = 1e-3  # how likely a member of the household is not found though the shift is the right one


def shift_likelihood(
    original: Microdata, masked: Microdata, names: tuple[str, ...], household: tuple[str, ...], max_days: int
) -> Likelihood | None:
    """Return the coordinates of shifted dates; None where dates are no longer such.

    The first known date of a record is anywhere in the window. What stays as it was can only be equal: its time of day,
    the time to the other dates of the record, and where the masked file tells who belongs together, the time from
    the first date of the household, and how many dates it has with what total. Where it does not, the intruder still
    knows who belonged together: the same shift must lead from each of them to some masked record.
    """
    if any(file.schema[name].kind is not Kind.DATE for file in (original, masked) for name in names):
        return None
    before, after = _moments(original, names), _moments(masked, names)
    starts = _first_known(before), _first_known(after)
    days = [np.floor(start / DAY) for start in starts]
    pairs = [(starts[0] - DAY * days[0], starts[1] - DAY * days[1])]
    pairs += [(before[:, c] - starts[0], after[:, c] - starts[1]) for c in range(1, len(names))]
    groups = households_of(original, household)
    are_alone = not household or groups.count == original.n
    mates: Likelihood = ()
    if not are_alone and original.n == masked.n and all(name in masked.schema for name in household):
        released = households_of(masked, household)
        pairs += list(zip(_of_household(before, groups), _of_household(after, released), strict=True))
    elif not are_alone:
        mates = ShiftedMates.likelihood(before / DAY, after / DAY, groups, max_days)
    kept = [Coordinate(*pair, UniformSteps(0, MICROSECOND), is_exact=are_alone) for pair in pairs if _tells(pair[0])]
    return (Coordinate(days[0], days[1], UniformSteps(max_days, 1.0), is_exact=are_alone), *kept, *mates)


def _moments(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    """Return columns of dates as instants in microseconds, as they are shifted (records x columns); missing is NaN."""
    columns = [moments_of(data.table.get_column(name), data.schema[name], by_clock=False) for name in names]
    return np.column_stack([np.where(observed, moments.astype(np.float64), np.nan) for moments, observed in columns])


@dataclass(frozen=True, eq=False)
class ShiftedMates(JointDensity):
    """By how much more likely a shift is as it leads from the other members of a household to masked records too.

    From each member that is in the release it leads to one for sure, and to others by chance: with on average r of them
    on a day, so many records as there are speak for the shift by their number divided by r.

    Parameters
    ----------
    days
        The day of each original; NaN where it has no date.
    mates
        The rows of the others of its household, -1 for none (originals x mates).
    released
        How many masked records each day has, from `first` on.
    first
        The first of these days.
    max_days
        The longest shift.
    present
        The share of the originals that are in the release.
    """

    days: FloatColumn
    mates: CodeMatrix
    released: FloatColumn
    first: float
    max_days: int
    present: float

    @classmethod
    def likelihood(cls, before: FloatMatrix, after: FloatMatrix, households: Households, max_days: int) -> Likelihood:
        """Return the coordinates of both files."""
        days = [np.floor(_first_known(dates)) for dates in (before, after)]
        known = days[1][~np.isnan(days[1])]
        if not known.size:
            return ()
        released = np.bincount((known - known.min()).astype(np.int64)).astype(np.float64)
        present = min(len(after) / len(before), 1.0)
        density = cls(days[0], _mates(households), released, float(known.min()), max_days, present)
        rows = np.arange(len(before), dtype=np.float64)
        return (Coordinate(rows, days[1], Untold(), is_exact=False, joint=density),)

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the logarithm of how much more likely the shift of each pair is."""
        rows = before[np.maximum(candidates, 0), 0].astype(np.int64)
        shifts = after[:, :1] - self.days[rows]
        is_possible = np.abs(shifts) <= self.max_days
        window = np.ones(2 * self.max_days + 1)
        usual = np.convolve(np.pad(self.released, self.max_days), window, mode="valid") / len(window)
        total = np.zeros(candidates.shape)
        for place in range(self.mates.shape[1]):
            mate = self.mates[rows, place]
            aimed = self.days[mate] + shifts - self.first
            asked = is_possible & (mate >= 0) & ~np.isnan(aimed)
            there = np.where(asked, aimed, -1.0).astype(np.int64)
            inside = asked & (there >= 0) & (there < len(self.released))
            there = np.clip(there, 0, len(self.released) - 1)
            expected = np.maximum(usual[there], 1 / len(window))
            seen = np.where(inside, self.released[there], 0.0) / expected
            total += np.where(asked, np.log(np.maximum(1 - self.present, LEAST) + self.present * seen), 0.0)
        return total


def _mates(households: Households) -> CodeMatrix:
    """Return the rows of the others in the household of each record, at most `MAX_MATES`; -1 for none."""
    stops = np.append(households.starts[1:], households.number.size)
    sizes = stops - households.starts
    most = min(int(sizes.max(initial=1)) - 1, MAX_MATES)
    found = np.full((households.number.size, most), -1, dtype=np.int64)
    for place in range(most):
        for start, size in zip(households.starts[sizes > place + 1], sizes[sizes > place + 1], strict=True):
            members = households.order[start : start + size]
            found[members, place] = np.roll(members, place + 1)
    return found


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
