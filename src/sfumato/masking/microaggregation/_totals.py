"""Columns that are sums of others as totals are: by what is equal in some records, by a fit, or by what holds most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.relations.exact_relations import exact_relation
from sfumato.numerics.relations.fits import Rounded

Parts = dict[int, float]
"""The columns of a sum, by their places, and how often each is in it."""

MAX_ROWS = 5_000  # records by which sums are found
RARE_ROWS = 100  # records that have what few have, looked at in each column
MIN_EQUAL, EQUAL_SHARE, TIMES_CHANCE = 2, 0.02, 4  # records that are equal: at least, of those that have both
MIN_FITTED, EXACT_SHARE, LEFT_SHARE = 20, 0.5, 0.1  # records of a fit, which of them it must give exactly, and left
CONTAINED_SHARE, LARGE_PART = 0.99, 0.5  # of the records that have less in a part, and of an amount
DIGITS = range(-3, 7)  # to how many decimals amounts may be rounded
NEARLY_WHOLE, LARGEST_WHOLE = 0.01, 9  # what a factor is from a whole number at most, and how large one of a total is
HALF = 0.55  # of the unit to which amounts are rounded, and a little
USUAL_SHARE = 0.25  # of the records with an amount, that have the same one


@dataclass(frozen=True)
class Amounts:
    """Columns of amounts in some records, in which sums are looked for.

    Parameters
    ----------
    columns
        The amounts (columns x records); what is missing is nothing.
    wide
        The same with more of the records that have what few have.
    units
        To what each column is rounded.
    found
        The relations that were found, as they are asked for again when the order of columns changes.
    """

    columns: FloatMatrix
    wide: FloatMatrix
    units: FloatColumn
    found: dict[tuple[int, tuple[tuple[int, float], ...], tuple[int, ...]], Parts] = field(default_factory=dict)

    @classmethod
    def of(cls, amounts: FloatMatrix) -> "Amounts":
        """Return what is looked at of amounts (records x columns)."""
        step = max(-(-len(amounts) // MAX_ROWS), 1)
        columns = np.nan_to_num(np.asarray(amounts[::step], dtype=np.float64)).T
        wide = columns
        if step > 1:
            wide = np.nan_to_num(np.asarray(amounts[_with_rare_rows(amounts, step)], dtype=np.float64)).T
        return cls(columns, wide, np.array([_unit(column) for column in columns]))

    def left(self, total: int, parts: Mapping[int, float]) -> FloatColumn:
        """Return what is left of a total without some parts."""
        return _without(self.columns, total, parts)

    def tolerance(self, total: int, parts: Mapping[int, float]) -> float:
        """Return how far a sum may be from its rounded parts, and a rounded sum from its parts."""
        return HALF * float(self.units[total] + sum(abs(factor) * self.units[place] for place, factor in parts.items()))

    def are_open(self, total: int, parts: Mapping[int, float]) -> Booleans:
        """Tell in which records something is left of a total, other than what is usual where something is."""
        left, tolerance = _without(self.wide, total, parts), self.tolerance(total, parts)
        is_open: Booleans = np.abs(left) > tolerance
        if parts and is_open.any():
            is_usual = np.abs(left - np.median(left[is_open])) <= tolerance
            if np.count_nonzero(is_usual & is_open) >= USUAL_SHARE * np.count_nonzero(is_open):
                is_open &= ~is_usual
        return is_open

    def relation(self, total: int, parts: Mapping[int, float], others: Sequence[int]) -> Parts:
        """Return the multiples of other columns that give exactly what is left of a total, in many of these records."""
        asked = total, tuple(parts.items()), tuple(others)
        if asked not in self.found:
            rows = self.are_open(total, parts)
            columns = Rounded(self.wide[[*others]][:, rows].T, self.units[[*others]])
            left = _without(self.wide, total, parts)[rows]
            given = exact_relation(left, self.tolerance(total, parts) / HALF, columns)
            self.found[asked] = {others[place]: factor for place, factor in given.items()}
        return self.found[asked]


def total_parts(amounts: Amounts, total: int, smaller: Sequence[int], free: Sequence[int]) -> Parts:
    """Return what a column is the total of, nothing where no sum is found.

    Parameters
    ----------
    amounts, total
        All columns, and the place of the one that may be a total.
    smaller, free
        The columns that it may contain, smallest first, and those of them that are no totals themselves.
    """
    parts = dict(_equal_parts(amounts, total, smaller, {}))
    left = amounts.left(total, parts)
    if np.mean(np.abs(left) > amounts.tolerance(total, parts)) > LEFT_SHARE:
        fitted = _fitted_parts(amounts, total, free)
        if fitted:
            parts = dict(_equal_parts(amounts, total, smaller, fitted))
    return parts or _containing_part(amounts, total, smaller)


def _equal_parts(
    amounts: Amounts, total: int, smaller: Sequence[int], parts: Mapping[int, float]
) -> Iterator[tuple[int, float]]:
    """Yield the parts that are known, and those that what is left of the total is equal to in some records."""
    yield from parts.items()
    found = dict(parts)
    while True:
        left, tolerance = amounts.left(total, found), amounts.tolerance(total, found)
        open_places = [place for place in smaller[::-1] if place not in found]
        counts = [
            _equal_count(left, amounts.columns[place], tolerance + HALF * float(amounts.units[place]))
            for place in open_places
        ]
        if not counts or max(counts) == 0:
            return
        part = open_places[int(np.argmax(counts))]
        found[part] = 1.0
        yield part, 1.0


def _equal_count(left: FloatColumn, part: FloatColumn, tolerance: float) -> int:
    """Return how many more records nothing is left of without a part; 0 where that may be chance."""
    has = (np.abs(left) > tolerance) & (np.abs(part) > tolerance)
    equal = int(np.count_nonzero(has & (np.abs(left - part) <= tolerance)))
    if equal < max(MIN_EQUAL, EQUAL_SHARE * np.count_nonzero(has)):
        return 0
    apart, others = left[has], np.roll(part[has], np.count_nonzero(has) // 2)
    by_chance = np.count_nonzero(np.abs(apart - others) <= tolerance)
    spoilt = int(np.count_nonzero((np.abs(left) <= tolerance) & (np.abs(part) > tolerance)))
    return max(equal - spoilt, 0) if equal >= TIMES_CHANCE * by_chance else 0


def _fitted_parts(amounts: Amounts, total: int, free: Sequence[int]) -> Parts:
    """Return which whole multiples of other columns a column is the sum of in most records; nothing where it is not."""
    has: Booleans = amounts.columns[total] != 0
    some = sum(bool(np.any(amounts.columns[place][has] != 0)) for place in free)
    if not some or np.count_nonzero(has) < max(2 * some + 2, MIN_FITTED):
        return {}
    found = amounts.relation(total, {}, free)
    parts = {place: float(np.round(factor)) for place, factor in found.items()}
    off = [abs(factor - parts[place]) for place, factor in found.items()]
    if not parts or max(off) > NEARLY_WHOLE or max(map(abs, parts.values())) > LARGEST_WHOLE:
        return {}
    has &= np.any(amounts.columns[list(parts)] != 0, axis=0)
    left = amounts.left(total, parts)[has]
    exact = np.abs(left - np.median(left)) <= amounts.tolerance(total, parts) if left.size else np.zeros(1)
    return parts if np.mean(exact) >= EXACT_SHARE else {}


def _containing_part(amounts: Amounts, total: int, smaller: Sequence[int]) -> Parts:
    """Return the column that is most of another in most records, and never more: net pay of gross pay."""
    whole = amounts.columns[total]
    within: Parts = {}
    for place in smaller:
        part = amounts.columns[place]
        has = (whole > 0) & (part > 0)
        less = np.mean(part <= whole + HALF * (amounts.units[total] + amounts.units[place]))
        if has.any() and less >= CONTAINED_SHARE and np.median(part[has] / whole[has]) >= LARGE_PART:
            within[place] = float(np.abs(whole - part).sum())
    return {min(within, key=lambda place: within[place]): 1.0} if within else {}


def _without(columns: FloatMatrix, total: int, parts: Mapping[int, float]) -> FloatColumn:
    """Return what is left of a total without some parts."""
    left: FloatColumn = columns[total] - sum(factor * columns[place] for place, factor in parts.items())
    return left


def _with_rare_rows(amounts: FloatMatrix, step: int) -> Rows:
    """Return records in equal steps, and some of those that have what few have."""
    chosen = [np.arange(0, len(amounts), step)]
    for column in amounts.T:
        having = np.flatnonzero(np.nan_to_num(column))
        if having.size < RARE_ROWS * step:
            chosen.append(having[:: max(having.size // RARE_ROWS, 1)])
    return np.unique(np.concatenate(chosen))


def _unit(column: FloatColumn) -> float:
    """Return the power of ten to which the amounts of a column are rounded; nearly none where they are not."""
    values = column[column != 0]
    for digits in reversed(DIGITS):
        scaled = values / 10.0**digits
        if np.all(np.abs(scaled - np.round(scaled)) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)):
            return 10.0**digits
    return 1e-9 * float(np.abs(values).max(initial=1.0))
