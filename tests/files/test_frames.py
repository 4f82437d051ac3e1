import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pandas as pd
import polars as pl

from sfumato.data import Microdata
from sfumato.files.frames import as_polars, blanks_as_missing, text_without_types


def test_every_dataframe_becomes_the_same_polars_frame(
    awkward_frame: pl.DataFrame, as_backend: Callable[[pl.DataFrame], Any]
) -> None:
    found = as_polars(Microdata(as_backend(awkward_frame)))
    assert found.columns == awkward_frame.columns
    for name in awkward_frame.columns:
        expected = awkward_frame[name].cast(found[name].dtype)
        assert found[name].to_list() == expected.to_list()


def test_every_type_of_pandas_is_taken() -> None:
    frame = pd.DataFrame(
        {
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "truth": pd.array([True, None, False], dtype="boolean"),
            "text": ["a", None, "b"],
            "object": pd.Series([date(2020, 1, 1), None, date(2020, 1, 2)], dtype=object),
            "moment": pd.to_datetime(["2020-01-01T10:00", "", "2020-01-02T11:00"]),
            "zoned": pd.to_datetime(["2020-01-01", "", "2020-01-02"]).tz_localize("Europe/Berlin"),
            "category": pd.Categorical(["x", None, "y"]),
            "order": pd.Categorical(["x", None, "y"], categories=["y", "x"], ordered=True),
            "codes": pd.Categorical([3, 1, 3]),
            "decimal": [1.5, float("nan"), 2.5],
            "small": pd.Series([1, 2, 3], dtype="int8"),
        }
    )
    found = as_polars(Microdata(frame))
    assert dict(found.schema) == {
        "whole": pl.Int64,
        "truth": pl.Boolean,
        "text": pl.String,
        "object": pl.Date,
        "moment": pl.Datetime("us"),
        "zoned": pl.Datetime("us", "Europe/Berlin"),
        "category": pl.Categorical,
        "order": pl.Enum(["y", "x"]),
        "codes": pl.Int64,
        "decimal": pl.Float64,
        "small": pl.Int8,
    }
    assert found.drop("codes", "small").row(1) == (None,) * 9
    assert found["moment"][0] == datetime(2020, 1, 1, 10)


def test_pandas_needs_no_pyarrow() -> None:
    program = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
from sfumato.data import Microdata
from sfumato.files.frames import as_polars
frame = pd.DataFrame({"t": ["a", None], "n": pd.array([1, None], dtype="Int64"), "c": pd.Categorical(["x", "y"])})
assert as_polars(Microdata(frame)).rows() == [("a", 1, "x"), (None, None, "y")]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_blanks_are_missing_in_text_and_floats_only() -> None:
    frame = pl.DataFrame({"t": ["", " ", "x"], "f": [float("nan"), 0.0, 1.5], "i": [0, 1, 2], "b": [False, True, None]})
    assert blanks_as_missing(frame).rows() == [(None, None, 0, False), (" ", 0.0, 1, True), ("x", 1.5, 2, None)]


def test_categories_without_a_value_become_text_without_one() -> None:
    frame = pl.DataFrame(
        {"x": pl.Series([None, None], dtype=pl.Enum(["a"])), "y": pl.Series(["a", None], dtype=pl.Enum(["a"]))}
    )
    assert text_without_types(frame).to_dict(as_series=False) == {"x": [None, None], "y": ["a", None]}
    assert set(text_without_types(frame).dtypes) == {pl.String}
