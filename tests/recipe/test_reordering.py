"""A release in memory: random order, new household numbers, and row ids that still tell who is who."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.masking import DropIdentifiers, TopCoding
from sfumato.recipe import Recipe

TOP = Recipe(steps=[TopCoding(columns=("income",), at=50.0)], seed=5)
INCOMES = np.arange(60, dtype=np.float64)
HOUSEHOLDS = [f"H{number:03d}" for number in np.arange(60) // 2]
SCHEMA = Schema.from_yaml(
    "variables: {household: {kind: nominal, role: household}, income: {kind: continuous}, name: {kind: nominal}}"
)


def people(frame_type: str) -> Microdata:
    columns: dict[str, Any] = {"household": HOUSEHOLDS, "income": INCOMES, "name": [f"n{i}" for i in range(60)]}
    frames: dict[str, Any] = {
        "polars": lambda: pl.DataFrame(columns),
        "pandas": lambda: pd.DataFrame(columns, index=range(100, 160)),
        "pyarrow": lambda: pa.table(columns),
    }
    return Microdata(frames[frame_type](), SCHEMA)


@pytest.mark.parametrize("frame_type", ["polars", "pandas", "pyarrow"])
def test_row_ids_tell_which_record_is_which(frame_type: str) -> None:
    data = people(frame_type)
    masked = TOP.run(data)
    released = TOP.release(masked)
    assert type(released.frame) is type(data.frame)
    assert released.row_ids.tolist() != data.row_ids.tolist()
    assert released.values("income").tolist() == masked.values("income")[released.row_ids].tolist()


def test_an_index_of_pandas_does_not_tell_the_old_order() -> None:
    released = TOP.release(TOP.run(people("pandas")))
    assert released.frame.index.tolist() == list(range(60))


@pytest.mark.parametrize("frame_type", ["polars", "pandas", "pyarrow"])
def test_household_numbers_that_are_text_stay_text_and_hold_nothing_of_the_old_ones(frame_type: str) -> None:
    released = TOP.release(TOP.run(people(frame_type)))
    numbers = released.table["household"].to_list()
    assert set(numbers) == {str(number) for number in range(1, 31)}
    members = {(HOUSEHOLDS[row], number) for row, number in zip(released.row_ids, numbers, strict=True)}
    assert len(members) == 30
    assert [number for _, number in sorted(members)] != [str(number) for number in range(1, 31)]


def test_run_keeps_the_order_and_the_numbers() -> None:
    assert TOP.run(people("polars")).frame["household"].to_list() == HOUSEHOLDS


def test_an_identifier_is_refused_on_release_and_not_in_a_run() -> None:
    data = people("polars").with_schema(SCHEMA.with_roles(identifier=["name"]))
    masked = TOP.run(data)
    with pytest.raises(DataError, match="name would be released and names people"):
        TOP.release(masked)
    assert TOP.replace(keep_identifiers=True).release(masked).schema.names == SCHEMA.names


def test_a_recipe_without_identifiers_ends_by_dropping_those_that_no_step_hides() -> None:
    schema = SCHEMA.with_roles(identifier=["name"])
    dropping = TOP.without_identifiers(schema)
    assert dropping.steps == (*TOP.steps, DropIdentifiers(columns=("name",)))
    assert dropping.without_identifiers(schema) == dropping


def test_a_waiver_that_is_false_is_as_if_it_were_not_there() -> None:
    recipe = Recipe.from_yaml("keep_order: false\nseed: 5\nsteps: [top_coding: {columns: [income], at: 50}]")
    assert recipe == TOP
    assert "keep_order" not in recipe.to_yaml()
    assert "keep_order: true" in TOP.replace(keep_order=True).to_yaml()
