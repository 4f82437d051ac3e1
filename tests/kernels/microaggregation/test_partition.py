import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.partition import (
    EMPTY,
    LOGGED,
    Partition,
    apart,
    cost_of_joining,
    cost_of_leaving,
    cost_of_replacing,
    from_centre,
    group_numbers,
    groups_around,
    move,
    roll_back,
)
from tests.kernels.partitions import close, is_sound, partitions, plain_cost

rows = st.integers(0, 10**6)


def cost_with(partition: Partition, changes: dict[int, int]) -> float:
    """The cost by the definition when some records are in other groups."""
    groups = partition.group.copy()
    for record, group in changes.items():
        groups[record] = group
    return plain_cost(partition.points, groups)


@given(partition=partitions())
def test_a_new_partition_is_sound(partition: Partition) -> None:
    assert is_sound(partition)


@given(partition=partitions(), row=rows, number=rows)
def test_leaving_and_joining_change_the_cost_by_what_they_say(partition: Partition, row: int, number: int) -> None:
    record = row % len(partition.points)
    target = number % (partition.group.max() + 1)
    if target != partition.group[record]:
        change = cost_of_leaving(partition, record) + cost_of_joining(
            partition, from_centre(partition, record, target), target
        )
        assert close(partition, partition.total[0] + change, cost_with(partition, {record: target}))


@given(partition=partitions(), row=rows, another=rows)
def test_replacing_changes_the_cost_by_what_it_says(partition: Partition, row: int, another: int) -> None:
    one, other = row % len(partition.points), another % len(partition.points)
    mine, yours = partition.group[one], partition.group[other]
    if mine != yours:
        between = apart(partition, one, other)
        change = cost_of_replacing(partition, from_centre(partition, one, yours), between, other)
        change += cost_of_replacing(partition, from_centre(partition, other, mine), between, one)
        assert close(partition, partition.total[0] + change, cost_with(partition, {one: yours, other: mine}))


@given(partition=partitions(), steps=st.lists(st.tuples(rows, rows), max_size=12))
def test_rolling_back_undoes_any_moves(partition: Partition, steps: list[tuple[int, int]]) -> None:
    groups, costs = partition.group.copy(), partition.cost.copy()
    for row, number in steps:
        target = number % (partition.group.max() + 1) if number % 3 else partition.empty[partition.counts[EMPTY] - 1]
        record = row % len(partition.points)
        is_other = target != partition.group[record]
        if is_other and partition.size[target] < 2 * partition.k and (number % 3 == 0 or partition.size[target]):
            move(partition, record, target)
            assert close(partition, partition.total[0], plain_cost(partition.points, partition.group))
    roll_back(partition, 0)
    assert partition.counts[LOGGED] == 0
    assert np.array_equal(partition.group, groups)
    assert np.allclose(partition.cost, costs)
    assert is_sound(partition)


@given(partition=partitions(neighbours=4), row=rows)
def test_groups_around_are_those_of_the_near_records(partition: Partition, row: int) -> None:
    record = row % len(partition.points)
    found = np.empty(partition.near.shape[1], dtype=np.int64)
    count = groups_around(partition, record, found)
    expected = set(partition.group[partition.near[record]].tolist()) - {partition.group[record]}
    assert sorted(found[:count].tolist()) == sorted(expected)


@given(partition=partitions())
def test_groups_are_numbered_in_the_order_of_their_first_members(partition: Partition) -> None:
    numbers = group_numbers(partition)
    first = [int(np.argmax(numbers == number)) for number in range(numbers.max() + 1)]
    assert first == sorted(first)
    assert len(set(zip(numbers.tolist(), partition.group.tolist(), strict=True))) == numbers.max() + 1
