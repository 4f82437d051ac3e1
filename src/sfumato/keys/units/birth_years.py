"""Years of birth and ages beside a date: they tell whether it may be the day of birth."""

import numpy as np

from sfumato.data import Kind, Microdata, column_names
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.numerics.arrays import FloatColumn

DAYS_OF_YEAR = 365.25
EPOCH = 1970  # from which days are counted
YEARS = (1850, 2100)
MAX_OFF = 1.5  # years between a birth by its date and by a year, typically: they are of one year
MAX_OFF_AGES = 5.0  # years, where ages are known: these were asked in several years


def contradicts_birth(data: Microdata, days: FloatColumn) -> bool:
    """Tell whether a year of birth or an age in the file says that dates are of something else, as of being hired."""
    year = EPOCH + days / DAYS_OF_YEAR
    for one in data.schema.variables:
        is_age = column_names.is_age(one.name)
        may_be_year = column_names.is_personal(one.name) or column_names.is_usual_key(one.name)
        if one.kind is Kind.DATE or not (is_age or may_be_year) or not has_numbers(data, one.name):
            continue
        values = numbers_of(data, one.name)
        known = values[np.isfinite(values)]
        if is_age and _spread(year + values) > MAX_OFF_AGES:
            return True
        is_year = known.size and known.min() >= YEARS[0] and known.max() <= YEARS[1]
        if not is_age and is_year and _spread(year - values) > MAX_OFF:
            return True
    return False


def _spread(values: FloatColumn) -> float:
    """Return how far values lie from their median, in the middle; 0 where there is none."""
    known = values[np.isfinite(values)]
    return float(np.median(np.abs(known - np.median(known)))) if known.size else 0.0
