"""Intervals of ranks, checked against intervals that are made one by one."""

from math import ceil, floor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.linkage.rank_intervals import count_intervals_holding

values = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=12)
numbers = st.lists(st.one_of(st.floats(-4, 4), st.just(float("nan"))), min_size=12, max_size=12)
reaches = st.lists(st.floats(0, 15), min_size=1, max_size=4)


@given(column=values, looked_for=numbers, reaches=reaches, centred=st.booleans())
def test_counts_the_intervals_that_hold_the_counterpart(
    column: list[float], looked_for: list[float], reaches: list[float], centred: bool
) -> None:
    by_rank = sorted(column)
    expected = []
    for value, counterpart in zip(by_rank, looked_for, strict=False):
        ranks = [rank for rank, other in enumerate(by_rank) if other == value]
        start, end = [sum(ranks) / len(ranks)] * 2 if centred else (ranks[0], ranks[-1])
        ends = [(max(ceil(start - reach), 0), min(floor(end + reach), len(by_rank) - 1)) for reach in reaches]
        expected.append(sum(by_rank[low] <= counterpart <= by_rank[high] for low, high in ends))
    counterparts = np.array(looked_for[: len(by_rank)])
    found = count_intervals_holding(counterparts, np.array(by_rank), np.array(reaches), centred)
    assert found.tolist() == expected


def test_a_reach_of_no_rank_holds_only_the_value_itself() -> None:
    by_rank = np.array([1.0, 2.0, 4.0])
    assert count_intervals_holding(np.array([1.0, 3.0, 4.0]), by_rank, np.array([0.0]), False).tolist() == [1, 0, 1]
