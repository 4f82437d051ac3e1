"""Masked numbers that released columns give back: a total beside its parts, a ratio beside what it is made of."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.data import CATEGORICAL, Kind, Microdata, Role, role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width
from sfumato.keys.pairs.amounts_of_equals import amounts_of_equals, columns_of_equals, units_of
from sfumato.keys.pairs.column_pairs import logarithms
from sfumato.keys.pairs.linear_relations import linear_relations, sources_of
from sfumato.keys.pairs.nearer_amounts import NEAR, nearer_amounts
from sfumato.keys.pairs.pair_amounts import MIN_TOLD, TIMES_CHANCE, promising_ways, scaled
from sfumato.keys.pairs.sums_of_multiples import WITHIN, is_told, some_rows, sums_of_multiples
from sfumato.keys.pairs.tariffs import MAX_CATEGORIES, fitted_tariff, promising_tariffs
from sfumato.keys.telling_columns import released_households
from sfumato.numerics.arrays import Booleans, FloatColumn

RECOMPUTABLE = "MASKED VALUES CAN BE COMPUTED FROM OTHER COLUMNS"
MIN_TO_COMPARE = 0.002  # of the values of some records: where fewer are equal, all need not be compared
MIN_EQUAL = 0.01  # of the values: where fewer are equal to those of another column, it may be chance
NEARLY_ALL, MAX_ROUNDED = 0.9, 0.05  # of the values, and of the range of nine of ten of them
LARGEST_LOGARITHM = 700.0  # of a number
HALF = 0.55  # of the unit to which values are rounded, and a little, as factors are found by rounded values


class Recomputed(NamedTuple):
    """A masked column, what it can be computed from, and of how many records, of all that have a value.

    Where masked columns give it, a value is told that comes out within 5 %; `own` says of how many records its own
    released column comes as near.
    """

    column: str
    sources: tuple[str, ...]
    records: int
    values: int
    own: int | None = None

    @property
    def percent(self) -> float:
        """How many percent of the values can be computed."""
        return 100 * self.records / self.values


def recomputed_columns(original: Microdata, masked: Microdata, unchanged: Sequence[str]) -> list[Recomputed]:
    """Return which masked confidential numbers can be computed from released columns, masked ones too.

    Of columns that are released as they were one may be equal to it in a part of the records, as the income of a
    household of one person is that of the person, or its sum in the household; or it is in most records a sum of
    multiples of others, a product of powers of them, as ratios are, or what a category costs, by itself or for each
    unit of a number, such as days; or records that are equal in a few columns have nearly the same amount, as in a
    table of pay. Masked columns, by themselves or in pairs, may come nearer to it than its own: see `nearer_amounts`.

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
    sources = sorted(sources, key=lambda name: masked.schema[name].kind is not Kind.CONTINUOUS)
    columns = {name: numbers_of(masked, name) for name in sources} if names else {}
    amounts = {name: original.values(name) for name in names}
    by_tariff = _by_tariff(amounts, columns, masked, unchanged)
    equals, units = (
        columns_of_equals(original, masked, unchanged) if names else {},
        cache(partial(units_of, original, tuple(names))),
    )
    relations = _relations(amounts, columns)
    found = []
    for name, exact in amounts.items():
        has_value = np.isfinite(exact) & (exact != 0)
        computed_by = (
            *_equal(exact, columns, masked),
            *_of_pairs(exact, columns),
            *_fitted(exact, columns, [one for one in sources_of(name, relations) if {*one} <= {*columns}]),
            *by_tariff[name],
            *amounts_of_equals(exact, {one: codes for one, codes in equals.items() if one != name}, units, WITHIN),
        )
        for told, computed in computed_by:
            records = int(np.count_nonzero(has_value & _is_near(computed, exact)))
            values = int(np.count_nonzero(has_value))
            if records >= MIN_EQUAL * values:
                found.append(Recomputed(name, told, records, values))
    return _most_telling([*found, *nearer_columns(masked, amounts, columns)])


