"""Mixture noise: correlated noise that is seldom small, drawn from a mixture of normal distributions."""

from dataclasses import replace
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from sfumato.contracts import Layout, Likelihood, MaskingMethod, Noise
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.masking.noise._last_bits import drop_last_bits
from sfumato.masking.noise._linear_relations import drop_residuals
from sfumato.masking.noise._noise_likelihood import noise_likelihood
from sfumato.masking.noise._rescaling import rescaled_noise
from sfumato.masking.noise.correlated_noise import noise_covariance, noise_on
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.densities import NormalMixture
from sfumato.numerics.normal_draws import component_root, square_root
from sfumato.parameters import Columns, Ratio, Strata

Weight = Annotated[float, Field(gt=0, lt=1)]
"""A probability, or a part of a variance."""


def _check_sum_of_weights(weights: tuple[float, ...]) -> tuple[float, ...]:
    if len(weights) < 2 or abs(sum(weights) - 1) > 1e-9:
        raise ValueError(
            f"must be at least 2 weights that add up to 1; got {len(weights)} with sum {format_compact(sum(weights))}"
        )
    return weights


class MixtureNoise(MaskingMethod):
    """Add noise that is correlated as the columns are, drawn from a mixture of normal distributions.

    The noise is L w, where L L' is the covariance wanted and each element of w comes from one of several normal
    distributions, which together have mean 0 and variance 1. By default there are two, near -1 and 1, so that noise
    near 0 is rarer than with a normal distribution, most of all in columns that are little correlated with others.

    Parameters
    ----------
    columns
        Continuous columns, masked together. Integer columns get rounded values. Collinear columns are fine: a total
        stays the sum of its parts (up to rounding).
    variance_ratio
        Covariance of the noise, as a multiple of the covariance of the data.
    weights
        The probability of each component of the mixture; they add up to 1.
    centres
        Where the components lie, as many as there are weights. They are moved and stretched so that the mixture has
        mean 0 and variance 1: only the ratios of their distances matter. Evenly spaced when not given.
    component_variance
        The variance of each component, as a part (0 to 1) of the variance of the mixture.
    along_components
        Whether L is made of the principal components of the correlations, as in the Census report, and not Cholesky's
        root, with which the first columns stand for themselves. Covariances are the same, distributions and risk not.
    rescaled
        Whether the columns are drawn back towards their means, so that variances and covariances are kept too.
    within
        Columns whose equal values make the strata; the noise then follows the covariance in the stratum.

    Effect on risk
        High. An intruder who links by distance finds fewer records than with `CorrelatedNoise` of the same ratio,
        because less noise is near 0; but one who knows the recipe knows that the noise lies near the centres, and
        links by its likelihood. On Census, 13 columns known, that finds all records up to a ratio of 1, where
        `CorrelatedNoise` leaves 22 %. The smaller `component_variance`, the worse; one component is
        `CorrelatedNoise`, which is the better choice. Measure `LikelihoodLinkage` or `WorstCaseLinkage`, with the
        recipe.
    Effect on utility
        As with `CorrelatedNoise`: keeps means and correlations in expectation and multiplies variances and covariances
        by 1 + variance_ratio. With `rescaled` keeps means exactly (columns of at least 30 values, up to the rounding
        of integer columns), and variances and covariances in expectation. Distributions are blurred more.
    Missing values
        Stay missing. The covariance of the data is then estimated from all records, each missing value expected from
        the others of its record as if records were normal: a total stays the sum of its parts in every record that has
        both, and no combination of columns that varies goes without noise. The ratio holds for this estimate: columns
        with many values missing, and not by chance, may get somewhat more or less noise than `variance_ratio` of the
        variance of their observed values. At least 2 records must be complete in `columns`. A constant column is
        refused. With `rescaled` each column keeps its own mean, so that totals with missing parts are sums only
        approximately.
    Source
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, appendix,
        after Roque (2000). The noise is multiplied by sqrt(d), which gives the covariance (1 + d) Cov(X) stated there.
        Of five roots tried, its losses come out with the principal components of the correlations alone.

    Examples
    --------
    >>> mixture_centres(np.array([0.5, 0.5]), np.array([0.0, 1.0]), 0.19)
    array([-0.9, 0.9])
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    variance_ratio: Ratio = 0.1
    weights: Annotated[tuple[Weight, ...], AfterValidator(_check_sum_of_weights)] = (0.5, 0.5)
    centres: tuple[float, ...] | None = None
    component_variance: Weight = 0.025
    along_components: bool = False
    rescaled: bool = False
    within: Strata = ()

    @model_validator(mode="after")
    def _check_centres(self) -> Self:
        if self.centres is None:
            return self
        if len(self.centres) != len(self.weights):
            raise ValueError(
                f"MixtureNoise.centres must be as many as the weights; got {len(self.centres)} for {len(self.weights)}"
            )
        if len(set(self.centres)) == 1:
            raise ValueError("MixtureNoise.centres must not be all the same; use CorrelatedNoise for one component")
        return self

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the density of the mixture, in the coordinates in which its elements are independent."""
        return noise_likelihood(self, original, masked, names, self.noise)

    def noise(self, stratum: Microdata) -> Noise:
        """Return the noise, whose covariance is a multiple of that of the data, of mixed elements."""
        mixture = NormalMixture(np.array(self.weights), self._centres(), self.component_variance)
        every = stratum.select(self.columns)
        stated = noise_on(type(self).__name__, stratum, every, self.variance_ratio, self.rescaled, mixture)
        return replace(stated, along_components=self.along_components)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with mixture noise on the chosen columns."""
        names = block.select(self.columns)
        covariance = noise_covariance(type(self).__name__, block, names, self.variance_ratio)
        independent = self._mixture((len(names), block.n), rng)
        # einsum adds in one fixed order; a threaded BLAS may not
        noise = np.asarray(np.einsum("ij,jn->in", self._root(covariance), independent).T, dtype=np.float64)
        if not self.rescaled:
            return block.map_matrix(names, lambda matrix: drop_last_bits(drop_residuals(matrix, covariance) + noise))
        means = block.summary.means(names)
        return block.map_matrix(
            names,
            lambda matrix: drop_last_bits(
                rescaled_noise(drop_residuals(matrix, covariance), noise, self.variance_ratio, means)
            ),
        )

    def _root(self, covariance: FloatMatrix) -> FloatMatrix:
        return component_root(covariance) if self.along_components else square_root(covariance)

    def _mixture(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatMatrix:
        return mixture_draws(shape, np.array(self.weights), self._centres(), self.component_variance, rng)

    def _centres(self) -> FloatColumn:
        weights = np.array(self.weights)
        places = np.arange(weights.size, dtype=np.float64) if self.centres is None else np.array(self.centres)
        return mixture_centres(weights, places, self.component_variance)


def mixture_centres(weights: FloatColumn, places: FloatColumn, component_variance: float) -> FloatColumn:
    """Return `places` moved and stretched so that a mixture with these weights has mean 0 and variance 1."""
    moved = places - (weights * places).sum() / weights.sum()
    spread = (weights * moved**2).sum() / weights.sum()
    return np.asarray(moved * np.sqrt((1 - component_variance) / spread), dtype=np.float64)


def mixture_draws(
    shape: tuple[int, int], weights: FloatColumn, centres: FloatColumn, variance: float, rng: np.random.Generator
) -> FloatMatrix:
    """Return independent draws from a mixture of normal distributions of one variance."""
    component = np.searchsorted(np.cumsum(weights)[:-1], rng.random(shape), side="right")
    return np.asarray(centres[component] + np.sqrt(variance) * rng.standard_normal(shape), dtype=np.float64)
