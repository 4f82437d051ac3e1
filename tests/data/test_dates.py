"""Columns of dates in every dataframe: read as days, written back in the same type and format."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.data.dates import DAY, moments_of, with_moments
from sfumato.errors import DataError, ParameterError, SchemaError

ROME = ZoneInfo("Europe/Rome")
DATES = [date(1990, 2, 1), None, date(2000, 2, 29), date(1940, 12, 31)]
TIMES = [None if day is None else datetime(day.year, day.month, day.day, 13, 30) for day in DATES]
ZONED = [None if moment is None else moment.replace(tzinfo=ROME) for moment in TIMES]
TEXTS = [None if day is None else f"{day:%d/%m/%Y}" for day in DATES]
NUMBERS = [None if day is None else int(f"{day:%Y%m%d}") for day in DATES]
COLUMNS: dict[str, Callable[[], Any]] = {
    "polars date": lambda: pl.DataFrame({"x": DATES}),
    "polars time": lambda: pl.DataFrame({"x": TIMES}),
    "polars zone": lambda: pl.DataFrame({"x": ZONED}),
    "polars text": lambda: pl.DataFrame({"x": TEXTS}),
    "polars number": lambda: pl.DataFrame({"x": NUMBERS}),
    "polars categorical": lambda: pl.DataFrame({"x": pl.Series(TEXTS, dtype=pl.Categorical)}),
    "pandas time": lambda: pd.DataFrame({"x": pd.array(TIMES, dtype="datetime64[ns]")}, index=[5, 5, 7, 8]),
    "pandas zone": lambda: pd.DataFrame({"x": pd.Series(ZONED, dtype=pd.DatetimeTZDtype("us", "Europe/Rome"))}),
    "pandas dates": lambda: pd.DataFrame({"x": np.array(DATES, dtype=object)}, index=[5, 5, 7, 8]),
    "pandas text": lambda: pd.DataFrame({"x": TEXTS}),
    "pandas category": lambda: pd.DataFrame({"x": pd.Categorical(TEXTS)}),
    "pandas arrow date": lambda: pd.DataFrame({"x": pd.Series(DATES, dtype=pd.ArrowDtype(pa.date32()))}),
    "pandas nullable": lambda: pd.DataFrame({"x": pd.Series(NUMBERS, dtype="Int64")}),
    "pyarrow date": lambda: pa.table({"x": pa.array(DATES)}),
    "pyarrow zone": lambda: pa.table({"x": pa.array(ZONED, pa.timestamp("us", "Europe/Rome"))}),
    "pyarrow date64": lambda: pa.table({"x": pa.array(DATES, pa.date64())}),
    "pyarrow text": lambda: pa.table({"x": TEXTS}),
}
every_column = pytest.mark.parametrize("name", COLUMNS)


def dates_of(name: str) -> Microdata:
    return Microdata(COLUMNS[name](), Schema(variables=(Variable(name="x", kind=Kind.DATE),)))


@every_column
def test_days_are_those_between_the_date_and_the_first_of_1970(name: str) -> None:
    clock = 13.5 / 24 if "time" in name or "zone" in name else 0.0
    expected = [np.nan if day is None else (day - date(1970, 1, 1)).days + clock for day in DATES]
    np.testing.assert_allclose(dates_of(name).values("x"), expected)
    np.testing.assert_array_equal(dates_of(name).observed("x"), [day is not None for day in DATES])


@every_column
def test_moved_dates_come_back_in_the_same_type_and_format(name: str) -> None:
    data = dates_of(name)
    series, variable = data.table["x"], data.schema["x"]
    moments, observed = moments_of(series, variable, by_clock=False)
    moved = with_moments(series, variable, moments + 400 * DAY, observed)
    back = data.with_column(variable, moved)
    assert type(back.frame) is type(data.frame)
    assert back.table["x"].dtype == series.dtype
    np.testing.assert_allclose(back.values("x")[observed] - data.values("x")[observed], 400, atol=1 / 23)
    assert not back.observed("x")[1]
    if data.table.implementation.is_pandas():
        assert list(back.frame.index) == list(data.frame.index)
    if "text" in name:
        assert moved.to_list()[0] == "08/03/1991"


@given(day=st.dates(date(1, 1, 1), date(9999, 12, 31)), shift=st.integers(-400, 400))
def test_a_shift_of_days_is_that_of_datetime_in_text_and_dates(day: date, shift: int) -> None:
    frame = pl.DataFrame({"typed": [day], "text": [f"{day:%d}.{day:%m}.{day.year:04d}"]})
    variables = (Variable(name="typed", kind="date"), Variable(name="text", kind="date", date_format="dd.mm.yyyy"))
    data = Microdata(frame, Schema(variables=variables))
    for variable in variables:
        moments, observed = moments_of(data.table[variable.name], variable)
        try:
            later = day + timedelta(days=shift)
        except OverflowError:
            with pytest.raises(DataError, match="before the year 1 or after 9999"):
                with_moments(data.table[variable.name], variable, moments + shift * DAY, observed)
            continue
        moved = with_moments(data.table[variable.name], variable, moments + shift * DAY, observed).to_list()
        assert moved == [later if variable.name == "typed" else f"{later:%d}.{later:%m}.{later.year:04d}"]


def test_times_with_a_zone_count_by_the_clock_there_or_as_instants() -> None:
    noon = nw.from_native(pl.Series("x", [datetime(2000, 7, 1, 1, tzinfo=ROME)]), series_only=True)
    variable = Variable(name="x", kind="date")
    by_clock, instant = (moments_of(noon, variable, by_clock=choice)[0][0] for choice in (True, False))
    assert by_clock == (datetime(2000, 7, 1, 1) - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    utc = datetime(2000, 7, 1, 1, tzinfo=ROME).astimezone(UTC).replace(tzinfo=None)
    assert instant == (utc - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def test_words_and_codes_for_missing_are_no_dates_and_stay() -> None:
    frame = pl.DataFrame({"x": ["01/02/1990", "NA", "99/99/9999", "31/12/1985"]})
    variable = Variable(name="x", kind="date", missing_codes=("99/99/9999",))
    data = Microdata(frame, Schema(variables=(variable,)))
    assert data.schema["x"].date_format == "dd/mm/yyyy"
    assert data.observed("x").tolist() == [True, False, False, True]
    moments, observed = moments_of(data.table["x"], data.schema["x"])
    moved = with_moments(data.table["x"], data.schema["x"], moments + DAY, observed)
    assert moved.to_list() == ["02/02/1990", "NA", "99/99/9999", "01/01/1986"]


def test_a_date_that_stands_for_missing_is_declared_in_iso_form() -> None:
    frame = pl.DataFrame({"x": [date(9999, 12, 31), date(2000, 1, 1)]})
    variable = Variable(name="x", kind="date", missing_codes=("9999-12-31",))
    assert Microdata(frame, Schema(variables=(variable,))).observed("x").tolist() == [False, True]


@pytest.mark.parametrize(
    "values", [["a", "b"], ["01/02/1990", "1990-03-31"], [1990, 1991], [1.5, 2.5], ["30/02/1990"], [True, False]]
)
def test_a_kind_of_date_is_refused_for_what_no_format_fits(values: list[Any]) -> None:
    with pytest.raises(SchemaError, match="'x' is to be a date") as refused:
        Microdata(pl.DataFrame({"x": values}), Schema(variables=(Variable(name="x", kind="date"),)))
    assert not any(str(value) in str(refused.value) for value in values if isinstance(value, str) and len(value) > 1)


def test_values_that_do_not_fit_the_stated_format_are_counted_and_not_shown() -> None:
    variable = Variable(name="x", kind="date", date_format="mm/dd/yyyy")
    data = Microdata(pl.DataFrame({"x": ["01/02/1990", "31/12/1985"]}), Schema(variables=(variable,)))
    with pytest.raises(SchemaError, match="1 of its 2 different values are none") as refused:
        data.values("x")
    assert "1985" not in str(refused.value)


def test_dates_that_can_be_read_in_two_ways_are_not_read_until_the_schema_says_how() -> None:
    frame = pl.DataFrame({"x": ["01/02/1990", "03/04/1985"]})
    with pytest.raises(SchemaError, match="dd/mm/yyyy or mm/dd/yyyy: write for it in the schema"):
        Microdata(frame).values("x")
    for form, first in {"dd/mm/yyyy": date(1990, 2, 1), "mm/dd/yyyy": date(1990, 1, 2)}.items():
        variable = Variable(name="x", kind="date", date_format=form)
        days = Microdata(frame, Schema(variables=(variable,))).values("x")
        assert days[0] == (first - date(1970, 1, 1)).days


def test_numbers_are_dates_as_yyyymmdd_only() -> None:
    variable = Variable(name="x", kind="date", date_format="dd/mm/yyyy")
    with pytest.raises(SchemaError, match="only as yyyymmdd"):
        Microdata(pl.DataFrame({"x": [1021990]}), Schema(variables=(variable,))).values("x")


def test_a_format_is_refused_for_another_kind_and_where_it_is_none() -> None:
    with pytest.raises(ParameterError, match="date_format is for columns of kind date"):
        Variable(name="x", kind="nominal", date_format="dd/mm/yyyy")
    with pytest.raises(ParameterError, match="must be such as dd/mm/yyyy"):
        Variable(name="x", kind="date", date_format="%d/%m/%Y")


def test_another_kind_leaves_no_format_behind() -> None:
    schema = Schema(variables=(Variable(name="x", kind="date", date_format="dd/mm/yyyy"),))
    assert schema.with_kinds(nominal=["x"])["x"].date_format == ""
    assert schema.with_kinds(date=["x"])["x"].date_format == "dd/mm/yyyy"


def test_times_of_day_and_durations_count_in_days_too() -> None:
    data = Microdata(pl.DataFrame({"clock": [time(12), None], "span": [timedelta(days=2), None]}))
    assert data.values("clock")[0] == 0.5
    assert data.values("span")[0] == 2.0


def test_numbers_in_another_format_than_yyyymmdd_are_refused_with_what_to_correct() -> None:
    frame = pl.DataFrame({"born": [1021990, 3041985]})
    schema = Schema(variables=(Variable(name="born", kind=Kind.DATE, date_format="dd/mm/yyyy"),))
    with pytest.raises(SchemaError, match="only as yyyymmdd; got date_format: dd/mm/yyyy: correct it, or the kind"):
        Microdata(frame, schema).values("born")
