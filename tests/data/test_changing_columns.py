from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.errors import DataError, SchemaError
from tests.data.frames import AsBackend, cells, column, dtypes


@pytest.fixture
def data(as_backend: AsBackend, awkward_frame: pl.DataFrame, awkward_schema: Schema) -> Microdata:
    return Microdata(as_backend(awkward_frame), awkward_schema)


def test_mapped_columns_keep_type_order_index_and_dtypes(data: Microdata) -> None:
    masked = data.map_columns(("age", "income", "tax"), lambda _, values: values + 1)
    assert type(masked.frame) is type(data.frame)
    assert dtypes(masked) == dtypes(data)
    assert list(masked.table.columns) == list(data.table.columns)
    if isinstance(data.frame, pd.DataFrame):
        pd.testing.assert_index_equal(masked.frame.index, data.frame.index)


def test_mapping_changes_the_observed_values_of_the_chosen_columns_only(data: Microdata) -> None:
    before = cells(data)
    masked = data.map_columns(("tax", "age"), lambda _, values: values + 1)
    assert cells(masked) == {
        **before,
        "tax": [241, 1, 91, 1501, -9, 1, 1, 241],
        "age": [35, 32, 79, 46, 99, 3, 18, 65],
    }
    assert cells(data) == before


def test_the_change_is_told_the_name_and_sees_no_missing_value(data: Microdata) -> None:
    seen: dict[str, int] = {}

    def change(name: str, values: np.ndarray) -> np.ndarray:
        seen[name] = values.size
        assert not np.isnan(values).any()
        return values

    data.map_columns(numeric, change)
    assert seen == {"age": 7, "income": 7, "tax": 7, "constant": 8}


def test_integers_are_rounded_to_the_nearest(as_backend: AsBackend) -> None:
    masked = column(as_backend, [1, None, 3], pl.Int16, kind="continuous").map_columns(
        ("x",), lambda _, values: values + 0.6
    )
    assert cells(masked)["x"] == [2, None, 4]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt8, pl.Int32, pl.UInt64, pl.Float32, pl.Float64])
@pytest.mark.parametrize("values", [[1, 2, 3], [1, None, 3]])
def test_every_numeric_type_comes_back_as_it_was(as_backend: AsBackend, dtype: Any, values: list[int | None]) -> None:
    data = column(as_backend, values, dtype, kind="continuous")
    masked = data.map_columns(("x",), lambda _, values: values[::-1])
    assert dtypes(masked) == dtypes(data)
    assert cells(masked)["x"] == values[::-1]


def test_decimals_come_back_as_decimals() -> None:
    frame = pl.DataFrame({"x": pl.Series(["1.25", "2.50", None]).cast(pl.Decimal(10, 2))})
    for native in (frame, frame.to_arrow()):
        data = Microdata(native, Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS),)))
        masked = data.map_columns(("x",), lambda _, values: values[::-1])
        assert dtypes(masked) == dtypes(data)
        assert cells(masked)["x"] == [Decimal("2.50"), Decimal("1.25"), None]


@pytest.mark.parametrize("far", [-5, 300])
def test_values_that_an_integer_type_cannot_hold_are_refused(as_backend: AsBackend, far: int) -> None:
    data = column(as_backend, [1, 2], pl.UInt8, kind="continuous")
    with pytest.raises(DataError, match="masked values of column 'x' do not fit its type UInt8"):
        data.map_columns(("x",), lambda _, values: values + far)


def test_undefined_values_in_an_integer_column_are_refused(as_backend: AsBackend) -> None:
    data = column(as_backend, [1, 2], kind="continuous")
    with pytest.raises(DataError, match="masked values of column 'x' are not all numbers"):
        data.map_columns(("x",), lambda _, values: values * np.nan)


def test_a_matrix_is_changed_as_one_and_missing_cells_stay(data: Microdata) -> None:
    masked = data.map_matrix(("income", "tax"), lambda matrix: np.nan_to_num(matrix, nan=77.0)[:, ::-1])
    np.testing.assert_equal(masked.values("income"), np.array([240, 0, np.nan, 1500, 77, 0, 0, 240]))
    np.testing.assert_equal(masked.values("tax"), np.array([1200, 0, 77, 5300, np.nan, 0, 0, 1200]))
    assert cells(masked)["tax"][4] == -9


def test_a_change_in_place_does_not_reach_the_original(data: Microdata) -> None:
    before = cells(data)

    def change(matrix: np.ndarray) -> np.ndarray:
        matrix *= 2
        return matrix

    assert cells(data.map_matrix(("constant",), change))["constant"] == [2.0] * 8
    assert cells(data) == before


