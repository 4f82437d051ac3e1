import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking import AdditiveNoise, CorrelatedNoise, MixtureNoise

NAMES = ("a", "b", "total")
N = 70_001  # more than one block of rows
_rng = np.random.default_rng(8)
_A = _rng.gamma(2.0, 10.0, N)
_B = 0.5 * _A + _rng.normal(100, 8, N)
DATA = Microdata(pl.DataFrame({"a": _A, "b": _B, "total": _A + _B}))
TOGETHER = [
    CorrelatedNoise(columns=NAMES, variance_ratio=0.4, rescaled=True),
    MixtureNoise(columns=NAMES, variance_ratio=0.4, rescaled=True),
]
ALL = [*TOGETHER, AdditiveNoise(columns=NAMES, scale=0.6, rescaled=True)]

together = pytest.mark.parametrize("method", TOGETHER, ids=str)
every_noise = pytest.mark.parametrize("method", ALL, ids=str)


def masked(method: MaskingMethod, data: Microdata = DATA) -> np.ndarray:
    return run_step(method, data, seed=4, step=0).matrix(NAMES)


def relative_covariance(matrix: np.ndarray) -> np.ndarray:
    deviations = DATA.matrix(NAMES).std(axis=0, ddof=1)
    return np.asarray(np.cov(matrix, rowvar=False) / np.outer(deviations, deviations))


@every_noise
def test_rescaled_noise_keeps_means_exactly(method: MaskingMethod) -> None:
    before = DATA.matrix(NAMES)
    # one run of 65 536 rows and one of 4 465: the noise of each adds up to 0
    assert np.abs(masked(method).mean(axis=0) - before.mean(axis=0)).max() < 1e-9


@every_noise
def test_plain_noise_keeps_means_in_expectation_only(method: MaskingMethod) -> None:
    before = DATA.matrix(NAMES)
    shift = np.abs(masked(method.replace(rescaled=False)).mean(axis=0) - before.mean(axis=0)) / before.std(axis=0)
    assert 1e-6 < shift.max() < 5 * 0.64 / np.sqrt(N)


@together
def test_rescaled_noise_keeps_covariances_within_their_standard_error(method: MaskingMethod) -> None:
    # what changes is 2 shrinkage^2 sqrt(d) Cov(x, noise) and shrinkage^2 d (Cov(noise) - Cov(x))
    error = (2 * np.sqrt(0.4) + 0.4 * np.sqrt(2)) / 1.4 / np.sqrt(N)
    change = relative_covariance(masked(method)) - relative_covariance(DATA.matrix(NAMES))
    assert np.abs(change).max() < 5 * error
    inflated = relative_covariance(masked(method.replace(rescaled=False)))
    assert np.diag(inflated) == pytest.approx(1.4, rel=0.03)


def test_rescaled_additive_noise_keeps_variances_and_divides_covariances() -> None:
    after, before = (relative_covariance(x) for x in (masked(ALL[-1]), DATA.matrix(NAMES)))
    error = (2 * 0.6 + 0.36 * np.sqrt(2)) / 1.36 / np.sqrt(N)
    wanted = before / 1.36
    np.fill_diagonal(wanted, 1.0)
    assert np.abs(after - wanted).max() < 5 * error


@together
def test_a_total_stays_the_sum_of_its_parts(method: MaskingMethod) -> None:
    after = masked(method)
    assert np.abs(after[:, 2] - after[:, 0] - after[:, 1]).max() < 1e-6


@every_noise
def test_means_of_columns_with_missing_values_are_kept_too(method: MaskingMethod) -> None:
    holes = pl.when(pl.int_range(pl.len()) % 3 > 0).then(pl.col("a"))
    data = Microdata(DATA.frame.head(3000).with_columns(a=holes))
    before, after = data.matrix(NAMES), masked(method, data)
    assert np.nanmean(after, axis=0) == pytest.approx(np.nanmean(before, axis=0), rel=1e-10)  # of ten digits


@every_noise
def test_a_few_values_are_not_given_away_by_noise_that_adds_up_to_nothing(method: MaskingMethod) -> None:
    data = Microdata(DATA.frame.head(4))
    before = data.matrix(NAMES)
    ratio = getattr(method, "variance_ratio", 0.36)
    undone = (masked(method, data) - before.mean(axis=0)) * np.sqrt(1 + ratio) + before.mean(axis=0)
    assert np.abs((undone - before).sum(axis=0)).min() > 1e-3
