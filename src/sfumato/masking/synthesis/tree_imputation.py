"""Imputation by trees: values borrowed from records in the same leaf of a regression tree."""

from typing import Any, ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.masking.synthesis._imputation import Releases, impute_releases
from sfumato.masking.synthesis._likelihoods.leaves import leaf_likelihood
from sfumato.masking.synthesis._trees.donor_trees import draw_from_leaves
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.parameters import Columns, Given, GroupSize, Strata


class TreeImputation(MaskingMethod):
    """Replace columns, one after another, by values of other records in the same leaf of a regression tree.

    Parameters
    ----------
    columns
        Continuous columns, in the order in which they are drawn: each from `given` and the columns drawn before it.
    given
        Columns that stay as they are and are predicted from; categories serve as dummies.
    min_leaf
        The fewest records in a leaf. A record takes the value of another one in its leaf, never its own.
    releases
        Number of masked files. With more than one, each record stands that many times, one after the other, and a new
        column `release` has the number of the file.
    within
        Columns whose equal values make the strata; each stratum then has trees of its own.

    Effect on risk
        The values are those of real records, in other combinations: a value that points to somebody still does, so top
        code first. Falls as `min_leaf` grows.
    Effect on utility
        Keeps the form of each column (skewness, zeros, bounds), and relations that trees find, also those that are not
        linear. Sums of columns are lost: leave totals out and compute them from the masked parts.
    Missing values
        Stay missing. A missing value in a predictor counts as the mean, and that it is missing as a predictor. A
        column that is constant or determined by the given ones is refused, and so is one of which most values would be
        borrowed from records with the same value.
    Source
        Reiter (2005), Using CART to generate partially synthetic public use microdata: donors get weights by the
        Bayesian bootstrap. `SequentialSynthesis` draws columns of any kind, and missing values too.

    Examples
    --------
    >>> is_employed = np.array([0.0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> predictors = np.array([np.ones(10), is_employed])
    >>> pay = np.array([0.0, 1, 2, 3, 4, 50, 51, 52, 53, 54])
    >>> leaf_draw(pay, predictors, predictors, 5, np.random.default_rng(0)) >= 50
    array([False, False, False, False, False,  True,  True,  True,  True,  True])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False

    columns: Columns
    given: Given = ()
    min_leaf: GroupSize = 5
    releases: Releases = 1
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the block with borrowed values in the chosen columns, once per release."""
        return impute_releases(
            self,
            block,
            block.select(self.given),
            self.releases,
            lambda values, known, asked, rng: leaf_draw(values, known, asked, self.min_leaf, rng),
            rng,
            same_share=lambda values, known: same_in_leaf(values, known, self.min_leaf),
        )

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of the donors in the leaf of each record; none for several releases."""
        if self.releases > 1:
            return None
        return leaf_likelihood(
            self,
            original.select(self.given),
            original,
            masked,
            names,
            lambda values, known: _fit_tree(values, known, self.min_leaf, 0),
        )


def leaf_draw(
    values: FloatColumn, known: FloatMatrix, asked: FloatMatrix, min_leaf: int, rng: np.random.Generator
) -> FloatColumn:
    """Return for each record the value of another one in the leaf in which its predictors put it.

    Parameters
    ----------
    values, known
        The column and its predictors, one per row, in the original file.
    asked
        The predictors to draw for; record i is the same person in all.
    min_leaf
        The fewest records in a leaf.
    rng
        The generator.
    """
    if values.size < 2:
        return values
    tree = _fit_tree(values, known, min_leaf, int(rng.integers(2**31)))
    leaves, wanted = tree.apply(known.T), tree.apply(asked.T)
    chosen = draw_from_leaves(leaves, wanted, rng.standard_exponential(values.size), rng.random(values.size))
    own = np.flatnonzero(chosen == np.arange(values.size))
    chosen[own] = _neighbours(leaves, own, rng)
    return values[chosen]


def same_in_leaf(values: FloatColumn, known: FloatMatrix, min_leaf: int) -> float:
    """Return how often another record of the leaf has the same value.

    Examples
    --------
    >>> is_employed = np.array([0.0, 0, 0, 1, 1, 1])
    >>> same_in_leaf(np.array([7.0, 7, 8, 9, 9, 9]), np.array([np.ones(6), is_employed]), 3)
    0.6666666666666666
    """
    if values.size < 2:
        return 0.0
    leaves = _fit_tree(values, known, min_leaf, 0).apply(known.T)
    _, leaf, sizes = np.unique(leaves, return_inverse=True, return_counts=True)
    _, pair, alike = np.unique(np.stack([leaves, values]), axis=1, return_inverse=True, return_counts=True)
    return float(((alike[pair] - 1) / np.maximum(sizes[leaf] - 1, 1)).mean())


def _fit_tree(values: FloatColumn, known: FloatMatrix, min_leaf: int, start: int) -> Any:
    from sklearn.tree import DecisionTreeRegressor

    size = np.abs(values - values.mean()).max()
    tree = DecisionTreeRegressor(min_samples_leaf=min_leaf, random_state=start)
    return tree.fit(known.T, (values - values.mean()) / (size if size > 0 else 1.0))


def _neighbours(leaves: CodeColumn, rows: Rows, rng: np.random.Generator) -> Rows:
    """Return for each of some rows another one in its leaf."""
    order = np.argsort(leaves, kind="stable")
    place = np.empty(leaves.size, dtype=np.int64)
    place[order] = np.arange(leaves.size)
    starts, stops = (np.searchsorted(leaves[order], leaves[rows], side=side) for side in ("left", "right"))
    step = 1 + (rng.random(rows.size) * (stops - starts - 1)).astype(np.int64)
    return np.asarray(order[starts + (place[rows] - starts + step) % (stops - starts)], dtype=np.int64)
