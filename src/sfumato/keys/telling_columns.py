"""Columns that are no keys and yet tell one: a birth date beside an age, a postal code beside a region."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import METRIC, Kind, Microdata, Role, role
from sfumato.data.distinct_values import NESTED
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import Households, group_households
from sfumato.keys.pairs.column_pairs import KeySource, differing_share
from sfumato.keys.persons import numbers_of_persons
from sfumato.numerics.arrays import Booleans, CodeColumn, Rows
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.ranking import in_order, stable_order

TOLD = 0.1  # of what is left open by chance: a column that leaves less open tells the key
COPIED = 0.02  # of a column, left open by the key before it was masked: it is a recoded copy
MIN_SHARED = 0.5  # of the records have a value of the column that others have too
MIN_CHANCE = 20.0  # records that chance alone would tell apart: of fewer nothing is concluded
MAX_RECORDS, MAX_DRAWN = 5_000, 20_000  # that are looked at for one column, and drawn for all of them
SIZE = "the number of records of a household"
MEMBERS = "the other members of the household"


@dataclass(frozen=True)
class Telling:
    """A released column that tells a key.

    Parameters
    ----------
    key, column
        The key, and the column that tells it.
    is_copy
        Whether it does not tell all that the file shows of the key, but was made from it.
    pair
        Two columns, or more, that tell the key together; the first of them is `column`. Of a copy what keys give that
        is near its values, where that is not the column as it stands.
    is_fitted
        Whether they tell a number by a multiple of what they give together, to within a range.
    """

    key: str
    column: str
    is_copy: bool = False
    pair: KeySource | None = None
    is_fitted: bool = False

    @property
    def words(self) -> str:
        """What tells the key, in words."""
        return self.column if self.pair is None else self.pair.words


def telling_columns(
    masked: Microdata, names: tuple[str, ...], original: Microdata | None = None, rows: Rows | None = None
) -> list[Telling]:
    """Return the columns that tell a key, among those that are released; another key only where the first has gaps."""
    drawn = _drawn_rows(masked)
    data = masked.take_rows(drawn) if drawn.size < masked.n else masked
    before = {}
    if original is not None and rows is not None:
        before = {name: ordered_codes(original, name)[rows[drawn]] for name in names}
    homes = released_households(data)
    persons = None if homes is not None else _persons_of(masked, drawn, original, rows)
    keys = {name: ordered_codes(data, name) for name in names}
    changed = {name for name in before if not are_alike(keys[name], before[name])}
    content, found = [before.get(name, key) for name, key in keys.items()], []
    for column in telling_names(data):
        codes, is_ordered, is_key = ordered_codes(data, column), has_order(data, column), column in keys
        chosen = _unrelated_rows(codes, homes, persons, content)
        for name, key in keys.items():
            if name == column or (is_key and (key >= 0).all()):
                continue
            tells = is_told(key[chosen], codes[chosen], is_ordered)
            may_be_copy = not tells and not is_key and name in changed
            is_copy = may_be_copy and _is_made_from(codes[chosen], before[name][chosen])
            if tells or is_copy:
                found.append(Telling(name, column, is_copy))
    if homes is not None:
        lacking = [name for name, key in keys.items() if _can_fill_gaps(key, homes)]
        known = {name: before.get(name, keys[name]) for name in lacking}
        found += [Telling(name, MEMBERS) for name, key in known.items() if is_told(key, homes.number, False)]
    return found


def read_keys(
    masked: Microdata, found: Sequence[Telling], original: Microdata, rows: Rows, shown: Mapping[str, CodeColumn]
) -> Iterator[tuple[CodeColumn, Booleans]]:
    """Yield keys that somebody reads off other columns, as codes of all persons, and in which records they are read.

    A column tells a key as it was, where records with one value of it have one key, or as it is released. What is read
    wrong is left aside: whoever relies on it finds nobody.

    Parameters
    ----------
    masked, found
        The file as it is released, and which columns tell which keys.
    original, rows
        The file before masking, and the row of each record in it.
    shown
        What each person would show of each key if nothing were suppressed.
    """
    for one in found:
        column, released = codes_of_telling(masked, one), shown[one.key]
        filled = _fill_gaps(ordered_codes(masked, one.key), column, is_ordered=False)
        if one.column != MEMBERS:
            is_ordered = one.pair is not None or has_order(masked, one.column)
            exact = ordered_codes(original, one.key)[rows]
            filled = _fill_gaps(ordered_codes(masked, one.key), column, is_ordered)
            if is_told(exact, column, is_ordered):
                is_read = _is_certain(exact, column) & (exact >= 0)
                if not (is_ordered and _is_told_by_order(*_both(exact, column))):
                    is_read &= _is_shared(column)
                is_read |= (_fill_gaps(np.where(is_read, exact, -1), column, is_ordered) == exact) & (exact >= 0)
                yield np.where(exact < 0, exact.max(initial=-1) + 1, exact), is_read
        yield released, (filled == released) & (filled >= 0)


def codes_of_telling(data: Microdata, one: Telling) -> CodeColumn:
    """Return what tells a key as codes in the order of its values, missing as -1."""
    if one.column == MEMBERS and (homes := released_households(data)) is not None:
        return homes.number
    return ordered_codes(data, one.column) if one.pair is None else in_order(one.pair.of(data))


def is_told(key: CodeColumn, column: CodeColumn, is_ordered: bool) -> bool:
    """Tell whether a column leaves hardly anything of a key open, and not because its values are nearly all different.

    Records with equal values have nearly always the same key. Where values have an order, it is enough that the key
    seldom changes from one value to the next.

    Examples
    --------
    >>> years = np.arange(1950, 2000).repeat(4)
    >>> is_told(2020 - years, years, True), is_told(np.arange(200) % 7, years, True)
    (True, False)
    """
    key, column = _both(key, column)
    left, chance = _left_open(key, column)  # of a single record nothing
    if chance >= MIN_CHANCE and left <= TOLD * chance and _is_shared(column).mean() >= MIN_SHARED:
        return True
    return is_ordered and _is_told_by_order(key, column)


def _is_told_by_order(key: CodeColumn, column: CodeColumn) -> bool:
    """Tell whether a key seldom changes from one value of a column to the next."""
    order = stable_order(column)  # the rows come in random order
    steps = int(np.count_nonzero(np.bincount(key))) - 1
    by_chance = (key.size - 1) * differing_share(key) - steps
    changes = int(np.count_nonzero(np.diff(key[order]))) - steps
    return by_chance >= MIN_CHANCE and changes <= TOLD * by_chance


def _is_certain(key: CodeColumn, column: CodeColumn) -> Booleans:
    """Tell for each record whether it has a value, and all who have that have the same key."""
    values = int(column.max(initial=-1)) + 2
    low, high = np.full(values, np.iinfo(np.int64).max), np.full(values, -1)
    np.minimum.at(low, column, key)
    np.maximum.at(high, column, key)
    return np.asarray((column >= 0) & (low == high)[column])


def _is_shared(column: CodeColumn) -> Booleans:
    """Tell for each record whether others have its value."""
    return np.asarray(np.bincount(column + 1)[column + 1] > 1)


def _is_made_from(column: CodeColumn, key: CodeColumn) -> bool:
    """Tell whether a key tells all of a column: nearly no two records with the same key differ in it."""
    key, column = _both(key, column)
    left, chance = _left_open(column, key)
    return chance >= MIN_CHANCE and left <= COPIED * chance


def _left_open(key: CodeColumn, column: CodeColumn) -> tuple[float, float]:
    """Return how many records a key still tells apart inside the values of a column, and how many it would by chance.

    The first is the sum of n - sum(n_c ** 2) / n over the values (n records, n_c of each category): Goodman and
    Kruskal's tau without its scale. By chance each of n records but one differs from the others as any two do.
    """
    if key.size < 2:
        return 0.0, 0.0
    sizes = np.bincount(column)
    cells, counts = np.unique(column * (int(key.max()) + 1) + key, return_counts=True)
    inside = (counts.astype(np.float64) ** 2 / sizes[cells // (int(key.max()) + 1)]).sum()
    return float(key.size - inside), (key.size - np.count_nonzero(sizes)) * differing_share(key)


def telling_names(data: Microdata) -> list[str]:
    """Return the columns that may tell a key, and the size of households where these are released."""
    names = [
        one.name
        for one in data.schema.variables
        if one.role not in {Role.IDENTIFIER, Role.HOUSEHOLD}
        and not isinstance(data.table[one.name].dtype, NESTED)
        and not (one.kind is Kind.DATE and data.summary.date_problem(one.name))
    ]
    return [*names, SIZE] if data.select(role("household")) else names


def has_order(data: Microdata, name: str) -> bool:
    """Tell whether the order of a column's codes means something."""
    return name == SIZE or data.schema[name].kind is not Kind.NOMINAL


