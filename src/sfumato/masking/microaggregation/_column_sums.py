"""Which columns of amounts are sums of others, in a part of the records at least: a total, and what it contains."""

from collections.abc import Iterator, Mapping

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix

Sums = dict[int, dict[int, float]]
"""For each column that is a sum, by its place, the columns that it is made of and how often each is in it."""

MAX_ROWS, FITTED_ROWS = 5_000, 1_000  # records by which sums are found, and are fitted
ROUNDS = 30  # of a fit
MIN_EQUAL, EQUAL_SHARE, TIMES_CHANCE = 2, 0.02, 4  # records that are equal: at least, of those that have both
MIN_FITTED, EXACT_SHARE, LEFT_SHARE = 20, 0.5, 0.1  # records of a fit, which of them it must give exactly, and left
CONTAINED_SHARE, LARGE_PART = 0.99, 0.5  # of the records that have less in a part, and of an amount
DIGITS = range(-3, 7)  # to how many decimals amounts may be rounded
NEARLY_WHOLE = 0.01  # what a factor is from a whole number at most, as amounts are rounded
HALF = 0.55  # of the unit to which amounts are rounded, and a little


def find_sums(amounts: FloatMatrix) -> Sums:
    """Return which columns (records x columns) are sums of others; what is missing counts as nothing.

    Columns are looked at from the smallest to the largest, and a sum is made of smaller ones. What is left over need
    not be nothing: a total may contain something that is no column. A sum found by chance does no harm.

    Examples
    --------
    >>> wage, rent = np.array([900.0, 0, 812, 755, 0, 991]), np.array([0.0, 0, 70, 0, 184, 0])
    >>> find_sums(np.column_stack([wage + rent, rent, wage]))
    {0: {2: 1.0, 1: 1.0}}
    """
    step = max(-(-len(amounts) // MAX_ROWS), 1)
    columns = np.nan_to_num(np.asarray(amounts[::step], dtype=np.float64)).T
    units = np.array([_unit(column) for column in columns])
    sizes = np.abs(columns).sum(axis=1)
    order = [int(place) for place in np.argsort(sizes, kind="stable") if sizes[place] > 0]
    sums: Sums = {}
    for rank, total in enumerate(order):
        smaller = order[:rank]
        parts = _parts(columns, units, total, smaller, [place for place in smaller if place not in sums])
        if parts:
            sums[total] = parts
    return sums


def parts_first(sums: Mapping[int, Mapping[int, float]], count: int) -> list[int]:
    """Return the places of all columns, each behind those that it is made of.

    Examples
    --------
    >>> parts_first({0: {2: 1.0, 1: 1.0}, 2: {3: 1.0}}, 4)
    [3, 2, 1, 0]
    """
    order: dict[int, None] = {}

    def place_behind_parts(place: int) -> None:
        for part in sums.get(place, {}):
            place_behind_parts(part)
        order.setdefault(place)

    for place in range(count):
        place_behind_parts(place)
    return list(order)


def made_of(sums: Mapping[int, Mapping[int, float]], total: int) -> dict[int, float]:
    """Return the columns that are no sums themselves and that a sum is made of in the end, and how often each is in it.

    Examples
    --------
    >>> made_of({2: {0: 1.0, 1: 1.0}, 3: {2: 1.0, 0: -1.0}}, 3)
    {0: 0.0, 1: 1.0}
    """
    found: dict[int, float] = {}
    for part, factor in sums.get(total, {}).items():
        for place, times in (made_of(sums, part) if part in sums else {part: 1.0}).items():
            found[place] = found.get(place, 0.0) + factor * times
    return found


def _parts(
    columns: FloatMatrix, units: FloatColumn, total: int, smaller: list[int], free: list[int]
) -> dict[int, float]:
    """Return what a column is made of, nothing where no sum is found."""
    parts = dict(_equal_parts(columns, units, total, smaller, {}))
    left = _left(columns, total, parts)
    if np.mean(np.abs(left) > _tolerance(units, total, parts)) > LEFT_SHARE:
        fitted = _fitted_parts(columns, units, total, free)
        if fitted:
            parts = dict(_equal_parts(columns, units, total, smaller, fitted))
    return parts or _containing_part(columns, units, total, smaller)


def _equal_parts(
    columns: FloatMatrix, units: FloatColumn, total: int, smaller: list[int], parts: dict[int, float]
) -> Iterator[tuple[int, float]]:
    """Yield the parts that are known, and those that what is left of the total is equal to in some records."""
    yield from parts.items()
    found = dict(parts)
    while True:
        left, tolerance = _left(columns, total, found), _tolerance(units, total, found)
        open_places = [place for place in smaller[::-1] if place not in found]
        counts = [_equal_count(left, columns[place], tolerance + HALF * units[place]) for place in open_places]
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


def _fitted_parts(columns: FloatMatrix, units: FloatColumn, total: int, free: list[int]) -> dict[int, float]:
    """Return which whole multiples of other columns a column is the sum of in most records; nothing where it is not."""
    has: Booleans = columns[total] != 0
    free = [place for place in free if np.any(columns[place][has] != 0)]
    if not free or np.count_nonzero(has) < max(2 * len(free) + 2, MIN_FITTED):
        return {}
    found = _least_absolute_fit(columns[free][:, has].T, columns[total][has])
    factors = np.round(found)
    if np.abs(found - factors).max() > NEARLY_WHOLE or not factors.any():
        return {}
    parts = {place: float(factor) for place, factor in zip(free, factors, strict=True) if factor}
    has &= np.any(columns[list(parts)] != 0, axis=0)
    left = _left(columns, total, parts)[has]
    exact = np.abs(left - np.median(left)) <= _tolerance(units, total, parts) if left.size else np.zeros(1)
    return parts if np.mean(exact) >= EXACT_SHARE else {}


def _least_absolute_fit(design: FloatMatrix, target: FloatColumn) -> FloatColumn:
    """Return the factors of columns (records x columns) whose sum, and a constant, leaves the least of a target.

    What is left is least as a sum of absolute values, so that records in which a sum holds decide, however much is left
    in others: least squares, each record weighted by what it was left with.
    """
    step = max(len(design) // FITTED_ROWS, 1)
    scale = np.abs(design).mean(axis=0)
    scaled, aim = np.column_stack([design / scale, np.ones(len(design))])[::step], target[::step]
    least, weights = 1e-9 * float(np.abs(aim).mean()), np.ones(aim.size)
    factors: FloatColumn = np.zeros(scaled.shape[1])
    for _ in range(ROUNDS):
        factors = np.asarray(np.linalg.lstsq(scaled * weights[:, None], aim * weights, rcond=None)[0], dtype=np.float64)
        weights = 1 / np.sqrt(np.maximum(np.abs(aim - scaled @ factors), least))
    return np.asarray(factors[:-1] / scale, dtype=np.float64)


def _containing_part(columns: FloatMatrix, units: FloatColumn, total: int, smaller: list[int]) -> dict[int, float]:
    """Return the column that is most of another in most records, and never more: net pay of gross pay."""
    whole = columns[total]
    within: dict[int, float] = {}
    for place in smaller:
        part = columns[place]
        has = (whole > 0) & (part > 0)
        less = np.mean(part <= whole + HALF * (units[total] + units[place]))
        if has.any() and less >= CONTAINED_SHARE and np.median(part[has] / whole[has]) >= LARGE_PART:
            within[place] = float(np.abs(whole - part).sum())
    return {min(within, key=lambda place: within[place]): 1.0} if within else {}


def _left(columns: FloatMatrix, total: int, parts: Mapping[int, float]) -> FloatColumn:
    """Return what is left of a total without some parts."""
    left: FloatColumn = columns[total] - sum(factor * columns[place] for place, factor in parts.items())
    return left


def _tolerance(units: FloatColumn, total: int, parts: Mapping[int, float]) -> float:
    """Return how far a sum may be from its rounded parts, and a rounded sum from its parts."""
    return HALF * float(units[total] + sum(abs(factor) * units[place] for place, factor in parts.items()))


def _unit(column: FloatColumn) -> float:
    """Return the power of ten to which the amounts of a column are rounded; nearly none where they are not."""
    values = column[column != 0]
    for digits in reversed(DIGITS):
        scaled = values / 10.0**digits
        if np.all(np.abs(scaled - np.round(scaled)) <= 1e-9 * np.maximum(np.abs(scaled), 1.0)):
            return 10.0**digits
    return 1e-9 * float(np.abs(values).max(initial=1.0))
