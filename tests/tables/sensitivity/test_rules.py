"""What the sensitivity rules call unsafe, against the definitions computed cell by cell from the records."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import DataError, ParameterError
from sfumato.tables.cells.table import Table
from sfumato.tables.sensitivity.rules import dominance, min_units, p_percent, pq, request, zero_unsafe

amounts = st.lists(st.integers(0, 50), min_size=1, max_size=12)


def one_cell(contributions: list[int], **options: object) -> Table:
    firms = pl.DataFrame({"town": ["A"] * len(contributions), "sales": contributions})
    return Table.from_records(firms, ["town"], "sales", keep=4, **options)  # type: ignore[arg-type]


def verdict(table: Table, rule: object) -> tuple[bool, float]:
    found = rule.find(table)  # type: ignore[attr-defined]
    cell = table.cell(town="A")
    return bool(found.unsafe[cell]), float(found.levels[cell])


@given(amounts, st.sampled_from([5, 15, 50, 100]), st.integers(1, 3))
def test_p_percent_is_the_estimate_that_the_followers_can_make_of_the_largest(contributions, p, followers):
    largest = sorted(contributions, reverse=True)
    lacking = p / 100 * largest[0] - sum(largest[followers + 1 :])
    unsafe, level = verdict(one_cell(contributions), p_percent(p, followers=followers))
    assert unsafe == (lacking > 1e-9)
    assert level == pytest.approx(max(lacking, 0.0))


@given(amounts, st.sampled_from([40, 75, 90]), st.integers(1, 3))
def test_dominance_is_a_share_of_the_largest_above_k_percent(contributions, k, n):
    largest, total = sum(sorted(contributions, reverse=True)[:n]), sum(contributions)
    unsafe, level = verdict(one_cell(contributions), dominance(n, k))
    assert unsafe == (100 * largest > k * total + 1e-7)
    if unsafe:
        assert largest == pytest.approx(k / 100 * (total + level)), "the level makes the share k % exactly"


def test_pq_is_p_percent_of_p_over_q():
    contributions = [100, 30, 12, 3]
    assert verdict(one_cell(contributions), pq(10, 50)) == verdict(one_cell(contributions), p_percent(20))


@pytest.mark.parametrize(("units", "unsafe"), [(1, True), (2, True), (3, False), (4, False)])
def test_min_units_counts_units(units, unsafe):
    assert verdict(one_cell([7] * units), min_units(3)) == (unsafe, pytest.approx(0.3 * 7 * units if unsafe else 0.0))


def test_a_count_below_the_threshold_must_be_able_to_be_a_safe_one():
    people = pl.DataFrame({"town": ["A"] * 2 + ["B"] * 9})
    table = Table.from_records(people, ["town"])
    assert verdict(table, min_units(5)) == (True, 3.0)


def test_units_of_one_holding_are_one_unit():
    firms = pl.DataFrame({"town": ["A"] * 3, "sales": [5, 6, 7], "owner": ["x", "x", "x"]})
    table = Table.from_records(firms, ["town"], "sales", holding="owner")
    assert verdict(table, min_units(2))[0]


def test_zero_unsafe_hides_cells_whose_units_all_have_nothing():
    assert verdict(one_cell([0, 0]), zero_unsafe(5)) == (True, 5.0)
    assert verdict(one_cell([0, 1]), zero_unsafe(5)) == (False, 0.0)


def test_request_holds_above_its_share():
    firms = pl.DataFrame({"town": ["A", "A", "B", "B"], "sales": [60, 40, 60, 40], "asked": [0, 1, 1, 0]})
    table = Table.from_records(firms, ["town"], "sales", request="asked")
    found = request(50).find(table)
    assert not found.unsafe[table.cell(town="A")]
    assert found.unsafe[table.cell(town="B")]


def test_several_rules_take_the_largest_level_and_remember_who_said_it():
    table = one_cell([100, 4, 3])
    both = (p_percent(50) | min_units(5, margin=10) | dominance(1, 99)).find(table)
    cell = table.cell(town="A")
    assert both.levels[cell] == pytest.approx(max(50 - 3, 10.7))
    assert both.reasons(cell) == ("p_percent(50)", "min_units(5)")


def test_negative_contributions_are_refused_by_name_of_the_cell_and_a_shadow_column_helps():
    firms = pl.DataFrame({"town": ["A", "A", "B"], "profit": [60, -40, 9]}).with_columns(size=pl.col("profit").abs())
    with pytest.raises(DataError, match=r"town=A has negative ones.*shadow"):
        p_percent(10).find(Table.from_records(firms, ["town"], "profit"))
    shadowed = Table.from_records(firms, ["town"], "profit", shadow="size")
    assert p_percent(10).find(shadowed).unsafe[shadowed.cell(town="A")]
    assert shadowed.values[shadowed.cell(town="A")] == 20


def test_a_rule_says_what_a_table_lacks():
    counts = Table.from_records(pl.DataFrame({"town": ["A", "B"]}), ["town"])
    with pytest.raises(DataError, match="holds no contributions"):
        p_percent(10).find(counts)
    uncounted = Table.from_cells(pl.DataFrame({"town": ["Total", "A"], "sales": [5, 5]}), ["town"], "sales")
    with pytest.raises(DataError, match="name the column that does as `count`"):
        min_units(3).find(uncounted)
    with pytest.raises(DataError, match="`keep` as many of records, or name as many columns of given cells"):
        p_percent(10, followers=5).find(one_cell([1, 2, 3]))
    with pytest.raises(DataError, match="name the column that does as `request`"):
        request(50).find(one_cell([1, 2]))


@pytest.mark.parametrize(
    "make", [lambda: p_percent(0), lambda: dominance(0, 75), lambda: dominance(1, 100), lambda: pq(20, 10)]
)
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(ParameterError):
        make()


def test_rules_read_as_they_are_written():
    assert str(p_percent(10) | min_units(3) | dominance(2, 80)) == "p_percent(10) | min_units(3) | dominance(n=2, k=80)"


def test_levels_are_zero_where_cells_are_safe():
    found = p_percent(15).find(one_cell([10, 10, 10, 10]))
    assert not found.unsafe.any()
    assert np.array_equal(found.levels, np.zeros(found.levels.size))


def test_weights_below_1_are_refused_where_the_units_that_matter_are_not_kept() -> None:
    frame = pl.DataFrame({"g": [*"AAAABBB"], "v": [50.0, 40, 30, 20, 5, 5, 5], "w": [0.0, 0, 0, 1, 3, 3, 3]})
    table = Table.from_records(frame, ["g"], "v", weight="w")
    with pytest.raises(DataError, match="weights below 1 let 2 units of the population lie beyond the 3 largest"):
        p_percent(10).find(table)
    kept = Table.from_records(frame, ["g"], "v", weight="w", keep=5)
    assert p_percent(10).find(kept).unsafe[kept.cell(g="A")]


def test_a_request_for_a_cell_of_value_0_has_a_level() -> None:
    frame = pl.DataFrame({"g": [*"AABB"], "v": [5.0, -5, 3, 4], "s": [5.0, 5, 3, 4], "r": [True, False, False, False]})
    table = Table.from_records(frame, ["g"], "v", shadow="s", request="r")
    assert request(10).find(table).levels[table.cell(g="A")] == 1
