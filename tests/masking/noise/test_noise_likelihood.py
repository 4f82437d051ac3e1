"""How likely noisy records are, against the density of a whole file."""

import numpy as np
import polars as pl

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.masking import CorrelatedNoise, MixtureNoise
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of


def test_centred_noise_is_as_likely_as_its_pairs_together() -> None:
    matrix = np.random.default_rng(1).multivariate_normal([5, 9], [[4, 2], [2, 3]], size=40)
    method = CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.5, rescaled=True)
    original = microdata(matrix)
    masked = method.mask(original, np.random.default_rng(2))
    likelihood = method.likelihood(original, masked, names_of(matrix)) or ()
    assert all(one.is_exact for one in likelihood)
    noise = (masked.matrix(names_of(matrix)) - matrix.mean(axis=0)) * np.sqrt(1.5) + matrix.mean(axis=0)
    centring = np.eye(40) - 1 / 40
    precision = np.kron(np.linalg.pinv(centring), np.linalg.inv(0.5 * np.cov(matrix.T)))
    matchings = [np.random.default_rng(number).permutation(40) for number in range(3)]
    by_pairs = [sum_of_pairs(likelihood, matching) for matching in matchings]
    whole = [density(noise[matching] - matrix, precision) for matching in matchings]
    assert np.allclose(np.diff(by_pairs), np.diff(whole), rtol=1e-6)


def test_centred_noise_of_correlated_columns_with_gaps_is_not_called_exact() -> None:
    matrix = np.random.default_rng(1).multivariate_normal([5, 9], [[4, 2], [2, 3]], size=40)
    matrix[3, 0] = np.nan
    method = CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.5, rescaled=True)
    original = microdata(matrix)
    likelihood = method.likelihood(original, method.mask(original, np.random.default_rng(2)), names_of(matrix)) or ()
    assert likelihood
    assert not any(one.is_exact for one in likelihood)


def test_mixture_noise_takes_more_patterns_of_gaps_than_have_a_density_of_their_own() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.multivariate_normal(np.zeros(5), np.eye(5) + 1, size=200)
    matrix[rng.random(matrix.shape) < 0.3] = np.nan
    names = names_of(matrix)
    original = Microdata(pl.DataFrame(matrix, schema=list(names)).fill_nan(None))
    method = MixtureNoise(columns=names)
    likelihood = method.likelihood(original, method.mask(original, rng), names) or ()
    placed = np.any([~np.isnan(one.before) for one in likelihood], axis=0)
    assert np.array_equal(placed, ~np.isnan(matrix).all(axis=1))


def sum_of_pairs(likelihood: Likelihood, matching: np.ndarray) -> float:
    """Return the log density of a matching as the sum over its pairs."""
    return float(sum(one.density.log_density(one.before, one.after[matching]).sum() for one in likelihood))


def density(noise: FloatMatrix, precision: FloatMatrix) -> float:
    """Return the log density of all noise of a file at once, but for a constant."""
    return float(-0.5 * noise.ravel() @ precision @ noise.ravel())
