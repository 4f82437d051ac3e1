import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.local_search import refine_groups
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.quick_local_search import refine_groups_quickly

records = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 60), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-50, 50, allow_subnormal=False)),
)


def lost(points: np.ndarray, groups: np.ndarray) -> float:
    """The sum of squared distances from the means of the groups."""
    return sum(float(((points[groups == g] - points[groups == g].mean(axis=0)) ** 2).sum()) for g in np.unique(groups))


@given(points=records, k=st.integers(2, 6))
def test_groups_keep_their_sizes_and_lose_no_more(points: np.ndarray, k: int) -> None:
    if len(points) >= k:
        start = mdav_groups(points, k)
        groups = refine_groups_quickly(points, start, k)
        sizes = np.bincount(groups)
        assert sizes.sum() == len(points)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        assert lost(points, groups) <= lost(points, start) + 1e-9 * (1 + np.ptp(points) ** 2)


@pytest.mark.parametrize(("k", "share"), [(3, 0.6), (6, 0.4)])
def test_a_good_part_of_what_a_patient_search_gains_is_gained(k: int, share: float) -> None:
    points = np.random.default_rng(3).normal(size=(1000, 4))
    start = mdav_groups(points, k)
    quick, patient = (refine(points, start, k) for refine in (refine_groups_quickly, refine_groups))
    gained = lost(points, start) - lost(points, quick)
    assert gained > share * (lost(points, start) - lost(points, patient))


def test_the_best_groups_are_left_as_they_are() -> None:
    points = np.repeat(np.array([[0.0, 0.0], [5.0, 5.0], [9.0, 0.0]]), 3, axis=0)
    start = np.repeat([0, 1, 2], 3)
    assert refine_groups_quickly(points, start, 3).tolist() == start.tolist()
