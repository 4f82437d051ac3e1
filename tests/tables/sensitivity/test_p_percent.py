"""The p % rule against its definition, computed cell by cell from the records."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import DataError
from sfumato.tables import PPercent, Table
from tests.tables.sensitivity.single_cells import one_cell, verdict

amounts = st.lists(st.integers(0, 50), min_size=1, max_size=12)


@given(amounts, st.sampled_from([5, 15, 50, 100]), st.integers(1, 3))
def test_p_percent_is_the_estimate_that_the_followers_can_make_of_the_largest(
    contributions: list[int], p: int, followers: int
) -> None:
    largest = sorted(contributions, reverse=True)
    lacking = p / 100 * largest[0] - sum(largest[followers + 1 :])
    unsafe, level = verdict(one_cell(contributions), PPercent(p=p, followers=followers))
    assert unsafe == (lacking > 1e-9)
    assert level == pytest.approx(max(lacking, 0.0))


def test_levels_are_zero_where_cells_are_safe() -> None:
    found = PPercent(p=15).find(one_cell([10, 10, 10, 10]))
    assert not found.unsafe.any()
    assert np.array_equal(found.levels, np.zeros(found.levels.size))


def test_negative_contributions_are_refused_by_name_of_the_cell_and_a_shadow_column_helps() -> None:
    firms = pl.DataFrame({"town": ["A", "A", "B"], "profit": [60, -40, 9]}).with_columns(size=pl.col("profit").abs())
    with pytest.raises(DataError, match=r"town=A has negative ones.*shadow"):
        PPercent(p=10).find(Table.from_records(firms, ["town"], "profit"))
    shadowed = Table.from_records(firms, ["town"], "profit", shadow="size")
    assert PPercent(p=10).find(shadowed).unsafe[shadowed.cell(town="A")]
    assert shadowed.values[shadowed.cell(town="A")] == 20


def test_weights_below_1_are_refused_where_the_units_that_matter_are_not_kept() -> None:
    frame = pl.DataFrame({"g": [*"AAAABBB"], "v": [50.0, 40, 30, 20, 5, 5, 5], "w": [0.0, 0, 0, 1, 3, 3, 3]})
    table = Table.from_records(frame, ["g"], "v", weight="w")
    with pytest.raises(DataError, match="weights below 1 let 2 units of the population lie beyond the 3 largest"):
        PPercent(p=10).find(table)
    kept = Table.from_records(frame, ["g"], "v", weight="w", keep=5)
    assert PPercent(p=10).find(kept).unsafe[kept.cell(g="A")]
