"""Trees whose leaves hold donors: records with similar predictors, and which of their splits hold for other records.

Only the partition into leaves is used, so a tree may see ranks in place of numbers (a few large values do not decide
its splits) and the rarest categories of a response as one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._trees.additive_scores import AdditiveScore, fit_scores
from sfumato.masking.synthesis._trees.leaf_trends import LeafTrend, leaf_slopes
from sfumato.masking.synthesis._trees.pruning import Response, prune
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

GROWTH_SHARE = 2 / 3  # of the records, on which a tree is grown; the others confirm its splits
MAX_CLASSES = 50  # of a response in one tree; its rarer categories count as one more


@dataclass(frozen=True, eq=False)
class Places:
    """What a tree sees of a predictor.

    Parameters
    ----------
    distinct
        The distinct values of an ordered predictor, rising: the tree sees between which of them a value lies.
    of_category
        The place of each category of a nominal one, last that of all others.
    """

    distinct: FloatColumn
    of_category: FloatColumn | None = None

    def __call__(self, values: FloatColumn) -> FloatColumn:
        """Return the places of some values; NaN, which trees put where it fits, where an ordered one is missing."""
        if self.of_category is not None:
            return self.of_category[np.minimum(values.astype(np.int64), self.of_category.size - 1)]
        below = np.searchsorted(self.distinct, values)
        is_there = self.distinct.take(below, mode="clip") == values if self.distinct.size else False
        return np.where(np.isnan(values), np.nan, 2 * below + is_there)


@dataclass(frozen=True, eq=False)
class DonorTree:
    """A fitted tree.

    Parameters
    ----------
    tree
        The tree of scikit-learn; none where there is nothing to predict from.
    leaf
        For each of its nodes the leaf that a record which ends there belongs to.
    places
        How each predictor is seen.
    scores
        What the tree sees beside them: sums to which all predictors add.
    trend
        How a response of numbers rises within the leaves along the score; none of classes.
    """

    tree: Any
    leaf: CodeColumn
    places: tuple[Places, ...]
    scores: tuple[AdditiveScore, ...] = ()
    trend: LeafTrend | None = None

    def leaves(self, predictors: Sequence[FloatColumn], n: int) -> CodeColumn:
        """Return the leaf of each of `n` records."""
        if self.tree is None or not n or not self.deciding:  # scikit-learn takes no empty files
            return np.full(n, self.leaf[0], dtype=np.int64)
        seen = _seen(self.places, self.scores, predictors, n, self.deciding)
        ends = self.tree.apply(seen, check_input=False)  # the check takes longer than all else
        return np.asarray(self.leaf[ends], dtype=np.int64)

    def pull(self, leaves: CodeColumn, predictors: Sequence[FloatColumn]) -> FloatColumn:
        """Return how far each record is drawn up within its leaf, in deviations of the leaf."""
        if self.trend is None:
            return np.zeros(leaves.size)
        return self.trend.pull(leaves, predictors)

    @cached_property
    def deciding(self) -> list[int]:
        """The predictors on which the leaf of a record depends: those of splits that were not pruned."""
        below, predictor = self.tree.tree_.children_left, self.tree.tree_.feature
        is_split = (below >= 0) & (self.leaf[below] != self.leaf)
        found: list[int] = np.unique(predictor[is_split]).tolist()
        return found


def fit_donor_tree(
    response: Response,
    predictors: Sequence[ObservedColumn],
    rows: Rows,
    min_leaf: int,
    fewest: int,
    rng: np.random.Generator,
) -> DonorTree:
    """Return a tree grown on one half of the records, with the splits that predict the other half better.

    Parameters
    ----------
    response
        Of the records in `rows`: numbers for a regression tree, classes from 0 for a classification tree.
    predictors
        The columns to predict from, of all records.
    rows
        The records that lend their values.
    min_leaf
        The fewest of them in a leaf.
    fewest
        A category of a predictor that fewer of them have counts as the mean of all.
    rng
        The generator: it divides the records.
    """
    if not predictors or rows.size < 2 * min_leaf:
        return DonorTree(None, np.zeros(1, dtype=np.int64), ())
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    grows = rng.permutation(rows.size) < int(GROWTH_SHARE * rows.size)
    places = tuple(_places(column, rows[grows], response[grows], fewest) for column in predictors)
    scores = fit_scores(response[grows], predictors, rows[grows], fewest)
    known = _seen(places, scores, [column.values[rows] for column in predictors], rows.size)
    is_numeric = response.dtype == np.float64
    grow = DecisionTreeRegressor if is_numeric else DecisionTreeClassifier
    # a split with too few records on one side would go, and those below it with it: exact relations lost branches so
    tree = grow(min_samples_leaf=min_leaf, random_state=int(rng.integers(2**31)))
    tree.fit(known[grows], response[grows])
    ends = tree.apply(known, check_input=False)
    classes = None if is_numeric else np.asarray(tree.classes_)
    leaf = prune(tree.tree_, classes, ends, response, ~grows, min_leaf)
    trend = None
    if is_numeric:
        numbers, seen = response.astype(np.float64), known[:, len(places)].astype(np.float64)
        slopes = leaf_slopes(leaf[ends], numbers, seen, ~grows, leaf.size)
        trend = LeafTrend(fit_scores(response, predictors, rows, fewest)[0], slopes) if slopes.any() else None
    return DonorTree(tree, leaf, places, scores, trend)


def draw_from_leaves(leaves: CodeColumn, wanted: CodeColumn, weights: FloatColumn, draws: FloatColumn) -> Rows:
    """Return for each wanted leaf one of the rows in it.

    Parameters
    ----------
    leaves, weights
        The leaf of each row, and its weight among the rows of the leaf.
    wanted, draws
        The leaves to draw from, each held by some row, and a number in [0, 1) for each draw.
    """
    order = np.argsort(leaves, kind="stable")
    starts, stops = (np.searchsorted(leaves[order], wanted, side=side) for side in ("left", "right"))
    return np.asarray(order[weighted_places(weights[order], starts, stops, draws)], dtype=np.int64)


def weighted_places(weights: FloatColumn, starts: Rows, stops: Rows, draws: FloatColumn) -> Rows:
    """Return for each run from `starts` up to `stops` one of its places, drawn in proportion to the weights."""
    reached = np.concatenate([[0.0], np.cumsum(weights)])
    aim = reached[starts] + draws * (reached[stops] - reached[starts])
    place = np.searchsorted(reached, aim, side="right") - 1
    return np.asarray(np.clip(place, starts, stops - 1), dtype=np.int64)


def ordered_categories(codes: CodeColumn, response: Response, categories: int, fewest: int) -> FloatColumn:
    """Return a place for each category of a nominal predictor, so that categories with similar responses are near.

    Parameters
    ----------
    codes, response
        Category and response of each donor.
    categories
        The number of categories.
    fewest
        A category with fewer donors stands at the mean of all: its few responses must not show.

    Notes
    -----
    The places are mean responses or, with more than two classes, the first principal component of the shares of the
    classes, by which a split is found that is seldom worse than the best one over all sets of categories: Coppersmith,
    Hong and Hosking (1999), Partitioning nominal attributes in decision trees.
    """
    counts = np.bincount(codes, minlength=categories)
    sums = _weighted_sum(codes, response, categories)
    deviations = sums / np.maximum(counts, 1)[:, None] - sums.sum(axis=0) / codes.size
    deviations[counts < fewest] = 0.0
    return np.asarray(np.einsum("ck,k->c", deviations, _first_component(deviations, counts)), dtype=np.float64)


def mid_ranks(values: FloatColumn) -> FloatColumn:
    """Return the ranks of values, mean ranks for equal ones, so that what many share stands apart."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts / 2)[places], dtype=np.float64)


