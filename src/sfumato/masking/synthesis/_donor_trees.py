"""Trees whose leaves hold donors: records with similar predictors, each with an observed response to lend.

Only the partition into leaves is used, so a tree may see ranks in place of numbers (a few large values do not decide
its splits) and the rarest categories of a response as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

Response = FloatColumn | CodeColumn  # numbers for a regression tree, classes from 0 for a classification tree
MAX_CLASSES = 50  # of a response in one tree; its rarer categories count as one more


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as trees see it.

    Parameters
    ----------
    codes
        Ranks from 1 of the distinct values or, in a nominal column, category numbers from 1; 0 where missing.
    is_ordered
        Whether the codes stand in an order.
    """

    codes: CodeColumn
    is_ordered: bool

    @classmethod
    def of(cls, data: Microdata, name: str) -> "CodedColumn":
        """Return a column of any kind but date."""
        if data.schema[name].kind is Kind.NOMINAL:
            return cls(data.codes(name)[0] + 1, is_ordered=False)
        values = data.values(name)
        observed = ~np.isnan(values)
        codes = np.zeros(values.size, dtype=np.int64)
        codes[observed] = np.unique(values[observed], return_inverse=True)[1] + 1
        return cls(codes, is_ordered=True)


@dataclass(frozen=True, eq=False)
class TreePredictor:
    """A column to predict from: as it was observed, and the donor of each value in the synthetic file."""

    column: CodedColumn
    donors: Rows


@dataclass(frozen=True)
class TreeSettings:
    """How trees are grown and donors drawn.

    Parameters
    ----------
    min_leaf
        The fewest donors in a leaf.
    bootstrap
        Whether the donors of a leaf get weights by the Bayesian bootstrap before one is drawn.
    """

    min_leaf: int
    bootstrap: bool


def draw_donors(
    response: CodedColumn, predictors: Sequence[TreePredictor], settings: TreeSettings, rng: np.random.Generator
) -> Rows:
    """Return for each synthetic record the row whose response it gets.

    An ordered response that is missing somewhere takes two trees: one for who has a value, one for which. Missing is
    a category like others in a nominal one.
    """
    everybody = np.arange(response.codes.size)
    if not response.is_ordered:
        return _draw(everybody, everybody, _classes(response.codes), predictors, settings, rng)
    is_observed = response.codes > 0
    if is_observed.all():
        return _draw(everybody, everybody, _mid_ranks(response.codes), predictors, settings, rng)
    donors = _draw(everybody, everybody, is_observed.astype(np.int64), predictors, settings, rng)
    lenders, takers = np.flatnonzero(is_observed), np.flatnonzero(is_observed[donors])
    if takers.size:
        donors[takers] = _draw(lenders, takers, _mid_ranks(response.codes[lenders]), predictors, settings, rng)
    return donors


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
    reached = np.concatenate([[0.0], np.cumsum(weights[order])])
    aim = reached[starts] + draws * (reached[stops] - reached[starts])
    place = np.searchsorted(reached, aim, side="right") - 1
    return np.asarray(order[np.clip(place, starts, stops - 1)], dtype=np.int64)


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


def _mid_ranks(codes: CodeColumn) -> FloatColumn:
    """Return the ranks of ordered codes, mean ranks for equal ones, so that what many share stands apart."""
    counts = np.bincount(codes)
    return np.asarray((np.cumsum(counts) - counts / 2)[codes], dtype=np.float64)


def _classes(codes: CodeColumn) -> CodeColumn:
    """Return class numbers from 0: one for each of the commonest categories, one for all others together."""
    counts = np.bincount(codes)
    common = np.argsort(-counts, kind="stable")[:MAX_CLASSES]
    classes = np.full(counts.size, MAX_CLASSES)
    classes[common] = np.arange(common.size)
    return classes[codes]


def _draw(
    lenders: Rows,
    takers: Rows,
    response: Response,
    predictors: Sequence[TreePredictor],
    settings: TreeSettings,
    rng: np.random.Generator,
) -> Rows:
    """Return a lender for each taker, from the leaf in which the taker's predictors put it."""
    weights = rng.standard_exponential(lenders.size) if settings.bootstrap else np.ones(lenders.size)
    leaves, wanted = _leaves(lenders, takers, response, predictors, settings.min_leaf, rng)
    return lenders[draw_from_leaves(leaves, wanted, weights, rng.random(takers.size))]


def _leaves(
    lenders: Rows,
    takers: Rows,
    response: Response,
    predictors: Sequence[TreePredictor],
    min_leaf: int,
    rng: np.random.Generator,
) -> tuple[CodeColumn, CodeColumn]:
    """Return the leaf of each lender and of each taker in a tree grown on the lenders."""
    if not predictors:
        return np.zeros(lenders.size, dtype=np.int64), np.zeros(takers.size, dtype=np.int64)
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    known = np.empty((lenders.size, len(predictors)), dtype=np.float32)
    asked = np.empty((takers.size, len(predictors)), dtype=np.float32)
    for j, predictor in enumerate(predictors):
        places = _places(predictor.column, lenders, response, min_leaf)
        known[:, j] = places[predictor.column.codes[lenders]]
        asked[:, j] = places[predictor.column.codes[predictor.donors[takers]]]
    grow = DecisionTreeRegressor if response.dtype == np.float64 else DecisionTreeClassifier
    tree = grow(min_samples_leaf=min_leaf, random_state=int(rng.integers(2**31))).fit(known, response)
    return tree.apply(known), tree.apply(asked)


def _places(column: CodedColumn, lenders: Rows, response: Response, min_leaf: int) -> FloatColumn:
    """Return what a tree sees for each code of a predictor; NaN, which trees put where it fits, for a missing rank."""
    count = int(column.codes.max()) + 1
    if column.is_ordered:
        return np.concatenate([[np.nan], np.arange(1.0, count)])
    places = ordered_categories(column.codes[lenders], response, count, min_leaf)
    return np.unique(places, return_inverse=True)[1].astype(np.float64)  # ranks: single precision tells them apart
