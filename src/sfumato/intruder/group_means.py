"""Groups whose means are released: who can be in them, as only few sets of originals have just that mean.

Microaggregation of all records can be run again. Of a sample it cannot, as nobody knows who was drawn; but the means
have many digits, and of the originals near a group few sets of its size come to them. Members of a group lack the same
values, so that those whose values are missing elsewhere are left out. Nobody is in two groups: whoever is found to be
in one leaves the others to fewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import METRIC, Microdata
from sfumato.data.decimals import count_decimals
from sfumato.intruder.sets_with_mean import MAX_SIZE, most_records, sets_with_mean
from sfumato.intruder.shadow_masking import Shadow
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions

FARTHEST = 40.0  # deviations: nothing lies so far by chance
HALVES = (20_000, 300_000, 1_500_000)  # of sets that are made of the nearest originals, round by round
MAX_HALVES = 30_000_000  # in a round: with many groups fewer are made for each
MAX_NEAREST = 200
MAX_CELLS = 5_000_000  # originals x groups
MAX_SETS = 500  # that come to a mean: with more nothing is told
BY_CHANCE = 0.1  # sets with the mean that are expected beside the right one: with fewer, one that is found is right
ELSE = 1e-6  # how likely an original in none of the sets is beside one that is: those looked at may lack the right one
MOSTLY = 0.9  # of the groups of a file whose truth is known must have the means of their members
USUAL, SPARE = 0.8, 1.3  # how far most means lie off, and how many times as far rounding takes all of them
CLOSE = 1e-9  # of the largest value: means that are so near are the same
NEAR = 0.1  # of the deviation of a column: released values that are farther off are no rounded means


def group_likelihood(
    original: Microdata,
    masked: Microdata,
    names: Sequence[str],
    shadow: Shadow,
    blocks: tuple[CodeColumn, CodeColumn],
) -> tuple[Likelihood, bool]:
    """Return what the means of groups tell beyond a learnt likelihood; nothing where values are no means of groups.

    Parameters
    ----------
    original, masked
        The two files.
    names
        The columns that one step masks together. Some of them may have groups of their own.
    shadow
        A file that the intruder masked.
    blocks
        Of the originals and the masked records: only those of one block may be the same person.

    Returns
    -------
    The likelihood, by the columns that are means, and whether all are, of groups small enough to be looked for.
    """
    files = (original, masked, shadow.data)
    numbers = tuple(name for name in names if all(file.schema[name].kind in METRIC for file in files))
    if not numbers:
        return (), False
    before, after, example = (file.matrix(numbers) for file in files)
    grains = np.array([_grain(original, name) for name in numbers])
    found: list[Coordinate] = []
    are_small = []
    for places in columns_grouped_alike(example):
        tolerances = mean_tolerances(before[shadow.rows][:, places], example[:, places])
        groups = equal_records(after[:, places])
        sizes, are_means = np.bincount(groups), np.isfinite(tolerances)
        if not are_means.any() or len(sizes) * original.n > MAX_CELLS:
            are_small.append(False)
            continue
        told = places[are_means]
        search = _GroupSearch(before[:, told], after[:, told], groups, tolerances[are_means], grains[told], blocks)
        matrix = search.shares()
        are_small.append(bool(are_means.all() and sizes[sizes <= MAX_SIZE].sum() > MOSTLY * masked.n))
        if (matrix != 1.0).any():
            codes = np.arange(original.n, dtype=np.float64), groups.astype(np.float64)
            found.append(Coordinate(*codes, Transitions(matrix), is_exact=False))
    return tuple(found), bool(found) and all(are_small) and len(numbers) == len(names)


def _grain(data: Microdata, name: str) -> float:
    """Return the difference of two values of a column at least; 0 where it has more decimals than somebody wrote."""
    if not data.table[name].dtype.is_float():
        return 1.0
    decimals = count_decimals(data.table[name])
    return 0.0 if decimals is None else 10.0**-decimals


def columns_grouped_alike(example: FloatMatrix) -> list[CodeColumn]:
    """Return the places of the columns, those together in which the same records have equal values.

    Examples
    --------
    >>> columns_grouped_alike(np.array([[1.0, 5.0, 2.0], [1.0, 5.0, 3.0], [4.0, 8.0, 3.0], [4.0, 8.0, 2.0]]))
    [array([0, 1]), array([2])]
    """
    together: list[list[int]] = []
    for place in range(example.shape[1]):
        for some in together:
            if _share_in_groups(example[:, [*some, place]]) > MOSTLY:
                some.append(place)
                break
        else:
            together.append([place])
    return [np.array(some) for some in together]


def _share_in_groups(matrix: FloatMatrix) -> float:
    counts = np.bincount(equal_records(matrix))
    return float(counts[counts > 1].sum() / len(matrix))


@dataclass(frozen=True, eq=False)
class _GroupSearch:
    """Two files in columns that have the same groups, and what is known of their means."""

    before: FloatMatrix
    after: FloatMatrix
    groups: CodeColumn
    tolerances: FloatColumn
    grains: FloatColumn
    blocks: tuple[CodeColumn, CodeColumn]

    def shares(self) -> FloatMatrix:
        """Return how likely each original is in each group (originals x groups): 1 where nothing is found out."""
        sizes = np.bincount(self.groups)
        matrix = np.ones((len(self.before), len(sizes)))
        is_free, is_open = np.ones(len(self.before), dtype=np.bool_), (sizes > 1) & (sizes <= MAX_SIZE)
        for halves in HALVES:
            left = np.flatnonzero(is_open).tolist()
            most = min(halves, MAX_HALVES // max(len(left), 1))
            for number in left:
                members, sets, weights, is_sure = self.search(number, int(sizes[number]), most, is_free)
                if 0 < len(sets) <= MAX_SETS:
                    shares = np.bincount(sets.ravel(), np.repeat(weights, sets.shape[1]), minlength=len(members))
                    matrix[:, number] = ELSE
                    matrix[members, number] = np.maximum(shares, ELSE)
                if is_sure:
                    is_open[number] = False
                    is_free[members[sets[0]]] = False
        return matrix

    def search(
        self, number: int, size: int, halves: int, is_free: Booleans
    ) -> tuple[Rows, CodeMatrix, FloatColumn, bool]:
        """Return originals near a group, the sets of them that have its mean, their weights, and whether one is sure.

        Sets of records that lie near each other weigh more, as nobody knows how near records of a group lie: as the
        power of their squared distances that is left where that is summed over.
        """
        of_group = np.flatnonzero(self.groups == number)
        mean = self.after[of_group[0]]
        there = ~np.isnan(mean)
        mean, tolerances = mean[there], self.tolerances[there]
        is_possible = is_free & (np.isnan(self.before) != there).all(axis=1)
        is_possible &= np.isin(self.blocks[0], self.blocks[1][of_group])
        members = np.flatnonzero(is_possible)
        scales = np.maximum(np.nanstd(self.before[:, there], axis=0), 1e-300)
        distances = (((self.before[members][:, there] - mean) / scales) ** 2).sum(axis=1)
        nearest = np.argsort(distances, kind="stable")[: min(most_records(size, halves), MAX_NEAREST)]
        members, distances = members[nearest], distances[nearest]
        values = self.before[members][:, there]
        by_chance = sets_by_chance(values, mean, size, np.maximum(tolerances, self.grains[there] / 2 / size))
        if by_chance > MAX_SETS:
            return members, np.empty((0, size), dtype=np.int64), np.empty(0), False
        sets = sets_with_mean(values, mean, size, tolerances)
        expected = np.sort(self.blocks[1][of_group])
        sets = sets[(np.sort(self.blocks[0][members[sets]], axis=1) == expected).all(axis=1)]
        spread = np.maximum(distances[sets].sum(axis=1), 1e-300)
        logs = -0.5 * (size - 1) * int(there.sum()) * np.log(spread)
        weights = np.exp(logs - logs.max(initial=-np.inf)) if len(sets) else logs
        return members, sets, weights / max(weights.sum(), 1e-300), len(sets) == 1 and by_chance < BY_CHANCE


def sets_by_chance(values: FloatMatrix, mean: FloatColumn, size: int, tolerances: FloatColumn) -> float:
    """Return how many sets of so many records are expected to have a mean by chance, each column by itself."""
    if len(values) <= size:
        return 0.0
    deviations = np.maximum(values.std(axis=0) / np.sqrt(size), 1e-300)
    off = np.clip((values.mean(axis=0) - mean) / deviations, -FARTHEST, FARTHEST)
    chances = np.minimum(2 * tolerances / deviations / np.sqrt(2 * np.pi), 1.0) * np.exp(-0.5 * off**2)
    return float(comb(len(values), size) * chances.prod())


def equal_records(matrix: FloatMatrix) -> CodeColumn:
    """Return a number for each record, the same for those that are equal, missing values included."""
    codes = [np.unique(column, return_inverse=True)[1] for column in matrix.T]
    return classes_of(np.array(codes, dtype=np.int64)).numbers


def mean_tolerances(before: FloatMatrix, after: FloatMatrix) -> FloatColumn:
    """Return for each column how far equal records lie from the means of those they come from; inf where far.

    Rounding after microaggregation leaves them near, noise does not. Nor does noise before it, on some of the columns.
    A few groups lie elsewhere: those of which some records lack values, and are equal to the others no more.
    """
    groups = equal_records(after)
    counts = np.bincount(groups)
    first = np.unique(groups, return_index=True)[1]
    shared = counts > 1
    if counts[shared].sum() <= MOSTLY * len(groups):
        return np.full(before.shape[1], np.inf)
    means = np.column_stack([np.bincount(groups, column) for column in before.T]) / counts[:, None]
    both_lack = np.isnan(means) & np.isnan(after[first])
    apart = np.where(both_lack, 0.0, np.abs(means - after[first]))[shared]
    has_values = np.where(np.isnan(before).all(axis=0), 0.0, before)
    is_whole = np.isfinite(apart)  # the rest are equal to records that have values which they lack
    near = np.where(is_whole, apart <= NEAR * np.nanstd(has_values, axis=0), False)
    are_means = near.sum(axis=0) > MOSTLY * np.maximum(is_whole.sum(axis=0), 1)
    usual = np.quantile(np.where(is_whole, apart, 0.0), USUAL, axis=0, method="higher")
    tolerances = usual * SPARE + CLOSE * np.nanmax(np.abs(has_values), axis=0)
    return np.where(are_means, tolerances, np.inf)
