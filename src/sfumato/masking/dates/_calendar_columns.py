"""What the methods for dates ask of their columns."""

from sfumato.data import Microdata
from sfumato.data.dates import is_calendar
from sfumato.data.distinct_values import type_name
from sfumato.errors import KindError, SchemaError


def check_calendar_columns(who: str, data: Microdata, names: tuple[str, ...]) -> None:
    """Refuse times of day and durations, and dates that can be read in several ways."""
    for name in names:
        if not is_calendar(data.table[name]):
            what = type_name(data.table[name].dtype)
            raise KindError(f"{who}.columns: '{name}' holds {what}, no days of a calendar; leave it out")
        problem = data.summary.date_problem(name)
        if problem:
            raise SchemaError(f"{who}.columns: {problem}")
