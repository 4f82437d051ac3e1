"""Cells that are typical of a group of records: gaps of some kind, categories that many share, dates, and means."""

from collections.abc import Callable

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.column_recoding import set_missing
from sfumato.data.dates import DAY, is_calendar, moments_of, with_moments
from sfumato.masking.microaggregation.categorical_microaggregation import lower_median, most_frequent
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

PERIODS = (0, 1, 3, 12, 120)  # months: a day, a month, a quarter, a year, a decade
NEARLY_ALL = 0.95  # of the records that have a date


def gap_kinds(data: Microdata, name: str) -> CodeColumn:
    """Return 0 where a column has a value, and from 1 on a number for each kind of gap: null, or a code for missing."""
    absent = ~data.observed(name)
    kinds = np.zeros(data.n, dtype=np.int64)
    kinds[absent] = 1 + np.unique(data.numbers(name)[absent], return_inverse=True)[1]
    return kinds


def shared_cells(data: Microdata, name: str, k: int, units: CodeColumn | None) -> Booleans:
    """Tell which records have a category that at least `k` records, or households, of the file have; or such a date."""
    if data.schema[name].kind is Kind.DATE:
        return shared_dates(data, name, k, units)[1]
    return _shared(data.numbers(name), data.observed(name), k, units)


def shared_dates(data: Microdata, name: str, k: int, units: CodeColumn | None) -> tuple[int, Booleans]:
    """Return the months of the period to the first day of which dates are rounded, and which records share theirs.

    A day of birth that one person has tells that this person is in the file. So the period is the shortest, 0 for a
    day, that nearly all records share with `k - 1` others, or households.
    """
    observed = data.observed(name)
    days = data.values(name)
    found = np.zeros(data.n, dtype=np.bool_)
    for months in PERIODS if is_calendar(data.table[name]) else PERIODS[:1]:
        first = first_days(days, months)
        found = _shared(np.where(observed, first, np.inf), observed, k, units)
        if np.count_nonzero(found) >= NEARLY_ALL * np.count_nonzero(observed):
            return months, found
    return PERIODS[-1] if is_calendar(data.table[name]) else 0, found


def first_days(days: FloatColumn, months: int) -> FloatColumn:
    """Return the first day of the period of some months in which each day lies; the day itself where it is 0.

    Examples
    --------
    >>> first_days(np.array([0.0, 45.0, np.nan, 400.0]), 3)
    array([  0.,   0.,  nan, 365.])
    """
    if not months:
        return days
    known = np.isfinite(days)
    month = np.floor(days[known]).astype(np.int64).astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    first = (month // months * months).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    found = np.full(days.size, np.nan)
    found[known] = first
    return found


def with_first_days(data: Microdata, name: str, months: int) -> Microdata:
    """Return the file with each date as the first day of its period, written as it was."""
    variable, series = data.schema[name], data.table[name]
    moments, observed = moments_of(series, variable, by_clock=False)
    first = first_days(np.where(observed, moments // DAY, 0).astype(np.float64), months).astype(np.int64)
    return data.with_column(variable, with_moments(series, variable, first * DAY, observed))


def _shared(values: CodeColumn | FloatColumn, observed: Booleans, k: int, units: CodeColumn | None) -> Booleans:
    codes = np.unique(values, return_inverse=True)[1]
    holders = np.arange(codes.size) if units is None else units
    pairs = np.unique(np.column_stack([codes, holders]), axis=0)[:, 0]
    return np.asarray(observed & (np.bincount(pairs)[codes] >= k), dtype=np.bool_)


def with_typical(data: Microdata, name: str, groups: CodeColumn, shared: Booleans) -> Microdata:
    """Return the file with a category or a date typical of each group; a gap where fewer have one than do not.

    A category that too few share is nobody's typical one: it counts as a gap.
    """
    lacks = np.asarray(
        np.bincount(groups) > 2 * np.bincount(groups[shared], minlength=groups.max() + 1), dtype=np.bool_
    )
    return _with_gaps(data, name, typical_rows(data, name, groups, lacks, shared), lacks[groups])


def with_figures(data: Microdata, name: str, groups: CodeColumn, figures: FloatColumn) -> Microdata:
    """Return the file with a number for each group; a gap where it has none, or its records have more gaps."""
    observed = data.observed(name)
    values = np.bincount(groups[observed], minlength=figures.size)
    lacks = np.asarray((np.bincount(groups) > 2 * values) | np.isnan(figures), dtype=np.bool_)
    sources = typical_rows(data, name, groups, lacks, observed)
    typical = data.take_columns((name,)).take_rows(sources)
    shown = np.nan_to_num(figures)[groups][typical.observed(name)]
    return _with_gaps(data, name, sources, lacks[groups], lambda *_: shown)


def typical_rows(data: Microdata, name: str, groups: CodeColumn, lacks: Booleans, shared: Booleans) -> Rows:
    """Return for each record the row of its group whose cell of a column is typical of the group.

    That is a gap of the most frequent kind in the groups that are to lack a value, where they have any; else any row.
    """
    kinds = gap_kinds(data, name)
    typical, gaps = np.zeros(lacks.size, dtype=np.int64), kinds > 0
    if gaps.any():
        found, most = most_frequent(kinds[gaps], groups[gaps])
        typical[found] = np.where(lacks[found], most, 0)
    eligible = kinds == typical[groups]
    eligible &= gaps | _typical_values(data, name, groups, eligible & ~gaps & shared)
    first = np.full(lacks.size, groups.size)
    np.minimum.at(first, groups[eligible], np.flatnonzero(eligible))
    return np.where(first[groups] < groups.size, first[groups], np.arange(groups.size))


def _with_gaps(
    data: Microdata,
    name: str,
    sources: Rows,
    lacks: Booleans,
    change: Callable[[str, FloatColumn], FloatColumn] | None = None,
) -> Microdata:
    """Return the file with the cells of some rows in a column, values changed, and gaps where one is lacking."""
    typical = data.with_columns_of(data.take_columns((name,)).take_rows(sources))
    if change is not None:
        typical = typical.map_columns((name,), change)
    without_gap = lacks & typical.observed(name)
    if not without_gap.any():
        return typical
    return typical.with_column(data.schema[name], set_missing(typical.column(name), without_gap))


def _typical_values(data: Microdata, name: str, groups: CodeColumn, candidates: Booleans) -> Booleans:
    """Tell which candidates have the category or the date that is typical of their group; of numbers all have."""
    kind = data.schema[name].kind
    if kind is Kind.CONTINUOUS or not candidates.any():
        return candidates
    codes = data.numbers(name) if kind is Kind.NOMINAL else np.unique(data.values(name), return_inverse=True)[1]
    choose = most_frequent if kind is Kind.NOMINAL else lower_median
    found, chosen = choose(codes[candidates], groups[candidates])
    typical = np.full(groups.max() + 1, -1, dtype=np.int64)
    typical[found] = chosen
    return np.asarray(candidates & (codes == typical[groups]), dtype=np.bool_)