def ordered_codes(data: Microdata, name: str) -> CodeColumn:
    """Return a column, or the size of households, as codes in the order of its values, missing as -1."""
    if name == SIZE and (homes := released_households(data)) is not None:
        return np.asarray(np.bincount(homes.number)[homes.number], dtype=np.int64)
    if data.schema[name].kind not in METRIC:
        return data.codes(name)[0]
    return data.value_order(name)


def _both(key: CodeColumn, column: CodeColumn) -> tuple[CodeColumn, CodeColumn]:
    """Return both for the records that have both."""
    known = (key >= 0) & (column >= 0)
    return key[known], column[known]


def released_households(data: Microdata) -> Households | None:
    """Return the households, a record without a number being one by itself; None where no column tells them."""
    names = data.select(role("household"))
    if not names:
        return None
    codes = data.numbers(names[0])
    return group_households(np.where(codes < 0, data.n + np.arange(data.n), codes))


def _drawn_rows(data: Microdata) -> Rows:
    """Return the rows of at most some records, drawn by whole households."""
    if data.n <= MAX_DRAWN:
        return np.arange(data.n)
    homes, rng = released_households(data), np.random.default_rng(0)  # which are drawn is no secret
    if homes is None:
        return rng.permutation(data.n)[:MAX_DRAWN]
    return np.flatnonzero(rng.permutation(homes.count)[homes.number] < homes.count * MAX_DRAWN / data.n)


