"""Columns of dates as moments, whatever they are kept as: dates, times, text in a format, numbers such as 19900201."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.column_recoding import recode_column, text_of
from sfumato.data.columns import is_missing_value, listed_categories, with_codes
from sfumato.data.date_formats import MISSING_WORDS, date_format, fitting_formats, nearly_fitting_format
from sfumato.data.distinct_values import factorise
from sfumato.data.kinds import Kind
from sfumato.data.schema import Category, Variable
from sfumato.errors import DataError, SchemaError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

EPOCH = datetime(1970, 1, 1)
MICROSECOND = timedelta(microseconds=1)
DAY = 86_400_000_000  # in microseconds
NUMBER_FORMAT = "yyyymmdd"
FIRST, LAST = (datetime.min - EPOCH) // MICROSECOND, (datetime.max - EPOCH) // MICROSECOND
BEYOND = "holds times beyond the years 1 to 9999 or too long to hold; make them missing or leave the column out"


def days_of(series: nw.Series[Any], variable: Variable) -> FloatColumn:
    """Return a column of dates as days since 1970, times of day as parts of a day, missing as NaN."""
    moments, observed = moments_of(series, variable)
    return np.where(observed, moments / DAY, np.nan)


def moments_of(series: nw.Series[Any], variable: Variable, *, by_clock: bool = True) -> tuple[CodeColumn, Booleans]:
    """Return a column of dates as microseconds since 1970, and which rows have one.

    Parameters
    ----------
    series, variable
        The column, and what is known of it: text must be in the format that the variable states.
    by_clock
        Whether times with a zone count as the clock there shows them, or as the instants that they are.
    """
    _check_nanoseconds(series)
    try:
        codes, values = factorise(series)
        read = _reader(series, variable, by_clock)
        moments = [None if is_missing_value(value, variable) else read(value) for value in values]
    except (ValueError, OverflowError):  # what dataframes and Python raise for a time out of Python's range
        raise DataError(f"column '{series.name}' {BEYOND}") from None
    lost = sum(
        moment is None and not is_missing_value(value, variable) for value, moment in zip(values, moments, strict=True)
    )
    if lost:
        raise SchemaError(
            f"column '{series.name}' is a date written as {variable.date_format}, but {lost} of its {len(values)} "
            f"different values are none: correct date_format, list those that stand for no answer in missing_codes, "
            f"or write kind: nominal"
        )
    numbers = np.array([moment or 0 for moment in moments] + [0], dtype=np.int64)
    told = np.array([moment is not None for moment in moments] + [False])
    return numbers[codes], told[codes]


def _check_nanoseconds(series: nw.Series[Any]) -> None:
    """Refuse times that differ by less than a microsecond: they would count as equal, and be released as different."""
    is_fine = isinstance(series.dtype, nw.Datetime) and series.dtype.time_unit == "ns"
    if is_fine and bool((series.drop_nulls().dt.timestamp("ns") % 1000 != 0).any()):
        raise DataError(
            f"column '{series.name}' holds times with parts of a microsecond, which are not read; "
            f"truncate them to microseconds"
        )


def with_moments(series: nw.Series[Any], variable: Variable, moments: CodeColumn, observed: Booleans) -> nw.Series[Any]:
    """Return the column with other moments in its observed rows, in its own type and format; the others stay.

    Parameters
    ----------
    series, variable
        The column, and what is known of it.
    moments, observed
        Microseconds since 1970, instants where there is a zone, and the rows that have a date.
    """
    moved = moments[observed]
    if moved.size and (moved.min() < FIRST or moved.max() > LAST):
        raise DataError(
            f"masked dates of column '{series.name}' fall before the year 1 or after 9999; dates that stand for no "
            f"answer go into missing_codes in the schema"
        )
    places = np.full(len(series), -1, dtype=np.int64)
    distinct, places[observed] = np.unique(moved, return_inverse=True)
    _, found = factorise(series)
    write = _writer(series, variable, found)
    missing = {value: value for value in found if is_missing_value(value, variable)}
    values = [write(EPOCH + int(moment) * MICROSECOND) for moment in distinct]
    try:
        return _with_values(series, values, places, missing) if values else series
    except (SchemaError, ArithmeticError):  # pandas holds nanoseconds of the years 1677 to 2262 only
        raise DataError(
            f"masked dates of column '{series.name}' do not fit its type {series.dtype}; keep it in microseconds"
        ) from None


def _with_values(
    series: nw.Series[Any], values: list[Any], places: CodeColumn, missing: dict[Any, Any]
) -> nw.Series[Any]:
    """Return the column with `values[places[i]]` in row i; a type that lists its categories lists the new ones."""
    if series.dtype == nw.Categorical and not series.implementation.is_polars() and listed_categories(series) is None:
        return with_codes(series, np.full(places.shape, -1, dtype=np.int64), places, tuple(values))
    return recode_column(series, values, places, missing)


def observed_dates(series: nw.Series[Any], variable: Variable) -> Booleans:
    """Tell for each row whether it holds a date, and no word or code for a missing one."""
    if not (is_written(series) or variable.missing_codes):
        return np.asarray(~series.is_null().to_numpy(), dtype=np.bool_)
    codes, values = factorise(series)
    return np.array([*(not is_missing_value(value, variable) for value in values), False], dtype=np.bool_)[codes]


def is_written(series: nw.Series[Any]) -> bool:
    """Tell whether the column holds something else than dates and times: text, or numbers."""
    return not series.dtype.is_temporal() and not holds_date_objects(series)


def holds_date_objects(series: nw.Series[Any]) -> bool:
    """Tell whether objects are all dates, or all times of one zone."""
    if series.dtype not in (nw.Object, nw.Unknown):  # pyarrow's date64 is unknown to narwhals
        return False
    try:
        values = [value for value in factorise(series)[1] if value is not None]
    except DataError:
        return False
    zones = {(isinstance(value, datetime), getattr(value, "tzinfo", None)) for value in values}
    return bool(values) and len(zones) == 1 and all(isinstance(value, date) for value in values)


def is_calendar(series: nw.Series[Any]) -> bool:
    """Tell whether dates are days of a calendar, and not times of day or durations."""
    return series.dtype != nw.Time and not isinstance(series.dtype, nw.Duration)


def day_of(days: float) -> date:
    """Return the day that lies some days after the first of 1970.

    Examples
    --------
    >>> day_of(-1.0), day_of(365.75)
    (datetime.date(1969, 12, 31), datetime.date(1971, 1, 1))
    """
    return (EPOCH + timedelta(days=int(days // 1))).date()


def day_words(days: float) -> str:
    """Return the date of a day from the first of 1970; nothing beyond the years of calendars, as an axis may reach.

    Examples
    --------
    >>> day_words(365.75), day_words(1e9)
    ('1971-01-01', '')
    """
    try:
        return day_of(days).isoformat()
    except OverflowError:
        return ""


def missing_values(series: nw.Series[Any], variable: Variable) -> dict[Any, Category]:
    """Return the values of a column that its schema lists as missing, each with the code as the schema writes it."""
    _, found = factorise(series)
    held = [value for value in found if is_missing_value(value, variable) and value is not None and value == value]
    texts = {value: value.isoformat().removesuffix("T00:00:00") if isinstance(value, date) else value for value in held}
    return {value: text for value, text in texts.items() if str(text).strip() not in MISSING_WORDS}


def date_problem(series: nw.Series[Any], variable: Variable) -> str:
    """Return what must be written into the schema before a column of dates can be read; nothing where it can.

    Examples
    --------
    >>> import polars
    >>> born = nw.from_native(polars.Series("born", ["01/02/1990", "03/04/1985"]), series_only=True)
    >>> print(date_problem(born, Variable(name="born", kind="date")))
    column 'born' holds dates that can be read as dd/mm/yyyy or mm/dd/yyyy: write for it in the schema kind: date and \
