"""The order of a sample: values that were drawn anew, or averaged, and still stand in the order of the originals.

Of n records that were drawn from N, the one of rank r has the original rank R as often as r - 1 of the R - 1 lower
originals, and n - r of the N - R higher ones, can be chosen. A few links that are certain by other columns fix where
the others lie: between two of them the same law holds for those in between. So records are linked, the certain links
that do not contradict each other are kept, and records are linked again.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import METRIC, Microdata
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shadow_masking import Shadow
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_PAIRS = 2_000_000
DISTINCT = 0.5  # of the masked values, at least
ROUNDS = 6
CANDIDATES = 200  # of each masked record
SURE = 0.9  # links that fix others
DOUBT = 0.01  # that some of them are wrong
LOWEST = -60.0


def keeps_sample_order(original: Microdata, name: str, shadows: Sequence[Shadow]) -> bool:
    """Tell whether files are samples in which a column stands in the order of the originals."""
    if original.schema[name].kind not in METRIC or not original.observed(name).all():
        return False
    for shadow in shadows:
        if shadow.data.n >= original.n or original.n * shadow.data.n > MAX_PAIRS:
            return False
        if not keeps_order(original, shadow.data, (name,), shadow.rows):
            return False
    return True


def keeps_order(original: Microdata, masked: Microdata, names: tuple[str, ...], rows: Rows) -> bool:
    """Tell whether numbers of a masked file are mostly different and stand in the order of the originals."""
    for name in names:
        if name not in masked.schema or masked.schema[name].kind not in METRIC:
            return False
        before, after = original.values(name)[rows], masked.values(name)
        if np.isnan(after).any() or len(np.unique(after)) < DISTINCT * len(after):
            return False
        if (np.diff(before[np.lexsort((before, after))]) < 0).any():
            return False
    return True


@dataclass(frozen=True, eq=False)
class SampleOrder:
    """Columns of a sample that keep the order of the originals.

    Parameters
    ----------
    before, after
        These columns of the originals and of the masked records.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    """

    before: FloatMatrix
    after: FloatMatrix
    blocks: tuple[CodeColumn, CodeColumn]

    def likelihood(self, others: Likelihood) -> Likelihood:
        """Return the coordinates of the columns, given the likelihood by all other columns."""
        originals, masked = len(self.before), len(self.after)
        every = np.tile(np.arange(originals), (masked, 1))
        known = log_likelihoods(others, *places(others, originals, masked), every)
        known = np.where(self.blocks[1][:, None] == self.blocks[0], known, IMPOSSIBLE)
        columns = [_Ranks.of(*pair) for pair in zip(self.before.T, self.after.T, strict=True)]
        first = [column.log_chances([]) for column in columns]
        laws = first
        for _ in range(ROUNDS):
            linked, certainty = _links(known + np.sum(laws, axis=0))
            sure = np.flatnonzero(certainty > SURE)
            laws = [
                np.logaddexp(
                    column.log_chances(column.anchors(sure, linked[sure])) + np.log1p(-DOUBT), law + np.log(DOUBT)
                )
                for column, law in zip(columns, first, strict=True)
            ]
        rows, records = np.arange(originals, dtype=np.float64), np.arange(masked, dtype=np.float64)
        return tuple(Coordinate(rows, records, Transitions(np.exp(law).T.copy()), is_exact=False) for law in laws)


@dataclass(frozen=True, eq=False)
class _Ranks:
    """The rank of each original and of each masked record, who have equal values, and who share theirs with nobody."""

    original: Rows
    masked: Rows
    ties: tuple[CodeColumn, CodeColumn]
    is_single: tuple[Booleans, Booleans]

    @classmethod
    def of(cls, before: FloatColumn, after: FloatColumn) -> "_Ranks":
        ranks = [np.argsort(np.argsort(column, kind="stable"), kind="stable") for column in (before, after)]
        (known, shown) = (np.unique(column, return_inverse=True)[1] for column in (before, after))
        is_single = np.bincount(known)[known] == 1, np.bincount(shown)[shown] == 1
        return cls(ranks[0], ranks[1], (known, shown), is_single)

    def anchors(self, records: Rows, linked: Rows) -> list[tuple[int, int]]:
        """Return the ranks of the longest chain of links of which none contradicts another."""
        some = self.is_single[0][linked] & self.is_single[1][records]
        pairs = zip(self.masked[records[some]].tolist(), self.original[linked[some]].tolist(), strict=True)
        return longest_chain(sorted(pairs))

    def log_chances(self, anchors: list[tuple[int, int]]) -> FloatMatrix:
        """Return the logarithm of how probable each original is for each masked record, by ranks alone."""
        originals, masked = len(self.original), len(self.masked)
        ends = np.array([(-1, -1), *anchors, (masked, originals)], dtype=np.int64)
        below = np.searchsorted(ends[:, 0], self.masked, side="right") - 1
        is_fixed = ends[below, 0] == self.masked
        above = np.where(is_fixed, below, below + 1)
        lower, upper = self.original - ends[below, 1][:, None] - 1, ends[above, 1][:, None] - self.original - 1
        logs = _log_choices(lower, (self.masked - ends[below, 0] - 1)[:, None])
        logs += _log_choices(upper, (ends[above, 0] - self.masked - 1)[:, None])
        fixed = np.where(self.original == ends[below, 1][:, None], 0.0, IMPOSSIBLE)
        logs = np.where(is_fixed[:, None], fixed, logs)
        logs -= np.logaddexp.reduce(logs, axis=1)[:, None]
        chances = _means(_means(np.exp(logs), self.ties[1]).T, self.ties[0]).T  # equal values stand in any order
        return np.maximum(np.log(np.maximum(chances, 1e-300)), LOWEST)


def _means(rows: FloatMatrix, ties: CodeColumn) -> FloatMatrix:
    """Return for each row the mean of all that are tied with it."""
    sums = np.zeros((int(ties.max()) + 1, rows.shape[1]))
    np.add.at(sums, ties, rows)
    return np.asarray((sums / np.bincount(ties)[:, None])[ties], dtype=np.float64)


def longest_chain(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs in which both numbers rise, of pairs whose first numbers rise.

    Examples
    --------
    >>> longest_chain([(0, 4), (1, 2), (2, 3), (5, 9), (6, 7), (8, 8)])
    [(1, 2), (2, 3), (6, 7), (8, 8)]
    """
    ends: list[int] = []
    last: list[int] = []
    previous: list[int] = []
    for place, (_, rank) in enumerate(pairs):
        length = bisect_left(ends, rank)
        ends[length : length + 1] = [rank]
        last[length : length + 1] = [place]
        previous.append(last[length - 1] if length else -1)
    chain, place = [], last[-1] if last else -1
    while place >= 0:
        chain.append(pairs[place])
        place = previous[place]
    return chain[::-1]


