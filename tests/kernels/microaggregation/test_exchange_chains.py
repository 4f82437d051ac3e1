from collections.abc import Iterator
from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.exchange_chains import rotate
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import LOGGED, Partition, partition_of
from tests.kernels.partitions import is_sound, partitions, plain_cost


def after_a_cycle(partition: Partition) -> Iterator[np.ndarray]:
    """The groups after each cycle of three records of three groups."""
    for records in permutations(range(len(partition.points)), 3):
        groups = partition.group[list(records)]
        if records[0] == min(records) and len(set(groups.tolist())) == 3:
            changed = partition.group.copy()
            changed[list(records)] = np.roll(groups, -1)
            yield changed


def after_a_chain(partition: Partition) -> Iterator[np.ndarray]:
    """The groups after each chain of two records: one takes the place of another, which joins a third group."""
    most = 2 * partition.k - 1
    for one, other in permutations(range(len(partition.points)), 2):
        start, passed = partition.group[one], partition.group[other]
        if start == passed or partition.size[start] == partition.k:
            continue
        for end in set(partition.group.tolist()) - {start, passed}:
            if partition.size[end] < most:
                changed = partition.group.copy()
                changed[one], changed[other] = passed, end
                yield changed


@given(partition=partitions(neighbours=6), row=st.integers(0, 10**6))
def test_a_rotation_saves_cost_or_changes_nothing(partition: Partition, row: int) -> None:
    before, groups = partition.total[0], partition.group.copy()
    if rotate(partition, row % len(partition.points)):
        assert partition.total[0] < before
        assert partition.counts[LOGGED] in (2, 3)
    else:
        assert np.array_equal(partition.group, groups)
    assert is_sound(partition)


@given(partition=partitions(most=11))
def test_when_no_rotation_is_left_no_cycle_and_no_chain_of_two_saves_cost(partition: Partition) -> None:
    while any(rotate(partition, record) for record in range(len(partition.points))):
        pass
    margin = 1e-9 * (1 + np.ptp(partition.points) ** 2)
    for groups in (*after_a_cycle(partition), *after_a_chain(partition)):
        assert plain_cost(partition.points, groups) > partition.total[0] - margin


def test_three_records_in_one_anothers_groups_are_put_right() -> None:
    points = np.array(
        [[0.0, 0.0], [0.0, 0.1], [9.0, 9.0], [5.0, 0.0], [5.0, 0.1], [0.1, 0.0], [9.0, 9.1], [9.1, 9.0], [5.1, 0.0]]
    )
    groups = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2])
    partition = partition_of(points, nearest_others(points, 8), groups, 3)
    assert rotate(partition, 2)
    assert partition.group[[2, 5, 8]].tolist() == [2, 0, 1]