def _persons_of(masked: Microdata, drawn: Rows, original: Microdata | None, rows: Rows | None) -> CodeColumn | None:
    """Return a number for the person of each drawn record, where an identifier tells that some have several."""
    if original is None or rows is None:
        return numbers_of_persons(masked, drawn)
    return numbers_of_persons(original, rows[drawn])


def _unrelated_rows(
    codes: CodeColumn, homes: Households | None, persons: CodeColumn | None, content: Sequence[CodeColumn]
) -> Rows:
    """Return the rows to look at, in an order by content: one of each household where its members share the value.

    Of the records of one person those with the same value are looked at once.

    They say the same then, and that it is the same is no news to somebody who is told the household. Of many records
    some are drawn, with all that have the same value where there are many values.
    """
    rows, units = rows_by_content(codes, *content), None if persons is None else np.array([persons, codes])
    if homes is not None:
        units = None if homes.count_mixed(codes) else homes.number[None]
    if units is not None:
        rows = rows[np.sort(np.unique(classes_of(units).numbers[rows], return_index=True)[1])]
    if rows.size <= MAX_RECORDS:
        return rows
    values, rng = int(codes.max()) + 1, np.random.default_rng(0)  # which values are drawn is no secret
    if values > MAX_RECORDS // 50:
        return np.asarray(rows[rng.permutation(values)[codes[rows]] < values * MAX_RECORDS / rows.size])
    return rows[:MAX_RECORDS]


def _can_fill_gaps(key: CodeColumn, homes: Households) -> bool:
    """Tell whether some member of a household lacks a key that another one has."""
    is_gap = key < 0
    return bool((is_gap & (-homes.lowest(-key)[homes.number] >= 0)).any())


def _fill_gaps(key: CodeColumn, column: CodeColumn, is_ordered: bool) -> CodeColumn:
    """Return a key whose gaps are filled where the records with the nearest values of a column agree on it."""
    order = np.lexsort((key < 0, column))
    known = np.flatnonzero((key[order] >= 0) & (column[order] >= 0))
    gaps = np.flatnonzero((key[order] < 0) & (column[order] >= 0))
    if not known.size or not gaps.size:
        return key
    place = np.searchsorted(known, gaps)
    sides = np.stack([known[np.maximum(place - 1, 0)], known[np.minimum(place, known.size - 1)]])
    values = key[order[sides]]
    equal = column[order[sides]] == column[order[gaps]]
    is_read = equal.any(axis=0) | (is_ordered & (values[0] == values[1]))
    filled = key.copy()
    filled[order[gaps[is_read]]] = np.where(equal[0], values[0], values[1])[is_read]
    return filled


def are_alike(key: CodeColumn, before: CodeColumn) -> bool:
    """Tell whether a key shows as much as before: as many categories, and no more gaps."""
    counts = [np.count_nonzero(np.bincount(codes + 1)) for codes in (key, before)]
    return counts[0] == counts[1] and bool(((key < 0) == (before < 0)).all())
