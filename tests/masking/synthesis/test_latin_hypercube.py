import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import spearmanr

from sfumato.data import Microdata, Schema, Variable, numeric
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import LatinHypercube
from sfumato.masking.synthesis.latin_hypercube import hypercube_sample
from sfumato.numerics.rank_correlations import rank_correlations

columns_of_numbers = st.integers(2, 60).flatmap(
    lambda n: hnp.arrays(np.float64, (n, 1), elements=st.one_of(st.integers(0, 4), st.floats(-1e6, 1e6)))
)


def skewed(n: int, seed: int) -> np.ndarray:
    """Return a matrix with half its first column zero, a skewed second one, and a total of both and a third."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    first = np.where(common + rng.normal(size=n) > 0, np.exp(common), 0.0)
    second, third = np.exp(0.7 * common + rng.normal(size=n)), rng.normal(size=n) - common
    return np.column_stack([first, second, third, first + second + third])


def sample(matrix: np.ndarray, seed: int) -> np.ndarray:
    return hypercube_sample(matrix, ~np.isnan(matrix), np.random.default_rng(seed))


@given(column=columns_of_numbers, seed=st.integers(0, 99))
def test_the_marginal_is_within_one_step_of_the_original(column: np.ndarray, seed: int) -> None:
    before, after = np.sort(column[:, 0]), np.sort(sample(column, seed)[:, 0])
    slack = 1e-9 * np.abs(before).max()
    assert (after >= np.append(before[0], before[:-1]) - slack).all()
    assert (after <= np.append(before[1:], before[-1]) + slack).all()


def test_each_part_of_the_distribution_gives_one_value() -> None:
    uniform = np.linspace(0.0, 1.0, 1001)[:, None]  # the quantile function is then the identity
    parts = np.floor(np.sort(sample(uniform, 1)[:, 0]) * 1001)
    assert np.array_equal(parts, np.arange(1001))


@given(
    matrix=hnp.arrays(
        np.float64, st.tuples(st.integers(3, 30), st.integers(2, 4)), elements=st.integers(-3, 3), fill=st.nothing()
    )
)
def test_rank_correlations_are_those_of_scipy_with_ties(matrix: np.ndarray) -> None:
    varied = matrix[:, matrix.min(axis=0) < matrix.max(axis=0)]
    if varied.shape[1] > 1:
        expected = np.atleast_2d(spearmanr(varied).statistic)
        if expected.shape == (1, 1):  # scipy gives one number for two columns
            expected = np.array([[1.0, expected[0, 0]], [expected[0, 0], 1.0]])
        assert np.allclose(rank_correlations(varied), expected, atol=1e-12)


def test_rank_correlations_with_missing_values_are_of_the_records_that_have_both() -> None:
    matrix = skewed(5000, 3)
    holed = matrix.copy()
    holed[np.random.default_rng(1).random(matrix.shape) < 0.3] = np.nan
    assert np.abs(rank_correlations(holed) - rank_correlations(matrix)).max() < 5 / np.sqrt(5000 * 0.49)


@pytest.mark.parametrize("seed", range(3))
def test_rank_correlations_come_near_the_original_ones_even_with_many_zeros(seed: int) -> None:
    matrix = skewed(2000, seed)
    assert np.abs(rank_correlations(sample(matrix, seed)) - rank_correlations(matrix)).max() < 0.005


def test_columns_that_rise_together_still_do() -> None:
    x = np.random.default_rng(2).normal(size=300)
    synthetic = sample(np.column_stack([x, x**3]), 2)
    assert rank_correlations(synthetic)[0, 1] > 0.999


def test_synthetic_records_stand_in_arbitrary_rows() -> None:
    matrix = skewed(4000, 4)
    between = np.array([spearmanr(a, b).statistic for a, b in zip(matrix.T, sample(matrix, 4).T, strict=True)])
    assert np.abs(between).max() < 5 / np.sqrt(4000)


def test_missing_cells_stay_and_the_others_are_filled_with_the_marginal_of_the_observed() -> None:
    matrix = skewed(400, 5)
    matrix[:100, 1] = np.nan
    synthetic = sample(matrix, 5)
    assert np.array_equal(np.isnan(synthetic), np.isnan(matrix))
    before, after = np.sort(matrix[100:, 1]), np.sort(synthetic[100:, 1])
    assert (after[1:] >= before[:-1]).all()
    assert (after[:-1] <= before[1:]).all()


def test_ordinal_columns_get_categories_in_the_original_shares() -> None:
    health = np.repeat(["bad", "fair", "good"], [20, 50, 130])
    schema = Schema(variables=(Variable(name="health", kind="ordinal", categories=("bad", "fair", "good")),))
    data = Microdata(pl.DataFrame({"health": health}), schema)
    masked = run_step(LatinHypercube(columns=("health",)), data, seed=1, step=0)
    counts = masked.summary.counts("health")
    assert counts["bad"] == pytest.approx(20, abs=1)
    assert counts["good"] == pytest.approx(130, abs=1)


def test_a_constant_column_stays_constant() -> None:
    data = Microdata(pl.DataFrame({"x": [1.0, 2.0, 5.0], "flat": [4.5, 4.5, 4.5]}))
    masked = run_step(LatinHypercube(columns=numeric), data, seed=1, step=0)
    assert masked.frame["flat"].to_list() == [4.5] * 3


def test_within_strata_each_stratum_keeps_its_range() -> None:
    x = np.arange(40.0) + np.repeat([0.0, 1000.0], 20)
    data = Microdata(pl.DataFrame({"x": x, "half": ["low"] * 20 + ["high"] * 20}))
    after = run_step(LatinHypercube(columns=("x",), within=("half",)), data, seed=1, step=0).values("x")
    assert after[:20].max() < 20 < 1000 < after[20:].min()


def test_refuses_a_single_record() -> None:
    with pytest.raises(DataError, match="needs at least 2 values in"):
        run_step(LatinHypercube(columns=("x",)), Microdata(pl.DataFrame({"x": [1.5]})), seed=1, step=0)


def test_a_stratum_of_one_record_without_values_stays_without() -> None:
    matrix = np.array([[np.nan, np.nan]])
    assert np.isnan(hypercube_sample(matrix, ~np.isnan(matrix), np.random.default_rng(1))).all()
