"""Date rounding: dates become weeks, months, quarters, years or ages."""

from datetime import date
from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.data.category_merging import labels_of_missing
from sfumato.data.column_recoding import missing_codes_after, places_of, recode_column, set_missing, text_of
from sfumato.data.dates import DAY, missing_values, moments_of
from sfumato.data.periods import Period, period_label, period_numbers
from sfumato.errors import DataError
from sfumato.masking.dates._calendar_columns import check_calendar_columns
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns


class DateRounding(MaskingMethod):
    """Replace each date by the week, month, quarter or year that it lies in, or by the age on a day.

    Parameters
    ----------
    columns
        Columns of dates. Periods are ordinal categories named as in ISO 8601 (`1990-W05`, `1990-02`, `1990-Q1`,
        `1990`, `1990/1994`), ages are whole numbers.
    to
        The period: week, month, quarter or year; or age, the whole years from the date to `reference_date`.
    periods
        How many periods make a class: 5 years, say, from years that are multiples of 5. Not for ages.
    reference_date
        The day on which an age is told. Who is born on the 29th of February has the birthday in other years on the
        1st of March.

    Effect on risk
        Dates of a period cannot be distinguished. An intruder who knows the dates knows the period of each, so that
        what counts is how many records share theirs with all else that is known: a month of birth with sex and a small
        town is often still unique. Two columns that are rounded tell the time between their dates to about a period.
    Effect on utility
        Counts by period, and by age, are exact. The time between two dates is known to a period only.
    Missing values
        Stay missing. Codes that stand for missing stay as text; words such as NA, in text, become empty cells.
        Periods of dates come in a type that lists them in their order: an enum (polars), an ordered categorical
        (pandas), a dictionary (pyarrow); text stays text.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, global recoding; the periods and their names
        are those of ISO 8601.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"born": [date(1990, 2, 1), date(1990, 3, 31), None]}))
    >>> DateRounding(columns=("born",), to="month").mask(people, np.random.default_rng()).frame["born"].to_list()
    ['1990-02', '1990-03', None]
    >>> ages = DateRounding(columns=("born",), to="age", reference_date=date(2020, 2, 29))
    >>> ages.mask(people, np.random.default_rng()).frame["born"].to_list()
    [30, 29, None]
    """

    family: ClassVar[str] = "dates"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.DATE})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_types: ClassVar[bool] = False

    columns: Columns
    to: Annotated[Period, Field(examples=["month"])]
    periods: Annotated[int, Field(ge=1, le=1000)] = 1
    reference_date: date | None = None

    @model_validator(mode="after")
    def _check_age(self) -> Self:
        if (self.to is Period.AGE) != (self.reference_date is not None):
            raise ValueError("DateRounding.reference_date must be given with to: age, and only then")
        if self.to is Period.AGE and self.periods > 1:
            raise ValueError("DateRounding.periods must be 1 for ages; make classes of them with discretisation")
        return self

    def detail(self) -> str:
        """Return what dates are rounded to."""
        if self.reference_date is not None:
            return f"age on {self.reference_date.isoformat()}"
        return f"to {self.to}" if self.periods == 1 else f"to {self.periods} {self.to}s"

    @property
    def masks_by_kind(self) -> bool:
        """Whether equal dates become the same period or age: they do."""
        return True

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking that they are days of a calendar."""
        bound = super().bound_to(data)
        check_calendar_columns(type(self).__name__, data, data.select(self.columns))
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen dates as periods or ages."""
        masked = block
        for name in block.select(self.columns):
            if self.reference_date is not None:
                masked = self._as_ages(masked, name, self.reference_date)
            else:
                masked = self._as_periods(masked, name)
        return masked

    def _as_periods(self, block: Microdata, name: str) -> Microdata:
        variable, series = block.schema[name], block.table[name]
        moments, observed = moments_of(series, variable)
        numbers, places = np.full(block.n, -1), np.full(block.n, -1)
        numbers[observed] = period_numbers(moments[observed] // DAY, self.to, self.periods)
        present, places[observed] = np.unique(numbers[observed], return_inverse=True)
        labels = tuple(period_label(int(number), self.to, self.periods) for number in present)
        codes = missing_values(series, variable)
        texts = {code: value if isinstance(value, str) else text_of(value) for code, value in codes.items()}
        described = variable.replace(
            kind=Kind.ORDINAL,
            date_format="",
            categories=labels,
            value_labels=labels_of_missing(variable, {value: texts[code] for code, value in codes.items()}),
            missing_codes=tuple(dict.fromkeys(texts.values())),
            missing_ranges=(),
        )
        emptied = set_missing(series, ~observed & (places_of(series, tuple(texts)) < 0))
        return block.with_column(described, recode_column(emptied, labels, places, texts, listed=True))

    def _as_ages(self, block: Microdata, name: str, reference_date: date) -> Microdata:
        variable, series = block.schema[name], block.table[name]
        moments, observed = moments_of(series, variable)
        ages, places = np.full(block.n, -1), np.full(block.n, -1)
        ages[observed] = whole_years(moments[observed] // DAY, reference_date)
        if (ages[observed] < 0).any():
            raise DataError(f"DateRounding.reference_date: some dates of '{name}' are later; take a later day")
        present, places[observed] = np.unique(ages[observed], return_inverse=True)
        codes = missing_codes_after(series, present.tolist(), block.summary.missing_codes(name))
        described = variable.replace(
            kind=Kind.CONTINUOUS,
            date_format="",
            value_labels=labels_of_missing(variable, codes),
            missing_codes=tuple(codes.values()),
        )
        return block.with_column(described, recode_column(series, present.tolist(), places, codes))


def whole_years(days: CodeColumn, reference_date: date) -> CodeColumn:
    """Return the whole years from each day, counted from 1970, to another; below 0 where that is earlier.

    Examples
    --------
    >>> whole_years(np.array([0, 1, 400]), date(1990, 1, 1))
    array([20, 19, 18])
    """
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    month_of_year = months.astype(np.int64) % 12 + 1
    day_of_month = (dates - months.astype("datetime64[D]")).astype(np.int64) + 1
    years = reference_date.year - (months.astype(np.int64) // 12 + 1970)
    birthday, today = 32 * month_of_year + day_of_month, 32 * reference_date.month + reference_date.day
    return np.asarray(years - (birthday > today), dtype=np.int64)
