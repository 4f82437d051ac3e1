import pickle
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, SchemaError, UnknownColumnError
from tests.data.frames import AsBackend, cells, dtypes


@pytest.fixture
def data(as_backend: AsBackend, awkward_frame: pl.DataFrame, awkward_schema: Schema) -> Microdata:
    return Microdata(as_backend(awkward_frame), awkward_schema)


def test_the_schema_is_guessed_and_the_rows_numbered_when_not_given(as_backend: AsBackend) -> None:
    data = Microdata(as_backend(pl.DataFrame({"region": ["a", "b", "a"]})))
    assert data.schema["region"].kind is Kind.NOMINAL
    assert data.row_ids.tolist() == [0, 1, 2]
    assert data.n == 3


def test_row_ids_may_be_a_list(as_backend: AsBackend) -> None:
    data = Microdata(as_backend(pl.DataFrame({"x": [1.5, 2.5]})), row_ids=[7, 3])  # type: ignore[arg-type]
    assert data.take_rows(np.array([1])).row_ids.tolist() == [3]


def test_a_wrong_number_of_row_ids_is_refused(as_backend: AsBackend) -> None:
    with pytest.raises(DataError, match="one row id per record; got 1 for 2 records"):
        Microdata(as_backend(pl.DataFrame({"x": [1, 2]})), row_ids=np.array([1]))


def test_what_is_shown_of_it_holds_no_values(data: Microdata) -> None:
    shown = repr(data)
    assert shown.startswith("Microdata(8 records, 11 columns, ")
    assert "5300" not in shown


def test_a_schema_with_a_column_that_is_not_there_is_refused(as_backend: AsBackend) -> None:
    schema = Schema(variables=(Variable(name="incme", kind=Kind.NOMINAL),))
    with pytest.raises(UnknownColumnError, match=r"no column 'incme'; did you mean 'income'\?"):
        Microdata(as_backend(pl.DataFrame({"income": [1]})), schema)


def test_a_schema_that_lacks_a_column_is_refused(as_backend: AsBackend) -> None:
    schema = Schema(variables=(Variable(name="a", kind=Kind.NOMINAL),))
    with pytest.raises(SchemaError, match="does not describe these columns: b, c;"):
        Microdata(as_backend(pl.DataFrame({"a": [1], "b": [1], "c": [1]})), schema)


@pytest.mark.parametrize("thing", [[1, 2], {"x": [1]}, "people.csv", pd.Series([1], name="x"), None])
def test_what_is_no_dataframe_is_refused(thing: object) -> None:
    with pytest.raises(DataError, match="expected a pandas or polars dataframe or a pyarrow table; got "):
        Microdata(thing)


def test_a_dataset_of_pyarrow_is_told_how_to_hold_its_records() -> None:
    dataset = ds.dataset(pa.table({"age": [31, 45]}))
    with pytest.raises(DataError, match=r"got InMemoryDataset: to_table\(\) it first"):
        Microdata(dataset)
    assert Microdata(dataset.to_table()).n == 2


def test_what_does_not_hold_its_records_is_collected() -> None:
    frame = pl.DataFrame({"x": [1, None], "y": ["a", "b"]})
    for lazy in (frame.lazy(), pa.RecordBatchReader.from_stream(frame)):
        assert Microdata(lazy).frame.equals(frame)
    pairs = frame.lazy().join(frame.lazy(), on="x")
    assert Microdata(pairs).n == 1


