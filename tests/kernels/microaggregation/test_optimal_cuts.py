from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts

lists_of_points = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 13), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-100, 100)),
)


def compositions(n: int, k: int) -> Iterator[list[int]]:
    """Every way to write n as a sum of numbers of at least `k`, in order."""
    yield [n]
    for first in range(k, n - k + 1):
        yield from ([first, *rest] for rest in compositions(n - first, k))


def cost(points: np.ndarray, sizes: list[int]) -> float:
    parts = np.split(points, np.cumsum(sizes)[:-1])
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


@given(points=lists_of_points, k=st.integers(2, 5))
def test_no_other_cuts_cost_less(points: np.ndarray, k: int) -> None:
    if len(points) >= k:
        least = min(cost(points, sizes) for sizes in compositions(len(points), k))
        found = cost(points, np.bincount(optimal_cuts(points, k)).tolist())
        assert np.isclose(found, least, rtol=1e-9, atol=1e-9)


@given(points=lists_of_points, k=st.integers(2, 5))
def test_groups_are_runs_of_fitting_size(points: np.ndarray, k: int) -> None:
    if len(points) >= k:
        groups = optimal_cuts(points, k)
        assert set(np.diff(groups).tolist()) <= {0, 1}
        assert groups[0] == 0
        sizes = np.bincount(groups)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1


def test_values_far_from_zero_are_cut_as_near_zero() -> None:
    near = np.sort(np.random.default_rng(3).integers(0, 50, 200)).astype(float)[:, None]
    assert np.array_equal(optimal_cuts(near, 4), optimal_cuts(near + 2.0**40, 4))


def test_a_few_large_values_do_not_blur_the_cuts_of_many_small_ones() -> None:
    small = np.sort(np.random.default_rng(4).integers(0, 10**6, 2000)) / 2.0**30
    both = np.concatenate([small, [1e7, 2e7, 3e7]])[:, None]
    assert np.array_equal(optimal_cuts(both, 3)[:2000], optimal_cuts(small[:, None], 3))


def test_of_equally_good_cuts_the_last_group_is_the_smallest() -> None:
    assert optimal_cuts(np.zeros((7, 1)), 3).tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_squares_beyond_the_largest_number_still_give_groups_of_fitting_size() -> None:
    sizes = np.bincount(optimal_cuts(np.linspace(-1e200, 1e200, 11)[:, None], 3))
    assert sizes.sum() == 11
    assert sizes.min() >= 3
    assert sizes.max() <= 5
