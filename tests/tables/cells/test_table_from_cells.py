from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from sfumato.errors import DataError, ParameterError, SchemaError
from sfumato.tables.cells.table import Table
from tests.tables.records import PLACES, SECTORS, firms

BY = {"place": PLACES, "sector": SECTORS}


def cells(**changes: float) -> pl.DataFrame:
    """Return a table of 2 x 2 cells with totals, with some of its values changed, by the codes put together."""
    values = {
        "Tt": 100.0,
        "Ta": 40.0,
        "Tb": 60.0,
        "ft": 70.0,
        "fa": 25.0,
        "fb": 45.0,
        "gt": 30.0,
        "ga": 15.0,
        "gb": 15.0,
    }
    names = {"T": "Total", "t": "Total"}
    given = (values | changes).items()
    return pl.DataFrame(
        [(names.get(key[0], key[0]), names.get(key[1], key[1]), value) for key, value in given],
        schema=["sector", "place", "sales"],
        orient="row",
    )


@given(firms())
def test_the_cells_of_a_table_give_the_table_back(frame: pl.DataFrame) -> None:
    table = Table.from_records(frame, BY, "sales")
    shuffled = table.to_frame().sample(fraction=1, shuffle=True, seed=1)
    back = Table.from_cells(shuffled, BY, "sales", count="count")
    assert back.contributions is None
    for cell in range(table.size):
        codes = {
            name: table.dimensions[place].codes[table.codes[cell, place]] for place, name in enumerate(table.names)
        }
        assert back.values[back.cell(**codes)] == table.values[cell]
        assert back.counts[back.cell(**codes)] == table.counts[cell]
    assert back.relations.shape == table.relations.shape
    assert not (back.relations @ back.values).any()


def test_given_contributions_are_kept_in_order() -> None:
    frame = cells().with_columns(top1=pl.col("sales") / 2, top2=pl.col("sales") / 4)
    table = Table.from_cells(frame, ["sector", "place"], "sales", largest=["top1", "top2"])
    assert table.contributions is not None
    assert np.array_equal(table.contributions.largest(2), table.values * 0.75)
    assert np.array_equal(table.contributions.totals, table.values)
    assert np.isnan(table.counts).all()
    with pytest.raises(DataError, match="0 or more and descending from column to column; give them in that order"):
        Table.from_cells(frame, ["sector", "place"], "sales", largest=["top2", "top1"])


def test_cells_that_do_not_add_up_are_refused_and_the_worst_named() -> None:
    with pytest.raises(DataError) as caught:
        Table.from_cells(cells(fa=27.0), ["sector", "place"], "sales")
    assert str(caught.value) == (
        "Table: the parts of a total must add up to it within 0.0000001; they do not for sector=Total, place=a (over "
        "sector); sector=f, place=Total (over place). Correct the cells, add those that are missing, or "
        "allow for it by `tolerance` (`repair` makes them add up)"
    )


def test_cells_that_add_up_within_the_tolerance_are_taken_as_they_are() -> None:
    table = Table.from_cells(cells(fa=26.0), ["sector", "place"], "sales", tolerance=1)
    assert table.values[table.cell(sector="f", place="a")] == 26
    assert np.abs(table.relations @ table.values).max() == 1
    with pytest.raises(DataError, match=r"within 0\.9"):
        Table.from_cells(cells(fa=26.0), ["sector", "place"], "sales", tolerance=0.9)


def test_repaired_cells_add_up() -> None:
    table = Table.from_cells(cells(fa=26.0), ["sector", "place"], "sales", tolerance=1, repair=True)
    assert not (table.relations @ table.values).any()
    assert table.values[table.cell(sector="Total", place="Total")] in (100, 101)


def test_a_total_that_is_missing_is_named() -> None:
    frame = cells().filter((pl.col("sector") != "f") | (pl.col("place") != "Total"))
    with pytest.raises(DataError) as caught:
        Table.from_cells(frame, ["sector", "place"], "sales")
    assert str(caught.value) == (
        "Table: every total must be given; these are missing: sector=f, place=Total. Add them, or make the table from "
        "records"
    )


def test_a_total_without_parts_stands_by_itself() -> None:
    frame = cells().filter((pl.col("sector") != "g") | (pl.col("place") == "Total"))
    frame = frame.filter((pl.col("sector") != "Total") | (pl.col("place") == "Total"))
    frame = frame.filter((pl.col("sector") != "f") | (pl.col("place") == "Total"))
    table = Table.from_cells(frame, {"sector": SECTORS, "place": PLACES}, "sales")
    assert table.size == 3
    assert table.relations.toarray().tolist() == [[-1, 1, 1]]


@pytest.mark.parametrize(
    ("frame", "by", "asked", "error", "message"),
    [
        (cells(), ["sector", "place"], {}, ParameterError, "need a column of values or of counts"),
        (pl.concat([cells(), cells()[3:4]]), BY, {"value": "sales"}, DataError, "given once; place=Total, sector=f is"),
        (
            cells(),
            ["sector"],
            {"value": "sales", "total": "All"},
            SchemaError,
            "no cell has the code 'All' of",
        ),
        (cells(ha=1.0), BY, {"value": "sales"}, SchemaError, "'sector': the hierarchy has no code 'h'; add it"),
    ],
)
def test_cells_that_do_not_fit_are_refused(
    frame: pl.DataFrame, by: Any, asked: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Table.from_cells(frame, by, **asked)
