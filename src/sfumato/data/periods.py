"""Periods of dates: weeks, months, quarters and years, numbered, and named as in ISO 8601."""

import re
from datetime import date, timedelta
from enum import StrEnum

import numpy as np

from sfumato.numerics.arrays import CodeColumn

EPOCH = date(1970, 1, 1)
THURSDAY = 3  # days from Monday: the first of 1970 was one
LABEL = re.compile(r"(?P<year>\d{4})(-W(?P<week>\d\d)|-(?P<month>\d\d)|-Q(?P<quarter>[1-4]))?(/[-\dWQ]+)?$")


class Period(StrEnum):
    """What a date is rounded to."""

    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    AGE = "age"


def period_numbers(days: CodeColumn, to: Period, periods: int = 1) -> CodeColumn:
    """Return for each day, counted from 1970, the number of its class, rising with time.

    Weeks begin on Mondays. Months, quarters and years are counted from the year 0, so that classes of 5 years begin
    with multiples of 5.

    Examples
    --------
    >>> period_numbers(np.array([0, 31, 365]), Period.MONTH) - 12 * 1970
    array([ 0,  1, 12])
    """
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + 12 * 1970
    numbers = {
        Period.WEEK: (days + THURSDAY) // 7,
        Period.MONTH: months,
        Period.QUARTER: months // 3,
        Period.YEAR: months // 12,
    }[to]
    return np.asarray(numbers // periods, dtype=np.int64)


def period_label(number: int, to: Period, periods: int = 1) -> str:
    """Return what a class is called, by its first and last period, as ISO 8601 writes both.

    Examples
    --------
    >>> period_label(1990 * 4, Period.QUARTER), period_label(398, Period.YEAR, 5)
    ('1990-Q1', '1990/1994')
    """
    first, last = (_label(period, to) for period in (number * periods, number * periods + periods - 1))
    return first if periods == 1 else f"{first}/{last}"


def first_day(period: str) -> int | None:
    """Return the first day of a period, counted from 1970: a week, month, quarter or year; none where it is no period.

    Examples
    --------
    >>> first_day("1970-02"), first_day("1970-Q3"), first_day("1970-W01"), first_day("1970/1974"), first_day("other")
    (31, 181, -3, 0, None)
    """
    found = LABEL.match(period)
    if found is None:
        return None
    year, week, month, quarter = (int(part or 0) for part in found.group("year", "week", "month", "quarter"))
    try:
        start = date.fromisocalendar(year, week, 1) if week else date(year, month or 3 * max(quarter, 1) - 2, 1)
    except ValueError:
        return None
    return (start - EPOCH).days


def _label(period: int, to: Period) -> str:
    if to is Period.WEEK:
        year, week, _ = (EPOCH + timedelta(days=7 * period - THURSDAY)).isocalendar()
        return f"{year:04d}-W{week:02d}"
    if to is Period.MONTH:
        return f"{period // 12:04d}-{period % 12 + 1:02d}"
    return f"{period // 4:04d}-Q{period % 4 + 1}" if to is Period.QUARTER else f"{period:04d}"
