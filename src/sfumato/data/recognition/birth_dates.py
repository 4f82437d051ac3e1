"""Birth dates beside ages: a person of 99 years who was born 99 years ago did not refuse to answer."""

import numpy as np

from sfumato.data import Category, Kind, Microdata
from sfumato.data.dates import is_calendar
from sfumato.numerics.arrays import FloatColumn

DAYS_OF_YEAR = 365.25
MAX_SPREAD = 2.5  # years between birth plus age and the day of the interview, over the file
MIN_RECORDS = 20  # with another age, from which the rule is learnt


def birth_column(data: Microdata, name: str, code: Category) -> str:
    """Return a column of birth dates, or years, by which the records with a code have that age; none if there is none.

    A column holds births where age and year add up to about the same in all records with another age.
    """
    if isinstance(code, str) or data.schema[name].kind is not Kind.CONTINUOUS:
        return ""
    ages = data.values(name)
    for other in data.schema.variables:
        years = _years(data, other.name) if other.name != name else None
        if years is None:
            continue
        sums = ages + years
        has_code, is_known = ages == float(code), np.isfinite(sums)
        usual, odd = sums[is_known & ~has_code], sums[is_known & has_code]
        if usual.size < MIN_RECORDS or not odd.size or np.ptp(years[is_known]) < MAX_SPREAD:
            continue
        low, high = np.quantile(usual, [0.02, 0.98])
        if high - low <= MAX_SPREAD and np.mean((odd >= low - 1) & (odd <= high + 1)) > 0.5:
            return other.name
    return ""


def _years(data: Microdata, name: str) -> FloatColumn | None:
    """Return the years of a column of dates or of numbers; None for any other."""
    kind = data.schema[name].kind
    if kind is Kind.DATE and not data.summary.date_problem(name) and is_calendar(data.table[name]):
        return data.values(name) / DAYS_OF_YEAR
    return data.values(name) if kind is Kind.CONTINUOUS else None
