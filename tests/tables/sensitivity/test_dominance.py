"""The (n, k) rule against its definition, computed cell by cell from the records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.tables import Dominance
from tests.tables.sensitivity.single_cells import one_cell, verdict

amounts = st.lists(st.integers(0, 50), min_size=1, max_size=12)


@given(amounts, st.sampled_from([40, 75, 90]), st.integers(1, 3))
def test_dominance_is_a_share_of_the_largest_above_k_percent(contributions: list[int], k: int, n: int) -> None:
    largest, total = sum(sorted(contributions, reverse=True)[:n]), sum(contributions)
    unsafe, level = verdict(one_cell(contributions), Dominance(n=n, max_percent=k))
    assert unsafe == (100 * largest > k * total + 1e-7)
    if unsafe:
        assert largest == pytest.approx(k / 100 * (total + level)), "the level makes the share k % exactly"
