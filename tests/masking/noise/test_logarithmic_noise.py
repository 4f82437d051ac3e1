"""Logarithmic noise: what it keeps of the logarithms, and its likelihood."""

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import LogarithmicNoise
from sfumato.masking.noise.logarithmic_noise import add_to_logarithms
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import LikelihoodLinkage
from tests.matrices import microdata, names_of


def incomes(n: int = 300) -> FloatMatrix:
    rng = np.random.default_rng(1)
    mixed = rng.normal(size=(n, 3)) @ np.array([[1.0, 0.8, 0.1], [0.0, 0.5, 0.2], [0.0, 0.0, 0.6]])
    return np.asarray(np.exp(mixed + 6), dtype=np.float64)


def test_means_stay_and_logarithms_get_the_covariance_asked_for() -> None:
    values = np.tile(np.array([[100.0, 40.0]]), (200_000, 1))
    covariance = np.array([[0.09, 0.05], [0.05, 0.04]])
    drawn = add_to_logarithms(values, covariance, np.random.default_rng(2))
    assert drawn.mean(axis=0) == pytest.approx(values[0], rel=0.005)
    assert np.cov(np.log(drawn), rowvar=False) == pytest.approx(covariance, rel=0.03)


def test_correlations_and_slopes_of_logarithms_are_kept_in_expectation() -> None:
    data = microdata(incomes(20_000))
    method = LogarithmicNoise(columns=names_of(incomes(1)), variance_ratio=0.5)
    masked = method.mask(data, np.random.default_rng(3))
    before, after = (np.cov(np.log(file.matrix(names_of(incomes(1)))), rowvar=False) for file in (data, masked))
    assert after == pytest.approx(1.5 * before, rel=0.05, abs=0.01)


def test_the_density_is_that_of_the_normal_noise_on_logarithms() -> None:
    matrix = incomes(40)
    data, names = microdata(matrix), names_of(matrix)
    noise = LogarithmicNoise(columns=names, variance_ratio=0.3)
    masked = noise.mask(data, np.random.default_rng(4))
    found = noise.likelihood(data, masked, names)
    assert all(coordinate.is_exact for coordinate in found)
    ours = np.add.reduce([part.density.log_density(part.before, part.after[7]) for part in found])
    covariance = 0.3 * np.cov(np.log(matrix), rowvar=False)
    apart = np.log(masked.matrix(names)[7]) + np.diag(covariance) / 2 - np.log(matrix)
    plain = -0.5 * np.einsum("ni,ij,nj->n", apart, np.linalg.inv(covariance), apart)
    assert ours - ours[0] == pytest.approx(plain - plain[0])


def test_an_intruder_who_knows_the_recipe_links_by_it() -> None:
    matrix = incomes()
    data, noise = microdata(matrix), LogarithmicNoise(columns=names_of(matrix), variance_ratio=0.01)
    masked = noise.mask(data, np.random.default_rng(5))
    measure = LikelihoodLinkage(columns=names_of(matrix)).informed_by(Knowledge.of([noise], data))
    assert measure.measure(data, masked).value > 60


def test_the_density_of_some_columns_needs_no_others_of_the_masked_file() -> None:
    matrix = incomes(40)
    data, names = microdata(matrix), names_of(matrix)
    noise = LogarithmicNoise(columns=names, variance_ratio=0.3)
    masked = noise.mask(data, np.random.default_rng(4)).take_columns(names[1:2])
    (coordinate,) = noise.likelihood(data, masked, names[1:2])
    variance = 0.3 * float(np.var(np.log(matrix[:, 1]), ddof=1))
    apart = (np.log(masked.values("v1")) + variance / 2 - np.log(matrix[:, 1])) / np.sqrt(variance)
    found = coordinate.density.log_density(coordinate.before, coordinate.after)
    assert found - found[0] == pytest.approx(-(apart**2 - apart[0] ** 2) / 2)


@pytest.mark.parametrize(
    ("column", "message"),
    [([1.0, 0.0, 3.0], "'v0' must be positive.*1 of 3 are not"), ([2.0, 2.0, 2.0], "'v0' is constant")],
)
def test_refuses_what_has_no_logarithm_or_does_not_vary(column: list[float], message: str) -> None:
    data = microdata(np.column_stack([column, [1.5, 2.5, 4.0]]))
    with pytest.raises(DataError, match=message):
        LogarithmicNoise(columns=("v0", "v1")).mask(data, np.random.default_rng(0))


def test_refuses_too_few_complete_records() -> None:
    data = Microdata(pl.DataFrame({"a": [1.0, None, 3.5], "b": [None, 2.0, 3.0]}))
    with pytest.raises(DataError, match="needs at least 2 records complete in a, b; there are 1"):
        LogarithmicNoise(columns=("a", "b")).mask(data, np.random.default_rng(0))
