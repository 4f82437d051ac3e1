"""Parts of dates: the month, the weekday, the day of the month. A class of five years hides none of them."""

from collections.abc import Iterator

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.dates import is_calendar
from sfumato.numerics.arrays import CodeColumn, Rows

MIN_DATES = 20  # different ones: with fewer each is looked at by itself
DAYS_OF_WEEK, FIRST_WEEKDAY = 7, 4  # day 0 is a Thursday


def date_parts(data: Microdata, name: str, rows: Rows | None = None) -> Iterator[tuple[str, CodeColumn]]:
    """Yield the parts of a column of dates, in words, and as codes of all records or of some, missing as -1.

    Looked at are those that have several values, as dates that stand for months or years have one day.
    """
    if data.schema[name].kind is not Kind.DATE or data.summary.date_problem(name) or not is_calendar(data.table[name]):
        return
    values = data.values(name) if rows is None else data.values(name)[rows]
    known = np.isfinite(values)
    if np.unique(values[known]).size < MIN_DATES:
        return
    numbers = np.floor(values[known]).astype(np.int64)
    days = numbers.astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    parts = {
        "month": months.astype(np.int64) % 12,
        "weekday": (numbers + FIRST_WEEKDAY - 1) % DAYS_OF_WEEK,
        "day of the month": (days - months.astype("datetime64[D]")).astype(np.int64),
    }
    for words, part in parts.items():
        if part.size and part.min() < part.max():
            codes = np.full(values.size, -1, dtype=np.int64)
            codes[known] = part
            yield f"the {words} of {name}", codes
