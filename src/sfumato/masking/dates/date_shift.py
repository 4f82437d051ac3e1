"""Date shift: all dates of a person move by the same random number of days."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.data.dates import DAY, moments_of, with_moments
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.keys.households import households_of
from sfumato.masking.dates._calendar_columns import check_calendar_columns
from sfumato.masking.dates._shift_likelihood import shift_likelihood
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns, Strata


class DateShift(MaskingMethod):
    """Shift all dates of a record, and of all records that belong together, by the same random number of days.

    Parameters
    ----------
    columns
        Columns of dates. Those of a record are shifted together: name all that may be compared with each other, also
        dates that are not secret.
    max_days
        The largest shift, in days. Each whole number of days from `-max_days` to `max_days` is equally likely. No shift
        at all is one of them: without it an intruder could rule out everybody whose date is in the file as it was.
    household
        The column, or columns, whose equal values tell which records belong together: a household, or a person with
        several records. With none, as when the file has no column of that role, each record is shifted by itself.

    Effect on risk
        An intruder who knows one date of a person knows a window of `2 max_days + 1` days in which it is now: what
        counts is how many others fit there, with all else that is known. The time between dates stays, so that two
        dates of a person, or one of each member of a household, give both away whatever `max_days` is: shift and round,
        or shift only columns that nobody knows. Where all original dates lie in a known span, the first and the last
        shifted ones are known better than others.
    Effect on utility
        Keeps the time between dates of a person, and of a household, exactly: survival times, ages at an event, orders
        of events. Counts by day, weekday, month and season, and relations to what happened outside on a day, are
        blurred over the window.
    Missing values
        Stay missing; codes and words that stand for missing stay as they are. A record that lacks a value of
        `household` is shifted by itself. Dates come back in their own type and format; times of day stay, in a time
        zone up to the change of summer time.
    Source
        Hripcsak, Mirhaji, Low and Malin (2016), Preserving temporal relations in clinical data while maintaining
        privacy; one shift per patient as in Johnson et al. (2016), MIMIC-III, a critical care database.

    Examples
    --------
    >>> import polars
    >>> from datetime import date
    >>> visits = Microdata(polars.DataFrame({"came": [date(2020, 1, 1)] * 3, "left": [date(2020, 1, 9)] * 3}))
    >>> shifted = DateShift(columns=("came", "left"), max_days=30).mask(visits, np.random.default_rng(1)).frame
    >>> shifted["came"].to_list()
    [datetime.date(2019, 12, 30), datetime.date(2020, 1, 2), datetime.date(2020, 1, 17)]
    >>> (shifted["left"] - shifted["came"]).dt.total_days().to_list()
    [8, 8, 8]
    """

    family: ClassVar[str] = "dates"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.DATE})
    layout: ClassVar[Layout] = Layout.WHOLE
    draws_households: ClassVar[bool] = True

    columns: Columns
    max_days: Annotated[int, Field(ge=1, le=100_000, json_schema_extra={"unit": "days"}, examples=[90])]
    household: Strata = role("household")

    def detail(self) -> str:
        """Return the largest shift."""
        return f"by at most {format_count(self.max_days, 'day')}"

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them."""
        bound = super().bound_to(data)
        names, household = data.select(self.columns), data.select(self.household)
        check_calendar_columns(type(self).__name__, data, names)
        for name in household:
            if name in names:
                raise DataError(f"DateShift.household: '{name}' is also in columns; name it in one of the two")
        return bound.replace(household=household)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the file with the chosen dates shifted."""
        households = households_of(block, block.select(self.household))
        return self._shift(block, draw_shifts(households.count, self.max_days, rng)[households.number])

    def drawn_file(self, original: Microdata, most: int) -> Microdata | None:
        """Return the records with all dates shifted by each number of days in the window."""
        draws = 2 * self.max_days + 1
        if draws * original.n > most:
            return None
        shifts = np.repeat(np.arange(-self.max_days, self.max_days + 1), original.n)
        return self._shift(original.take_rows(np.tile(np.arange(original.n), draws)), shifts)

    def _shift(self, block: Microdata, shifts: CodeColumn) -> Microdata:
        """Return a copy of the file with the dates of each record shifted by so many days."""
        masked = block
        for name in block.select(self.columns):
            variable, series = block.schema[name], block.table[name]
            moments, observed = moments_of(series, variable, by_clock=False)
            masked = masked.with_column(variable, with_moments(series, variable, moments + shifts * DAY, observed))
        return masked

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of one shift for the known dates of a record, with what the others of its household add."""
        return shift_likelihood(original, masked, names, original.select(self.household), self.max_days)


def draw_shifts(count: int, max_days: int, rng: np.random.Generator) -> CodeColumn:
    """Return so many shifts in days, each equally likely from `-max_days` to `max_days`."""
    return rng.integers(-max_days, max_days, count, endpoint=True)
