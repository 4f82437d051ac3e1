import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, numeric
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import Hybrid
from sfumato.masking.synthesis.hybrid import mix_with_nearest


def records(n: int, seed: int, d: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.lognormal(size=(n, d)) @ np.abs(rng.normal(size=(d, d))))


def masked(matrix: np.ndarray, original_percent: float, seed: int = 1) -> np.ndarray:
    data = Microdata(pl.DataFrame(matrix, schema=[f"x{j}" for j in range(matrix.shape[1])]))
    after = run_step(Hybrid(columns=numeric, original_percent=original_percent), data, seed=seed, step=0)
    return after.matrix(after.schema.names)


@given(seed=st.integers(0, 999), n=st.integers(2, 30), original_percent=st.floats(0, 99))
def test_each_record_is_mixed_with_its_nearest_synthetic_one(seed: int, n: int, original_percent: float) -> None:
    original, synthetic = records(n, seed), records(n, seed + 1)
    together = np.vstack([original, synthetic])
    scale = together.std(axis=0)
    for before, after in zip(original, mix_with_nearest(original, synthetic, original_percent), strict=True):
        nearest = synthetic[np.argmin((((synthetic - before) / scale) ** 2).sum(axis=1))]  # brute force
        share = original_percent / 100
        assert np.allclose(after, share * before + (1 - share) * nearest)


def test_a_larger_share_of_the_original_stays_nearer_to_it() -> None:
    matrix = records(500, 1)
    moved = [np.abs(masked(matrix, percent) - matrix).mean() for percent in (0, 30, 60, 90, 99.999)]
    assert moved == sorted(moved, reverse=True)
    assert moved[-1] < 1e-4 * moved[0]


def test_more_columns_leave_more_distance_to_the_nearest_synthetic_record() -> None:
    one, many = records(500, 2, d=1), records(500, 2, d=8)
    moved = [np.abs(masked(matrix, 0) - matrix).mean() / matrix.std() for matrix in (one, many)]
    assert moved[0] < 0.1 * moved[1]


def test_a_record_that_lacks_values_is_paired_by_those_it_has() -> None:
    original = np.array([[0.0, np.nan], [10.0, 10.0]])
    mixed = mix_with_nearest(original, np.array([[2.0, 100.0], [11.0, 12.0]]), 0)
    assert mixed[0, 0] == 2.0
    assert mixed[1].tolist() == [11.0, 12.0]


def test_a_constant_column_stays_constant() -> None:
    matrix = np.column_stack([records(20, 3), np.full(20, 7.5)])
    assert (masked(matrix, 50)[:, -1] == 7.5).all()


def test_refuses_the_original_itself() -> None:
    with pytest.raises(ParameterError, match=r"^Hybrid.original_percent must be in \[0, 100\); got 100$"):
        Hybrid(columns=numeric, original_percent=100)


def test_refuses_a_single_record() -> None:
    with pytest.raises(DataError, match="needs at least 2 values in"):
        masked(records(1, 1), 50)
