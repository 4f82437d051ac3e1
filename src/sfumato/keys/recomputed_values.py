"""Masked numbers that released columns give back: a total beside its parts, a ratio beside what it is made of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import Kind, Microdata, Role, role
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, trimmed_fit
from sfumato.keys.pairs.column_pairs import logarithms
from sfumato.keys.telling_columns import released_households
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows

RECOMPUTABLE = "MASKED VALUES CAN BE COMPUTED FROM OTHER COLUMNS"
MAX_COLUMNS = 20  # of numbers that are tried together
FIRST_LOOK, MAX_FITTED = 300, 5_000  # records, by which most fits are left aside, and by which others are made
MIN_FITTED = 50  # records that have all columns of a fit: of fewer nothing is concluded
MIN_OBSERVED = 0.8  # of the values of a masked column: a column that fewer of them go with is not tried
WITHIN = 0.01  # of a value, and of the range of nine of ten values: what is computed as near as that is told
MIN_TOLD = 0.25  # of the values: a fit that comes near fewer may be a good guess and no more
MIN_TO_COMPARE = 0.002  # of the values of some records: where fewer are equal, all need not be compared
MIN_EQUAL = 0.01  # of the values: where fewer are equal to those of another column, it may be chance
TIMES_CHANCE = 5  # as often as in records put together at random, and more, are equal values no chance
NAMED = 0.01  # of the range of a masked column: a column that adds less to it is not named


class Recomputed(NamedTuple):
    """A masked column, what it can be computed from, and of how many records, of all that have a value."""

    column: str
    sources: tuple[str, ...]
    records: int
    values: int

    @property
    def percent(self) -> float:
        """How many percent of the values can be computed."""
        return 100 * self.records / self.values


def recomputed_columns(original: Microdata, masked: Microdata, unchanged: Sequence[str]) -> list[Recomputed]:
    """Return which masked confidential numbers can be computed from columns that are released as they were.

    A column may be equal to another in a part of the records, as the income of a household of one person is that of the
    person, or to its sum in the household; or it is in most records a sum of multiples of others, or a product of
    powers of them, as ratios are.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    unchanged
        The columns that are released as they were.
    """
    names = [
        one.name
        for one in masked.schema.variables
        if one.role in {Role.CONFIDENTIAL, Role.OTHER} and one.kind is Kind.CONTINUOUS and one.name not in unchanged
    ]
    names = [name for name in names if name in original.schema and original.schema[name].kind is Kind.CONTINUOUS]
    sources = [name for name in unchanged if _may_be_computed_with(masked, name)]
    sources = sorted(sources, key=lambda name: masked.schema[name].kind is not Kind.CONTINUOUS)[:MAX_COLUMNS]
    columns = {name: numbers_of(masked, name) for name in sources} if names else {}
    found = []
    for name in names if columns else ():
        exact = original.values(name)
        has_value = np.isfinite(exact) & (exact != 0)
        for told, computed in (*_equal(exact, columns, masked), *_fitted(exact, columns)):
            records = int(np.count_nonzero(has_value & _is_near(computed, exact)))
            values = int(np.count_nonzero(has_value))
            if records >= MIN_EQUAL * values:
                found.append(Recomputed(name, told, records, values))
    return _most_telling(found)


def _may_be_computed_with(masked: Microdata, name: str) -> bool:
    """Tell whether a column holds numbers that are no weights; marks are numbers, also where taken for codes."""
    variable = masked.schema[name]
    return variable.role is not Role.WEIGHT and variable.kind is not Kind.DATE and has_numbers(masked, name)


def recomputed_remark(found: Sequence[Recomputed]) -> str:
    """Return which masked values can be computed from what, of how many records; nothing where none can."""
    if not found:
        return ""
    told = "; ".join(
        f"{one.column} by {' and '.join(one.sources)} (of {one.records:,} of {one.values:,} records)" for one in found
    )
    return (
        f"{RECOMPUTABLE}: {told}. Whoever does that has them nearly as they were, however they are masked. Give these "
        f"columns the role confidential, so that they are masked together, or drop them"
    )


def _is_near(computed: FloatColumn, exact: FloatColumn) -> Booleans:
    """Tell which computed values are nearly the exact ones: by their size, and by how far values lie apart."""
    known = np.isfinite(exact)
    reach = WITHIN * np.minimum(np.abs(exact), central_width(exact[known]) if known.any() else 0.0)
    return np.asarray(np.abs(computed - exact) <= reach + ROUNDING * np.abs(exact))


def _equal(
    exact: FloatColumn, columns: Mapping[str, FloatColumn], masked: Microdata
) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns, and their sums in households, that are equal to a masked one more often than by chance."""
    homes = released_households(masked) if masked.select(role("household")) else None
    few = _some_rows(np.flatnonzero(np.isfinite(exact)))
    for name, column in columns.items():
        tried = {name: column}
        if homes is not None:
            totals = np.bincount(homes.number, weights=np.nan_to_num(column)).astype(np.float64)
            tried[f"the sum of {name} in the household"] = totals[homes.number]
        for told, values in tried.items():
            if _count_equal(values[few], exact[few]) < MIN_TO_COMPARE * few.size:
                continue
            equal, chance = _count_equal(values, exact), _count_equal(np.roll(values, values.size // 2), exact)
            if equal > TIMES_CHANCE * (chance + 1):
                yield (told,), np.where(_is_equal(values, exact), values, np.nan)


def _is_equal(values: FloatColumn, exact: FloatColumn) -> Booleans:
    return np.asarray((np.abs(values - exact) <= ROUNDING * np.abs(exact)) & (exact != 0))


def _count_equal(values: FloatColumn, exact: FloatColumn) -> int:
    return int(np.count_nonzero(_is_equal(values, exact)))


def _fitted(exact: FloatColumn, columns: Mapping[str, FloatColumn]) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns by which a masked one can be computed, as a sum or a product, and what comes out."""
    yield from _sums(exact, columns)
    yield from _sums(exact, {name: logarithms(column) for name, column in columns.items() if not (column <= 0).any()})
    for told, computed in _sums(logarithms(exact), columns) if (exact[np.isfinite(exact)] > 0).all() else ():
        yield told, np.exp(computed)
    positive = {name: logarithms(column) for name, column in columns.items() if not (column <= 0).any()}
    for told, computed in _sums(logarithms(exact), positive):
        yield told, np.exp(computed)


def _sums(target: FloatColumn, columns: Mapping[str, FloatColumn]) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns of which a target is a sum of multiples in enough records, and that sum."""
    rows = _some_rows(np.flatnonzero(np.isfinite(target)))
    observed = {name: np.count_nonzero(np.isfinite(column[rows])) for name, column in columns.items()}
    used = [name for name, count in observed.items() if count >= MIN_OBSERVED * rows.size]
    if not used:
        return
    some, wanted = np.column_stack([columns[name][rows] for name in used]), target[rows]
    complete = np.isfinite(some).all(axis=1)
    some, wanted, few = some[complete], wanted[complete], slice(None, FIRST_LOOK)
    if wanted.size < MIN_FITTED or not _is_told(trimmed_fit(some[few], wanted[few]).rest, wanted[few]):
        return
    fit = trimmed_fit(some, wanted)
    if not _is_told(fit.rest, wanted):
        return
    spread = central_width(wanted)
    added = [abs(factor) * central_width(column) for factor, column in zip(fit.factors, some.T, strict=True)]
    named = tuple(name for name, one in zip(used, added, strict=True) if one >= NAMED * spread)
    computed = np.column_stack([columns[name] for name in used]) @ fit.factors
    yield named, computed + np.median(wanted - fit.rest - some @ fit.factors)


def _some_rows(rows: Rows) -> Rows:
    """Return a part of many rows in random order: which are looked at is no secret."""
    return np.random.default_rng(0).permutation(rows)[:MAX_FITTED]


def _is_told(rest: FloatColumn, target: FloatColumn) -> bool:
    """Tell whether enough of a target is left over in hardly any record."""
    near = np.abs(rest) <= WITHIN * central_width(target) + ROUNDING * np.abs(target)
    return bool(np.count_nonzero(near) >= MIN_TOLD * target.size)


def _most_telling(found: Sequence[Recomputed]) -> list[Recomputed]:
    """Return for each column what gives back most of its values, by the fewest others."""
    best: dict[str, Recomputed] = {}
    for one in sorted(found, key=lambda one: (-one.records, len(one.sources))):
        best.setdefault(one.column, one)
    return list(best.values())
