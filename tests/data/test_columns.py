from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable, role
from sfumato.errors import DataError, KindError, SchemaError
from sfumato.masking import TopCoding
from tests.data.frames import AsBackend, cells, column, dtypes


@pytest.fixture
def data(as_backend: AsBackend, awkward_frame: pl.DataFrame, awkward_schema: Schema) -> Microdata:
    return Microdata(as_backend(awkward_frame), awkward_schema)


def test_numbers_come_as_floats_with_nan_for_missing_values_and_codes(data: Microdata) -> None:
    nan = float("nan")
    np.testing.assert_equal(data.values("income"), np.array([1200.5, 0, nan, 5300.25, -40, 0, 0, 1200.5]))
    np.testing.assert_equal(data.values("age"), np.array([34, 31, 78, 45, nan, 2, 17, 64]))
    np.testing.assert_equal(data.values("tax"), np.array([240, 0, 90, 1500, nan, 0, 0, 240]))


def test_an_ordinal_column_comes_as_its_codes(data: Microdata) -> None:
    np.testing.assert_equal(data.values("health"), np.array([2, 0, float("nan"), 1, 2, 2, 0, 1]))


def test_values_of_text_are_refused_without_showing_them(data: Microdata) -> None:
    with pytest.raises(KindError, match="column 'region' holds text, not numbers") as caught:
        data.values("region")
    assert "Nord" not in str(caught.value)


def test_values_of_truth_are_refused(data: Microdata) -> None:
    with pytest.raises(KindError, match="column 'is_urban' holds true/false values, not numbers"):
        data.values("is_urban")


def test_infinite_values_are_refused(as_backend: AsBackend) -> None:
    with pytest.raises(DataError, match="column 'x' holds infinite values"):
        column(as_backend, [1.0, float("inf")], kind=Kind.CONTINUOUS).values("x")


def test_integers_that_a_float_cannot_hold_are_refused(as_backend: AsBackend) -> None:
    assert column(as_backend, [2**53, 1], kind=Kind.CONTINUOUS).values("x")[0] == 2**53
    for large in (2**53 + 1, -(2**53) - 1):
        with pytest.raises(DataError, match=r"column 'x' holds integers beyond 2\*\*53"):
            column(as_backend, [large, 1], kind=Kind.CONTINUOUS).values("x")


def test_values_cannot_be_written_through_to_the_frame(data: Microdata) -> None:
    values = data.values("constant")
    with suppress(ValueError):  # where the array is a read-only view
        values[0] = 7
    assert cells(data)["constant"] == [1.0] * 8


def test_a_matrix_has_the_columns_in_the_order_asked_for(data: Microdata) -> None:
    matrix = data.matrix(("tax", "constant"))
    assert matrix.shape == (8, 2)
    np.testing.assert_equal(matrix[:, 0], data.values("tax"))
    assert data.matrix(()).shape == (8, 0)


def test_observed_knows_gaps_and_missing_codes_of_every_kind(data: Microdata) -> None:
    gaps = {name: np.flatnonzero(~data.observed(name)).tolist() for name in data.schema.names}
    assert {name: rows for name, rows in gaps.items() if rows} == {
        "region": [3],
        "health": [2],
        "is_urban": [4],
        "age": [4],
        "income": [2],
        "tax": [4],
        "born": [4],
    }


def test_select_follows_names_and_rules(data: Microdata) -> None:
    assert data.select(("tax", "age")) == ("tax", "age")
    assert data.select(role("key")) == ("region", "is_urban", "age")


def test_categories_without_an_order_of_their_own_ascend(data: Microdata) -> None:
    codes, categories = data.codes("region")
    assert categories == ("Nord", "Süd", "West")
    assert codes.tolist() == [1, 0, 1, -1, 2, 0, 1, 2]


def test_declared_categories_keep_their_order_and_those_nobody_has(data: Microdata) -> None:
    codes, categories = data.codes("health")
    assert categories == ("bad", "fair", "good", "very good")
    assert codes.tolist() == [2, 0, -1, 1, 2, 2, 0, 1]


def test_truth_values_are_categories(data: Microdata) -> None:
    codes, categories = data.codes("is_urban")
    assert categories == (False, True)
    assert codes.tolist() == [1, 0, 1, 1, -1, 0, 1, 1]


def test_missing_codes_and_ranges_are_no_categories(as_backend: AsBackend) -> None:
    data = column(as_backend, [1, 2, 9, -3], kind="nominal", missing_codes=(9,), missing_ranges=((-5, -1),))
    codes, categories = data.codes("x")
    assert (codes.tolist(), categories) == ([0, 1, -1, -1], (1, 2))


def test_undefined_numbers_are_no_category(as_backend: AsBackend) -> None:
    codes, categories = column(as_backend, [2.0, float("nan"), None, 1.0], kind="nominal").codes("x")
    assert (codes.tolist(), categories) == ([1, -1, -1, 0], (1.0, 2.0))