date_format: dd/mm/yyyy, or the other; kind: nominal if they are no dates
    """
    if variable.kind is not Kind.DATE or not is_written(series):
        return ""
    if variable.date_format:
        is_wrong = series.dtype.is_numeric() and variable.date_format.lower() != NUMBER_FORMAT
        wrong = (
            f"column '{series.name}' holds numbers, which are dates only as {NUMBER_FORMAT}; got date_format: "
            f"{variable.date_format}: correct it, or the kind"
        )
        return wrong if is_wrong else ""
    formats = possible_formats(series, variable)
    if len(formats) < 2:
        return "" if formats else _unread_problem(series, observed_texts(series, variable))
    return (
        f"column '{series.name}' holds dates that can be read as {' or '.join(formats)}: write for it in the schema "
        f"kind: date and date_format: {formats[0]}, or the other; kind: nominal if they are no dates"
    )


def possible_formats(series: nw.Series[Any], variable: Variable) -> tuple[str, ...]:
    """Return the formats in which all values that stand for dates can be read, each reading them differently."""
    formats = tuple(form.text for form in fitting_formats(observed_texts(series, variable), any_year=True))
    return tuple(form for form in formats if form == NUMBER_FORMAT) if series.dtype.is_numeric() else formats


def _unread_problem(series: nw.Series[Any], texts: list[str]) -> str:
    """Return what to do about the cells that are no dates in the format of nearly all others."""
    form, others = nearly_fitting_format(texts)
    if not others:
        return ""
    cells = sum(text_of(value) in others for value in series.drop_nulls().to_list())
    are = "cell that is no date" if cells == 1 else "cells that are no dates"
    return (
        f"column '{series.name}' holds dates written as {form}, and {cells:,} {are} in that format: correct that in "
        f"the file, or write for it in the schema kind: date, date_format: {form} and what stands for no answer as "
        f"missing_codes; kind: nominal if the column holds no dates"
    )


def observed_texts(series: nw.Series[Any], variable: Variable) -> list[str]:
    """Return the different values that stand for dates, as text."""
    try:
        values = factorise(series)[1]
    except DataError:
        values = series.drop_nulls().to_list()
    return [text_of(value) for value in values if not is_missing_value(value, variable)]


def microseconds(value: date | time | timedelta, *, by_clock: bool = True) -> int:
    """Return a date or time as microseconds since 1970, a time of day since midnight, a duration as it is long.

    Examples
    --------
    >>> microseconds(date(1970, 1, 2)) == DAY, microseconds(time(0, 0, 1)), microseconds(timedelta(0))
    (True, 1000000, 0)
    """
    if isinstance(value, timedelta):
        return value // MICROSECOND
    if isinstance(value, time):
        return (datetime.combine(EPOCH, value.replace(tzinfo=None)) - EPOCH) // MICROSECOND
    if not isinstance(value, datetime):
        return (datetime(value.year, value.month, value.day) - EPOCH) // MICROSECOND
    plain = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
    if plain.tzinfo is not None and not by_clock:
        plain = plain.astimezone(UTC)
    return int((plain.replace(tzinfo=None) - EPOCH) // MICROSECOND)


def _reader(series: nw.Series[Any], variable: Variable, by_clock: bool) -> Callable[[Any], int | None]:
    """Return what reads a value of the column; None for one that is no date."""
    if not is_written(series):
        return lambda value: microseconds(value, by_clock=by_clock)
    problem = date_problem(series, variable)
    if problem:
        raise SchemaError(problem)
    form = date_format(variable.date_format)

    def read(value: Any) -> int | None:
        moment = form.read(text_of(value))
        return None if moment is None else microseconds(moment)

    return read


def _writer(series: nw.Series[Any], variable: Variable, found: list[Any]) -> Callable[[datetime], Any]:
    """Return what makes a moment a value of the column, given those that it holds."""
    if not is_written(series):
        held = next((value for value in found if isinstance(value, date)), None)
        if not isinstance(held, datetime):
            return datetime.date
        zone: tzinfo | None = held.tzinfo
        return lambda moment: moment if zone is None else moment.replace(tzinfo=UTC).astimezone(zone)
    form = date_format(variable.date_format)
    is_number = series.dtype.is_numeric()
    return lambda moment: int(form.write(moment)) if is_number else form.write(moment)
