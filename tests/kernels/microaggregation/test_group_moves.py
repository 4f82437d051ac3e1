from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.group_moves import create, dissolve, relocate_or_swap
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import Partition, partition_of
from tests.kernels.partitions import close, is_sound, partitions, plain_cost

rows = st.integers(0, 10**6)


def dissolve_group_of(partition: Partition, record: int) -> bool:
    return dissolve(partition, int(partition.group[record]))


def partition_from(values: list[float], groups: list[int], k: int) -> Partition:
    points = np.array(values)[:, None]
    return partition_of(points, nearest_others(points, 15), np.array(groups), k)


def after_one_move(partition: Partition, record: int) -> Iterator[np.ndarray]:
    """The groups after each relocation of a record and each exchange with another."""
    own = partition.group[record]
    for target in set(partition.group.tolist()) - {own}:
        if partition.size[own] > partition.k and partition.size[target] < 2 * partition.k - 1:
            groups = partition.group.copy()
            groups[record] = target
            yield groups
    for other in np.flatnonzero(partition.group != own):
        groups = partition.group.copy()
        groups[record], groups[other] = groups[other], own
        yield groups


@given(partition=partitions(most=16), row=rows)
def test_the_best_relocation_or_exchange_is_made(partition: Partition, row: int) -> None:
    record, before = row % len(partition.points), partition.total[0]
    costs = [plain_cost(partition.points, groups) for groups in after_one_move(partition, record)]
    changed = relocate_or_swap(partition, record)
    assert is_sound(partition)
    assert changed == (partition.total[0] < before)
    assert close(partition, partition.total[0], min([*costs, before]))


@pytest.mark.parametrize("make", [relocate_or_swap, create, dissolve_group_of])
@given(partition=partitions(neighbours=5), row=rows)
def test_a_move_saves_cost_or_changes_nothing(
    make: Callable[[Partition, int], bool], partition: Partition, row: int
) -> None:
    before, groups = partition.total[0], partition.group.copy()
    if make(partition, row % len(partition.points)):
        assert partition.total[0] < before
    else:
        assert np.array_equal(partition.group, groups)
    assert is_sound(partition)


def test_two_groups_that_can_spare_records_make_a_third() -> None:
    partition = partition_from([0, 1, 10, 20, 21, 11], [0, 0, 0, 1, 1, 1], k=2)
    assert create(partition, 2)
    assert partition.group[2] == partition.group[5]
    assert is_sound(partition)


def test_a_group_that_can_spare_nobody_makes_no_other() -> None:
    assert not create(partition_from([0, 10, 20, 11, 12], [0, 0, 1, 1, 1], k=2), 1)


def test_a_group_that_lies_between_two_others_is_dissolved() -> None:
    partition = partition_from([0, 1, 2, 100, 101, 102, 3, 99, 98], [0, 0, 0, 1, 1, 1, 2, 2, 2], k=3)
    assert dissolve(partition, 2)
    assert set(partition.group.tolist()) == {0, 1}
    assert is_sound(partition)


def test_a_group_is_kept_where_its_neighbours_have_no_room() -> None:
    partition = partition_from([0, 1, 1, 1, 1, 100, 100, 100], [0, 0, 0, 0, 0, 1, 1, 1], k=3)
    assert not dissolve(partition, 1)
