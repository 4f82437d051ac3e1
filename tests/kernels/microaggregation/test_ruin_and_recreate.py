import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import Partition, partition_of
from sfumato.kernels.microaggregation.record_queue import COUNT, empty_queue
from sfumato.kernels.microaggregation.ruin_and_recreate import draws_per_trial, ruin_and_recreate
from tests.kernels.partitions import is_sound, partitions


def tried(partition: Partition, trials: int, seed: int) -> int:
    queues = empty_queue(len(partition.points)), empty_queue(len(partition.points))
    draws = np.random.default_rng(seed).random((trials, draws_per_trial(partition.k)))
    improved = ruin_and_recreate(partition, *queues, draws)
    assert all(queue.ends[COUNT] == 0 for queue in queues)
    return improved


@given(partition=partitions(most=60, neighbours=8), seed=st.integers(0, 10**6))
def test_a_partition_does_not_become_worse(partition: Partition, seed: int) -> None:
    before = partition.total[0]
    improved = tried(partition, 20, seed)
    assert is_sound(partition)
    assert partition.total[0] <= before
    assert improved or partition.total[0] >= before - 20 * partition.least_gain


def of_gauss(n: int, k: int) -> Partition:
    points = np.random.default_rng(n).normal(size=(n, 3))
    return partition_of(points, nearest_others(points, 15), mdav_groups(points, k), k)


def test_the_same_draws_give_the_same_groups() -> None:
    one, other = of_gauss(200, 3), of_gauss(200, 3)
    assert tried(one, 50, seed=4) == tried(other, 50, seed=4) > 0
    assert np.array_equal(one.group, other.group)


@pytest.mark.parametrize("where", [0.0, 1 - 2**-53])
def test_draws_at_either_end_are_fine(where: float) -> None:
    partition = of_gauss(90, 4)
    queues = empty_queue(90), empty_queue(90)
    ruin_and_recreate(partition, *queues, np.full((5, draws_per_trial(4)), where))
    assert is_sound(partition)


def test_large_groups_are_fine() -> None:
    partition = of_gauss(400, 80)
    tried(partition, 3, seed=0)
    assert is_sound(partition)
