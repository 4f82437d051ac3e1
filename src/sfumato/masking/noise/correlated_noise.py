"""Correlated noise: normal noise whose covariance is a multiple of the data's."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod, Noise
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.masking.noise._last_bits import drop_last_bits
from sfumato.masking.noise._linear_relations import drop_residuals, leaves_traces
from sfumato.masking.noise._noise_likelihood import noise_likelihood
from sfumato.masking.noise._rescaling import centred_mixture, centred_share, rescaled_noise
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import STANDARD_NORMAL, NormalMixture
from sfumato.numerics.normal_draws import correlated_normals
from sfumato.parameters import Columns, Ratio, Strata


class CorrelatedNoise(MaskingMethod):
    """Add normal noise that is correlated as the columns are.

    Parameters
    ----------
    columns
        Continuous columns, masked together. Integer columns get rounded values. Collinear columns are fine: a total
        stays the sum of its parts (up to rounding).
    variance_ratio
        Covariance of the noise, as a multiple of the covariance of the data.
    rescaled
        Whether the columns are drawn back towards their means, so that variances and covariances are kept too.
    within
        Columns whose equal values make the strata; the noise then follows the covariance in the stratum.

    Effect on risk
        Falls as `variance_ratio` grows. Outliers stay recognisable. `rescaled` moves them inwards by a known factor,
        which an intruder can undo. Where columns are strongly correlated, the noise is tiny across the correlations,
        and an intruder who links by the Mahalanobis distance finds most records: measure `WorstCaseLinkage`. Where no
        value is missing, that distance is the likelihood of the noise, so that little more can be found.
    Effect on utility
        Keeps means and correlations in expectation; multiplies variances and covariances by 1 + variance_ratio.
        With `rescaled` keeps means exactly (columns of at least 30 values, up to the rounding of integer columns), and
        variances and covariances in expectation. Means of subdomains are then drawn to the mean of the whole:
        `corrected_moments` gives them back.
    Missing values
        Stay missing. The covariance of the data is then estimated from all records, each missing value expected from
        the others of its record as if records were normal: a total stays the sum of its parts in every record that has
        both, and no combination of columns that varies goes without noise. The ratio holds for this estimate: columns
        with many values missing, and not by chance, may get somewhat more or less noise than `variance_ratio` of the
        variance of their observed values. At least 2 records must be complete in `columns`. A constant column is
        refused. With `rescaled` each column keeps its own mean, so that totals with missing parts are sums only
        approximately.
    Source
        Kim (1986), A method for limiting disclosure in microdata based on random noise and transformation: X +
        sqrt(d) Y with Cov(Y) = Cov(X). Rescaled as by Yancey, Winkler and Creecy (2002), Disclosure risk assessment in
        perturbative microdata protection, appendix; about the mean of the original values, with noise that adds up to
        0.

    Examples
    --------
    >>> covariance = np.array([[4.0, 2.0], [2.0, 1.0]])  # the second column is half the first
    >>> noise = correlated_normals(2, covariance, np.random.default_rng(0))
    >>> bool(np.allclose(noise[:, 0], 2 * noise[:, 1]))
    True
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    variance_ratio: Ratio = 0.1
    rescaled: bool = False
    within: Strata = ()

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the normal density of the noise, in the coordinates in which it is white."""
        return noise_likelihood(self, original, masked, names, self.noise)

    def noise(self, stratum: Microdata) -> Noise:
        """Return the noise, whose covariance is a multiple of that of the data."""
        every = stratum.select(self.columns)
        return noise_on(type(self).__name__, stratum, every, self.variance_ratio, self.rescaled)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with correlated noise on the chosen columns."""
        names = block.select(self.columns)
        covariance = noise_covariance(type(self).__name__, block, names, self.variance_ratio)
        noise = correlated_normals(block.n, covariance, rng)
        if not self.rescaled:
            return block.map_matrix(names, lambda matrix: drop_last_bits(drop_residuals(matrix, covariance) + noise))
        means = block.summary.means(names)
        return block.map_matrix(
            names,
            lambda matrix: drop_last_bits(
                rescaled_noise(drop_residuals(matrix, covariance), noise, self.variance_ratio, means)
            ),
        )


def noise_covariance(who: str, block: Microdata, names: tuple[str, ...], variance_ratio: float) -> FloatMatrix:
    """Return the multiple of the data's covariance that the noise is to have; a constant column is refused."""
    covariance = block.summary.covariance(names)
    for name, variance in zip(names, np.diag(covariance), strict=True):
        if variance == 0.0:
            raise DataError(
                f"{who}.columns: '{name}' is constant, so noise in proportion would change nothing; leave it out"
            )
    return np.asarray(variance_ratio * covariance, dtype=np.float64)


def noise_on(
    who: str,
    stratum: Microdata,
    names: tuple[str, ...],
    variance_ratio: float,
    rescaled: bool,
    mixture: NormalMixture = STANDARD_NORMAL,
) -> Noise:
    """Return the noise on a stratum whose covariance is a multiple of that of the data, as an intruder knows it."""
    covariance = noise_covariance(who, stratum, names, variance_ratio)
    means, matrix = stratum.summary.means(names), stratum.matrix(names)
    is_exact = not leaves_traces(matrix, covariance)
    if not rescaled:
        return Noise(covariance, 1.0, means, mixture, is_exact=is_exact)
    is_shared = _shares_a_draw(matrix, covariance, mixture)
    if len(mixture.weights) > 1 or np.isnan(matrix).any():  # otherwise the sum is the same for all matchings
        covariance = covariance * centred_share(matrix)
    centred = centred_mixture(mixture, matrix)
    return Noise(covariance, 1 / np.sqrt(1 + variance_ratio), means, centred, is_exact=is_exact and not is_shared)


def _shares_a_draw(matrix: FloatMatrix, covariance: FloatMatrix, mixture: NormalMixture) -> bool:
    """Tell whether the mean that centring takes from the noise of all records can tell matchings apart.

    It cannot for normal noise without gaps: each matching has the same sum of differences, so that the density of all
    records is the product of theirs but for a factor. With gaps that holds for each column by itself.
    """
    is_correlated = bool(np.count_nonzero(covariance - np.diag(np.diag(covariance))))
    return len(mixture.weights) > 1 or (bool(np.isnan(matrix).any()) and is_correlated)
