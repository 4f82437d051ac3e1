"""Matrix masking, and the methods that are special cases of it."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.swapping.pairing import pair_within
from sfumato.masking import AdditiveNoise, MatrixMasking, Mdav, Sampling, mask_by_matrices
from sfumato.masking.linear.matrix_masking import average_records
from sfumato.masking.swapping.rank_swapping import swap_ranks
from sfumato.numerics.standardisation import z_scores
from tests.matrices import microdata, names_of

V = np.random.default_rng(1).lognormal(3, 1, size=(30, 2))
DATA, NAMES = microdata(V), names_of(V)


def test_additive_noise_is_a_matrix_that_is_added() -> None:
    masked = AdditiveNoise(columns=NAMES, scale=0.3).mask(DATA, np.random.default_rng(2)).matrix(NAMES)
    noise = 0.3 * V.std(axis=0, ddof=1) * np.random.default_rng(2).standard_normal((2, 30)).T
    assert np.allclose(mask_by_matrices(V, added=noise), masked)


def test_microaggregation_is_a_matrix_that_averages_records() -> None:
    masked = Mdav(columns=NAMES, k=3).mask(DATA, np.random.default_rng(0)).matrix(NAMES)
    groups = mdav_groups(z_scores(V), 3)
    same = groups[:, None] == groups
    assert np.allclose(mask_by_matrices(V, records=same / same.sum(axis=1)), masked)
    assert np.allclose(average_records(V, groups), masked)


def test_rank_swapping_is_a_permutation_of_the_records_of_a_column() -> None:
    swapped = swap_ranks(V[:, 0], 4, np.random.default_rng(3))
    by_rank = np.argsort(V[:, 0])
    permutation = np.zeros((30, 30))
    permutation[by_rank, by_rank[pair_within(4, np.random.default_rng(3).random(30))]] = 1
    assert np.allclose(mask_by_matrices(V[:, :1], records=permutation)[:, 0], swapped)


def test_a_sample_is_some_rows_of_the_identity() -> None:
    masked = Sampling(size=8).mask(DATA, np.random.default_rng(3))
    sampled = mask_by_matrices(V, records=np.eye(30)[masked.row_ids])
    assert sampled.shape == (8, 2)
    assert np.array_equal(sampled, masked.matrix(NAMES))


def test_the_covariances_of_mixed_columns_are_known_from_the_mixing() -> None:
    method = MatrixMasking(
        columns=NAMES, column_weights={NAMES[0]: {NAMES[0]: 0.8, NAMES[1]: 0.4}}, shifts={NAMES[1]: 7}, scale=None
    )
    masked = method.mask(DATA, np.random.default_rng(0)).matrix(NAMES)
    mixing = np.array([[0.8, 0.0], [0.4, 1.0]])
    assert np.allclose(masked, mask_by_matrices(V, columns=mixing, added=np.array([[0.0, 7.0]])))
    assert np.allclose(np.cov(masked, rowvar=False), mixing.T @ np.cov(V, rowvar=False) @ mixing)


def test_averages_and_noise_come_together() -> None:
    frame = pl.DataFrame({"x": V[:, 0], "town": ["a", "b", "c"] * 10})
    method = MatrixMasking(columns=("x",), averaged_by=("town",), scale=0.5)
    masked = method.mask(Microdata(frame), np.random.default_rng(5)).frame["x"].to_numpy()
    means = frame.with_columns(pl.col("x").mean().over("town"))["x"].to_numpy()
    noise = 0.5 * means.std(ddof=1) * np.random.default_rng(5).standard_normal(30)
    assert np.allclose(masked, means + noise)


def test_refuses_unknown_columns_and_gaps_in_what_is_mixed() -> None:
    with pytest.raises(UnknownColumnError, match="'z' is among the weights or shifts, but not in columns"):
        MatrixMasking(columns=NAMES, shifts={"z": 1.0}).mask(DATA, np.random.default_rng(0))
    gaps = Microdata(pl.DataFrame({"x": [1.5, None, 3.5], "y": [1.25, 2.5, 4.0]}))
    with pytest.raises(DataError, match="'x' misses values, so that 'y'"):
        MatrixMasking(columns=("x", "y"), column_weights={"y": {"x": 1, "y": 1}}).mask(gaps, np.random.default_rng(0))


def test_refuses_to_leave_every_value_as_it_is() -> None:
    data = microdata(np.arange(6.0).reshape(3, 2))
    with pytest.raises(DataError, match="leaves every value as it is; give a scale"):
        MatrixMasking(columns=names_of(data.matrix(data.schema.names)), scale=None).mask(data, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ({"records": np.ones((2, 2))}, "records must have 3 columns, one for each of the records of matrix; got 2"),
        ({"columns": np.ones((3, 1))}, "columns must have 2 rows, one for each of the columns of matrix; got 3"),
        ({"added": np.ones((9, 9))}, r"added must have the shape \(3, 2\) of A V B; got \(9, 9\)"),
        ({"added": np.full((3, 2), np.nan)}, "added must be a numpy array of two dimensions with a number in each"),
        ({"records": np.ones(3)}, "records must be a numpy array of two dimensions"),
    ],
)
def test_refuses_matrices_that_do_not_fit(matrices: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(ParameterError, match=f"mask_by_matrices.{message}"):
        mask_by_matrices(np.ones((3, 2)), **matrices)
