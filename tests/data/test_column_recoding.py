"""Columns in another type, on every backend: the values, what is missing, and the type."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.data import Variable
from sfumato.data.column_recoding import (
    can_hold,
    codes_in_ranges,
    missing_codes_after,
    places_of,
    recode_column,
    set_missing,
)
from sfumato.errors import DataError
from tests.data.frames import AsBackend

PLACES = np.array([1, -1, 0, -1])


def series(as_backend: AsBackend, values: list[Any], dtype: Any = None) -> nw.Series[Any]:
    frame: nw.DataFrame[Any] = nw.from_native(
        as_backend(pl.DataFrame({"x": pl.Series(values, dtype=dtype)})), eager_only=True
    )
    return frame["x"]


def plain(found: nw.Series[Any]) -> list[Any]:
    return [None if pd.isna(value) else value for value in found.to_list()]


def test_text_stays_text_and_keeps_its_missing_codes(as_backend: AsBackend) -> None:
    column = series(as_backend, ["a", "refused", "b", None])
    found = recode_column(column, ("one", "two"), PLACES, {"refused": "refused"})
    assert plain(found) == ["two", "refused", "one", None]
    assert found.dtype == column.dtype


def test_integers_stay_integers_where_they_fit(as_backend: AsBackend) -> None:
    column = series(as_backend, [7, -9, 8, None], pl.Int16)
    found = recode_column(column, (1, 2), PLACES, {-9: -9})
    assert plain(found) == [2, -9, 1, None]
    assert found.dtype == column.dtype
    assert found.dtype.is_integer()


def test_integers_become_wider_where_they_do_not_fit(as_backend: AsBackend) -> None:
    found = recode_column(series(as_backend, [7, -9, 8, None], pl.Int8), (1000, 2), PLACES, {-9: -9})
    assert plain(found) == [2, -9, 1000, None]
    assert found.dtype == nw.Int64


def test_numbers_become_text_and_so_do_their_missing_codes(as_backend: AsBackend) -> None:
    for dtype in (pl.Int64, pl.Float64):
        column = series(as_backend, [7, -9, 8, None], dtype)
        missing = missing_codes_after(column, ("low", "high"), (-9, -8))
        found = recode_column(column, ("low", "high"), PLACES, missing)
        assert missing == {-9: "-9", -8: "-8"}
        assert plain(found) == ["high", "-9", "low", None]
        assert found.dtype == nw.Categorical


def test_listed_text_lists_the_values_in_their_order(as_backend: AsBackend) -> None:
    column = series(as_backend, [7.0, -9.0, 8.0, None])
    found = recode_column(column, ("low", "high"), PLACES, {-9: "-9"}, listed=True)
    assert plain(found) == ["high", "-9", "low", None]
    if not column.implementation.is_pyarrow():
        assert found.dtype == nw.Enum(["low", "high", "-9"])


def test_enums_list_the_new_values_and_plain_categories_stay_plain(as_backend: AsBackend) -> None:
    listed = recode_column(series(as_backend, ["b", None, "a", None], pl.Enum(["a", "b"])), ("p", "q"), PLACES, {})
    unlisted = recode_column(series(as_backend, ["b", None, "a", None], pl.Categorical), ("p", "q"), PLACES, {})
    assert plain(listed) == plain(unlisted) == ["q", None, "p", None]
    assert unlisted.dtype == nw.Categorical
    if not listed.implementation.is_pyarrow():
        assert listed.dtype == nw.Enum(["p", "q"])


@pytest.mark.parametrize(("values", "dtype"), [((1, 2), nw.Int64), ((1, 2.5), nw.Float64), ((True, False), nw.Boolean)])
def test_text_becomes_numbers_or_truth_values(as_backend: AsBackend, values: Any, dtype: Any) -> None:
    found = recode_column(series(as_backend, ["a", None, "b", None]), values, PLACES, {})
    assert plain(found) == [values[1], None, values[0], None]
    assert found.dtype == dtype


def test_text_that_stands_for_missing_cannot_stay_among_numbers(as_backend: AsBackend) -> None:
    with pytest.raises(DataError, match="column 'x' would become numbers, which cannot hold its missing codes"):
        missing_codes_after(series(as_backend, ["a", "refused"]), (1, 2), ("refused",))


def test_a_type_can_hold_what_it_can_hold(as_backend: AsBackend) -> None:
    assert can_hold(series(as_backend, [1], pl.UInt8), (0, 255.0))
    assert not can_hold(series(as_backend, [1], pl.UInt8), (256,))
    assert not can_hold(series(as_backend, [1], pl.UInt8), (1.5,))
    assert can_hold(series(as_backend, [1.0]), (1.5, 2))
    assert not can_hold(series(as_backend, ["a"]), (1,))
    assert can_hold(series(as_backend, [True]), (True, False))
    assert not can_hold(series(as_backend, [True]), (1, 0))


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["a", "b", "c"], None),
        ([1, 2, 3], pl.UInt16),
        ([1.5, 2.5, 3.5], pl.Float32),
        ([True, False, True], None),
        (["a", "b", "a"], pl.Enum(["a", "b"])),
        (["a", "b", "a"], pl.Categorical),
    ],
)
def test_cells_become_missing_and_the_others_stay(as_backend: AsBackend, values: list[Any], dtype: Any) -> None:
    column = series(as_backend, values, dtype)
    found = set_missing(column, np.array([False, True, False]))
    assert plain(found) == [values[0], None, values[2]]
    assert found.dtype == column.dtype


def test_no_cell_to_make_missing_leaves_the_column_as_it_is(as_backend: AsBackend) -> None:
    column = series(as_backend, [1, 2, 3])
    assert set_missing(column, np.zeros(3, dtype=bool)) is column


def test_codes_are_found_by_value_never_by_likeness(as_backend: AsBackend) -> None:
    assert places_of(series(as_backend, [5, -9, None, -8]), (-9, "5", -8)).tolist() == [-1, 0, -1, 2]
    assert places_of(series(as_backend, ["5", "-9", None]), (-9, "5")).tolist() == [1, -1, -1]


def test_codes_in_missing_ranges_are_listed_once(as_backend: AsBackend) -> None:
    variable = Variable(name="x", kind="continuous", missing_ranges=((-9, -7), (99, 99)))
    assert codes_in_ranges(series(as_backend, [5, -9, None, -7, -9, 99, -6]), variable) == (-9, -7, 99)
