"""Formats of dates: read and written as datetime itself does, with formats of its own for each."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.date_formats import DateFormat, fitting_formats, usual_formats

PYTHON = {
    "dd/mm/yyyy": "%d/%m/%Y",
    "mm/dd/yyyy": "%m/%d/%Y",
    "dd.mm.yyyy": "%d.%m.%Y",
    "yyyy-mm-dd": "%Y-%m-%d",
    "yyyymmdd": "%Y%m%d",
    "dd Mon yyyy": "%d %b %Y",
    "Month dd, yyyy": "%B %d, %Y",
    "dd/mm/yyyy hh:mm:ss": "%d/%m/%Y %H:%M:%S",
    "yyyy-mm-ddThh:mm": "%Y-%m-%dT%H:%M",
}
moments = st.datetimes(datetime(1000, 1, 1), datetime(9999, 12, 31)).map(lambda moment: moment.replace(microsecond=0))


@pytest.mark.parametrize("text", PYTHON)
@given(moment=moments)
def test_reads_and_writes_what_strftime_writes(text: str, moment: datetime) -> None:
    form = DateFormat(text)
    written = moment.strftime(PYTHON[text])
    assert form.write(moment) == written
    assert form.read(written) == datetime.strptime(written, PYTHON[text])


@given(moment=moments)
def test_every_usual_format_reads_what_it_writes(moment: datetime) -> None:
    for form in usual_formats():
        seconds = "ss" in form.text
        expected = moment.replace(second=moment.second if seconds else 0)
        if "hh" not in form.text:
            expected = datetime(moment.year, moment.month, moment.day)
        assert form.read(form.write(moment)) == expected, form.text


@pytest.mark.parametrize("year", [1600, 1900, 2000, 2023, 2024])
def test_the_29th_of_february_is_a_date_in_leap_years_only(year: int) -> None:
    is_leap = (datetime(year, 3, 1) - timedelta(days=1)).day == 29
    assert (DateFormat("dd/mm/yyyy").read(f"29/02/{year}") is not None) == is_leap


@pytest.mark.parametrize("text", ["00/01/1990", "32/01/1990", "01/13/1990", "01/01/0000", "1/1/1990", "01/01/90", "x"])
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert DateFormat("dd/mm/yyyy").read(text) is None


@pytest.mark.parametrize("text", ["dd/mm/yy", "dd/mm", "mm/mm/yyyy", "date", "dd/mm/yyyy hh", "%d/%m/%Y", "yyyy-dd"])
def test_a_format_must_have_year_month_and_day_once(text: str) -> None:
    assert not DateFormat(text).is_valid


def test_month_names_keep_the_case_that_they_have() -> None:
    cases = {"01 Feb 1990": "dd Mon yyyy", "01FEB1990": "ddMONyyyy", "1 february 1990": "d month yyyy"}
    for text, form in cases.items():
        assert [found.text for found in fitting_formats([text])] == [form]
        assert DateFormat(form).write(datetime(1990, 2, 1)) == text


def test_days_and_months_can_be_confused_only_where_no_day_is_beyond_12() -> None:
    assert [form.text for form in fitting_formats(["01/02/1990", "12/11/1985"])] == ["dd/mm/yyyy", "mm/dd/yyyy"]
    assert [form.text for form in fitting_formats(["01/02/1990", "13/11/1985"])] == ["dd/mm/yyyy"]
    assert [form.text for form in fitting_formats(["01/02/1990", "11/13/1985"])] == ["mm/dd/yyyy"]


def test_days_equal_to_months_leave_nothing_to_ask() -> None:
    assert [form.text for form in fitting_formats(["01/01/1990", "02/02/1985"])] == ["dd/mm/yyyy"]


def test_years_of_other_centuries_are_dates_only_where_somebody_says_so() -> None:
    assert not fitting_formats(["31/12/9999"])
    assert [form.text for form in fitting_formats(["31/12/9999"], any_year=True)] == ["dd/mm/yyyy"]