def test_a_column_without_values_has_no_categories(as_backend: AsBackend) -> None:
    codes, categories = column(as_backend, [None, None], pl.String, kind="nominal").codes("x")
    assert (codes.tolist(), categories) == ([-1, -1], ())


def test_an_empty_column_has_no_codes(as_backend: AsBackend) -> None:
    codes, categories = column(as_backend, [], pl.String, kind="nominal").codes("x")
    assert (codes.tolist(), categories) == ([], ())


def test_categories_that_the_schema_does_not_list_are_refused_without_showing_them(as_backend: AsBackend) -> None:
    data = column(as_backend, ["low", "secret"], kind="ordinal", categories=("low", "high"))
    with pytest.raises(SchemaError, match="column 'x' holds 1 category that its schema does not list") as caught:
        data.codes("x")
    assert "secret" not in str(caught.value)


def test_ordinal_text_without_an_order_is_refused(as_backend: AsBackend) -> None:
    with pytest.raises(SchemaError, match="ordinal text without an order; list its 'categories'"):
        column(as_backend, ["low", "high"], kind="ordinal").codes("x")


def test_ordinal_numbers_ascend(as_backend: AsBackend) -> None:
    assert column(as_backend, [10, 9, 100], kind="ordinal").codes("x")[1] == (9, 10, 100)


def test_an_ordered_type_gives_the_order() -> None:
    for frame in (
        pl.DataFrame({"x": pl.Series(["b", "a"], dtype=pl.Enum(["b", "a", "c"]))}),
        pd.DataFrame({"x": pd.Categorical(["b", "a"], ["b", "a", "c"], ordered=True)}),
    ):
        assert Microdata(frame).codes("x")[1] == ("b", "a")


def test_entries_of_an_arrow_dictionary_that_nobody_has_are_no_categories() -> None:
    encoded = pa.DictionaryArray.from_arrays([1, 1, None, 2], ["unused", "a", None])
    codes, categories = Microdata(pa.table({"x": encoded})).codes("x")
    assert (codes.tolist(), categories) == ([0, 0, -1, -1], ("a",))


def test_arrow_dictionaries_that_differ_between_chunks_agree() -> None:
    chunks = [pa.array(part).dictionary_encode() for part in (["b", "a"], ["a", "c"])]
    codes, categories = Microdata(pa.table({"x": pa.chunked_array(chunks)})).codes("x")
    assert (codes.tolist(), categories) == ([1, 0, 0, 2], ("a", "b", "c"))


@given(st.lists(st.one_of(st.none(), st.text(max_size=3)), max_size=20))
def test_codes_lead_back_to_the_values_on_every_backend(values: list[str | None]) -> None:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.String)})
    schema = Schema(variables=(Variable(name="x", kind=Kind.NOMINAL),))
    for native in (frame, frame.to_arrow(), pd.DataFrame({"x": pd.Series(values, dtype=object)})):
        codes, categories = Microdata(native, schema).codes("x")
        assert [categories[code] if code >= 0 else None for code in codes] == values
        assert list(categories) == sorted({value for value in values if value is not None})


def test_a_block_codes_like_the_whole(as_backend: AsBackend) -> None:
    whole = column(as_backend, [50, 10, 30, 10], kind="ordinal")
    block = whole.take_rows(np.array([0, 2]))
    assert block.codes("x")[0].tolist() == [1, 0]
    assert block.as_block_of(whole).codes("x")[0].tolist() == [2, 1]
    assert block.as_block_of(whole).values("x").tolist() == [2.0, 1.0]


def test_a_block_may_take_a_category_that_only_the_whole_has(as_backend: AsBackend) -> None:
    for values in ([50, 10, 30, 10], ["c", "a", "b", "a"]):
        whole = column(as_backend, values, kind="nominal")
        block = whole.take_rows(np.array([0, 2])).as_block_of(whole)
        masked = block.map_codes(("x",), lambda _, codes: np.zeros_like(codes))
        assert cells(masked)["x"] == [values[1]] * 2
        assert dtypes(masked) == dtypes(whole)


@pytest.mark.parametrize("number", [2e75, -1e200, 1e308])
def test_numbers_whose_powers_are_not_numbers_are_refused(as_backend: AsBackend, number: float) -> None:
    data = column(as_backend, [1.0, number, None], pl.Float64, kind="continuous")
    with pytest.raises(
        DataError, match=r"column 'x' holds numbers beyond 1e\+75, whose powers are not numbers; divide"
    ):
        data.values("x")


def test_numbers_whose_powers_are_all_zero_are_refused(as_backend: AsBackend) -> None:
    assert column(as_backend, [1.0, 1e-200], kind="continuous").values("x")[1] == 1e-200
    with pytest.raises(
        DataError, match="column 'x' holds only numbers within 1e-75 of 0, whose powers are 0; multiply"
    ):
        column(as_backend, [0.0, 1e-200], kind="continuous").values("x")


