"""Cells that are equal look equal: missing values of two kinds, two zeros and the like never tell records apart."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema
from tests.data.frames import AsBackend, cells, column, dtypes

NAN = float("nan")
MIXED = pl.DataFrame({"income": [1.5, NAN, None, 2.5, -0.0, 0.0], "age": [31, 45, 60, 38, 22, 51]})


def kinds_of_gaps(data: Microdata, name: str = "income") -> set[str]:
    """Return all that the missing cells of a column look like."""
    native = data.frame[name]
    shown = native.to_pylist() if isinstance(native, pa.ChunkedArray) else native.to_list()
    return {repr(value) for value in shown if pd.isna(value)}


def test_missing_values_of_two_kinds_become_one(as_backend: AsBackend) -> None:
    frame = as_backend(MIXED)
    data = Microdata(frame)
    assert len(kinds_of_gaps(data)) == 1
    np.testing.assert_equal(data.values("income"), [1.5, np.nan, np.nan, 2.5, 0, 0])
    assert dtypes(data) == dtypes_of(frame)


def dtypes_of(frame: Any) -> list[str]:
    return [str(kind) for kind in (frame.schema.types if isinstance(frame, pa.Table) else frame.dtypes)]


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
def test_numbers_that_are_undefined_are_null_where_the_type_has_null(dtype: Any) -> None:
    frame = pl.DataFrame({"income": pl.Series([1.5, NAN], dtype=dtype)})
    kind = pa.float32() if dtype == pl.Float32 else pa.float64()
    pandas_frame = pd.DataFrame({"income": pd.Series([1.5, NAN], index=[7, 7], dtype=pd.ArrowDtype(kind))})
    for given in (frame, frame.to_arrow(), pandas_frame):
        data = Microdata(given)
        assert data.column("income").null_count() == 1
        assert dtypes(data) == dtypes_of(given)
    assert Microdata(pandas_frame).frame.index.tolist() == [7, 7]


def test_the_two_zeros_become_one(as_backend: AsBackend) -> None:
    values = Microdata(as_backend(MIXED)).column("income").to_numpy()
    assert not np.signbit(values[values == 0]).any()


def test_an_amount_that_is_rounded_to_nothing_does_not_tell_its_sign(as_backend: AsBackend) -> None:
    data = Microdata(as_backend(pl.DataFrame({"balance": [-3.0, 3.0, 41.0, -41.0]})))
    masked = sf.Recipe(steps=[sf.Rounding(columns=("balance",), base=100)], seed=1).run(data)
    assert masked.column("balance").to_numpy().tobytes() == np.zeros(4).tobytes()


def test_objects_of_pandas_have_one_missing_value() -> None:
    frame = pd.DataFrame({"job": pd.Series([None, NAN, pd.NA, pd.NaT, "nurse"], dtype=object)})
    assert Microdata(frame).frame["job"].tolist() == [None, None, None, None, "nurse"]
    alone = pd.DataFrame({"job": pd.Series([NAN, "nurse"], dtype=object)})
    assert Microdata(alone).frame is alone


def test_every_nan_of_numpy_has_the_same_bits() -> None:
    of_r = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]  # how R writes NA
    frame = pd.DataFrame({"income": [1.5, of_r, NAN]})
    bits = Microdata(frame).frame["income"].to_numpy().view(np.uint64)
    assert bits[1] == bits[2]
    assert frame["income"].to_numpy().view(np.uint64)[1] != bits[1]  # the frame that was given stays as it is


def test_a_frame_with_one_kind_of_missing_value_comes_back_as_it_is(as_backend: AsBackend) -> None:
    frame = as_backend(MIXED.with_columns(income=pl.Series([1.5, None, None, 2.5, 3.5, 0.0])))
    assert Microdata(frame).frame is frame


def test_the_kind_of_a_missing_value_links_nobody(as_backend: AsBackend) -> None:
    rng = np.random.default_rng(4)
    kinds = rng.integers(0, 3, size=(300, 6))  # a value, NaN or null: who had which is known
    columns = {
        f"x{number}": pl.Series(
            [[value, NAN, None][kind] for value, kind in zip(rng.normal(size=300), row, strict=True)]
        )
        for number, row in enumerate(kinds.T)
    }
    frame = pl.DataFrame({name: column.cast(pl.Float64) for name, column in columns.items()})
    schema = Schema.infer(frame)
    masked = sf.Recipe(steps=[sf.AdditiveNoise(columns=sf.numeric, scale=1.0)], seed=1).run(
        Microdata(as_backend(frame), schema)
    )
    for name in columns:
        assert len(kinds_of_gaps(masked, name)) == 1


def test_suppressed_cells_look_like_those_that_were_missing(as_backend: AsBackend) -> None:
    frame = pl.DataFrame({"age": [31.0, NAN, 60.0, 60.0, 22.0, 31.0], "sex": ["f", "f", "m", "m", "m", "f"]})
    schema = Schema.from_yaml("variables: {age: {kind: nominal, role: key}, sex: {kind: nominal, role: key}}")
    masked = sf.Recipe(steps=[sf.LocalSuppression(columns=("age", "sex"), k=2)], seed=1).run(
        Microdata(as_backend(frame), schema)
    )
    assert masked.observed("age").sum() < 5
    assert len(kinds_of_gaps(masked, "age")) == 1


def test_equal_objects_take_one_form() -> None:
    values = [1, 1.0, True, Decimal("1.0"), Decimal("2.50"), Decimal("2.5"), "1", None]
    shown = Microdata(pd.DataFrame({"x": pd.Series(values, dtype=object)})).frame["x"].tolist()
    assert list(map(repr, shown)) == ["1", "1", "1", "1", "Decimal('2.5')", "Decimal('2.5')", "'1'", "None"]


def test_text_of_numpy_becomes_plain_text_beside_it() -> None:
    frame = pd.DataFrame({"town": pd.Series([np.str_("Bonn"), "Bonn", None], dtype=object)})
    assert [type(value) for value in Microdata(frame).frame["town"]] == [str, str, type(None)]


def test_a_day_is_written_in_one_way(as_backend: AsBackend) -> None:
    texts = ["3/3/2024", "03/3/2024", " 3/03/2024", "15/3/2024", "NA", None]
    data = column(as_backend, texts, kind="date", date_format="d/m/yyyy")
    assert cells(data)["x"] == ["3/3/2024", "3/3/2024", "3/3/2024", "15/3/2024", "NA", None]
    assert data.observed("x").tolist() == [True] * 4 + [False] * 2


def test_dates_in_one_form_stay_as_they_are(as_backend: AsBackend) -> None:
    frame = as_backend(pl.DataFrame({"born": ["03/03/2024", "15/03/2024", None]}))
    assert Microdata(frame).frame is frame


def test_what_the_maker_of_a_frame_noted_is_not_released() -> None:
    noted = pd.DataFrame({"age": [31, 45, 60]})
    noted.attrs["source"] = "register of persons"
    table = pa.table({"age": [31, 45, 60]})
    described = table.schema.field("age").with_metadata({"source": "register"})
    recipe = sf.Recipe(steps=[sf.AdditiveNoise(columns=("age",))], seed=1)
    released = recipe.release(Microdata(table.cast(pa.schema([described], metadata={"source": "register"})))).frame
    assert released.schema.metadata is None
    assert released.schema.field("age").metadata is None
    assert recipe.release(Microdata(noted)).frame.attrs == {}
    assert noted.attrs


@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_cells_that_measures_call_equal_are_the_same_in_the_release_and_in_every_file(
    suffix: str, as_backend: AsBackend, tmp_path: Path
) -> None:
    frame = pl.DataFrame(
        {
            "income": [-0.0, 0.0, 5.5, NAN, None, 5.5],
            "born": ["3/3/2024", "03/3/2024", "15/3/2024", "NA", None, "15/03/2024"],
            "area": ["n", "s", None, "n", "s", "n"],
        }
    )
    yaml = "variables: {income: {kind: continuous}, born: {kind: date, date_format: d/m/yyyy}, area: {kind: nominal}}"
    data = Microdata(as_backend(frame), Schema.from_yaml(yaml))
    released = sf.Recipe(steps=[sf.Pram(columns=("area",), stay=90)], seed=1).release(data)
    sf.write(released, tmp_path / f"people.{suffix}")
    for shown in (released, sf.read(tmp_path / f"people.{suffix}", schema=released.schema)):
        for name in ("income", "born"):
            values, texts = shown.values(name), [repr(value) for value in cells(shown)[name]]
            for value in values[~np.isnan(values)]:
                assert len({text for text, other in zip(texts, values, strict=True) if other == value}) == 1


@pytest.mark.parametrize(
    "gap",
    [Decimal("NaN"), Decimal("sNaN"), np.float32("nan"), np.float16("nan"), np.datetime64("NaT"), complex(NAN), pd.NaT],
    ids=lambda gap: type(gap).__name__,
)
@pytest.mark.parametrize("value", ["a", Decimal("1.50")])
def test_no_kind_of_missing_value_is_left_beside_another(gap: Any, value: Any) -> None:
    cells = pd.Series([value, None, gap, value, gap], dtype=object)
    data = Microdata(pd.DataFrame({"answer": cells, "age": range(5)}))
    assert {repr(cell) for cell in data.frame["answer"][[1, 2, 4]]} == {"None"}
    assert data.observed("answer").tolist() == [True, False, False, True, False]


@pytest.mark.parametrize("in_pandas", [False, True])
def test_a_dictionary_of_arrow_holds_each_category_once(in_pandas: bool) -> None:
    """A category twice, a missing value among the entries, and dictionaries that differ from part to part."""
    parts = [
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None], pa.int8()), pa.array(["b", "b", "a", None])),
        pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int8()), pa.array(["a", "b"])),
    ]
    cells = pa.chunked_array(parts)
    frame = pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(cells)}) if in_pandas else pa.table({"x": cells})
    native = Microdata(frame).frame["x"]
    found = pa.array(native) if in_pandas else native
    assert found.type == cells.type
    assert found.to_pylist() == ["b", "b", "a", None, None, "b", "a"]
    whole = found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
    assert whole.dictionary.to_pylist() == ["b", "a"]
    assert whole.indices.to_pylist() == [0, 0, 1, None, None, 0, 1]
