"""Probabilistic information loss, checked against plain loops over the definition."""

from math import atan, erf, isnan, pi, sqrt
from statistics import mean

import numpy as np
import pytest
from scipy.stats import gaussian_kde, norm

from sfumato.contracts import Measurement
from sfumato.loss import ProbabilisticInformationLoss
from sfumato.loss.values.probabilistic_information_loss import chance_of_less
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    measure = ProbabilisticInformationLoss(columns=names_of(original))
    return measure.measure(microdata(original), microdata(masked))


def plain_moment(x: list[float], y: list[float], i: int, j: int) -> float:
    middle_x, middle_y = mean(x), mean(y)
    return mean((a - middle_x) ** i * (b - middle_y) ** j for a, b in zip(x, y, strict=True))


def plain_pairs(original: FloatMatrix, masked: FloatMatrix, j: int, k: int) -> tuple[float, float]:
    """Return the chances of a smaller change of the covariance and of the correlation of two columns."""

    def both(matrix: FloatMatrix) -> tuple[list[float], list[float]]:
        rows = [(a, b) for a, b in matrix[:, [j, k]].tolist() if not isnan(a) and not isnan(b)]
        one, other = zip(*rows, strict=True)
        return list(one), list(other)

    x, y = both(original)
    n = len(x)

    def m(a: int, b: int) -> float:
        return plain_moment(x, y, a, b)

    def covariance(matrix: FloatMatrix) -> float:
        x, y = both(matrix)
        return plain_moment(x, y, 1, 1) * len(x) / (len(x) - 1)

    def correlation(matrix: FloatMatrix) -> float:
        x, y = both(matrix)
        return plain_moment(x, y, 1, 1) / sqrt(plain_moment(x, y, 2, 0) * plain_moment(x, y, 0, 2))

    of_covariance = m(2, 2) / n - (n - 2) / (n * (n - 1)) * m(1, 1) ** 2 + m(2, 0) * m(0, 2) / (n * (n - 1))
    r = m(1, 1) / sqrt(m(2, 0) * m(0, 2))
    crossed = m(3, 1) / (m(1, 1) * m(2, 0)) + m(1, 3) / (m(1, 1) * m(0, 2))
    spread = m(4, 0) / m(2, 0) ** 2 + m(0, 4) / m(0, 2) ** 2 + 2 * m(2, 2) / (m(2, 0) * m(0, 2))
    of_correlation = r**2 / n * (m(2, 2) / m(1, 1) ** 2 + spread / 4 - crossed)
    return (
        plain_chance(covariance(original), covariance(masked), sqrt(of_covariance)),
        plain_chance(correlation(original), correlation(masked), sqrt(max(of_correlation, 0.0))),
    )


def plain_chance(before: float, after: float, error: float) -> float:
    return float(100 * 2 * (norm.cdf(abs(after - before) / error) - 0.5)) if error else 0.0


def plain_columns(original: FloatMatrix, masked: FloatMatrix, j: int) -> tuple[float, list[float]]:
    """Return the chances of a smaller change of the mean and of the quantiles of a column."""
    x, y = ([value for value in matrix[:, j].tolist() if not isnan(value)] for matrix in (original, masked))
    n, spread = len(x), np.std(x, ddof=1)
    low, high = np.quantile(x, [0.25, 0.75])
    estimate = gaussian_kde(x, bw_method=0.9 * min(spread, (high - low) / 1.34) * n**-0.2 / spread)
    chances = []
    for share in np.linspace(0.05, 0.95, 19):
        before, after = np.quantile(x, share), np.quantile(y, share)
        chances.append(plain_chance(before, after, sqrt(share * (1 - share) / n) / estimate(before)[0]))
    return plain_chance(mean(x), mean(y), spread / sqrt(n)), chances


def plain_parts(original: FloatMatrix, masked: FloatMatrix) -> dict[str, float]:
    d = original.shape[1]
    columns = [plain_columns(original, masked, j) for j in range(d)]
    pairs = [plain_pairs(original, masked, j, k) for j in range(d) for k in range(j + 1, d)]
    return {
        "PIL.means": mean(chance for chance, _ in columns),
        "PIL.variances": mean(plain_pairs(original, masked, j, j)[0] for j in range(d)),
        "PIL.covariances": mean(covariance for covariance, _ in pairs),
        "PIL.correlations": mean(correlation for _, correlation in pairs),
        "PIL.quantiles": mean(chance for _, chances in columns for chance in chances),
    }


