"""Standard errors, checked against all samples of a small population, closed forms and simulations."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import gaussian_kde

from sfumato.loss.values._sampling_errors import (
    density,
    joint_errors,
    mean_error,
    quantile_errors,
    quantiles,
    sampling_errors,
)
from sfumato.numerics.arrays import FloatColumn

NAN = float("nan")
ONE = np.array([1.0, 2.0, 4.0, 8.0, 3.0])
OTHER = np.array([2.0, -1.0, 5.0, 0.5, 0.0])


def test_errors_of_covariances_and_variances_are_those_over_all_samples_of_a_population() -> None:
    for other in (ONE, OTHER):
        draws = [list(rows) for rows in product(range(5), repeat=5)]
        found = [np.cov(ONE[rows], other[rows])[0, 1] for rows in draws]
        assert joint_errors(ONE, other)[0] == pytest.approx(np.std(found))


def test_the_error_of_a_variance_has_its_textbook_form() -> None:
    column = np.random.default_rng(1).lognormal(size=50)
    centred = column - column.mean()
    m2, m4, n = np.mean(centred**2), np.mean(centred**4), 50
    assert joint_errors(column, column)[0] == pytest.approx(np.sqrt((m4 - (n - 3) / (n - 1) * m2**2) / n))


def test_the_error_of_a_correlation_has_its_textbook_form() -> None:
    n = len(ONE)
    u, v = ONE - ONE.mean(), OTHER - OTHER.mean()

    def m(i: int, j: int) -> float:
        return float(np.mean(u**i * v**j))

    r = m(1, 1) / np.sqrt(m(2, 0) * m(0, 2))
    spread = m(4, 0) / m(2, 0) ** 2 + m(0, 4) / m(0, 2) ** 2 + 2 * m(2, 2) / (m(2, 0) * m(0, 2))
    crossed = m(3, 1) / (m(1, 1) * m(2, 0)) + m(1, 3) / (m(1, 1) * m(0, 2))
    variance = r**2 / n * (m(2, 2) / m(1, 1) ** 2 + spread / 4 - crossed)
    assert joint_errors(ONE, OTHER)[1] == pytest.approx(np.sqrt(variance))


def test_the_error_of_the_correlation_of_normal_columns_is_one_less_its_square() -> None:
    rng = np.random.default_rng(3)
    one, noise = rng.normal(size=(2, 200_000))
    other = 0.6 * one + 0.8 * noise
    # the fourth moments of so many records are within about 2 % of their expectation
    assert joint_errors(one, other)[1] == pytest.approx((1 - 0.6**2) / np.sqrt(200_000), rel=0.02)


def test_errors_are_what_repeated_samples_of_skewed_columns_show() -> None:
    rng = np.random.default_rng(4)
    n, shares = 400, np.array([0.3, 0.5, 0.9])  # not near the edge, where a kernel smooths too much

    def sample() -> tuple[FloatColumn, FloatColumn]:
        one = rng.gamma(2.0, size=n)
        return one, one * rng.gamma(4.0, size=n)

    samples = [sample() for _ in range(1500)]
    correlations = [np.corrcoef(*columns)[0, 1] for columns in samples]
    cuts = [np.quantile(one, shares) for one, _ in samples]
    predicted = [joint_errors(*columns)[1] for columns in samples]
    predicted_cuts = [quantile_errors(np.sort(one), shares) for one, _ in samples]
    # 1500 runs know a deviation to 2 %; the large-sample form and the bandwidth add a few percent at n = 400
    assert np.median(predicted) == pytest.approx(np.std(correlations), rel=0.1)
    assert np.median(predicted_cuts, axis=0) == pytest.approx(np.std(cuts, axis=0), rel=0.15)


def test_columns_without_spread_have_no_error() -> None:
    constant = np.full(3, 0.1)
    assert mean_error(constant) == mean_error(np.array([5.0])) == 0.0
    assert joint_errors(constant, np.array([1.0, 2.0, 4.0])) == (0.0, 0.0)
    assert quantile_errors(constant, np.array([0.5])).tolist() == [0.0]


def test_each_two_columns_are_looked_at_over_the_records_that_have_both() -> None:
    rng = np.random.default_rng(5)
    matrix = rng.lognormal(size=(40, 3))
    matrix[rng.random(matrix.shape) < 0.2] = NAN
    found = sampling_errors(matrix)
    for j in range(3):
        known = matrix[~np.isnan(matrix[:, j]), j]
        assert found.means[j] == pytest.approx(known.std(ddof=1) / np.sqrt(known.size))
        for k in range(3):
            both = matrix[~np.isnan(matrix[:, [j, k]]).any(axis=1)]
            pair = found.covariances[j, k], found.correlations[j, k]
            assert pair == pytest.approx(joint_errors(both[:, j], both[:, k]), abs=1e-12)


def test_columns_never_known_together_have_no_error() -> None:
    found = sampling_errors(np.array([[1.0, NAN], [2.0, NAN], [NAN, 3.0], [NAN, 5.0]]))
    assert found.covariances[0, 1] == found.correlations[0, 1] == 0.0


def test_quantiles_are_those_of_numpy() -> None:
    ascending = np.sort(np.random.default_rng(6).lognormal(size=37))
    shares = np.linspace(0, 1, 21)
    assert quantiles(ascending, shares) == pytest.approx(np.quantile(ascending, shares))
    assert quantiles(np.array([7.0]), shares).tolist() == [7.0] * 21


def test_the_density_is_that_of_scipy_with_the_same_bandwidth() -> None:
    ascending = np.sort(np.random.default_rng(7).lognormal(size=500))
    low, high = np.quantile(ascending, [0.25, 0.75])
    spread = ascending.std(ddof=1)
    estimate = gaussian_kde(ascending, bw_method=0.9 * min(spread, (high - low) / 1.34) * 500**-0.2 / spread)
    points = np.array([0.01, 0.5, 1.0, 7.0, 60.0])
    assert density(ascending, points) == pytest.approx(estimate(points), rel=1e-9, abs=1e-12)


def test_a_column_with_one_frequent_value_takes_the_bandwidth_of_its_deviation() -> None:
    ascending = np.sort(np.r_[np.zeros(80), np.arange(1.0, 21.0)])  # both quartiles are 0
    bandwidth = 0.9 * ascending.std(ddof=1) * 100**-0.2
    assert density(ascending, np.array([3.0])) == pytest.approx(
        gaussian_kde(ascending, bw_method=bandwidth / ascending.std(ddof=1))(3.0)
    )
    assert np.isfinite(quantile_errors(ascending, np.array([0.5, 0.95]))).all()


def test_a_quantile_where_no_value_is_near_has_an_infinite_error() -> None:
    column = np.sort(np.r_[np.linspace(0, 1, 99), [1e9, 1e9 + 1]])  # the bandwidth is that of the quartiles
    between = (quantiles(column, np.array([98.5 / 100])))[0]
    assert 1 < between < 1e9
    assert quantile_errors(column, np.array([98.5 / 100])).tolist() == [float("inf")]