def test_repeated_column_names_are_refused() -> None:
    with pytest.raises(DataError, match="must be unique; repeated: 'x'"):
        Microdata(pd.DataFrame([[1, 2]], columns=["x", "x"]))
    with pytest.raises(DataError, match="must be unique; repeated: 'x'"):
        Microdata(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"]))


def test_column_names_that_are_not_text_are_refused() -> None:
    with pytest.raises(DataError, match="column names must be text"):
        Microdata(pd.DataFrame({1: [1]}))


def test_it_survives_pickling(data: Microdata) -> None:
    back = pickle.loads(pickle.dumps(data))  # noqa: S301 - made here
    assert cells(back) == cells(data)
    assert back.schema == data.schema
    assert back.row_ids.tolist() == data.row_ids.tolist()


def test_rows_keep_their_ids_and_have_their_own_summary(data: Microdata) -> None:
    part = data.take_rows(np.array([6, 0, 6]))
    assert part.row_ids.tolist() == [6, 0, 6]
    assert cells(part)["person_id"] == [107, 101, 107]
    assert part.summary.n == 3
    assert dtypes(part) == dtypes(data)


def test_a_slice_takes_consecutive_rows(data: Microdata) -> None:
    assert cells(data.take_rows(slice(2, 4)))["person_id"] == [103, 104]


def test_no_rows_make_an_empty_file(data: Microdata) -> None:
    part = data.take_rows(np.array([], dtype=np.int64))
    assert part.n == 0
    assert part.strata(("region",)) == []
    assert dtypes(part.map_columns(("age",), lambda _, values: values)) == dtypes(data)


def test_a_block_knows_the_summary_of_the_whole(data: Microdata) -> None:
    block = data.take_rows(np.array([0, 1])).as_block_of(data)
    assert block.n == 2
    assert block.summary.is_of(data)


def test_columns_are_taken_with_their_descriptions(data: Microdata) -> None:
    part = data.take_columns(("tax", "age"))
    assert list(cells(part)) == ["tax", "age"]
    assert part.schema["age"] == data.schema["age"]


def test_strata_are_the_records_equal_in_all_columns_missing_included(data: Microdata) -> None:
    by_region = data.strata(("region",))
    assert sorted(rows.tolist() for rows in by_region) == [[0, 2, 6], [1, 5], [3], [4, 7]]
    assert data.strata(()) == [pytest.approx(np.arange(8))]


@given(st.lists(st.tuples(*[st.one_of(st.none(), st.integers(0, 2))] * 3), min_size=1, max_size=25))
def test_strata_agree_with_a_dictionary_of_rows(rows: list[tuple[int | None, ...]]) -> None:
    frame = pl.DataFrame({name: [row[place] for row in rows] for place, name in enumerate("abc")}).cast(pl.Int64)
    data = Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in "abc")))
    expected: dict[tuple[int | None, ...], list[int]] = {}
    for place, row in enumerate(rows):
        expected.setdefault(row, []).append(place)
    found = [stratum.tolist() for stratum in data.strata(("a", "b", "c"))]
    assert sorted(found) == sorted(expected.values())


def test_parts_are_joined_in_the_order_of_the_ids(data: Microdata) -> None:
    parts = [data.take_rows(rows) for rows in data.strata(("region",))]
    joined = Microdata.concatenate(parts, order=data.row_ids)
    assert cells(joined) == cells(data)
    assert joined.row_ids.tolist() == data.row_ids.tolist()
    assert dtypes(joined) == dtypes(data)
    if isinstance(data.frame, pd.DataFrame):
        pd.testing.assert_frame_equal(joined.frame, data.frame)


def test_parts_are_joined_by_ids_that_are_not_row_numbers(as_backend: AsBackend) -> None:
    data = Microdata(as_backend(pl.DataFrame({"x": [1.5, 2.5, 3.5]})), row_ids=np.array([30, 10, 20]))
    parts = [data.take_rows(np.array([2, 0])), data.take_rows(np.array([1]))]
    joined = Microdata.concatenate(parts, order=data.row_ids)
    assert cells(joined)["x"] == [1.5, 2.5, 3.5]
    assert joined.row_ids.tolist() == [30, 10, 20]


def test_columns_of_another_file_take_the_place_of_ones_own(data: Microdata) -> None:
    other = data.map_columns(("tax",), lambda _, values: values + 1).take_columns(("tax",))
    merged = data.with_columns_of(other)
    assert cells(merged)["tax"] == cells(other)["tax"]
    assert list(cells(merged)) == list(cells(data))


def test_another_schema_describes_the_same_rows(data: Microdata) -> None:
    changed = data.with_schema(data.schema.with_kinds(nominal=["age"]))
    assert changed.schema["age"].kind is Kind.NOMINAL
    assert cells(changed) == cells(data)


@pytest.mark.parametrize("backend", [pl.DataFrame, pd.DataFrame])
def test_the_work_for_a_wide_file_grows_as_its_columns(backend: Callable[[Any], Any]) -> None:
    def calls(columns: int) -> int:
        frame = backend({f"c{place}": [1.5, 2.5] for place in range(columns)})
        schema = Schema.infer(frame)
        count = 0

        def add(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(add)
        try:
            Microdata(frame, schema).schema.subset(schema.names)
        finally:
            sys.setprofile(None)
        return count

    calls(10)  # what is loaded once is not counted
    assert calls(800) < 5 * calls(200)