def nearer_columns(
    masked: Microdata, amounts: Mapping[str, FloatColumn], columns: Mapping[str, FloatColumn]
) -> list[Recomputed]:
    """Return which masked amounts other released columns, masked or not, bring nearer than their own do.

    Parameters
    ----------
    masked
        The released file.
    amounts
        The masked columns as they were.
    columns
        The numbers that are released as they were.
    """
    sources = [
        one.name
        for one in masked.schema.variables
        if one.kind is Kind.CONTINUOUS and one.role not in {Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER}
    ]
    released = {**columns, **{name: masked.values(name) for name in sources if name not in columns}} if amounts else {}
    told = {name: nearer_amounts(name, exact, released) for name, exact in amounts.items()}
    return [Recomputed(name, *one) for name, one in told.items() if one is not None]


def _may_be_computed_with(masked: Microdata, name: str) -> bool:
    """Tell whether a column holds numbers that are no weights; marks are numbers, also where taken for codes."""
    variable = masked.schema[name]
    return variable.role is not Role.WEIGHT and variable.kind is not Kind.DATE and has_numbers(masked, name)


def recomputed_remark(found: Sequence[Recomputed]) -> str:
    """Return which masked values can be computed from what, of how many records; nothing where none can."""
    if not found:
        return ""
    told = "; ".join(
        f"{one.column} by {in_words(one.sources)} (of {one.records:,} of {one.values:,} records"
        f"{'' if one.own is None else f' within {100 * NEAR:.0f} %, by its own masked column of {one.own:,}'})"
        for one in found
    )
    return (
        f"{RECOMPUTABLE}: {told}. Whoever does that has them nearly as they were, however they are masked. Give "
        f"numbers among these columns the role confidential, so that they are masked together, join "
        f"categories, or drop one of the columns"
    )


