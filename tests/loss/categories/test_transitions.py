"""Bayes' formula over the pairs of categories that can occur, checked against plain loops."""

from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy as natural_entropy

from sfumato.loss.categories._transitions import entropy, posterior, surprise, uncertainty


@given(seed=st.integers(0, 999), size=st.integers(1, 6))
def test_bayes_equals_plain_loops_for_any_matrix_with_zeros_in_it(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(size), size) * (rng.random((size, size)) < 0.6)
    matrix[np.arange(size), np.arange(size)] += 0.1
    matrix /= matrix.sum(axis=1, keepdims=True)
    shares = rng.dirichlet(np.ones(size))
    order = rng.permutation(size * size)
    i, j = (codes.ravel()[order] for codes in np.indices((size, size)))
    known = posterior(i, j, (shares[:, None] * matrix).ravel()[order], shares)
    for after in range(size):
        total = sum(shares[before] * matrix[before, after] for before in range(size))
        chances = {
            before: shares[before] * matrix[before, after] / total for before in range(size) if matrix[before, after]
        }
        bits = sum(-chance * log2(chance) for chance in chances.values())
        assert uncertainty(known, np.array([after]))[0] == pytest.approx(bits, abs=1e-12)
        for before, chance in chances.items():
            assert surprise(known, np.array([before]), np.array([after]))[0] == pytest.approx(-log2(chance), abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9).filter(lambda weights: sum(weights) > 0.01))
def test_entropy_equals_that_of_another_library(weights: list[float]) -> None:
    shares = np.array(weights) / sum(weights)
    assert entropy(shares) == pytest.approx(natural_entropy(shares, base=2), abs=1e-12)


def test_only_pairs_that_can_occur_are_kept_in_order() -> None:
    known = posterior(np.array([1, 0, 1]), np.array([0, 0, 2]), np.array([3.0, 1.0, 0.0]), np.array([0.25, 0.75, 0.0]))
    assert (known.original.tolist(), known.masked.tolist()) == ([0, 1], [0, 0])
    assert known.probability.tolist() == [0.25, 0.75]


def test_a_missing_masked_value_tells_no_more_than_the_shares() -> None:
    known = posterior(np.array([0, 1]), np.array([0, 1]), np.array([0.25, 0.75]), np.array([0.25, 0.75]))
    assert uncertainty(known, np.array([0, -1])).tolist() == [0.0, entropy(known.shares)]
    found = surprise(known, np.array([0, 0, -1, -1]), np.array([0, -1, 0, -1]))
    assert np.array_equal(found, [0.0, 2.0, np.nan, np.nan], equal_nan=True)