def test_an_ordinal_column_is_mapped_by_its_codes(data: Microdata) -> None:
    masked = data.map_columns(("health",), lambda _, values: 2 - values)
    assert cells(masked)["health"] == ["bad", "good", None, "fair", "bad", "bad", "good", "fair"]
    assert dtypes(masked) == dtypes(data)


@pytest.mark.parametrize("shift", [-3, 4, np.nan])
def test_a_code_beyond_the_categories_is_refused(data: Microdata, shift: float) -> None:
    with pytest.raises(DataError, match="masked codes of column 'health' are not all among its 4 categories"):
        data.map_columns(("health",), lambda _, values: values + shift)


def test_a_code_of_nothing_is_refused(data: Microdata) -> None:
    with pytest.raises(DataError, match="masked codes of column 'region' are not all among its 3 categories"):
        data.map_codes(("region",), lambda _, codes: codes - 1)


def test_mapped_codes_change_categories_and_keep_gaps(data: Microdata) -> None:
    masked = data.map_codes(("region", "is_urban"), lambda _, codes: codes[::-1])
    assert cells(masked)["region"][:3] == ["West", "Süd", "Nord"]
    assert masked.observed("region").tolist() == data.observed("region").tolist()
    assert dtypes(masked) == dtypes(data)
    if isinstance(data.frame, pd.DataFrame):
        pd.testing.assert_index_equal(masked.frame.index, data.frame.index)


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["a", "b", "c"])])
def test_a_declared_category_that_nobody_has_can_be_given(as_backend: AsBackend, dtype: Any) -> None:
    if as_backend.__name__ == "as_pandas" and dtype == pl.Categorical:
        dtype = pl.Enum(["a", "b", "c"])  # a pandas categorical lists all that it can hold
    data = column(as_backend, ["a", None, "b"], dtype, kind="ordinal", categories=("a", "b", "c"))
    masked = data.map_codes(("x",), lambda _, codes: codes + 1)
    assert [cells(masked)["x"][row] for row in (0, 2)] == ["b", "c"]
    assert masked.observed("x").tolist() == [True, False, True]
    assert dtypes(masked) == dtypes(data)


def test_a_category_that_the_type_cannot_hold_is_refused(as_backend: AsBackend) -> None:
    data = column(as_backend, [1, 2], kind="ordinal", categories=(1, 2, "many"))
    with pytest.raises(SchemaError, match="the type of column 'x' cannot hold every category of its schema"):
        data.map_codes(("x",), lambda _, codes: codes + 1)


def test_a_category_that_a_pandas_categorical_does_not_list_is_refused() -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.NOMINAL, categories=("a", "b")),))
    data = Microdata(pd.DataFrame({"x": pd.Categorical(["a", "a"])}), schema)
    with pytest.raises(SchemaError, match="the type of column 'x' cannot hold every category of its schema"):
        data.map_codes(("x",), lambda _, codes: codes + 1)


def test_the_summary_of_a_masked_file_is_its_own(data: Microdata) -> None:
    masked = data.map_columns(("constant",), lambda _, values: values + 1)
    assert (data.summary.mean("constant"), masked.summary.mean("constant")) == (1, 2)


@pytest.mark.parametrize("backend", ["polars", "pyarrow", "pandas"])
def test_decimals_come_back_as_decimals_rounded_to_their_places(backend: str) -> None:
    frame: Any = pl.DataFrame({"x": pl.Series([Decimal("1.25"), None, Decimal("-7.50")], dtype=pl.Decimal(4, 2))})
    frame = frame if backend == "polars" else frame.to_arrow()
    frame = frame.to_pandas(types_mapper=pd.ArrowDtype) if backend == "pandas" else frame
    data = Microdata(frame, Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS),)))
    masked = data.map_columns(("x",), lambda _, values: values + 1 / 3)
    assert dtypes(masked) == dtypes(data)
    assert cells(masked) == {"x": [Decimal("1.58"), None, Decimal("-7.17")]}
    with pytest.raises(DataError, match="masked values of column 'x' do not fit its type of 4 digits; make it Float64"):
        data.map_columns(("x",), lambda _, values: values * 1000)


@pytest.mark.parametrize(
    ("dtype", "factor"), [(pl.Float32, 1e39), (pl.Float64, 1e76), (pl.Float32, np.nan), (pl.Float64, np.nan)]
)
def test_masked_values_that_are_missing_or_out_of_range_are_refused(
    as_backend: AsBackend, dtype: Any, factor: float
) -> None:
    data = column(as_backend, [1.0, 2.0], dtype, kind="continuous")
    with pytest.raises(DataError, match=r"masked values of column 'x' are (too large for a number|not all numbers); "):
        data.map_columns(("x",), lambda _, values: values * factor)
