"""Imputation by predictive mean matching: values borrowed from records with a similar prediction."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.masking.synthesis._bayesian_regression import fit_bayesian_regression
from sfumato.masking.synthesis._imputation import Releases, impute_releases
from sfumato.masking.synthesis._likelihoods.regressions import matched_donors, regression_likelihood
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.parameters import Columns, Given, GroupSize, Strata

AT_A_TIME = 65_536  # records whose donors are looked for together


class PmmImputation(MaskingMethod):
    """Replace columns, one after another, by values of other records with a similar predicted mean.

    Parameters
    ----------
    columns
        Continuous columns, in the order in which they are drawn: each from `given` and the columns drawn before it.
    given
        Columns that stay as they are and are predicted from; categories serve as dummies.
    donors
        A record takes the value of one of this many records, or of one more, those whose predictions are nearest; all
        that are equally near take part. It is never its own donor.
    releases
        Number of masked files. With more than one, each record stands that many times, one after the other, and a new
        column `release` has the number of the file.
    within
        Columns whose equal values make the strata; each stratum then has regressions and donors of its own.

    Effect on risk
        The values are those of real records, in other combinations: a value that points to somebody still does, so top
        code first. Falls as `donors` grows.
    Effect on utility
        Keeps the form of each column (skewness, zeros, bounds), and relations between columns as far as the
        prediction has them. Sums of columns are lost: leave totals out and compute them from the masked parts.
    Missing values
        Stay missing. A missing value in a predictor counts as the mean, and that it is missing as a predictor. A
        column that is constant or determined by the given ones is refused, and so is one of which most values would be
        borrowed from records with the same value.
    Source
        Rubin (1993), Discussion: statistical disclosure limitation; matching from Little (1988), Missing-data
        adjustments in large surveys, with drawn coefficients on the side of the record that takes.

    Examples
    --------
    >>> match_donors(np.array([0.0, 1.0, 2.0, 10.0]), np.array([0.1, 1.1, 9.0, 9.0]), 2, np.random.default_rng(1))
    array([1, 0, 3, 1])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False

    columns: Columns
    given: Given = ()
    donors: GroupSize = 5
    releases: Releases = 1
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the block with borrowed values in the chosen columns, once per release."""
        return impute_releases(
            self, block, block.select(self.given), self.releases, self._draw, rng, same_share=self._same_share
        )

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of the predictions of donors about that of the record; none for several releases."""
        if self.releases > 1:
            return None
        return regression_likelihood(
            self,
            original.select(self.given),
            original,
            masked,
            names,
            matched_donors(self.donors),
            is_normal=False,
        )

    def _draw(
        self, values: FloatColumn, known: FloatMatrix, asked: FloatMatrix, rng: np.random.Generator
    ) -> FloatColumn:
        if not values.size:
            return values
        fit = fit_bayesian_regression(values - values.mean(), known)
        coefficients, _ = fit.draw(rng)
        means, wanted = (
            np.einsum("k,kn->n", weights, predictors)
            for weights, predictors in ((fit.coefficients, known), (coefficients, asked))
        )
        return values[match_donors(means, wanted, self.donors, rng)]

    def _same_share(self, values: FloatColumn, known: FloatMatrix) -> float:
        fit = fit_bayesian_regression(values - values.mean(), known)
        return same_among_donors(values, np.einsum("k,kn->n", fit.coefficients, known), self.donors)


def match_donors(means: FloatColumn, wanted: FloatColumn, donors: int, rng: np.random.Generator) -> Rows:
    """Return for each record the row of a donor, drawn from those with the nearest predictions, itself left out.

    Parameters
    ----------
    means
        The predicted means of the donors; row i is record i.
    wanted
        The predicted means of the records, in the same order.
    donors
        How many others to draw from at least. All donors of one prediction are taken together.
    rng
        The generator.
    """
    distinct, run, sizes = np.unique(means, return_inverse=True, return_counts=True)
    members, starts = np.argsort(run, kind="stable"), np.cumsum(sizes) - sizes
    draws = rng.random((2, wanted.size))
    chosen = np.empty(wanted.size, dtype=np.int64)
    for start in range(0, wanted.size, AT_A_TIME):
        part = slice(start, start + AT_A_TIME)
        nearest, pool = _pools(distinct, sizes, wanted[part], donors)
        total = pool.sum(axis=1)
        first = (draws[0, part] * total).astype(np.int64)
        other = (first + 1 + (draws[1, part] * (total - 1)).astype(np.int64)) % total
        found, instead = (members[_places(draw, pool, starts[nearest])] for draw in (first, other))
        chosen[part] = np.where(found == np.arange(wanted.size)[part], instead, found)
    return chosen


def same_among_donors(values: FloatColumn, means: FloatColumn, donors: int) -> float:
    """Return how often a donor has the same value as the record that borrows from it.

    Examples
    --------
    >>> round(same_among_donors(np.array([1.0, 1, 1, 5, 6]), np.array([1.0, 1.1, 1.2, 5.0, 6.0]), 2), 2)
    0.6
    """
    distinct, run, sizes = np.unique(means, return_inverse=True, return_counts=True)
    kinds, kind = np.unique(values, return_inverse=True)
    pairs, alike = np.unique(run * kinds.size + kind, return_counts=True)  # runs of equal predictions by value
    same = 0.0
    for start in range(0, means.size, AT_A_TIME):
        part = slice(start, start + AT_A_TIME)
        nearest, pool = _pools(distinct, sizes, means[part], donors)
        asked = nearest * kinds.size + kind[part, None]
        place = np.minimum(np.searchsorted(pairs, asked), pairs.size - 1)
        found = np.where((pairs[place] == asked) & (pool > 0), alike[place], 0)
        same += float(((found.sum(axis=1) - 1) / np.maximum(pool.sum(axis=1) - 1, 1)).sum())  # itself left out
    return same / means.size


def _pools(distinct: FloatColumn, sizes: CodeColumn, wanted: FloatColumn, donors: int) -> tuple[CodeColumn, CodeColumn]:
    """Return the places of the distinct predictions nearest to each wanted one, and how many donors each offers."""
    nearest = _nearest(distinct, wanted, donors + 1)
    counts = np.where(nearest >= 0, sizes[nearest], 0)
    pool = np.where(np.cumsum(counts, axis=1) - counts < donors + 1, counts, 0)  # one more, as one may be itself
    return nearest, pool


def _nearest(distinct: FloatColumn, wanted: FloatColumn, most: int) -> CodeColumn:
    """Return the places of the distinct predictions nearest to each wanted one, nearest first, -1 beyond the ends."""
    place = np.searchsorted(distinct, wanted)
    around = place[:, None] + np.arange(-most, most)
    inside = (around >= 0) & (around < distinct.size)
    around = np.where(inside, around, -1)
    apart = np.where(inside, np.abs(distinct[around] - wanted[:, None]), np.inf)
    nearest = np.argsort(apart, axis=1, kind="stable")[:, :most]
    return np.asarray(np.take_along_axis(around, nearest, axis=1), dtype=np.int64)


def _places(draws: CodeColumn, pool: CodeColumn, starts: CodeColumn) -> CodeColumn:
    """Return the place among all members that a draw from 0 to the size of each pool stands for."""
    reached = np.cumsum(pool, axis=1)
    rows, run = np.arange(draws.size), (draws[:, None] >= reached).sum(axis=1)
    return np.asarray(starts[rows, run] + draws - (reached - pool)[rows, run], dtype=np.int64)