def _log_choices(total: Rows, chosen: Rows) -> FloatMatrix:
    """Return the logarithm of in how many ways so many can be chosen; impossible where there are fewer."""
    from scipy.special import gammaln

    factorials = gammaln(np.arange(max(int(total.max(initial=0)), int(chosen.max(initial=0))) + 2) + 1.0)
    total, chosen = np.broadcast_arrays(total, chosen)
    is_possible = (chosen >= 0) & (chosen <= total)
    some, few = np.where(is_possible, total, 0), np.where(is_possible, chosen, 0)
    return np.where(is_possible, factorials[some] - factorials[few] - factorials[some - few], IMPOSSIBLE)


def _links(logs: FloatMatrix) -> tuple[Rows, FloatColumn]:
    """Return the likeliest original of each masked record, one to one, and how probable it is."""
    count = min(CANDIDATES, logs.shape[1])
    candidates = np.argpartition(-logs, count - 1, axis=1)[:, :count]
    weights = np.take_along_axis(logs, candidates, axis=1)
    candidates = np.where(weights > IMPOSSIBLE / 2, candidates, -1)
    ones = [np.ones(number, dtype=np.int64) for number in logs.shape]
    chances, _ = matching_marginals(candidates, weights, ones[0], ones[1])
    best = chances.argmax(axis=1)[:, None]
    return np.take_along_axis(candidates, best, axis=1)[:, 0], np.take_along_axis(chances, best, axis=1)[:, 0]
