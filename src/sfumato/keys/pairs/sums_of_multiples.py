"""Sums of multiples of columns that come near a target in many records: a total beside its parts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, correlation, trimmed_fit
from sfumato.keys.pairs.pair_amounts import MIN_FITTED, MIN_TOLD
from sfumato.numerics.arrays import FloatColumn, Rows

FIRST_LOOK, MAX_FITTED = 300, 5_000  # records, by which most fits are left aside, and by which others are made
MAX_FOR_SUM = 100  # columns of which a sum is looked for, those that go with the masked one most
MIN_FOR_EACH = 5  # records with all columns of a sum, for each of them: of fewer a fit says nothing
MIN_OBSERVED = 0.8  # of the records: a sum is looked for of the columns that so many have, and of others too
EQUAL_FACTORS = 0.05  # apart at most, by which columns are added up: such a sum may be a mean of those that there are
NAMED = 0.01  # of the range of a masked column: a column that adds less to it is not named
WITHIN = 0.01  # of a value, and of the range of nine of ten values: what is computed as near as that is told


def sums_of_multiples(
    target: FloatColumn, columns: Mapping[str, FloatColumn], likely: Sequence[tuple[str, ...]] = ()
) -> Iterator[tuple[tuple[str, ...], FloatColumn]]:
    """Yield the columns of which a target is a sum of multiples in enough records, and that sum.

    Tried are as many columns as enough records have together, and those that are `likely` to give the target.
    """
    rows = some_rows(np.flatnonzero(np.isfinite(target)))
    if rows.size < MIN_FITTED:
        return
    tried = dict.fromkeys(_often_known(target, columns, rows, least) for least in (MIN_OBSERVED, 0.0))
    tried |= dict.fromkeys(likely)
    for used in tried:
        found = _sum_of(target, columns, used, rows)
        while found is not None:
            yield found.columns, found.computed
            size = np.abs(found.factors).max()
            if len(found.columns) > 1 and np.ptp(found.factors) <= EQUAL_FACTORS * size:
                for total in _totals([columns[name] for name in found.columns], float(found.factors.mean())):
                    yield found.columns, total + np.nanmedian(target - total)
            is_all = len(found.columns) == len(used)  # else more records have those that the sum needs
            used = found.columns
            found = None if is_all else _sum_of(target, columns, used, rows)


class _Sum(NamedTuple):
    """Columns that add much to a sum of multiples, their factors, and what comes out in each record."""

    columns: tuple[str, ...]
    factors: FloatColumn
    computed: FloatColumn


def _sum_of(target: FloatColumn, columns: Mapping[str, FloatColumn], used: tuple[str, ...], rows: Rows) -> _Sum | None:
    """Return the best sum of multiples of some columns; None where it gives too little of the target."""
    if not used:
        return None
    some, wanted = np.column_stack([columns[name][rows] for name in used]), target[rows]
    complete = np.isfinite(some).all(axis=1)
    some, wanted = some[complete], wanted[complete]
    few = slice(None, max(FIRST_LOOK, MIN_FOR_EACH * len(used)))
    if wanted.size < MIN_FITTED or not is_told(trimmed_fit(some[few], wanted[few]).rest, wanted[few]):
        return None
    fit = trimmed_fit(some, wanted)
    if not is_told(fit.rest, wanted):
        return None
    spread = central_width(wanted)
    added = np.array([abs(factor) * central_width(one) for factor, one in zip(fit.factors, some.T, strict=True)])
    named = np.flatnonzero(added >= NAMED * spread)
    if not named.size:
        return None
    constant = float(np.median(wanted - fit.rest - some @ fit.factors))
    computed = np.column_stack([columns[name] for name in used]) @ fit.factors + constant
    return _Sum(tuple(used[place] for place in named), fit.factors[named], computed)


def _often_known(target: FloatColumn, columns: Mapping[str, FloatColumn], rows: Rows, least: float) -> tuple[str, ...]:
    """Return the columns that at least some share of the records have, as many as enough records have together.

    Those that most records have come first, and of these those that go with the target.
    """
    few, known = rows[:FIRST_LOOK], {name: np.isfinite(column[rows]) for name, column in columns.items()}
    shares = {name: float(np.mean(one)) for name, one in known.items()}
    by_share = sorted(
        (name for name in columns if shares[name] >= least),
        key=lambda name: (-round(shares[name], 1), -correlation(target[few], columns[name][few])),
    )
    used, together = list[str](), np.ones(rows.size, dtype=np.bool_)
    for name in by_share:
        both = together & known[name]
        if np.count_nonzero(both) >= max(MIN_FITTED, MIN_FOR_EACH * (len(used) + 1)) and len(used) < MAX_FOR_SUM:
            used.append(name)
            together = both
    return tuple(name for name in columns if name in used)


def _totals(columns: Sequence[FloatColumn], factor: float) -> tuple[FloatColumn, FloatColumn]:
    """Return the sum or the mean of columns, whichever is nearer: of those without a gap, and as if gaps were alike."""
    values = np.column_stack(columns)
    usual = min(
        (1.0, 1 / len(columns), factor), key=lambda one: (abs(one - factor) > EQUAL_FACTORS * factor, one == factor)
    )
    known = np.isfinite(values).sum(axis=1)
    total = np.where(known > 0, usual * np.nansum(values, axis=1), np.nan)
    return total, total * (len(columns) / np.maximum(known, 1))


def some_rows(rows: Rows) -> Rows:
    """Return a part of many rows in random order: which are looked at is no secret."""
    return np.random.default_rng(0).permutation(rows)[:MAX_FITTED]


def is_told(rest: FloatColumn, target: FloatColumn) -> bool:
    """Tell whether enough of a target is left over in hardly any record."""
    near = np.abs(rest) <= WITHIN * central_width(target) + ROUNDING * np.abs(target)
    return bool(np.count_nonzero(near) >= MIN_TOLD * target.size)
