"""Tables from records: every cell against the records that are in it, one by one."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from sfumato.data import Hierarchy, Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError, SchemaError, UnknownColumnError
from sfumato.tables.cells.table import Table
from tests.tables.records import OTHER, PLACES, SECTORS, firms, members

BY: dict[str, Hierarchy | list[Hierarchy]] = {"place": [PLACES, OTHER], "sector": SECTORS}
TREES = {"place": [PLACES, OTHER], "sector": [SECTORS]}


def by_cell(table: Table) -> list[tuple[Any, ...]]:
    columns = zip(table.dimensions, table.codes.T, strict=True)
    return list(zip(*([dimension.codes[place] for place in places] for dimension, places in columns), strict=True))


@given(firms())
def test_cells_hold_the_weighted_sums_and_counts_of_their_records(frame: pl.DataFrame) -> None:
    table = Table.from_records(frame, BY, "sales", weight="weight")
    expected = members(frame, TREES)
    assert set(by_cell(table)) == set(expected)
    assert len(by_cell(table)) == len(expected)
    for cell, value, count in zip(by_cell(table), table.values, table.counts, strict=True):
        assert value == sum(row["sales"] * row["weight"] for row in expected[cell])
        assert count == len(expected[cell])


@given(firms())
def test_the_largest_contributions_are_those_of_the_records(frame: pl.DataFrame) -> None:
    frame = frame.with_row_index("number")
    table = Table.from_records(frame, BY, "sales", weight="weight", request="asks", keep=2)
    assert table.contributions is not None
    expected = members(frame, TREES)
    for position, cell in enumerate(by_cell(table)):
        rows = sorted(expected[cell], key=lambda row: (-abs(row["sales"]), row["number"]))
        found = table.contributions.take(np.array([position]))
        places = range(min(2, len(rows)))
        assert [found.amounts[0, place] for place in places] == [abs(rows[place]["sales"]) for place in places]
        assert [found.holders[0, place] for place in places] == [rows[place]["number"] for place in places]
        assert found.totals[0] == sum(abs(row["sales"]) * row["weight"] for row in rows)
        assert found.losses[0] == -sum(min(row["sales"], 0) * row["weight"] for row in rows)
        assert found.asking is not None
        assert found.asking[0] == max((abs(row["sales"]) for row in rows if row["asks"]), default=0)
        if len(rows) == 1:
            assert (found.amounts[0, 1], found.holders[0, 1]) == (0, -1)


@given(firms())
def test_records_of_one_holding_are_added_up_in_every_cell(frame: pl.DataFrame) -> None:
    table = Table.from_records(frame, BY, "sales", holding="group", request="asks", keep=3)
    assert table.contributions is not None
    number = {group: place for place, group in enumerate(sorted(set(frame["group"])))}
    expected = members(frame, TREES)
    for position, cell in enumerate(by_cell(table)):
        sums: dict[int, int] = defaultdict(int)
        asked = set()
        for row in expected[cell]:
            sums[number[row["group"]]] += row["sales"]
            asked |= {number[row["group"]]} if row["asks"] else set()
        found = table.contributions.take(np.array([position]))
        assert table.counts[position] == len(sums)
        assert table.values[position] == sum(sums.values())
        largest = sorted(map(abs, sums.values()), reverse=True)[:3]
        assert found.amounts[0, : len(largest)].tolist() == largest
        held = zip(found.holders[0, : len(largest)].tolist(), largest, strict=True)
        assert all(abs(sums[holder]) == amount for holder, amount in held)
        assert len(set(found.holders[0, : len(largest)])) == len(largest)
        assert (found.holders[0, len(largest) :] == -1).all()
        assert found.totals[0] == sum(map(abs, sums.values()))
        assert found.losses[0] == sum(-amount for amount in sums.values() if amount < 0)
        assert found.asking is not None
        assert found.asking[0] == max((abs(sums[holder]) for holder in asked), default=0)


@given(firms())
def test_every_relation_holds_and_every_sum_of_existing_cells_is_one(frame: pl.DataFrame) -> None:
    table = Table.from_records(frame, BY, "sales")
    assert not (table.relations @ table.values).any()
    cells = {cell: position for position, cell in enumerate(by_cell(table))}
    expected = set()
    for (place, sector), position in cells.items():
        for tree in (PLACES, OTHER):
            under = tree.children(place) if place in tree else ()
            parts = [cells[part, sector] for part in under if (part, sector) in cells]
            expected |= {(position, frozenset(parts))} if parts else set()
        parts = [cells[place, part] for part in SECTORS.children(sector) if (place, part) in cells]
        expected |= {(position, frozenset(parts))} if parts else set()
    found = set()
    dense = table.relations.toarray()
    for row in dense:
        found.add((int(np.flatnonzero(row == -1)[0]), frozenset(np.flatnonzero(row == 1).tolist())))
    assert found == expected
    assert (np.abs(dense).sum(axis=1) >= 2).all()


def test_the_mean_weight_of_a_holding_goes_by_the_size_of_its_values() -> None:
    frame = pl.DataFrame({"place": ["a", "a"], "sales": [30.0, 10.0], "weight": [1.0, 3.0], "group": ["g", "g"]})
    table = Table.from_records(frame, ["place"], "sales", weight="weight", holding="group")
    assert table.contributions is not None
    assert table.contributions.amounts[:, 0].tolist() == [40.0, 40.0]
    assert table.contributions.weights[:, 0].tolist() == [1.5, 1.5]
    assert table.values.tolist() == [60.0, 60.0]


def test_a_weight_stands_for_that_many_units_of_the_population() -> None:
    frame = pl.DataFrame({"place": ["a", "a"], "sales": [10.0, 8.0], "weight": [2.5, 2.0]})
    table = Table.from_records(frame, ["place"], "sales", weight="weight")
    assert table.contributions is not None
    sums = [table.contributions.largest(count)[0] for count in (1, 2, 3)]
    assert sums == [10.0, 20.0, 2.5 * 10 + 0.5 * 8]


def test_more_contributions_than_were_kept_are_refused() -> None:
    table = Table.from_records(pl.DataFrame({"place": ["a"], "sales": [1]}), ["place"], "sales", keep=2)
    assert table.contributions is not None
    with pytest.raises(DataError, match="keeps the 2 largest contributions of each cell; 4 are needed: make the table"):
        table.contributions.largest(4)


def test_a_shadow_column_is_what_cells_are_judged_by() -> None:
    frame = pl.DataFrame({"place": ["a", "a"], "profit": [-10.0, 8.0], "staff": [3.0, 5.0]})
    table = Table.from_records(frame, ["place"], "profit", shadow="staff")
    assert table.contributions is not None
    assert table.values.tolist() == [-2.0, -2.0]
    assert table.contributions.amounts[0, :2].tolist() == [5.0, 3.0]
    assert not table.contributions.losses.any()


def test_records_that_were_counted_before_give_the_same_table_of_counts() -> None:
    frame = pl.DataFrame({"place": ["a", "b", "a", "a", "d"], "sector": ["f", "f", "f", "g", "g"]})
    counted = frame.group_by(["place", "sector"]).len(name="times")
    one, other = Table.from_records(frame, BY), Table.from_records(counted, BY, count="times")
    assert one.contributions is None
    assert one.value_name is None
    for table in (one, other):
        assert np.array_equal(table.values, table.counts)
    assert np.array_equal(one.values, other.values)
    assert np.array_equal(one.codes, other.codes)


def test_a_dataframe_of_any_kind_gives_the_same_table(as_backend: Callable[[pl.DataFrame], Any]) -> None:
    frame = pl.DataFrame({"place": ["a", "b", "a"], "sector": ["f", "f", "g"], "sales": [1.5, 2.0, 4.0]})
    table = Table.from_records(as_backend(frame), BY, "sales")
    assert table.values.tolist() == Table.from_records(frame, BY, "sales").values.tolist()
    assert table.values[table.cell(place="x", sector="Total")] == 7.5


def test_missing_codes_of_the_schema_are_missing_in_the_table_too() -> None:
    variables = (Variable(name="place", kind=Kind.NOMINAL, missing_codes=("-",)), Variable(name="n", kind="continuous"))
    data = Microdata(pl.DataFrame({"place": ["a", "-"], "n": [1.0, 2.0]}), Schema(variables=variables))
    with pytest.raises(DataError, match="'place': 1 records have no code; fill them, or give them a code of their own"):
        Table.from_records(data, ["place"], "n")
    table = Table.from_records(data, ["place"], "n", missing="Unknown")
    assert table.dimensions[0].codes == ("Total", "a", "Unknown")
    assert table.values.tolist() == [3.0, 1.0, 2.0]


def test_a_missing_code_stands_directly_under_the_total_of_a_hierarchy() -> None:
    frame = pl.DataFrame({"place": ["a", None, "?"], "n": [1.0, 2.0, 4.0]})
    table = Table.from_records(frame, {"place": PLACES}, "n", missing="?")
    assert table.values[table.cell(place="?")] == 6
    assert table.values[table.cell(place="Total")] == 7
    assert table.values[table.cell(place="x")] == 1


def test_possible_cells_without_records_hold_zero() -> None:
    frame = pl.DataFrame({"place": ["a"], "sector": ["f"], "n": [1.0]})
    everything = Table.from_records(frame, BY, "n", zeros=True)
    assert everything.size == len(everything.dimensions[0].codes) * len(everything.dimensions[1].codes)
    assert everything.values[everything.cell(place="c", sector="Total")] == 0
    assert everything.counts[everything.cell(place="c", sector="Total")] == 0
    some = Table.from_records(frame, BY, "n", zeros=pl.DataFrame({"place": ["d"], "sector": ["g"]}))
    assert some.values[some.cell(place="v", sector="g")] == 0
    assert some.contributions is not None
    assert some.contributions.holders[some.cell(place="v", sector="g")].tolist() == [-1, -1, -1]
    assert some.size < everything.size


def test_five_dimensions_add_up() -> None:
    rng = np.random.default_rng(3)
    names = ["v", "w", "x", "y", "z"]
    frame = pl.DataFrame({name: rng.integers(0, 3, 60) for name in names} | {"n": rng.integers(0, 9, 60)})
    table = Table.from_records(frame, names, "n")
    assert table.values[table.cell(v=1, w="Total", x=2, y="Total", z="Total")] == (
        frame.filter((pl.col("v") == 1) & (pl.col("x") == 2))["n"].sum()
    )
    assert not (table.relations @ table.values).any()
    with pytest.raises(ParameterError, match="by must name 1 to 5 dimensions; got 6"):
        Table.from_records(frame, [*names, "n"])


def test_a_code_that_the_hierarchy_lacks_is_named_with_what_to_do() -> None:
    frame = pl.DataFrame({"place": ["a", "Totl"]})
    with pytest.raises(SchemaError) as caught:
        Table.from_records(frame, {"place": PLACES})
    assert str(caught.value) == (
        "dimension 'place': the hierarchy has no code 'Totl'; did you mean 'Total'? add it to the hierarchy, recode "
        "it, or name it as `missing` to put it directly under the total"
    )


def test_a_record_with_the_code_of_a_group_is_refused() -> None:
    with pytest.raises(SchemaError, match="records must have leaves of the hierarchy; some have 'x', which is a group"):
        Table.from_records(pl.DataFrame({"place": ["a", "x"]}), {"place": PLACES})


def test_text_and_numbers_are_told_apart_in_the_message() -> None:
    tree = {"place": Hierarchy.from_pairs([("Total", "1"), ("Total", "2")])}
    with pytest.raises(SchemaError, match="the data have the number 1 and the hierarchy has the text '1'; make both"):
        Table.from_records(pl.DataFrame({"place": [1, 2]}), tree)


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"value": "sale"}, UnknownColumnError, "did you mean 'sales'"),
        ({"value": "sales", "keep": 0}, ParameterError, "keep must be 1 or more; got 0"),
        ({"value": "gaps"}, DataError, "column 'gaps' must have a number in every row; 1 have none: fill them"),
        ({"value": "sales", "weight": "loss"}, DataError, "'loss' must hold no negative numbers; 1 records do"),
        ({"value": "sales", "count": "loss"}, ParameterError, "`count` is for records that were counted before"),
        ({"shadow": "sales"}, ParameterError, "`shadow` goes with `value`"),
        ({"value": "sales", "holding": "owner"}, DataError, "must say the holding of every record; 1 have none"),
    ],
)
def test_records_that_do_not_fit_are_refused(asked: dict[str, Any], error: type[Exception], message: str) -> None:
    frame = pl.DataFrame(
        {"place": ["a", "b"], "sales": [1, 2], "gaps": [1.0, None], "loss": [-1.0, 2.0], "owner": ["o", None]}
    )
    with pytest.raises(error, match=message):
        Table.from_records(frame, ["place"], **asked)


def test_a_dimension_that_is_named_twice_is_refused() -> None:
    with pytest.raises(ParameterError, match="by must name each dimension once; 'place' is repeated"):
        Table.from_records(pl.DataFrame({"place": ["a"]}), ["place", "place"])


def test_no_records_make_no_table() -> None:
    with pytest.raises(DataError, match="there are no records to add up; the dataframe is empty"):
        Table.from_records(pl.DataFrame({"place": []}, schema={"place": pl.String}), {"place": PLACES})


def test_dates_are_no_codes() -> None:
    frame = pl.DataFrame({"day": ["2020-01-01"]}).with_columns(pl.col("day").str.to_date())
    with pytest.raises(KindError, match="column 'day' holds values of type date; make it text first"):
        Table.from_records(frame, ["day"])


def test_cells_are_found_by_their_codes_and_named_by_them() -> None:
    table = Table.from_records(pl.DataFrame({"place": ["a", "b"], "sector": ["f", "g"]}), BY)
    cell = table.cell(place="x", sector="f")
    assert table.cell_names[cell] == "place=x, sector=f"
    assert {table.cell_names[cell] for cell in table.cells_with(place="x")} == {
        f"place=x, sector={sector}" for sector in ("Total", "f", "g")
    }
    with pytest.raises(DataError, match="the table has no cell place=a, sector=g; no record is in it"):
        table.cell(place="a", sector="g")
    with pytest.raises(ParameterError, match="no dimension 'plac'; did you mean 'place'"):
        table.cell(plac="a", sector="g")
    with pytest.raises(ParameterError, match="needs a code for every dimension; there is none for sector"):
        table.cell(place="a")


def test_the_frame_of_a_table_has_a_row_for_each_cell() -> None:
    frame = pl.DataFrame({"year": [2020, 2021], "sales": [1.0, 2.0]})
    table = Table.from_records(frame, ["year"], "sales")
    assert table.to_frame().rows() == [("Total", 3.0, 2.0), ("2020", 1.0, 1.0), ("2021", 2.0, 1.0)]
    assert Table.from_records(frame, ["year"]).to_frame().columns == ["year", "count"]
