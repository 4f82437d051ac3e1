"""Normal draws with given covariances."""

import numpy as np
import pytest

from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.normal_draws import inverse_root, square_root


def collinear(seed: int = 0) -> FloatMatrix:
    """Return the covariance of six columns of which the third is the sum of the first two, and the fifth a copy."""
    base = np.random.default_rng(seed).normal(size=(60, 4)) * [1e4, 3.0, 0.1, 50.0]
    matrix = np.column_stack([base[:, 0], base[:, 1], base[:, 0] + base[:, 1], base[:, 2], base[:, 2], base[:, 3]])
    return np.asarray(np.cov(matrix, rowvar=False), dtype=np.float64)


@pytest.mark.parametrize("seed", range(5))
def test_no_rounding_decides_which_root_a_collinear_file_has(seed: int) -> None:
    covariance = collinear(seed)
    scales = np.sqrt(np.diag(covariance))
    roundings = np.random.default_rng(seed).uniform(-1e-15, 1e-15, covariance.shape)
    rounded = covariance * (1 + (roundings + roundings.T) / 2)
    first, second = (square_root(some) / scales[:, None] for some in (covariance, rounded))
    assert np.abs(first - second).max() < 1e-7
    assert np.allclose(first @ first.T, covariance / np.outer(scales, scales), atol=1e-12)


def test_a_column_that_others_determine_has_no_element_of_its_own() -> None:
    root = square_root(collinear())
    assert not root[:, [2, 4]].any()
    assert np.array_equal(np.triu(root, 1), np.zeros((6, 6)))


def test_the_root_of_the_first_columns_is_that_part_of_the_root_of_all() -> None:
    covariance = collinear()
    for count in range(1, 7):
        assert np.allclose(square_root(covariance[:count, :count]), square_root(covariance)[:count, :count])


def test_draws_of_a_collinear_file_give_back_their_elements() -> None:
    root = square_root(collinear())
    elements = np.random.default_rng(1).normal(size=(6, 20))
    assert np.allclose(inverse_root(root) @ root @ elements, elements[[0, 1, 3, 5]])


def test_the_root_is_that_of_cholesky_where_no_column_is_determined_by_others() -> None:
    factor = np.random.default_rng(2).normal(size=(5, 9))
    covariance = factor @ factor.T
    assert np.allclose(square_root(covariance), np.linalg.cholesky(covariance), rtol=1e-12)


@pytest.mark.parametrize(
    "seed", [56, 113, 480]
)  # what is left of the last column is above 1e-12 one way, below 0 another
def test_a_column_that_only_rounding_leaves_something_of_has_no_element_of_its_own(seed: int) -> None:
    rng = np.random.default_rng(seed)
    own = np.array([1, 0.9, 0.9, 0.8, 0.7, 0.05, 0.1, 0.01, 0.2, 0.0])
    root = np.tril(rng.standard_normal((10, 10)), -1)
    root *= (np.sqrt(1 - own**2) / np.maximum(np.linalg.norm(root, axis=1), 1e-9))[:, None]
    root += np.diag(own)
    found = square_root(root @ root.T)
    assert found[9, 9] == 0
    assert np.allclose(found @ found.T, root @ root.T, atol=2e-6)  # 1e-12 of the variance
