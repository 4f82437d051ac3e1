from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

import polars as pl
import pytest

from sfumato.files.text.column_types import MORE_ROWS, WORDS_FOR_MISSING, infer_types


def values(
    cells: Sequence[str | None], decimal: str | None = ".", text_columns: frozenset[str] = frozenset()
) -> pl.Series:
    lazy = pl.LazyFrame({"x": cells}, schema={"x": pl.String})
    return infer_types(lazy, decimal=decimal, text_columns=text_columns).frame["x"]


@pytest.mark.parametrize(
    ("cells", "expected", "dtype"),
    [
        (["1", "-20", "0"], [1, -20, 0], pl.Int64),
        (["9223372036854775807", "-9223372036854775808"], [2**63 - 1, -(2**63)], pl.Int64),
        ([" 1", "20 "], [1, 20], pl.Int64),
        (["1.5", " 2.5", "NA", "3 "], [1.5, 2.5, None, 3.0], pl.Float64),
        (["1", "2.5", ".5", "-3."], [1.0, 2.5, 0.5, -3.0], pl.Float64),
        (["1e5", "2.5E-3", "1e+300", "-0.0"], [1e5, 2.5e-3, 1e300, -0.0], pl.Float64),
        (["1.5", "inf", "-inf"], [1.5, float("inf"), float("-inf")], pl.Float64),
        (["true", "false"], [True, False], pl.Boolean),
        (["TRUE", "False"], [True, False], pl.Boolean),
        (["2020-02-29", "0001-01-01"], [date(2020, 2, 29), date(1, 1, 1)], pl.Date),
        (["2020-02-29T01:02:03.000400"], [datetime(2020, 2, 29, 1, 2, 3, 400)], pl.Datetime("us")),
        (["01:02:03", "23:59:59.5"], [time(1, 2, 3), time(23, 59, 59, 500_000)], pl.Time),
    ],
)
def test_cells_of_one_form_become_values(cells: list[str | None], expected: list[Any], dtype: pl.DataType) -> None:
    found = values([*cells, None])
    assert found.dtype == dtype
    assert found.to_list() == [*expected, None]


@pytest.mark.parametrize(
    "cells",
    [
        ["007", "12"],
        ["00.5", "1.5"],
        ["-07", "-8"],
        ["+49170", "+49171"],
        ["99999999999999999999", "1"],
        ["9223372036854775808", "1"],
        ["1234567890123456", "0.5"],
        ["1", "two"],
        ["1.5", "1,5"],
        ["1_000", "2_000"],
        ["0x10", "1"],
        ["2020-02-30", "2020-01-01"],
        ["2020-13-01", "2020-01-01"],
        ["25:00:00", "01:00:00"],
        ["2020-01-01", "2020-01-01T00:00:00"],
        ["2020-01-01T00:00:00.123456789", "2020-01-01T00:00:00"],
        ["true", "1"],
        ["31.12.2020", "01.01.2021"],
        ["٣", "٤"],
        [".", "-", "e5"],
        ["NA", "yes"],
        ["NA", "NULL"],
    ],
)
def test_cells_of_another_form_stay_text(cells: list[str | None]) -> None:
    assert values([*cells, None]).to_list() == [*cells, None]


@pytest.mark.parametrize("word", WORDS_FOR_MISSING)
@pytest.mark.parametrize("cell", ["1", "1.5", "true", "2020-01-01", "2020-01-01T00:00:00", "01:02:03"])
def test_a_word_for_missing_is_missing_among_values(word: str, cell: str) -> None:
    found = values([cell, word, ""])
    assert found.dtype != pl.String
    assert found.is_null().to_list() == [False, True, True]


@pytest.mark.parametrize(("last", "dtype"), [("1", pl.Int64), ("1.5", pl.Float64), ("x", pl.String), ("01", pl.String)])
def test_the_last_cell_counts_as_much_as_the_first(last: str, dtype: pl.DataType) -> None:
    found = values(["1"] * (3 * MORE_ROWS) + [last])
    assert found.dtype == dtype
    assert found.len() == 3 * MORE_ROWS + 1
    assert found.null_count() == 0


def test_a_column_whose_values_begin_far_down_gets_their_type() -> None:
    found = values([None] * (2 * MORE_ROWS) + ["2020-01-01"])
    assert found.dtype == pl.Date
    assert found.count() == 1


@pytest.mark.parametrize("cells", [[], [None, None]])
def test_a_column_without_values_is_text(cells: list[str | None]) -> None:
    assert values(cells).dtype == pl.String


def test_a_decimal_comma_makes_numbers_where_it_was_asked_for() -> None:
    assert values(["1,5", "-,5", "3"], decimal=",").to_list() == [1.5, -0.5, 3.0]
    assert values(["1.5", "3"], decimal=",").dtype == pl.String


def test_the_decimal_mark_of_more_columns_is_taken_for_all() -> None:
    lazy = pl.LazyFrame({"a": ["1,5"], "b": ["2,5"], "c": ["3.5"], "d": ["4"]})
    assert infer_types(lazy, decimal=None).frame.row(0) == (1.5, 2.5, "3.5", 4)


def test_text_columns_stay_text() -> None:
    assert values(["1", "2"], text_columns=frozenset({"x"})).to_list() == ["1", "2"]
