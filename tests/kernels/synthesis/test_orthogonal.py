from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.synthesis.orthogonal import orthonormalise, rotate_in_groups


def nothing(n: int) -> np.ndarray:
    return np.empty((0, n))


def low_rank(seed: int, d: int, rank: int, n: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    scales = 10.0 ** rng.integers(-6, 7, (d, 1))
    return np.asarray(scales * (rng.normal(size=(d, rank)) @ rng.normal(size=(rank, n))))


sizes = {"seed": st.integers(0, 9999), "d": st.integers(1, 6), "rank": st.integers(0, 6), "n": st.integers(8, 40)}


@given(**sizes)
def test_the_basis_is_orthonormal_and_gives_back_the_columns(seed: int, d: int, rank: int, n: int) -> None:
    columns = low_rank(seed, d, rank, n)
    basis, factor = orthonormalise(columns, nothing(n), 1e-9)
    assert len(basis) == min(rank, d)
    assert np.allclose(basis @ basis.T, np.eye(len(basis)), atol=1e-12)
    lengths = np.linalg.norm(columns, axis=1, keepdims=True)
    assert (np.abs(factor.T @ basis - columns) <= 1e-9 * lengths + 1e-300).all()


@given(**sizes)
def test_what_lies_in_the_given_space_is_left_out(seed: int, d: int, rank: int, n: int) -> None:
    against, _ = np.linalg.qr(np.random.default_rng(seed + 1).normal(size=(n, 3)))
    columns = low_rank(seed, d, rank, n)
    basis, factor = orthonormalise(columns, np.ascontiguousarray(against.T), 1e-9)
    outside = columns - columns @ against @ against.T  # the plain definition
    lengths = np.linalg.norm(columns, axis=1, keepdims=True)
    assert (np.abs(factor.T @ basis - outside) <= 1e-9 * lengths + 1e-300).all()
    assert np.abs(basis @ against).max(initial=0.0) < 1e-12


def test_nearly_collinear_columns_still_give_an_orthonormal_basis() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(size=500)
    columns = np.vstack([first, first + 1e-7 * rng.normal(size=500), first - 1e-7 * rng.normal(size=500)])
    basis, _ = orthonormalise(columns, nothing(500), 1e-9)
    assert len(basis) == 3
    assert np.abs(basis @ basis.T - np.eye(3)).max() < 1e-12


def test_a_column_of_zeros_adds_nothing() -> None:
    basis, factor = orthonormalise(np.zeros((2, 5)), nothing(5), 0.0)
    assert basis.shape == (0, 5)
    assert factor.shape == (0, 2)


@given(seed=st.integers(0, 9999), d=st.integers(1, 4), rank=st.integers(1, 4), groups=st.integers(1, 5))
def test_turning_keeps_means_and_covariances_of_each_group(seed: int, d: int, rank: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(3, 8, groups))])
    columns = low_rank(seed, d, rank, int(starts[-1]))
    turned = rotate_in_groups(columns, starts, rng.normal(size=columns.shape), 1e-9)
    for start, stop in pairwise(starts):
        before, after = columns[:, start:stop], turned[:, start:stop]
        scale = np.abs(before).max(axis=1)
        assert (np.abs(before.mean(axis=1) - after.mean(axis=1)) <= 1e-9 * scale).all()
        apart = np.abs(np.atleast_2d(np.cov(before)) - np.atleast_2d(np.cov(after)))
        assert (apart <= 1e-9 * np.outer(scale, scale)).all()


def test_turning_moves_every_record_of_a_group_of_three() -> None:
    columns = np.random.default_rng(1).normal(size=(2, 300))
    turned = rotate_in_groups(columns, np.arange(0, 301, 3), np.random.default_rng(2).normal(size=(2, 300)), 1e-9)
    assert np.abs(turned - columns).max(axis=0).min() > 1e-6


def test_a_group_of_equal_records_stays_as_it_is() -> None:
    columns = np.repeat([[5.0], [7.0]], 4, axis=1)
    assert np.array_equal(rotate_in_groups(columns, np.array([0, 4]), np.ones((2, 4)), 1e-9), columns)