def test_a_column_without_a_value_has_no_numbers_whatever_its_type(as_backend: AsBackend) -> None:
    for dtype in (pl.Null, pl.String, pl.Float64):
        assert np.isnan(column(as_backend, [None, None], dtype, kind="continuous").values("x")).all()


def test_values_of_several_types_are_ordered_type_by_type() -> None:
    times = [datetime(2000, 1, 1), datetime(1999, 1, 1, tzinfo=UTC)]
    ordered: list[Any] = [True, 2.5, "a", "b", *times, b"c", date(2000, 1, 1)]
    values = [*ordered[::-1], None]
    objects = pd.Series(values, dtype=object), pl.Series(values, dtype=pl.Object)
    for frame in (pd.DataFrame({"x": objects[0]}), pl.DataFrame({"x": objects[1]})):
        codes, categories = Microdata(frame).codes("x")
        assert list(categories) == ordered
        assert codes.tolist() == [7, 6, 5, 4, 3, 2, 1, 0, -1]


def test_lists_are_no_categories(as_backend: AsBackend) -> None:
    data = column(as_backend, [[1], [1, 2], None], kind="nominal")
    with pytest.raises(
        KindError, match="column 'x' holds lists or other collections, not single values; give each part"
    ):
        data.codes("x")
    assert Schema.infer(data.frame)["x"].kind is Kind.NOMINAL


def test_times_that_python_cannot_hold_are_refused() -> None:
    far = pa.table({"x": pa.array([0, 2**62], pa.int64()).cast(pa.timestamp("s"))})
    for frame in (far, far.to_pandas(types_mapper=pd.ArrowDtype)):
        with pytest.raises(DataError, match="column 'x' holds times beyond the years 1 to 9999"):
            Microdata(frame).codes("x")


def test_columns_that_pyarrow_cannot_filter_are_refused() -> None:
    table = pa.table({"x": pa.array(["a"], pa.string_view())})
    for frame in (table, pd.DataFrame({"x": pd.Series(pd.arrays.ArrowExtensionArray(table["x"]))})):
        with pytest.raises(DataError, match="column 'x' has the type string_view, which cannot be filtered; cast it"):
            Microdata(frame)


def test_half_floats_of_arrow_are_refused() -> None:
    with pytest.raises(DataError, match="column 'x' has the type halffloat, which cannot be compared; cast it"):
        Microdata(pa.table({"x": pa.array(np.arange(2, dtype=np.float16))}))


def test_days_of_arrow_with_parts_of_days_are_refused() -> None:
    for hours, is_refused in ((0, False), (7, True)):
        moments = np.array([19_000 * 24, 19_001 * 24 + hours], dtype=np.int64) * 3_600_000
        days = pa.Array.from_buffers(pa.date64(), 2, [None, pa.py_buffer(moments.tobytes())])
        for frame in (pa.table({"x": days}), pd.DataFrame({"x": pd.Series(pd.arrays.ArrowExtensionArray(days))})):
            if not is_refused:
                assert Microdata(frame).values("x").tolist() == [19_000, 19_001]
                continue
            with pytest.raises(DataError, match=r"column 'x' has the type date64.* holds parts of days"):
                Microdata(frame)


def test_a_category_that_no_row_has_is_added_to_a_dictionary_of_arrow_in_pandas() -> None:
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    frame = pd.DataFrame({"health": pd.Series(["bad", "good", "good"], dtype=kind)})
    schema = Schema(variables=(Variable(name="health", kind=Kind.ORDINAL, categories=("bad", "fair", "good")),))
    masked = TopCoding(columns=("health",), at="fair").mask(Microdata(frame, schema), np.random.default_rng(0))
    assert masked.frame["health"].tolist() == ["bad", "fair", "fair"]


def test_decimals_that_a_float_cannot_tell_apart_are_refused() -> None:
    close = [Decimal("1.000000000000000001"), Decimal("1.000000000000000002")]
    for frame in (pl.DataFrame({"x": pl.Series(close, dtype=pl.Decimal(38, 18))}),):
        for given_frame in (frame, frame.to_arrow()):
            data = Microdata(given_frame, Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS),)))
            with pytest.raises(DataError, match="column 'x' holds decimals of more digits than a number of 64 bits"):
                data.values("x")
    plain = pl.DataFrame({"x": pl.Series([Decimal("1.25"), Decimal("3.50")], dtype=pl.Decimal(38, 18))})
    assert Microdata(plain).values("x").tolist() == [1.25, 3.5]


def test_times_with_parts_of_a_microsecond_are_refused(as_backend: AsBackend) -> None:
    stamps = pl.Series([1_700_000_000_000_000_001, 1_700_000_000_000_000_002]).cast(pl.Datetime("ns"))
    with pytest.raises(DataError, match="column 'x' holds times with parts of a microsecond"):
        Microdata(as_backend(stamps.alias("x").to_frame())).values("x")
    whole = (stamps.dt.truncate("1us")).alias("x").to_frame()
    assert not np.isnan(Microdata(as_backend(whole)).values("x")).any()
