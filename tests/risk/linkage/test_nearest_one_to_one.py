"""Nearest records one to one, checked against the dense assignment of scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.risk.linkage._worst_case.nearest_one_to_one import one_to_one_share


@given(seed=st.integers(0, 10_000), n=st.integers(2, 40), d=st.integers(1, 4))
def test_equals_the_dense_assignment_when_all_records_are_candidates(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    original = rng.normal(size=(n, d))
    rows = rng.permutation(n)
    masked = original[rows] + 0.7 * rng.normal(size=(n, d))
    squared = ((masked[:, None] - original[None]) ** 2).sum(axis=2)
    _, linked = linear_sum_assignment(squared)
    assert one_to_one_share(original, masked, rows, count=n).tolist() == (linked == rows).tolist()


def test_few_candidates_do_nearly_as_well_as_all() -> None:
    rng = np.random.default_rng(3)
    original = rng.normal(size=(400, 5))
    masked = original + 0.5 * rng.normal(size=(400, 5))
    few, every = (one_to_one_share(original, masked, np.arange(400), count).mean() for count in (20, 400))
    assert few == pytest.approx(every, abs=0.03)


def test_equal_records_draw_lots() -> None:
    original = np.array([[1.0], [1.0], [5.0]])
    assert one_to_one_share(original, original, np.arange(3), count=3).tolist() == [0.5, 0.5, 1.0]


def test_the_order_of_the_records_changes_nothing() -> None:
    rng = np.random.default_rng(4)
    original = np.rint(rng.normal(0, 3, size=(60, 2)))
    masked = np.rint(original + rng.normal(size=(60, 2)))
    order = rng.permutation(60)
    found = one_to_one_share(original, masked, np.arange(60), count=10)
    assert one_to_one_share(original, masked[order], order, count=10).tolist() == found[order].tolist()


def test_a_sample_is_linked_to_the_whole_file() -> None:
    original = np.arange(10.0)[:, None]
    rows = np.array([7, 2, 5])
    assert one_to_one_share(original, original[rows], rows, count=4).tolist() == [1.0, 1.0, 1.0]


def test_without_columns_nobody_is_linked() -> None:
    assert one_to_one_share(np.empty((3, 0)), np.empty((3, 0)), np.arange(3), count=2).tolist() == [0.0, 0.0, 0.0]
