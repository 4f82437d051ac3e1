"""Date rounding: periods and ages as datetime itself tells them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Knowledge
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.data.periods import Period
from sfumato.errors import DataError, KindError, ParameterError, SchemaError
from sfumato.masking import DateRounding
from sfumato.recipe import Recipe
from sfumato.risk import WorstCaseLinkage
from tests.data.frames import AsBackend

RNG = np.random.default_rng(0)
DAYS = [date(1990, 2, 1), date(1990, 3, 31), None, date(2004, 2, 29), date(1989, 12, 31)]


def rounded(days: Sequence[date | None], to: str, periods: int = 1, at: date | None = None) -> list[object]:
    data = Microdata(pl.DataFrame({"x": pl.Series(days, dtype=pl.Date)}))
    method = DateRounding(columns=("x",), to=Period(to), periods=periods, reference_date=at)
    cells: list[object] = method.mask(data, RNG).frame["x"].to_list()
    return cells


def test_periods_have_the_names_of_iso_8601() -> None:
    assert rounded(DAYS, "month") == ["1990-02", "1990-03", None, "2004-02", "1989-12"]
    assert rounded(DAYS, "quarter") == ["1990-Q1", "1990-Q1", None, "2004-Q1", "1989-Q4"]
    assert rounded(DAYS, "year") == ["1990", "1990", None, "2004", "1989"]
    assert rounded(DAYS, "week") == ["1990-W05", "1990-W13", None, "2004-W09", "1989-W52"]
    assert rounded(DAYS, "year", periods=5) == ["1990/1994", "1990/1994", None, "2000/2004", "1985/1989"]
    assert rounded(DAYS, "month", periods=6)[:2] == ["1990-01/1990-06"] * 2


@given(day=st.dates(date(1, 1, 8), date(9999, 12, 31)))
def test_weeks_months_quarters_and_years_are_those_of_datetime(day: date) -> None:
    year, week, _ = day.isocalendar()
    assert rounded([day], "week") == [f"{year:04d}-W{week:02d}"]
    assert rounded([day], "month") == [day.isoformat()[:7]]
    assert rounded([day], "quarter") == [f"{day.year:04d}-Q{(day.month + 2) // 3}"]
    assert rounded([day], "year") == [f"{day.year:04d}"]


@given(born=st.dates(date(1, 1, 1), date(9990, 1, 1)), days=st.integers(0, 50_000))
def test_ages_are_the_birthdays_that_were(born: date, days: int) -> None:
    at = min(born + timedelta(days=days), date(9999, 12, 31))
    age = at.year - born.year - ((at.month, at.day) < (born.month, born.day))
    assert rounded([born], "age", at=at) == [age]


def test_who_is_born_on_a_leap_day_is_older_on_the_first_of_march() -> None:
    leap = [date(2004, 2, 29)]
    assert rounded(leap, "age", at=date(2005, 2, 28)) == [0]
    assert rounded(leap, "age", at=date(2005, 3, 1)) == [1]
    assert rounded(leap, "age", at=date(2008, 2, 29)) == [4]


def test_periods_come_in_their_order_and_ages_as_numbers_in_every_dataframe(as_backend: AsBackend) -> None:
    frame = as_backend(pl.DataFrame({"x": DAYS, "text": [None if day is None else f"{day:%d/%m/%Y}" for day in DAYS]}))
    data = Microdata(frame)
    months = DateRounding(columns=("x", "text"), to=Period.MONTH).mask(data, RNG)
    for name in ("x", "text"):
        assert months.schema[name].kind is Kind.ORDINAL
        assert months.schema[name].date_format == ""
        assert months.codes(name)[1] == ("1989-12", "1990-02", "1990-03", "2004-02")
        assert months.codes(name)[0].tolist() == [1, 2, -1, 3, 0]
    ages = DateRounding(columns=("x", "text"), to=Period.AGE, reference_date=date(2020, 1, 1)).mask(data, RNG)
    for name in ("x", "text"):
        assert ages.schema[name].kind is Kind.CONTINUOUS
        np.testing.assert_array_equal(ages.values(name), [29, 29, np.nan, 15, 30])


def test_a_time_with_a_zone_counts_by_the_clock_there() -> None:
    midnight = datetime(2000, 1, 1, tzinfo=ZoneInfo("Europe/Rome"))  # still 1999 in Greenwich
    data = Microdata(pl.DataFrame({"x": [midnight]}))
    assert DateRounding(columns=("x",), to=Period.YEAR).mask(data, RNG).frame["x"].to_list() == ["2000"]


def test_codes_for_missing_stay_and_words_become_empty() -> None:
    texts = ["31/01/1990", "NA", "99/99/9999", None]
    variable = Variable(name="x", kind="date", missing_codes=("99/99/9999",), value_labels={"99/99/9999": "Refused"})
    data = Microdata(pl.DataFrame({"x": texts}), Schema(variables=(variable,)))
    masked = DateRounding(columns=("x",), to=Period.YEAR).mask(data, RNG)
    assert masked.frame["x"].to_list() == ["1990", None, "99/99/9999", None]
    assert masked.observed("x").tolist() == [True, False, False, False]
    assert masked.schema["x"].value_labels == {"99/99/9999": "Refused"}
    typed = Microdata(
        pl.DataFrame({"x": [date(9999, 12, 31), date(1990, 1, 1)]}),
        Schema(variables=(Variable(name="x", kind="date", missing_codes=("9999-12-31",)),)),
    )
    masked = DateRounding(columns=("x",), to=Period.YEAR).mask(typed, RNG)
    assert masked.frame["x"].to_list() == ["9999-12-31", "1990"]
    assert masked.observed("x").tolist() == [False, True]


def test_refuses_dates_after_the_reference_date_without_showing_them() -> None:
    with pytest.raises(DataError, match="some dates of 'x' are later") as refused:
        rounded(DAYS, "age", at=date(2000, 1, 1))
    assert "2004" not in str(refused.value)


def test_refuses_an_age_without_a_day_a_day_without_an_age_and_classes_of_ages() -> None:
    for parameters in ({"to": "age"}, {"to": "year", "reference_date": "2020-01-01"}):
        with pytest.raises(ParameterError, match="reference_date must be given with to: age, and only then"):
            DateRounding(columns=("x",), **parameters)
    with pytest.raises(ParameterError, match="periods must be 1 for ages"):
        DateRounding(columns=("x",), to=Period.AGE, reference_date=date(2020, 1, 1), periods=5)


def test_refuses_times_of_day_and_dates_that_can_be_read_in_two_ways() -> None:
    data = Microdata(pl.DataFrame({"span": [timedelta(days=2)], "open": ["01/02/1990"]}))
    with pytest.raises(KindError, match="no days of a calendar"):
        DateRounding(columns=("span",), to=Period.YEAR).mask(data, RNG)
    with pytest.raises(SchemaError, match="date_format: dd/mm/yyyy"):
        DateRounding(columns=("open",), to=Period.YEAR).mask(data, RNG)


def test_is_written_in_a_recipe_with_its_day() -> None:
    recipe = Recipe.from_yaml("steps: [date_rounding: {columns: [born], to: age, reference_date: 2020-12-31}]")
    (step,) = recipe.steps
    assert step == DateRounding(columns=("born",), to=Period.AGE, reference_date=date(2020, 12, 31))
    assert Recipe.from_yaml(recipe.to_yaml()).steps == recipe.steps


@pytest.mark.parametrize("to", ["month", "age"])
def test_an_intruder_who_knows_the_dates_and_the_recipe_is_told_by_the_size_of_the_periods(to: str) -> None:
    days = [date(1960, 1, 1) + timedelta(days=73 * number) for number in range(100)]
    data = Microdata(pl.DataFrame({"x": days}))
    method = DateRounding(columns=("x",), to=Period(to), reference_date=date(2020, 1, 1) if to == "age" else None)
    masked = method.mask(data, RNG)
    if to == "month":
        groups = [f"{day:%Y-%m}" for day in days]
    else:
        groups = [str(2020 - day.year - ((day.month, day.day) > (1, 1))) for day in days]
    expected = 100 * len(set(groups)) / len(days)
    found = WorstCaseLinkage(columns=("x",)).informed_by(Knowledge.of((method,), data)).measure(data, masked)
    assert found.value == pytest.approx(expected)


def test_a_reference_date_in_another_form_is_refused_with_the_form_that_is_read() -> None:
    told = r"must be a date written as yyyy-mm-dd, such as 2023-12-31; got '31\.12\.2023'"
    with pytest.raises(ParameterError, match=told):
        DateRounding(columns=("x",), to=Period.AGE, reference_date="31.12.2023")