def example(n: int = 80) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(3)
    original = rng.lognormal(size=(n, 3)) @ rng.normal(size=(3, 3))
    return original, original + 0.3 * rng.normal(size=(n, 3))


def test_equals_plain_loops_over_the_definition() -> None:
    found = measured(*example())
    assert dict(found.parts) == pytest.approx(plain_parts(*example()))
    assert found.value == pytest.approx(mean(found.parts.values()))


def test_equals_plain_loops_with_missing_values() -> None:
    original, masked = example()
    rng = np.random.default_rng(8)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    assert dict(measured(original, masked).parts) == pytest.approx(plain_parts(original, masked))


def test_the_chance_is_that_of_a_standard_normal() -> None:
    changes = np.array([0.5, 1.0, 1.96, 3.0])
    found = chance_of_less(np.zeros(4), changes, np.ones(4))
    assert found == pytest.approx([erf(change / sqrt(2)) for change in changes.tolist()])


def test_another_sample_of_the_population_has_about_sixty_percent() -> None:
    rng = np.random.default_rng(1)
    root = rng.normal(size=(4, 4))
    found = [measured(*(rng.normal(size=(500, 4)) @ root for _ in range(2))).value for _ in range(40)]
    # the difference of two estimates has twice the variance: 2 P(0 <= Z <= sqrt(2) |Z'|) is 2 atan(sqrt(2)) / pi
    assert mean(found) == pytest.approx(100 * 2 * atan(sqrt(2)) / pi, abs=5)


def test_a_shift_moves_means_and_quantiles_alone() -> None:
    original, _ = example()
    found = measured(original, original + 100.0).parts
    assert found["PIL.means"] == pytest.approx(100.0)
    assert found["PIL.quantiles"] == pytest.approx(100.0)
    others = [found["PIL.variances"], found["PIL.covariances"], found["PIL.correlations"]]
    assert others == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_the_unit_of_a_column_does_not_matter() -> None:
    original, masked = example()
    units = np.array([1e-6, 1.0, 1e9])
    expected = dict(measured(original, masked).parts)
    assert dict(measured(original * units, masked * units).parts) == pytest.approx(expected)


def test_the_same_noise_is_a_greater_loss_in_a_larger_file() -> None:
    rng = np.random.default_rng(5)
    values = []
    for n in (100, 1000, 10_000):
        original = rng.normal(size=(n, 3))
        values.append(measured(original, original + 0.4 * rng.normal(size=(n, 3))).parts["PIL.variances"])
    assert values == sorted(values)
    assert values[-1] == pytest.approx(100.0, abs=0.1)


def test_a_single_column_is_measured_by_the_three_groups_that_it_has() -> None:
    original, masked = (matrix[:, :1] for matrix in example())
    found = measured(original, masked)
    assert found.parts["PIL.covariances"] == found.parts["PIL.correlations"] == 0.0
    three = [found.parts[name] for name in ("PIL.means", "PIL.variances", "PIL.quantiles")]
    assert found.value == pytest.approx(mean(three))


def test_statistics_that_cannot_vary_are_lost_when_they_change_and_kept_when_not() -> None:
    original = np.column_stack([np.full(10, 0.1), np.arange(10.0)])
    assert measured(original, original).value == 0.0
    found = measured(original, original + np.array([1.0, 0.0])).parts
    assert found["PIL.means"] == pytest.approx(50.0)  # that of the constant column, and not the other
    assert found["PIL.quantiles"] == pytest.approx(50.0)
    assert found["PIL.variances"] == 0.0


def test_collinear_columns_that_stay_so_have_lost_no_correlation() -> None:
    rng = np.random.default_rng(9)
    column = rng.lognormal(size=200)
    original, masked = (np.column_stack([x, 3 * x]) for x in (column, column + 0.1 * rng.normal(size=200)))
    assert measured(original, masked).parts["PIL.correlations"] == 0.0
    masked[0, 1] += 1.0
    assert measured(original, masked).parts["PIL.correlations"] == 100.0


def test_tells_no_figure_of_records() -> None:
    assert measured(*example()).per_record is None
