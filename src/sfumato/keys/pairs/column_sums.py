"""Sums of several columns that give a key of numbers: the employees of a firm are those of its branches together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.number_codes import numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, correlation, trimmed_fit
from sfumato.keys.pairs.column_pairs import FIRST_LOOK, SECOND_LOOK
from sfumato.keys.pairs.linear_relations import linear_relations, sources_of
from sfumato.numerics.arrays import FloatColumn

TOLD = 0.1  # of the range of a key that a sum leaves open: one that leaves more does not give it
NEEDED = 2.0  # times as much is left open without a column that is part of the sum
MIN_FOR_EACH = 10  # records for each column: of fewer a fit says nothing
MAX_COLUMNS = 100  # that are tried together, those that go with the key most; few that are enough are found among all
MIN_COLUMNS = 3  # sums of two are looked for as pairs


@dataclass(frozen=True)
class ColumnSum:
    """Columns and how often each is taken.

    Parameters
    ----------
    columns, factors
        The columns, and by what each is multiplied before they are added.
    """

    columns: tuple[str, ...]
    factors: tuple[float, ...]

    @property
    def words(self) -> str:
        """What is put together, in words."""
        return f"{', '.join(self.columns[:-1])} and {self.columns[-1]} together"

    def of(self, data: Microdata) -> FloatColumn:
        """Return what the columns of a file give together."""
        return self.of_values({name: numbers_of(data, name) for name in self.columns})

    def of_values(self, values: Mapping[str, FloatColumn]) -> FloatColumn:
        """Return what columns give together; missing where one is."""
        parts = [factor * values[name] for name, factor in zip(self.columns, self.factors, strict=True)]
        return np.asarray(np.sum(parts, axis=0))


def giving_sums(keys: Mapping[str, FloatColumn], values: Mapping[str, FloatColumn]) -> dict[str, ColumnSum]:
    """Return the sums of three columns or more that give keys of numbers: by all columns, or by the few that do.

    Parameters
    ----------
    keys, values
        The keys and the columns, in random order; a key may be among the columns.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> parts = {name: rng.poisson(5, 400).astype(float) for name in "abcd"}
    >>> giving_sums({"total": parts["a"] + parts["b"] + parts["d"]}, parts)
    {'total': ColumnSum(columns=('a', 'b', 'd'), factors=(1.0, 1.0, 1.0))}
    """
    found = dict[str, ColumnSum]()
    if not keys:
        return found
    relations = linear_relations({**values, **keys})
    for key, number in keys.items():
        others = {name: column for name, column in values.items() if name != key}
        few = [{one: others[one] for one in some} for some in sources_of(key, relations) if {*some} <= {*others}]
        sums = (giving_sum(number, some) for some in (others, *few))
        if first := next((one for one in sums if one is not None), None):
            found[key] = first
    return found


def giving_sum(key: FloatColumn, values: Mapping[str, FloatColumn]) -> ColumnSum | None:
    """Return the sum of multiples of three columns or more that gives a number, with no column that it can do without.

    Parameters
    ----------
    key
        The number.
    values
        The columns, in random order, as the key.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> parts = {name: rng.poisson(5, 400).astype(float) for name in "abcd"}
    >>> giving_sum(parts["a"] + parts["b"] - parts["d"], parts)
    ColumnSum(columns=('a', 'b', 'd'), factors=(1.0, 1.0, -1.0))
    """
    names = list(values)
    for look in (max(FIRST_LOOK, MIN_FOR_EACH * min(len(names), MAX_COLUMNS)), SECOND_LOOK):
        found = _needed_columns(key[:look], {name: values[name][:look] for name in names})
        if found is None:
            return None
        names = list(found.columns)
    return found


def _needed_columns(key: FloatColumn, values: Mapping[str, FloatColumn]) -> ColumnSum | None:
    """Return the columns that a sum needs; None where it gives little, or two columns are enough."""
    names = _often_known(key, values)
    if len(names) < MIN_COLUMNS:
        return None
    known = np.isfinite(key + np.sum([values[name] for name in names], axis=0))
    target, columns = key[known], {name: values[name][known] for name in names}
    whole = central_width(target)
    least = ROUNDING * max(whole, float(np.abs(target).max()))
    if not whole or (width := _left_open(target, columns, names)) > TOLD * whole:
        return None
    for name in sorted(names, key=lambda one: float(np.ptp(columns[one]))):
        others = [one for one in names if one != name]
        if _left_open(target, columns, others) <= NEEDED * max(width, least):
            names = others
        if len(names) < MIN_COLUMNS:
            return None
    factors = trimmed_fit(np.column_stack([columns[name] for name in names]), target).factors
    return ColumnSum(tuple(names), tuple(factors.round(9).tolist()))


def _often_known(key: FloatColumn, values: Mapping[str, FloatColumn]) -> list[str]:
    """Return the columns that enough records have together, without those that most lack and that go with it least."""
    gaps = {name: float(np.mean(np.isnan(column))) for name, column in values.items()}
    names = sorted(values, key=lambda name: (round(gaps[name], 1), -correlation(key, values[name])))[:MAX_COLUMNS]
    while len(names) >= MIN_COLUMNS:
        together = np.isfinite(key + np.sum([values[name] for name in names], axis=0))
        if np.count_nonzero(together) >= MIN_FOR_EACH * len(names):
            break
        names.pop()
    return [name for name in values if name in names]


def _left_open(target: FloatColumn, columns: Mapping[str, FloatColumn], names: Sequence[str]) -> float:
    """Return how wide the range is in which nine of ten records lie around the best sum of some columns."""
    if not names:
        return central_width(target)
    return central_width(trimmed_fit(np.column_stack([columns[name] for name in names]), target).rest)
