"""Rare records join others as plain dictionaries of records would have it."""

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking.suppression._record_groups import join_rare_records
from sfumato.numerics.arrays import CodeColumn, FloatColumn

Group = list[int]  # unit, columns that are missing as bits, copies, spare ones, whether it is rare


def joined(records: CodeColumn, copies: CodeColumn, k: int, importance: FloatColumn) -> list[Group]:
    """Return the groups that plain loops make."""
    width = len(importance)
    price = [sum(importance[j] for j in range(width) if columns >> j & 1) for columns in range(1 << width)]
    steps = sorted((price[s] * k / many, price[s], s) for s in range(1, 1 << width) for many in range(1, k + 1))
    groups: list[Group] = []
    for unit, (record, many) in enumerate(zip(records.tolist(), copies.tolist(), strict=True)):
        form = sum(1 << j for j in range(width) if record[j] < 0)
        groups.append([unit, form, many, max(many - k, 0), int(many < k)])
    for limit, cost, columns in steps:
        equal: dict[tuple[int, ...], list[Group]] = defaultdict(list)
        for group in groups:
            if not group[1] & ~columns:
                shown = [code for j, code in enumerate(records[group[0]].tolist()) if not columns >> j & 1]
                equal[tuple(shown)].append(group)
        for near in equal.values():
            groups += made(near, columns, limit, cost, price, k)
    return groups


def made(near: list[Group], columns: int, limit: float, cost: float, price: list[float], k: int) -> list[Group]:
    """Let equal groups join where that costs little enough; return the records that left others for them."""
    rare = [group for group in near if group[4]]
    there = [group for group in near if group[1] == columns and not group[4]]
    others = [group for group in near if group[1] != columns and not group[4]]
    asking = sum(group[2] for group in rare)
    lacking = max(k - asking - sum(group[2] for group in there), 0)
    spent = sum(group[2] * (cost - price[group[1]]) for group in rare) + lacking * cost
    if not asking or sum(group[3] for group in others) < lacking or spent > limit * asking * (1 + 1e-9):
        return []
    for group in rare:
        group[1], group[4] = columns, 0
    found = []
    for group in others:
        leaving = min(group[3], lacking)
        lacking -= leaving
        group[2], group[3] = group[2] - leaving, group[3] - leaving
        if leaving:
            found.append([group[0], columns, leaving, 0, 0])
    return found


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 60),
    width=st.integers(1, 4),
    k=st.integers(2, 5),
    lowest=st.sampled_from([-1, 0]),
    worth=st.lists(st.sampled_from([1.0, 2.0, 0.3]), min_size=4, max_size=4),
)
def test_equals_plain_loops(seed: int, n: int, width: int, k: int, lowest: int, worth: list[float]) -> None:
    codes = np.random.default_rng(seed).integers(lowest, 4, (n, width))
    records, copies = np.unique(codes, axis=0, return_counts=True)
    importance = np.array(worth[:width])
    found = join_rare_records(records, copies, k, importance)
    expected = joined(records, copies, k, importance)
    assert sorted(zip(*(column.tolist() for column in found), strict=True)) == sorted(map(tuple, expected))
    assert found.copies.sum() == n