def in_words(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    Examples
    --------
    >>> in_words(["days"]), in_words(["grade", "step", "hours"])
    ('days', 'grade, step and hours')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _is_near(computed: FloatColumn, exact: FloatColumn) -> Booleans:
    """Tell which computed values are nearly the exact ones: by their size, and by how far values lie apart.

    Where nearly all are as near as rounding leaves them, all such are: a mean of marks that is written as 2.3 is told.
    """
    known = np.isfinite(exact)
    width = central_width(exact[known]) if known.any() else 0.0
    off = np.abs(computed - exact)
    near = np.asarray(off <= WITHIN * np.minimum(np.abs(exact), width) + ROUNDING * np.abs(exact))
    left = HALF * _unit(exact[known])
    is_rounded = off <= left
    if left <= MAX_ROUNDED * width and np.count_nonzero(is_rounded) >= NEARLY_ALL * np.count_nonzero(np.isfinite(off)):
        return near | is_rounded
    return near


def _unit(values: FloatColumn) -> float:
    """Return the decimal place to which values are rounded, from 1 down to a thousandth; 0 for none of these."""
    for places in range(4):
        if (np.abs(np.round(values, places) - values) <= ROUNDING * np.abs(values)).all():
            return float(10.0**-places)
    return 0.0


def _equal(
    exact: FloatColumn, columns: Mapping[str, FloatColumn], masked: Microdata
) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns, and their sums in households, that are equal to a masked one more often than by chance."""
    homes = released_households(masked) if masked.select(role("household")) else None
    few = some_rows(np.flatnonzero(np.isfinite(exact)))
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


def _relations(amounts: Mapping[str, FloatColumn], columns: Mapping[str, FloatColumn]) -> Mapping[str, tuple[str, ...]]:
    """Return which columns, as they were before masking, are given by few others: totals by their parts."""
    values = {**columns, **amounts}
    rows = some_rows(np.arange(next(iter(values.values())).size)) if amounts and columns else None
    return {} if rows is None else linear_relations({name: column[rows] for name, column in values.items()})


def _fitted(
    exact: FloatColumn, columns: Mapping[str, FloatColumn], likely: Sequence[tuple[str, ...]]
) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns by which a masked one can be computed, as a sum or a product, and what comes out."""
    logs = {name: logarithms(column) for name, column in columns.items()}
    yield from sums_of_multiples(exact, columns, likely)
    yield from sums_of_multiples(exact, logs)
    for told, computed in (*sums_of_multiples(logarithms(exact), columns), *sums_of_multiples(logarithms(exact), logs)):
        yield told, np.exp(np.minimum(computed, LARGEST_LOGARITHM))


def _of_pairs(exact: FloatColumn, columns: Mapping[str, FloatColumn]) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns of which one, or two together, give a masked one times a constant, in enough records."""
    rows = some_rows(np.flatnonzero(np.isfinite(exact) & (exact != 0)))
    some = {name: column[rows] for name, column in columns.items()}
    for way in promising_ways(exact[rows], some, WITHIN):
        computed = scaled(way.of(columns), exact)
        told = np.count_nonzero(_is_near(computed[rows], exact[rows]))
        by_chance = np.count_nonzero(_is_near(np.roll(computed[rows], rows.size // 2), exact[rows]))
        if told >= MIN_TOLD * rows.size and told >= TIMES_CHANCE * by_chance:
            yield way.sources, computed


def _by_tariff(
    amounts: Mapping[str, FloatColumn], columns: Mapping[str, FloatColumn], masked: Microdata, unchanged: Sequence[str]
) -> dict[str, list[tuple[tuple[str, ...], FloatColumn]]]:
    """Return by which category, and number or time between dates, each masked column comes out, and what does."""
    found: dict[str, list[tuple[tuple[str, ...], FloatColumn]]] = {name: [] for name in amounts}
    categories = {name: masked.codes(name)[0] for name in unchanged if _may_be_tariff(masked, name)}
    if not categories or not amounts:
        return found
    numbers: dict[tuple[str, ...], FloatColumn] = {(): np.zeros(masked.n)}
    numbers |= {(name,): column for name, column in columns.items()}
    numbers |= {
        pair: numbers_of(masked, pair[1]) - numbers_of(masked, pair[0])
        for pair in combinations([name for name in unchanged if _is_date(masked, name)], 2)
    }
    rows = some_rows(np.arange(masked.n))
    wanted = {name: one[rows] for name, one in amounts.items()}
    codes = {name: one[rows] for name, one in categories.items()}
    few = {name: one[rows] for name, one in numbers.items()}
    for name, category, number in promising_tariffs(wanted, codes, few):
        tariff = fitted_tariff(codes[category], few[number], wanted[name])
        rest = wanted[name] - tariff.amounts(codes[category], few[number])
        if category not in number and is_told(rest, wanted[name]):
            found[name].append(((category, *number), tariff.amounts(categories[category], numbers[number])))
    return found


def _may_be_tariff(masked: Microdata, name: str) -> bool:
    """Tell whether a column holds categories, each of which may have a price."""
    variable = masked.schema[name]
    if variable.kind not in CATEGORICAL or isinstance(masked.table[name].dtype, NESTED):
        return False
    if variable.role in {Role.WEIGHT, Role.IDENTIFIER, Role.HOUSEHOLD}:
        return False
    return bool(1 < masked.codes(name)[0].max(initial=-1) + 1 <= MAX_CATEGORIES)


def _is_date(masked: Microdata, name: str) -> bool:
    return masked.schema[name].kind is Kind.DATE and has_numbers(masked, name)


def _most_telling(found: Sequence[Recomputed]) -> list[Recomputed]:
    """Return for each column what gives back most of its values, by the fewest others."""
    best: dict[str, Recomputed] = {}
    for one in sorted(found, key=lambda one: (-one.records, len(one.sources))):
        best.setdefault(one.column, one)
    return list(best.values())
