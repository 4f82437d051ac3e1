"""Pools from which members are taken."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.swapping.pools import take_from_pool


@given(order=st.permutations(list(range(9))), count=st.integers(0, 9))
def test_what_is_left_of_each_group_is_all_that_was_not_taken(order: list[int], count: int) -> None:
    group_of = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2])
    pool, places = np.arange(9), np.arange(9)
    starts, sizes = np.array([0, 4, 6]), np.array([4, 2, 3])
    for member in order[:count]:
        take_from_pool(member, group_of[member], pool, places, starts, sizes)
    for group in range(3):
        free = pool[starts[group] : starts[group] + sizes[group]]
        assert set(free.tolist()) == set(np.flatnonzero(group_of == group).tolist()) - set(order[:count])
        assert np.array_equal(pool[places[free]], free)
