"""What rules share: they combine, read as they are written, and say what a table lacks."""

from collections.abc import Callable

import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.tables import PQ, Dominance, MinUnits, PPercent, Request, Table
from tests.tables.sensitivity.single_cells import one_cell


def test_several_rules_take_the_largest_level_and_remember_who_said_it() -> None:
    table = one_cell([100, 4, 3])
    both = (PPercent(p=50) | MinUnits(units=5, margin=10) | Dominance(n=1, max_percent=99)).find(table)
    cell = table.cell(town="A")
    assert both.levels[cell] == pytest.approx(max(50 - 3, 10.7))
    assert both.reasons(cell) == ("p_percent(50)", "min_units(5)")


def test_a_rule_says_what_a_table_lacks() -> None:
    counts = Table.from_records(pl.DataFrame({"town": ["A", "B"]}), ["town"])
    with pytest.raises(DataError, match="holds no contributions"):
        PPercent(p=10).find(counts)
    uncounted = Table.from_cells(pl.DataFrame({"town": ["Total", "A"], "sales": [5, 5]}), ["town"], "sales")
    with pytest.raises(DataError, match="name the column that does as `count`"):
        MinUnits(units=3).find(uncounted)
    with pytest.raises(DataError, match="`keep` as many of records, or name as many columns of given cells"):
        PPercent(p=10, followers=5).find(one_cell([1, 2, 3]))
    with pytest.raises(DataError, match="name the column that does as `request`"):
        Request(max_percent=50).find(one_cell([1, 2]))


@pytest.mark.parametrize(
    "make",
    [
        lambda: PPercent(p=0),
        lambda: Dominance(n=0, max_percent=75),
        lambda: Dominance(n=1, max_percent=100),
        lambda: PQ(p=20, q=10),
    ],
)
def test_parameters_out_of_range_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ParameterError):
        make()


def test_rules_read_as_they_are_written() -> None:
    assert (
        str(PPercent(p=10) | MinUnits(units=3) | Dominance(n=2, max_percent=80))
        == "p_percent(10) | min_units(3) | dominance(n=2, max_percent=80)"
    )