def classes_of(codes: CodeColumn) -> CodeColumn:
    """Return class numbers from 0: one for each of the commonest categories, one for all others together."""
    counts = np.bincount(codes)
    common = np.argsort(-counts, kind="stable")[:MAX_CLASSES]
    classes = np.full(counts.size, MAX_CLASSES)
    classes[common] = np.arange(common.size)
    return classes[codes]


def _seen(
    places: Sequence[Places],
    scores: Sequence[AdditiveScore],
    predictors: Sequence[FloatColumn],
    n: int,
    chosen: Iterable[int] | None = None,
) -> FloatMatrix:
    """Return what a tree sees of all predictors and scores, or of some and nothing of the others."""
    width = len(places) + len(scores)
    seen = np.zeros((n, width), dtype=np.float32)
    for j in range(width) if chosen is None else chosen:
        seen[:, j] = places[j](predictors[j]) if j < len(places) else scores[j - len(places)](predictors, n)
    return seen  # type: ignore[return-value]  # trees work in single precision, which tells ranks apart


def _places(column: ObservedColumn, rows: Rows, response: Response, fewest: int) -> Places:
    if column.is_ordered:
        return Places(np.unique(column.values[~np.isnan(column.values)]))
    codes = column.values.astype(np.int64)
    places = ordered_categories(codes[rows], response, int(codes.max(initial=0)) + 2, fewest)
    ranks = np.unique(places, return_inverse=True)[1]  # single precision tells ranks apart
    return Places(np.empty(0), ranks.astype(np.float64))


def _weighted_sum(codes: CodeColumn, response: Response, categories: int) -> FloatMatrix:
    """Return for each category the sum of its numbers in one column, or the counts of its classes in several."""
    if response.dtype == np.float64:
        return np.asarray(np.bincount(codes, weights=response, minlength=categories)[:, None], dtype=np.float64)
    classes = int(response.max()) + 1
    counts = np.bincount(codes * classes + response, minlength=categories * classes)
    return counts.reshape(categories, classes).astype(np.float64)


def _first_component(deviations: FloatMatrix, counts: CodeColumn) -> FloatColumn:
    """Return the direction in which the categories, each weighted by its donors, deviate most."""
    _, vectors = np.linalg.eigh(np.einsum("ci,c,cj->ij", deviations, counts.astype(np.float64), deviations))
    first = vectors[:, -1]
    return np.asarray(first * np.sign(first[np.argmax(np.abs(first))]), dtype=np.float64)
