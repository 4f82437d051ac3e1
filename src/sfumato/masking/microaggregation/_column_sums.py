"""Which columns of amounts are sums of multiples of others, in a part of the records at least.

A total, and what it contains; and whatever else hangs together exactly, such as a levy of a fifth of a base.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from sfumato.masking.microaggregation._totals import EQUAL_SHARE, Amounts, Parts, total_parts
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.relations.fits import SPARE

Sums = dict[int, Parts]
"""For each column that is a sum, by its place, the columns that it is made of and how often each is in it."""

LAYERS = 3  # of relations in one column: one that holds in most records, and what holds in others
NOTHING = 1e-9  # of what a column is in a sum, where it is added and taken off again
COARSE = 200  # units, to which a column is rounded, that its amounts are in the mean at least where it is not coarse


def find_sums(amounts: FloatMatrix) -> Sums:
    """Return which columns (records x columns) are sums of others; what is missing counts as nothing.

    Columns are looked at from the smallest to the largest, and a sum is made of smaller ones. What is left over need
    not be nothing: a total may contain something that is no column. So a sum found by chance does no harm, as long as
    what is left over does not hang together with other columns; each is therefore asked again whether it is a sum of
    multiples of all smaller columns, those that are sums among them: each exact relation has a largest column, and is
    found there.

    Examples
    --------
    >>> wage, rent = np.array([900.0, 0, 812, 755, 0, 991]), np.array([0.0, 0, 70, 0, 184, 0])
    >>> find_sums(np.column_stack([wage + rent, rent, wage]))
    {0: {2: 1.0, 1: 1.0}}
    """
    looked_at = Amounts.of(amounts)
    sizes = np.abs(looked_at.columns).sum(axis=1)
    by_size = [int(place) for place in np.argsort(sizes, kind="stable") if sizes[place] > 0]
    sums, are_totals = _sums_in_order(looked_at, by_size)
    return sums if are_totals else _sums_that_add(looked_at, _rare_first(looked_at, by_size))


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


def made_of(sums: Mapping[int, Mapping[int, float]], total: int) -> Parts:
    """Return the columns that are no sums themselves and that a sum is made of in the end, and how often each is in it.

    Examples
    --------
    >>> made_of({2: {0: 1.0, 1: 1.0}, 3: {2: 1.0, 0: -1.0}}, 3)
    {0: 0.0, 1: 1.0}
    """
    found: Parts = {}
    for part, factor in sums.get(total, {}).items():
        for place, times in (made_of(sums, part) if part in sums else {part: 1.0}).items():
            found[place] = found.get(place, 0.0) + factor * times
            if abs(found[place]) <= NOTHING * abs(factor * times):
                found[place] = 0.0
    return found


def _sums_in_order(amounts: Amounts, order: list[int]) -> tuple[Sums, bool]:
    """Return which columns are sums of those before them, and whether they are totals and nothing else."""
    sums: Sums = {}
    are_totals = True
    for rank, total in enumerate(order):
        before = order[:rank]
        known = total_parts(amounts, total, before, [place for place in before if place not in sums])
        parts = _with_relations(amounts, total, before, known)
        are_totals &= parts == known
        if parts:
            sums[total] = parts
    return sums, are_totals


def _sums_that_add(amounts: Amounts, order: list[int]) -> Sums:
    """Return which columns are sums of those before them, in an order by which as few as can be are taken off others.

    Of gross pay and a tax on it, basic pay would be what the tax says less the bonus, and so be raised by a bonus that
    is cut; the tax is looked at after it then, as a share of both.
    """
    sums, _ = _sums_in_order(amounts, order)
    turned: set[tuple[int, int]] = set()
    while turns := [turn for turn in _turns(sums, order) if turn not in turned][:1]:
        whole, rest = turns[0]
        turned.add(turns[0])
        order = [place for place in order if place != whole]
        order.insert(order.index(rest) + 1, whole)
        sums, _ = _sums_in_order(amounts, order)
    return sums


def _turns(sums: Sums, order: list[int]) -> Iterator[tuple[int, int]]:
    """Yield what is one column less others, and that column, which is their sum."""
    for rest in (place for place in order if place in sums):
        parts = {part: factor for part, factor in made_of(sums, rest).items() if factor}
        added = [part for part, factor in parts.items() if factor > 0]
        if len(added) == 1 < len(parts):
            yield added[0], rest


def _rare_first(amounts: Amounts, by_size: list[int]) -> list[int]:
    """Return columns in the order in which each may be made of those before it: first those that few records have.

    An amount that few have is cut most, and so by itself; what is made of it then shows nothing of what was cut. The
    last are columns that are rounded more than others: they hold nothing that these do not.
    """
    columns = amounts.columns
    has = np.mean(columns != 0, axis=1)
    mean = np.abs(columns).sum(axis=1) / np.maximum(np.count_nonzero(columns, axis=1), 1)
    is_coarse = mean < COARSE * amounts.units
    return sorted(by_size, key=lambda place: (round(float(has[place]), 1), is_coarse[place]))


def _with_relations(amounts: Amounts, total: int, before: list[int], parts: Parts) -> Parts:
    """Return what a column is made of, with what gives the rest exactly in records that the known parts do not give."""
    for _ in range(LAYERS if before else 0):
        added = amounts.relation(total, parts, before)
        both = parts | {place: parts.get(place, 0.0) + factor for place, factor in added.items()}
        both = {place: round(factor, 12) for place, factor in both.items() if abs(factor) > NOTHING}
        open_before = int(np.count_nonzero(amounts.are_open(total, parts)))
        gained = open_before - int(np.count_nonzero(amounts.are_open(total, both)))
        if not added or gained < max(SPARE, EQUAL_SHARE * open_before):
            break
        parts = both
    return parts
