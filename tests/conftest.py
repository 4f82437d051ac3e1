"""Fixtures that the tests of all rooms share: every dataframe backend, and a survey that is small and awkward."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import settings

from sfumato.data import Kind, Role, Schema, Variable

# each run draws other examples, so that few in each of many tests see much; `--hypothesis-profile=thorough` sees more
settings.register_profile("usual", max_examples=16, deadline=None)
settings.register_profile("thorough", max_examples=1000, deadline=None)
settings.load_profile("usual")

HEALTH = ("bad", "fair", "good", "very good")


def as_polars(frame: pl.DataFrame) -> pl.DataFrame:
    return frame


def as_arrow(frame: pl.DataFrame) -> Any:
    return frame.to_arrow()


def as_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Convert with nullable types, ordered categoricals for enums, an index that is neither sorted nor unique."""
    columns = {name: _pandas_column(frame[name]) for name in frame.columns}
    index = [5, *range(len(frame) - 1, 0, -1)] if len(frame) else []
    return pd.DataFrame(columns).set_axis(pd.Index(index, name="row"), axis="index")


def _pandas_column(series: pl.Series) -> Any:
    if series.dtype.is_integer() and series.null_count():
        return pd.array(series.to_list(), dtype="Int64")
    if series.dtype == pl.Boolean and series.null_count():
        return pd.array(series.to_list(), dtype="boolean")
    if series.dtype == pl.Enum:
        return pd.Categorical(series.to_list(), categories=series.dtype.categories.to_list(), ordered=True)  # type: ignore[attr-defined]
    if series.dtype == pl.Categorical:
        return pd.Categorical(series.to_list())
    return series.to_pandas().to_numpy() if series.dtype.is_float() else series.to_pandas()


BACKENDS: dict[str, Callable[[pl.DataFrame], Any]] = {"pandas": as_pandas, "polars": as_polars, "pyarrow": as_arrow}


@pytest.fixture(params=BACKENDS)
def as_backend(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], Any]:
    """A function that turns a polars dataframe into one of each backend."""
    return BACKENDS[request.param]


@pytest.fixture
def awkward_frame() -> pl.DataFrame:
    """Eight records with what makes surveys awkward: every type, gaps, missing codes, ties, a constant, umlauts."""
    return pl.DataFrame(
        {
            "person_id": [101, 102, 103, 104, 105, 106, 107, 108],
            "household_id": [1, 1, 2, 3, 3, 3, 4, 5],
            "region": ["Süd", "Nord", "Süd", None, "West", "Nord", "Süd", "West"],
            "health": ["good", "bad", None, "fair", "good", "good", "bad", "fair"],
            "is_urban": [True, False, True, True, None, False, True, True],
            "age": [34, 31, 78, 45, 99, 2, 17, 64],
            "income": [1200.5, 0.0, None, 5300.25, -40.0, 0.0, 0.0, 1200.5],
            "tax": [240, 0, 90, 1500, -9, 0, 0, 240],
            "constant": [1.0] * 8,
            "born": [date(1990 - i, 1 + i, 3) if i != 4 else None for i in range(8)],
            "sampling_weight": [12.5, 12.5, 3.25, 40.0, 40.0, 40.0, 7.75, 1.5],
        },
        schema_overrides={"health": pl.Enum(HEALTH), "tax": pl.Int32},
    )


@pytest.fixture
def awkward_schema() -> Schema:
    """What the columns of `awkward_frame` are; 99 is a missing age, -9 a missing tax."""
    return Schema(
        variables=(
            Variable(name="person_id", kind=Kind.NOMINAL, role=Role.IDENTIFIER),
            Variable(name="household_id", kind=Kind.NOMINAL, role=Role.HOUSEHOLD),
            Variable(name="region", kind=Kind.NOMINAL, role=Role.KEY),
            Variable(name="health", kind=Kind.ORDINAL, categories=HEALTH),
            Variable(name="is_urban", kind=Kind.NOMINAL, role=Role.KEY),
            Variable(name="age", kind=Kind.CONTINUOUS, role=Role.KEY, missing_codes=(99,)),
            Variable(name="income", kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL),
            Variable(name="tax", kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL, missing_ranges=((-9, -1),)),
            Variable(name="constant", kind=Kind.CONTINUOUS),
            Variable(name="born", kind=Kind.DATE),
            Variable(name="sampling_weight", kind=Kind.CONTINUOUS, role=Role.WEIGHT),
        )
    )
