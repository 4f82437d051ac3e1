"""The likelihood of values borrowed from the records of a leaf."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.masking.synthesis._dummies import dummy_matrix
from sfumato.masking.synthesis._likelihoods.strata import Places, stratified_likelihood
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.joint_densities import JointDensity

ELSEWHERE = 0.02  # of the draws, from all records: a tree depends on chance where splits are equally good
PAIRS_AT_A_TIME = 1 << 18

FitTree = Callable[[FloatColumn, FloatMatrix], Any]
"""Grows a tree: from a column and its predictors, one per row."""


def leaf_likelihood(
    method: MaskingMethod,
    given: tuple[str, ...],
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    fit: FitTree,
) -> Likelihood | None:
    """Return the likelihood of columns borrowed, one after another, from a leaf of the tree that predicts them."""
    columns = original.select(method.columns)

    def state(stratum: Microdata, released: Microdata) -> Places | None:
        fixed, values = dummy_matrix(stratum, given), stratum.matrix(columns)
        after = released.matrix(columns)
        scale = _Scale.of(fixed), _Scale.of(values)
        leaves = []
        for place in range(len(columns)):
            observed = np.flatnonzero(~np.isnan(values[:, place]))
            if len(observed) < 2:
                return None
            earlier = scale[1].first(place)
            known = np.hstack([scale[0].predictors(fixed), earlier.predictors(values[:, :place])])
            leaves.append(_Leaves.of(fit(values[observed, place], known[observed].T), known, values[:, place]))
        density = LeafDensity(tuple(leaves), scale[0].width, tuple(scale[1].first(p) for p in range(len(columns))))
        own = np.column_stack([np.column_stack([one.own_leaf, one.own_value]) for one in leaves]).astype(np.float64)
        return density, np.hstack([scale[0].predictors(fixed), own]), after

    return stratified_likelihood(method, original, masked, names, state)


@dataclass(frozen=True, eq=False)
class _Scale:
    """How columns serve as predictors: on a common scale, a missing value as the mean, and that it is missing too."""

    centres: FloatColumn
    sizes: FloatColumn
    lacking: CodeColumn

    @classmethod
    def of(cls, matrix: FloatMatrix) -> "_Scale":
        known = ~np.isnan(matrix)
        centres = np.where(known, matrix, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        sizes = np.abs(np.where(known, matrix - centres, 0.0)).max(axis=0, initial=0.0)
        return cls(centres, np.where(sizes > 0, sizes, 1.0), np.flatnonzero(~known.all(axis=0)))

    @property
    def width(self) -> int:
        """How many predictors there are."""
        return len(self.centres) + len(self.lacking)

    def first(self, count: int) -> "_Scale":
        """Return the scale of the first columns."""
        return _Scale(self.centres[:count], self.sizes[:count], self.lacking[self.lacking < count])

    def predictors(self, matrix: FloatMatrix) -> FloatMatrix:
        """Return the predictors of some records."""
        has = ~np.isnan(matrix)
        return np.hstack([np.where(has, (matrix - self.centres) / self.sizes, 0.0), ~has[:, self.lacking]])


@dataclass(frozen=True, eq=False)
class _Leaves:
    """Which values the records of each leaf have.

    Parameters
    ----------
    tree
        The tree.
    distinct, shares
        The values of the column, rising, and the share of the records that have each.
    sizes
        How many records each leaf has.
    keys, counts
        The leaf and value, as one number, of those that occur together, rising, and how often they do.
    own_leaf, own_value
        The leaf and value of each original; -1 without a value.
    """

    tree: Any
    distinct: FloatColumn
    shares: FloatColumn
    sizes: CodeColumn
    keys: CodeColumn
    counts: CodeColumn
    own_leaf: CodeColumn
    own_value: CodeColumn

    @classmethod
    def of(cls, tree: Any, known: FloatMatrix, values: FloatColumn) -> "_Leaves":
        observed = ~np.isnan(values)
        leaf, value = np.full(len(values), -1), np.full(len(values), -1)
        leaf[observed] = tree.apply(known[observed])
        distinct, value[observed], often = np.unique(values[observed], return_inverse=True, return_counts=True)
        keys, counts = np.unique(leaf[observed] * len(distinct) + value[observed], return_counts=True)
        sizes = np.bincount(leaf[observed], minlength=tree.tree_.node_count)
        return cls(tree, distinct, often / often.sum(), sizes, keys, counts, leaf, value)

    def log_shares(
        self, leaf: CodeMatrix, value: CodeColumn, own_leaf: CodeMatrix, own_value: CodeMatrix
    ) -> FloatMatrix:
        """Return how often a donor in a leaf has a value, where the record itself is none."""
        keys = leaf * len(self.distinct) + value[:, None]
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        counts = np.where(self.keys[place] == keys, self.counts[place], 0)
        is_own = own_leaf == leaf
        counts = counts - (is_own & (own_value == value[:, None]))
        shares = counts / np.maximum(self.sizes[leaf] - is_own, 1)
        return np.asarray(np.log((1 - ELSEWHERE) * shares + ELSEWHERE * self.shares[value][:, None]), dtype=np.float64)

    def codes(self, values: FloatColumn) -> CodeColumn:
        """Return which of the values the nearest to each is."""
        place = np.clip(np.searchsorted(self.distinct, values), 1, max(len(self.distinct) - 1, 1))
        below = np.minimum(place - 1, len(self.distinct) - 1)
        above = np.minimum(place, len(self.distinct) - 1)
        nearer = np.abs(self.distinct[above] - values) < np.abs(self.distinct[below] - values)
        return np.where(nearer, above, below).astype(np.int64)


@dataclass(frozen=True, eq=False)
class LeafDensity(JointDensity):
    """Each column, one after another, is the value of a donor in the leaf of the record.

    The places of an original are its predictors and, column by column, its own leaf and value; those of a masked record
    its values.
    """

    leaves: tuple[_Leaves, ...]
    given: int
    scales: tuple[_Scale, ...]

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log probability of each masked record given each of its candidates."""
        total = np.zeros(candidates.shape)
        count = len(self.leaves)
        some = np.flatnonzero(~np.isnan(after[:, :count]).all(axis=1))
        step = max(PAIRS_AT_A_TIME // max(candidates.shape[1], 1), 1)
        own = before[:, self.given : self.given + 2 * count]
        for start in range(0, len(some), step):
            piece = some[start : start + step]
            rows = np.maximum(candidates[piece], 0)
            for place, leaves in enumerate(self.leaves):
                there = ~np.isnan(after[piece, place])
                asked = rows[there]
                values, earlier = after[piece[there], place], after[piece[there], :place]
                drawn = self.scales[place].predictors(earlier)
                leaf = self._leaf(leaves, np.nan_to_num(before[:, : self.given]), drawn, asked)
                owns = np.nan_to_num(own[:, 2 * place : 2 * place + 2], nan=-1.0).astype(np.int64)
                found = leaves.log_shares(leaf, leaves.codes(values), owns[asked, 0], owns[asked, 1])
                total[piece[there]] += found
        return total

    def _leaf(self, leaves: _Leaves, given: FloatMatrix, drawn: FloatMatrix, rows: CodeMatrix) -> CodeMatrix:
        """Return the leaf of each pair: by what was given of the original, and drawn before for the masked record."""
        if not drawn.shape[1]:
            return np.asarray(leaves.tree.apply(given)[rows], dtype=np.int64)
        pairs = np.empty((rows.size, given.shape[1] + drawn.shape[1]), dtype=np.float32)
        pairs[:, : given.shape[1]] = given[rows.ravel()]
        pairs[:, given.shape[1] :] = np.repeat(drawn, rows.shape[1], axis=0)
        return np.asarray(leaves.tree.apply(pairs).reshape(rows.shape), dtype=np.int64)
