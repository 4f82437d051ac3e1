"""Two columns that tell a key together: the day of leaving and the days of a stay tell the day of arrival."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, shortest_range, trimmed_fit
from sfumato.keys.pairs.column_pairs import (
    ColumnPair,
    is_number,
    logarithms,
    promising_pairs,
    usual_pairs,
)
from sfumato.keys.pairs.column_sums import giving_sums
from sfumato.keys.pairs.fitted_pairs import BETTER, FIRST_LOOK, MIN_FITTED, fitting_factor, fitting_pairs, open_width
from sfumato.keys.pairs.telling_tariffs import nearest_codes
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.telling_columns import (
    MAX_DRAWN,
    MAX_RECORDS,
    SIZE,
    Telling,
    is_told,
    ordered_codes,
    read_keys,
    telling_names,
)
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.ranking import in_order

STEPS, CALENDAR_STEPS = 1.0, 1.5  # of a rounded column that two keys leave open: months of a calendar differ in length


def telling_pairs(
    masked: Microdata,
    names: tuple[str, ...],
    found: Sequence[Telling],
    original: Microdata | None = None,
    rows: Rows | None = None,
) -> list[Telling]:
    """Return the pairs of columns whose sum, difference, product or ratio tells a key better than either.

    A key of numbers or dates, codes too, is compared as it was before it was masked, where that is known, and in any
    units: columns are added with the factors that fit best.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    found
        What is known to tell a key.
    original, rows
        The file before masking, and the row of each record in it.
    """
    columns = [name for name in telling_names(masked) if name != SIZE and has_numbers(masked, name)]
    columns = sorted(columns, key=lambda name: (name in names, not is_number(masked, name)))
    data, every = (masked, np.arange(masked.n)) if original is None or rows is None else (original, rows)
    persons = numbers_of_persons(data, every)
    looked = np.arange(masked.n) if persons is None else np.unique(persons, return_index=True)[1]
    content = [ordered_codes(data, name)[every[looked]] for name in names]
    shown = {name: numbers_of(masked, name) for name in columns}
    drawn = looked[rows_by_content(*content, *(column[looked] for column in shown.values()))][:MAX_DRAWN]
    values = {name: column[drawn] for name, column in shown.items()}
    tried = [pair for pair in combinations(columns, 2) if not set(pair) <= set(names)]
    numbers = {key: exact_key(masked, key, original, rows) for key in names}
    exact = {key: number[drawn] for key, number in numbers.items() if number is not None}
    fitted = [
        Telling(key, pair.first, pair=pair, is_fitted=True)
        for key, number in exact.items()
        for pair in fitting_pairs(number, values, [pair for pair in tried if key not in pair])
    ]
    parts = {name: column for name, column in values.items() if name not in names}
    sums = giving_sums(exact, parts)
    fitted += [Telling(key, one.columns[0], pair=one, is_fitted=True) for key, one in sums.items()]
    amounts = {name: values[name] for name in columns if is_number(masked, name)}
    by_order = _pairs_by_order(masked, names, drawn, amounts, [*found, *fitted])
    return [*fitted, *by_order]


def columns_made_of_two_keys(
    masked: Microdata, names: tuple[str, ...], found: Sequence[Telling], original: Microdata, rows: Rows
) -> list[Telling]:
    """Return the columns that are a sum, difference, product or ratio of two keys, as these were before masking.

    Whoever knows both keys of a person knows such a column too, and better than what the release shows of the keys.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    found
        What is known to tell a key: columns that were made of one are not looked at again.
    original, rows
        The file before masking, and the row of each record in it.
    """
    told = {one.column for one in found if one.is_copy}
    numbers = [name for name in telling_names(masked) if name != SIZE and has_numbers(masked, name)]
    columns = [name for name in numbers if name not in {*names, *told}]
    of_keys = {key: numbers_of(original, key)[rows] for key in names if has_numbers(original, key)}
    of_columns = {column: numbers_of(masked, column) for column in columns if len(of_keys) > 1}
    drawn = rows_by_content(*of_keys.values(), *of_columns.values())[:MAX_RECORDS] if of_columns else rows[:0]
    keys = {key: column[drawn] for key, column in of_keys.items()}
    values = {name: column[drawn] for name, column in of_columns.items()}
    return [
        Telling(key, column, is_copy=True)
        for column in values
        for pair in combinations(keys, 2)
        if _is_made_of(values[column], keys[pair[0]], keys[pair[1]])
        or _is_rounded_from(
            values[column],
            keys[pair[0]],
            keys[pair[1]],
            CALENDAR_STEPS if all(original.schema[key].kind is Kind.DATE for key in pair) else STEPS,
        )
        for key in pair
    ]


def fitting_records(
    masked: Microdata, names: tuple[str, ...], found: Sequence[Telling], original: Microdata, rows: Rows, k: int
) -> CodeColumn:
    """Return how many persons fit each record for somebody who reads keys off other columns too; k if enough.

    A key that is read in a record leaves the persons who have it. What two columns tell of a number or a date is known
    of everybody, and used where it is told right: there the persons are counted whose keys, as they were recoded and
    before any was suppressed, fit the record. So are columns that were made of keys, as whoever knows these knows what
    the column says of a person.
    """
    values_told = {one: exact_key(masked, one.key, original, rows) for one in found if one.is_fitted}
    exact = {one: values for one, values in values_told.items() if values is not None}
    persons = FittingPersons.of(released_keys(masked, names, original, rows), ())
    shown = dict(zip(names, persons.classes.known, strict=True))
    telling = [one for one in found if one not in exact and not one.is_copy]
    for codes, is_read in read_keys(masked, telling, original, rows, shown):
        persons = persons.with_key(codes, ~is_read)
    sizes = persons.counts(np.arange(masked.n), k)
    if copies := [one for one in found if one.is_copy]:
        for source in dict.fromkeys(one.pair for one in copies if one.pair is not None):
            persons = persons.with_key(*nearest_codes(source.of(original)[rows], source.of(masked)))
        for column in dict.fromkeys(one.column for one in copies if one.pair is None):
            told = ordered_codes(masked, column)
            is_gap = told < 0
            keys = [original.observed(one.key)[rows] for one in copies if one.column == column]
            follows = np.array_equal(is_gap, ~np.logical_and.reduce(keys))  # a gap is known where a key lacks its value
            persons = persons.with_key(np.where(is_gap, told.max() + 1, told), None if follows else is_gap)
        sizes = np.minimum(sizes, persons.counts(np.arange(masked.n), k))
    for one, values in exact.items():
        read, is_right = read_values(values, one.pair.of(masked) if one.pair else numbers_of(masked, one.column))
        persons = FittingPersons.of(released_keys(masked, names, original, rows), ()).with_key(read)
        told = np.flatnonzero(is_right)
        sizes[told] = np.minimum(sizes[told], persons.counts(told, k))
    return sizes


def exact_key(masked: Microdata, key: str, original: Microdata | None, rows: Rows | None) -> FloatColumn | None:
    """Return a key of numbers or dates, codes too, as it was before masking, or is in the file; None for others."""
    data = masked if original is None else original
    if not has_numbers(data, key):
        return None
    values = numbers_of(data, key)
    return values if original is None or rows is None else values[rows]


def read_values(key: FloatColumn, column: FloatColumn) -> tuple[CodeColumn, Booleans]:
    """Return what can be told of a key by a column that goes with it, and of which records it is told right.

    The first is a code for each value, or for each range that the column leaves: twice that in which nine of ten lie.

    Examples
    --------
    >>> arrival = np.arange(40.0) % 13
    >>> leaving = arrival + 100
    >>> leaving[:2] = 500
    >>> codes, is_right = read_values(arrival, leaving)
    >>> codes[:5], is_right[:5]
    (array([0, 1, 2, 3, 4]), array([False, False,  True,  True,  True]))
    """
    known = np.isfinite(key) & np.isfinite(column)
    rest = trimmed_fit(column[known, None], key[known]).rest
    low, high = shortest_range(rest)
    least = ROUNDING * max(central_width(key[known]), float(np.abs(key[known]).max()))
    step = float(np.diff(np.unique(key[known])).min(initial=np.inf))
    rounding = step / 4 if high - low <= step / 2 else least  # of what is nearer to one value of a key than to others
    is_right = np.zeros(key.size, dtype=np.bool_)
    is_right[known] = (rest >= low - rounding) & (rest <= high + rounding)
    width = 2 * (high - low)
    return in_order(key if width <= 4 * least else np.floor(key / width)), is_right


def _pairs_by_order(
    masked: Microdata,
    names: tuple[str, ...],
    drawn: Rows,
    values: Mapping[str, FloatColumn],
    found: Sequence[Telling],
) -> list[Telling]:
    """Return the pairs in whose order a key seldom changes, of columns that do not tell it in another way."""
    codes = {name: ordered_codes(masked, name)[drawn] for name in names}
    told = {(one.key, one.column) for one in found if one.pair is None}
    fitted = {(one.key, one.pair.first, one.pair.second) for one in found if isinstance(one.pair, ColumnPair)}
    pairs: dict[tuple[str, str, str], Telling] = {}
    usual = [pair for pair in usual_pairs(masked, list(values)) if not {pair.first, pair.second} <= {*names}]
    for key, pair in promising_pairs(values, usual, codes):
        about = (key, pair.first, pair.second)
        is_known = about in pairs or about in fitted or {(key, pair.first), (key, pair.second)} & told
        if key in about[1:] or is_known:
            continue
        if _is_told(codes[key], in_order(pair.of_values(values))):
            pairs[about] = Telling(key, pair.first, pair=pair)
    return list(pairs.values())


def _is_made_of(column: FloatColumn, first: FloatColumn, second: FloatColumn) -> bool:
    """Tell whether two keys tell a column by a sum of multiples, of themselves or of their logarithms."""
    for values in ((column, first, second), tuple(map(logarithms, (column, first, second)))):
        known = np.isfinite(sum(values))
        if fitting_factor(*(one[known] for one in values)) is not None:
            return True
    return False


def _is_rounded_from(column: FloatColumn, first: FloatColumn, second: FloatColumn, steps: float) -> bool:
    """Tell whether two keys leave no more of a column open than some steps in which it is rounded.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> arrival, leaving = rng.integers(0, 400, 300), rng.integers(400, 900, 300)
    >>> weeks = np.floor((leaving - arrival) / 7)
    >>> _is_rounded_from(weeks, arrival, leaving, 1.0), _is_rounded_from(rng.permutation(weeks), arrival, leaving, 1.0)
    (True, False)
    """
    known = np.isfinite(column + first + second)
    column, first, second = column[known], first[known], second[known]
    if column.size < MIN_FITTED or not central_width(column):
        return False
    differences = np.diff(np.unique(column))
    width = open_width(column, first, second)
    if not differences.size or width > steps * differences.min():
        return False
    return width < BETTER * min(open_width(column, first), open_width(column, second))


def _is_told(key: CodeColumn, column: CodeColumn) -> bool:
    """Tell whether a column tells a key: by a few records first, as most do not."""
    both = np.flatnonzero((key >= 0) & (column >= 0))[:MAX_RECORDS]
    few = both[:FIRST_LOOK]
    return is_told(key[few], column[few], True) and is_told(key[both], column[both], True)
