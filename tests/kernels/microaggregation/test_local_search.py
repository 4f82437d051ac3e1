import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.local_search import refine_groups, settle_all
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.partition import Partition
from tests.kernels.partitions import is_sound, partitions, plain_cost


@given(partition=partitions(most=60, neighbours=8))
def test_a_search_ends_and_saves_cost_or_keeps_the_groups(partition: Partition) -> None:
    before, groups = partition.total[0], partition.group.copy()
    settle_all(partition)
    assert is_sound(partition)
    assert partition.total[0] < before or np.array_equal(partition.group, groups)


@given(seed=st.integers(0, 10**6), k=st.integers(2, 6))
def test_refined_groups_are_a_resting_place(seed: int, k: int) -> None:
    points = np.random.default_rng(seed).normal(size=(50, 2))
    refined = refine_groups(points, mdav_groups(points, k), k)
    assert np.array_equal(refine_groups(points, refined, k), refined)
    assert plain_cost(points, refined) <= plain_cost(points, mdav_groups(points, k)) + 1e-9


def test_a_long_search_goes_on_when_its_log_is_full() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(9000, 2))
    poor = rng.permutation(np.arange(9000) // 3)
    refined = refine_groups(points, poor, 3)
    sizes = np.bincount(refined)
    assert (sizes.min(), sizes.sum()) == (3, 9000)
    assert sizes.max() <= 5
    assert plain_cost_of_many(points, refined) < 0.05 * plain_cost_of_many(points, poor)


def plain_cost_of_many(points: np.ndarray, groups: np.ndarray) -> float:
    sums = np.column_stack([np.bincount(groups, column) for column in points.T])
    return float((points**2).sum() - (sums**2 / np.bincount(groups)[:, None]).sum())


def test_records_in_one_place_are_left_as_they_are() -> None:
    groups = np.arange(40) // 4
    assert np.array_equal(refine_groups(np.ones((40, 2)), groups, 3), groups)
