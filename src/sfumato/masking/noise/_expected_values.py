"""For users of noisy data: what to expect of the original value behind a noisy one (Matloff's bias)."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking.noise._noise_correction import check_noise, noise_covariance, unscaled_noise
from sfumato.masking.noise.additive_noise import AdditiveNoise
from sfumato.masking.noise.correlated_noise import CorrelatedNoise
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

POINTS = 300  # of the grid on which the distribution of the original values is estimated
BINS = 600  # of noisy values that count as equal
STEPS = 400  # of the search for the most likely distribution
MIN_RECORDS = 100  # below which a distribution is a guess


@dataclass(frozen=True, eq=False)
class ExpectedValues:
    """What is expected of original values, given the noisy ones.

    Parameters
    ----------
    columns
        The columns, in the order of the values.
    noisy
        The values as they were before they were rescaled, if they were (records x columns); NaN where missing.
    expected
        The mean of the original values of records with such a noisy value, of the same shape.
    """

    columns: tuple[str, ...]
    noisy: FloatMatrix
    expected: FloatMatrix

    @property
    def bias(self) -> FloatMatrix:
        """By how much the original value is expected below (negative) or above the noisy one."""
        return np.asarray(self.expected - self.noisy, dtype=np.float64)


def expected_values(
    masked: Microdata, noise: AdditiveNoise | CorrelatedNoise, *, lowest: float | None = None
) -> ExpectedValues:
    """Return the original value to be expected behind each noisy one, from noisy data and what is known of the noise.

    A noisy value is no unbiased guess of the original: where the density falls, as for large incomes, more records came
    up to a value than down to it, so that the original is expected below it: E(V | V' = w) < w. The density of
    the original values is estimated from the noisy ones as the most likely one on a grid, column by column, and the
    expected value is its mean given the noisy value.

    Parameters
    ----------
    masked
        The noisy records.
    noise
        The method that masked them, with the parameters that the publisher states. Its noise must be normal.
    lowest
        The lowest value that the original columns may have, such as 0; not known when not given.

    Notes
    -----
    The variance of the noise is taken from that of the noisy columns, as by `corrected_moments`, with the error of
    rounding in columns of integers. Values of a record are corrected one by one: what another column tells of it is not
    used.

    References
    ----------
    Matloff (1986), Another look at the use of noise addition for database security. The most likely distribution:
    Kiefer and Wolfowitz (1956), by the algorithm of expectation and maximisation.

    Examples
    --------
    >>> import polars
    >>> incomes = np.random.default_rng(0).exponential(100, 2000)
    >>> noise = AdditiveNoise(columns=("income",), scale=0.5)
    >>> noisy = noise.mask(Microdata(polars.DataFrame({"income": incomes})), np.random.default_rng(1))
    >>> found = expected_values(noisy, noise, lowest=0.0)
    >>> large = found.noisy[:, 0] > 200  # their original values are lower by about the noise's variance / 100
    >>> bool(-35 < found.bias[large, 0].mean() < -15)
    True
    """
    check_noise("expected_values", masked, noise, (AdditiveNoise, CorrelatedNoise))
    columns, noisy, ratio = unscaled_noise("expected_values", masked, noise)
    found = np.full(noisy.shape, np.nan)
    deviations = np.sqrt(np.diag(noise_covariance(masked, noise, columns, ratio)))
    for place, name in enumerate(columns):
        known = ~np.isnan(noisy[:, place])
        if known.sum() < MIN_RECORDS:
            raise DataError(
                f"expected_values needs at least {MIN_RECORDS} values of a column, to know its distribution; '{name}' "
                f"has {int(known.sum())}: leave it out"
            )
        values = noisy[known, place]
        found[known, place] = posterior_means(values, float(deviations[place]), lowest)
    return ExpectedValues(columns, noisy, found)


def posterior_means(noisy: FloatColumn, deviation: float, lowest: float | None = None) -> FloatColumn:
    """Return the mean of the original value given each noisy one, for normal noise of some deviation.

    Examples
    --------
    >>> noisy = np.array([0.0] * 50 + [10.0] * 50)  # two values, far apart: each comes from its own
    >>> posterior_means(noisy, 1.0)[[0, -1]].round(2)
    array([0.03, 9.97])
    """
    low, high = float(noisy.min()), float(noisy.max())
    grid = np.linspace(low if lowest is None else lowest, max(high, low if lowest is None else lowest), POINTS)
    places = np.linspace(low, high, BINS)
    counts = np.bincount(
        np.clip(np.rint((noisy - low) / max(high - low, 1e-300) * (BINS - 1)).astype(int), 0, BINS - 1)
    )
    counts = np.pad(counts, (0, BINS - counts.size)).astype(np.float64)
    apart = (places[:, None] - grid) / deviation
    likelihood = np.exp(-0.5 * (apart**2 - (apart**2).min(axis=1, keepdims=True)))
    shares = np.full(POINTS, 1 / POINTS)
    for _ in range(STEPS):
        shares = shares * (likelihood.T @ (counts / (likelihood @ shares))) / counts.sum()
    weights = likelihood * shares
    means = weights @ grid / weights.sum(axis=1)
    return np.asarray(np.interp(noisy, places, means), dtype=np.float64)
