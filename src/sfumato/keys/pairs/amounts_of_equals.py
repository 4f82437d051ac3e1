"""Amounts that records have in common which are equal in a few columns: a table of pay by grade, step and hours."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from sfumato.data import CATEGORICAL, Kind, Microdata, Role, role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.households import households_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING
from sfumato.keys.pairs.pair_amounts import MIN_FITTED, MIN_TOLD, TIMES_CHANCE
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.units.told_households import household_columns
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import dense_numbers

LOOKED_AT = 1_000  # records, by which columns are chosen
MAX_VALUES = 200  # of a column among these: one with more is not looked at
MAX_COLUMNS = 6  # that tell an amount together
MIN_OTHERS = 2  # records equal to one: what two have in common they tell each other, and may be by chance
MOSTLY_OPEN = 0.9  # of the values of a number: where so many stayed, others being suppressed, it is released as it was
MORE = 1.1  # times as many pairs agree with one more column, else it is none of those that tell the amount
PROMISING = 0.05  # of the pairs of equal records: where a quarter of the amounts is told, about as many agree


def amounts_of_equals(
    exact: FloatColumn, columns: Mapping[str, CodeColumn], units: Callable[[], CodeColumn], near: float
) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns in which records are equal that have nearly the same amount, and the amount of the others.

    Columns are taken one by one in some records, that first of whose equals most agree, and all records are then judged
    by their others alone.

    Parameters
    ----------
    exact, columns
        The amounts, and the released columns as codes; a gap, -1, is a value of its own.
    units
        What numbers the person or household of each record: what records of one have in common counts once.
    near
        How much of an amount may be left open.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> grade, step, luck = (rng.integers(0, most, 900) for most in (7, 5, 3))
    >>> pay = np.exp(rng.normal(size=(7, 5)))[grade, step]
    >>> columns = {"luck": luck, "grade": grade, "step": step}
    >>> [names for names, _ in amounts_of_equals(pay, columns, lambda: np.arange(900), 0.01)]
    [('grade', 'step')]
    """
    has_amount = np.flatnonzero(np.isfinite(exact) & (exact != 0))
    rows = np.random.default_rng(0).permutation(has_amount)[:LOOKED_AT]  # which are looked at is no secret
    if rows.size < MIN_FITTED:
        return
    some = {name: dense_numbers(codes[rows]) for name, codes in columns.items()}
    some = {name: codes for name, codes in some.items() if 0 < codes.max() < min(MAX_VALUES, rows.size // 2)}
    steps = np.floor(np.log(np.abs(exact[rows])) / np.log1p(near))  # what falls into one step is nearly one amount
    amounts = dense_numbers((2 * steps + (exact[rows] < 0)).astype(np.int64))
    for names, agreeing in _chosen(amounts, some):
        if agreeing < PROMISING:
            continue
        cells = _cells([columns[name][has_amount] for name in names])
        wanted, of_whom = exact[has_amount], units()[has_amount]
        told = _share_near(wanted, found := others_amount(wanted, cells, of_whom), near)
        mixed = np.random.default_rng(1).permutation(wanted)
        chance = _share_near(mixed, others_amount(mixed, cells, of_whom), near)
        if told >= max(MIN_TOLD, min(TIMES_CHANCE * chance, (1 + chance) / 2)):  # few prices are often right by chance
            computed = np.full_like(exact, np.nan)
            computed[has_amount] = found
            yield names, computed


def others_amount(exact: FloatColumn, cells: CodeColumn, units: CodeColumn) -> FloatColumn:
    """Return for each record the (lower) median of the amounts that others of its cell have, missing for few others.

    Examples
    --------
    >>> others_amount(np.array([3.0, 4, 9, 9, 7]), np.array([0, 0, 0, 0, 1]), np.array([0, 1, 2, 2, 3]))
    array([ 4.,  3.,  3.,  3., nan])
    """
    order = np.lexsort((units, exact, cells))
    cell, amount, unit = cells[order], exact[order], units[order]
    is_new = np.append(True, (np.diff(cell) != 0) | (np.diff(amount) != 0) | (np.diff(unit) != 0))
    place = np.cumsum(is_new) - 1  # among what different units have, each amount of theirs once
    cell, amount = cell[is_new], amount[is_new]
    starts = np.flatnonzero(np.append(True, np.diff(cell) != 0))
    sizes = np.diff(np.append(starts, cell.size))
    of_cell = np.repeat(np.arange(starts.size), sizes)
    size, own = sizes[of_cell], np.arange(cell.size) - starts[of_cell]
    middle = (size - 2) // 2
    middle += own <= middle  # the median of the others, among all
    known = size > MIN_OTHERS
    median = np.where(known, amount[np.where(known, starts[of_cell] + middle, 0)], np.nan)
    found = np.empty(exact.size)
    found[order] = median[place]
    return found


def columns_of_equals(original: Microdata, masked: Microdata, unchanged: Sequence[str]) -> dict[str, CodeColumn]:
    """Return the columns in which records may be equal that have one amount, as codes: none where all were changed."""
    found = {}
    for one in masked.schema.variables if unchanged else ():
        if one.role in {Role.WEIGHT, Role.IDENTIFIER, Role.HOUSEHOLD} or isinstance(
            masked.table[one.name].dtype, NESTED
        ):
            continue
        if one.kind in CATEGORICAL:
            found[one.name] = masked.codes(one.name)[0]
        elif one.name in unchanged or (one.kind is Kind.CONTINUOUS and _is_mostly_open(original, masked, one.name)):
            found[one.name] = masked.numbers(one.name)
    return found


def _is_mostly_open(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether nearly all values of a number stayed."""
    if name not in original.schema or original.schema[name].kind is not Kind.CONTINUOUS:
        return False
    before = original.values(name)
    known = np.isfinite(before)
    return bool(np.count_nonzero(masked.values(name)[known] == before[known]) > MOSTLY_OPEN * np.count_nonzero(known))


def units_of(data: Microdata, amounts: tuple[str, ...]) -> CodeColumn:
    """Return a number for the person of each record, where some have several, else for the household.

    An amount that many have in common is no number of households.
    """
    persons = numbers_of_persons(data)
    if persons is not None:
        return persons
    columns = data.select(role("household")) or household_columns(data.without_columns(amounts))
    return households_of(data, columns).number


def _chosen(amounts: CodeColumn, columns: Mapping[str, CodeColumn]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the columns in which records must be equal to agree in amounts most often, one more each time.

    With them comes the share of the pairs of such records that agree.
    """
    left, names = dict(columns), list[str]()
    cells = np.zeros(amounts.size, dtype=np.int64)
    most = _agreement(cells, amounts)
    while left and len(names) < MAX_COLUMNS:
        found = {name: _agreement(_joined(cells, codes), amounts) for name, codes in left.items()}
        best = max(found, key=lambda name: found[name])
        if found[best] < MORE * most:
            return
        most = found[best]
        names.append(best)
        cells = dense_numbers(_joined(cells, left.pop(best)))
        yield tuple(names), most


def _agreement(cells: CodeColumn, amounts: CodeColumn) -> float:
    """Return the share of the pairs in cells that have one amount, less two errors, so that few pairs count little."""
    alike, pairs = _pairs(_joined(cells, amounts)), _pairs(cells)
    return max(alike - 2 * float(np.sqrt(alike)), 0.0) / pairs if pairs else 0.0


def _pairs(codes: CodeColumn) -> float:
    """Return how many pairs have one code."""
    ordered = np.sort(codes)
    ends = np.flatnonzero(np.append(np.diff(ordered) != 0, True))
    counts = np.diff(ends, prepend=-1).astype(np.float64)
    return float((counts * (counts - 1)).sum()) / 2


def _cells(columns: Sequence[CodeColumn]) -> CodeColumn:
    """Return a number for what records show in some columns together."""
    cells = np.zeros(columns[0].size, dtype=np.int64)
    for codes in columns:
        cells = dense_numbers(_joined(cells, codes - codes.min()))
    return cells


def _joined(cells: CodeColumn, codes: CodeColumn) -> CodeColumn:
    return np.asarray(cells * (int(codes.max()) + 1) + codes)


def _share_near(exact: FloatColumn, computed: FloatColumn, near: float) -> float:
    return float(np.mean(np.abs(computed - exact) <= (near + ROUNDING) * np.abs(exact)))
