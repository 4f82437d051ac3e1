"""Whose values are in a group whose mean is released, where values moved from record to record before.

Exchanges keep the values of a column, so that a released mean is one of values that are known: few sets of them have
just that mean, and no value is in two groups. Who has the values of a group is left to the exchanges.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from sfumato.intruder.exchanges.value_owners import Owners
from sfumato.intruder.group_means import sets_by_chance
from sfumato.intruder.sets_with_mean import MAX_SIZE, most_records, sets_with_mean
from sfumato.kernels.linkage.subset_sums import subsets_in_window
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix

MAX_CELLS = 5_000_000  # values x groups
MAX_HALVES = 5_000_000  # of sets that are looked at, for all groups of a column
MAX_SUMS = 1_000_000  # of halves that all groups share
MAX_SETS = 500  # with one mean: where more have it, it tells nothing
FARTHEST = 3.5  # deviations: values whose ranks lie farther from that of the mean of a group are not in it
ROUNDS = 12  # in which groups make room for each other
MIN_ROOM = 0.02  # that groups leave to others in a value
NEGLIGIBLE = 1e-3  # of the chances that a value is in a group
MIN_TOLD = 0.5  # of the groups must have a set; otherwise values are no means of these


def grouped_owners(
    known: FloatColumn, after: FloatColumn, groups: CodeColumn, tolerance: float, deviation: float
) -> Owners | None:
    """Return the originals whose values may be in the group of each masked record; nothing where sets tell nothing.

    Parameters
    ----------
    known
        The value of each original before values were exchanged.
    after
        The value of each masked record, a mean.
    groups
        The number of the group of each masked record.
    tolerance
        How far means may lie from those of sets.
    deviation
        How far values lie from the mean of their group, as the standard deviation of shares of ranks.
    """
    there, asked = np.flatnonzero(~np.isnan(known)), np.flatnonzero(~np.isnan(after))
    _, firsts, numbers, sizes = np.unique(groups[asked], return_index=True, return_inverse=True, return_counts=True)
    if not asked.size or len(there) * len(sizes) > MAX_CELLS:
        return None
    order = there[np.argsort(known[there], kind="stable")]
    rising, means = known[order], after[asked][firsts]
    apart = (places_among(rising, rising)[:, None] - places_among(rising, means)) / deviation
    priors = np.where(np.abs(apart) > FARTHEST, 0.0, np.exp(-0.5 * apart**2))
    sets = _sets_of_groups(rising, means, sizes, priors, tolerance)
    if np.mean([len(some) > 0 for some in sets]) < MIN_TOLD:
        return None
    shares = shares_in_groups(sets, sizes, priors)
    places, of_groups = (shares.T > NEGLIGIBLE).nonzero()[::-1]
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_groups, minlength=len(sizes)))])
    values = np.full(len(after), -1, dtype=np.int64)
    values[asked] = numbers
    return Owners(values, starts, places, shares[places, of_groups] / sizes[of_groups], order)


def shares_in_groups(sets: list[CodeMatrix], sizes: CodeColumn, priors: FloatMatrix) -> FloatMatrix:
    """Return how probable it is that each value is in each group (values x groups), given the sets that may be it.

    A set is as likely as its values are by themselves, times the room that other groups leave for them. A group without
    sets takes the room that is left.

    Examples
    --------
    >>> sets = [np.array([[0, 1]]), np.array([[0, 3], [2, 3]])]  # the second cannot be {0, 3}
    >>> shares_in_groups(sets, np.array([2, 2]), np.ones((4, 2))).round(1).T
    array([[1., 1., 0., 0.],
           [0., 0., 1., 1.]])
    """
    logs, room = np.log(np.maximum(priors, 1e-300)), np.ones(priors.shape)
    shares = np.zeros(priors.shape)
    for _ in range(ROUNDS):
        for number, some in enumerate(sets):
            if len(some):
                weights = (logs[:, number] + np.log(room[:, number]))[some].sum(axis=1)
                weights = np.exp(weights - weights.max())
                weights = np.repeat(weights / weights.sum(), some.shape[1])
                shares[:, number] = np.bincount(some.ravel(), weights, minlength=len(priors))
        others = shares.sum(axis=1, keepdims=True) - shares
        room = (room + np.maximum(1.0 - others, MIN_ROOM)) / 2
    for number, some in enumerate(sets):
        if not len(some):
            left = priors[:, number] * room[:, number]
            shares[:, number] = np.minimum(sizes[number] * left / max(left.sum(), 1e-300), 1.0)
    return shares


def places_among(rising: FloatColumn, values: FloatColumn) -> FloatColumn:
    """Return where values stand among others, from 0 to 1."""
    ends = (np.searchsorted(rising, values, side) for side in ("left", "right"))
    return np.asarray(sum(ends) / (2 * len(rising)), dtype=np.float64)


def _sets_of_groups(
    rising: FloatColumn, means: FloatColumn, sizes: CodeColumn, priors: FloatMatrix, tolerance: float
) -> list[CodeMatrix]:
    """Return the sets of values that come to each mean; none for a group of which they are too many."""
    grain = float(np.diff(np.unique(rising)).min(initial=np.inf))
    found = [np.empty((0, size), dtype=np.int64) for size in sizes.tolist()]
    for size in np.unique(sizes[(sizes > 1) & (sizes <= MAX_SIZE)]).tolist():
        fine, groups = np.array([max(tolerance, grain / 2 / size)]), np.flatnonzero(sizes == size)
        halves = None
        if comb(len(rising), size - size // 2) <= MAX_SUMS and comb(len(rising), size // 2) * len(groups) <= MAX_HALVES:
            halves = HalfSums.of(rising, size)
        for group in groups.tolist():
            mean, prior = means[[group]], priors[:, group]
            near = np.argsort(-prior, kind="stable")[: most_records(size, MAX_HALVES // len(sizes))]
            near = np.sort(near[prior[near] > 0.0])
            values = rising[near][:, None]
            if sets_by_chance(values, mean, size, fine) > MAX_SETS:
                continue
            if halves is None:
                found[group] = near[sets_with_mean(values, mean, size, np.array([tolerance]))]
            else:
                sets = halves.sets_with_mean(float(mean[0]), tolerance)
                found[group] = sets[(prior[sets] > 0.0).all(axis=1)]
    return found


@dataclass(frozen=True, eq=False)
class HalfSums:
    """All lower and upper halves of the sets of so many values, and their sums; those of the upper ones rise."""

    size: int
    lower: CodeMatrix
    lower_sums: FloatColumn
    upper: CodeMatrix
    upper_sums: FloatColumn

    @classmethod
    def of(cls, rising: FloatColumn, size: int) -> "HalfSums":
        """Return the halves of sets of a size."""
        halves = [subsets_in_window(rising, half, 0.0, 1.0, 1.0, 0.0, 1.0) for half in (size // 2, size - size // 2)]
        order = np.argsort(halves[1][1], kind="stable")
        return cls(size, *halves[0], halves[1][0][order], halves[1][1][order])

    def sets_with_mean(self, mean: float, tolerance: float) -> CodeMatrix:
        """Return the sets with a mean (sets x values), each once: by the half of its smallest values.

        Examples
        --------
        >>> HalfSums.of(np.array([1.0, 2.0, 3.0, 6.0]), 3).sets_with_mean(3.0, 1e-9)
        array([[0, 1, 3]])
        """
        left, spare = self.size * mean - self.lower_sums, self.size * tolerance
        low = np.searchsorted(self.upper_sums, left - spare, side="left")
        counts = np.searchsorted(self.upper_sums, left + spare, side="right") - low
        lower = np.repeat(np.arange(len(counts)), counts)
        upper = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)
        is_split = self.lower[lower][:, -1] < self.upper[upper][:, 0]
        return np.column_stack([self.lower[lower[is_split]], self.upper[upper[is_split]]])
