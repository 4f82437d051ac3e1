"""The rule of a smallest number of units."""

import polars as pl
import pytest

from sfumato.tables import MinUnits, Table
from tests.tables.sensitivity.single_cells import one_cell, verdict


@pytest.mark.parametrize(("units", "unsafe"), [(1, True), (2, True), (3, False), (4, False)])
def test_min_units_counts_units(units: int, unsafe: bool) -> None:
    is_unsafe, level = verdict(one_cell([7] * units), MinUnits(units=3))
    assert is_unsafe is unsafe
    assert level == pytest.approx(0.3 * 7 * units if unsafe else 0.0)


def test_a_count_below_the_threshold_must_be_able_to_be_a_safe_one() -> None:
    people = pl.DataFrame({"town": ["A"] * 2 + ["B"] * 9})
    table = Table.from_records(people, ["town"])
    assert verdict(table, MinUnits(units=5)) == (True, 3.0)


def test_units_of_one_holding_are_one_unit() -> None:
    firms = pl.DataFrame({"town": ["A"] * 3, "sales": [5, 6, 7], "owner": ["x", "x", "x"]})
    table = Table.from_records(firms, ["town"], "sales", holding="owner")
    assert verdict(table, MinUnits(units=2))[0]
