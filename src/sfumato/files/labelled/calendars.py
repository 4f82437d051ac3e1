"""Dates as SPSS, Stata and SAS store them: numbers that count from a day of their own, marked by a display format."""

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

SECONDS_IN_A_DAY = 86_400
MILLISECONDS_IN_A_DAY = 86_400_000


@dataclass(frozen=True)
class Calendar:
    """How a program counts time.

    Parameters
    ----------
    origin
        The day with number 0.
    per_day
        How much a date grows in a day.
    per_second
        How much a date-time or a time of day grows in a second.
    dates, moments, clocks
        What the display formats of dates, date-times and times of day look like.
    """

    origin: date
    per_day: int
    per_second: int
    dates: re.Pattern[str]
    moments: re.Pattern[str]
    clocks: re.Pattern[str]

    def counts(self, display_format: str) -> bool:
        """Tell whether a column of this display format counts time."""
        return any(form.fullmatch(display_format) for form in (self.dates, self.moments, self.clocks))


SPSS = Calendar(
    origin=date(1582, 10, 14),
    per_day=SECONDS_IN_A_DAY,
    per_second=1,
    dates=re.compile(r"(DATE|ADATE|EDATE|JDATE|SDATE|QYR|MOYR|WKYR)\d*"),
    moments=re.compile(r"(DATETIME|YMDHMS)[\d.]*"),
    clocks=re.compile(r"D?TIME[\d.]*"),
)
STATA = Calendar(
    origin=date(1960, 1, 1),
    per_day=1,
    per_second=1000,
    dates=re.compile(r"%-?t?d.*"),
    moments=re.compile(r"%-?t[cC](?![hH]{1,2}:).*"),
    clocks=re.compile(r"%-?t[cC][hH]{1,2}:.*"),
)
SAS = Calendar(
    origin=date(1960, 1, 1),
    per_day=1,
    per_second=1,
    dates=re.compile(r"(DATE|(DDMMYY|MMDDYY|YYMMDD)[BCDNPS]?|WEEKDAT[EX]|MONYY|(IS|[BE])8601DA)\d*\.?\d*"),
    moments=re.compile(r"(DATETIME|DATEAMPM|MDYAMPM|DTDATE|(IS|[BE])8601DT)\d*\.?\d*"),
    clocks=re.compile(r"(TIME|TIMEAMPM|TOD|HHMM|(IS|[BE])8601TM)\d*\.?\d*"),
)


def as_dates(numbers: "pl.Series", display_format: str, calendar: Calendar) -> "pl.Series":
    """Return a column as dates, date-times or times of day if its display format says so, else as it is.

    Date-times and times hold milliseconds. A date with a time of day is a date-time. Dates outside the years 1 to
    9999, and times beyond 24 hours, stay numbers.
    """
    if calendar.dates.fullmatch(display_format):
        return _dates(numbers, numbers / calendar.per_day, calendar)
    if calendar.moments.fullmatch(display_format):
        return _moments(numbers, numbers / (calendar.per_second * SECONDS_IN_A_DAY), calendar)
    if calendar.clocks.fullmatch(display_format):
        return _clocks(numbers, numbers / calendar.per_second)
    return numbers


def _dates(numbers: "pl.Series", days: "pl.Series", calendar: Calendar) -> "pl.Series":
    import polars as pl

    if not _are_in_years_of_four_digits(days, calendar):
        return numbers
    if (days != days.floor()).any():
        return _moments(numbers, days, calendar)
    return (days.cast(pl.Int64) - _days_before_1970(calendar)).cast(pl.Date)


def _moments(numbers: "pl.Series", days: "pl.Series", calendar: Calendar) -> "pl.Series":
    import polars as pl

    if not _are_in_years_of_four_digits(days, calendar):
        return numbers
    milliseconds = (days * MILLISECONDS_IN_A_DAY).round().cast(pl.Int64)
    return (
        (milliseconds - _days_before_1970(calendar) * MILLISECONDS_IN_A_DAY)
        .cast(pl.Datetime("ms"))
        .cast(pl.Datetime("us"))
    )


def _clocks(numbers: "pl.Series", seconds: "pl.Series") -> "pl.Series":
    import polars as pl

    if not seconds.is_between(0, SECONDS_IN_A_DAY, closed="left").all():
        return numbers
    return ((seconds * 1000).round().cast(pl.Int64) * 1_000_000).cast(pl.Time)


def _are_in_years_of_four_digits(days: "pl.Series", calendar: Calendar) -> bool:
    first, last = (date.min - calendar.origin).days, (date.max - calendar.origin).days
    return bool(days.is_between(first, last + 1, closed="left").all())


def _days_before_1970(calendar: Calendar) -> int:
    return (date(1970, 1, 1) - calendar.origin).days
