"""Pairs of columns of numbers that may tell a key together: by their sum, difference, product or ratio."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from sfumato.data import METRIC, Kind, Microdata
from sfumato.keys.number_codes import numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import stable_order, stable_orders

FIRST_LOOK, SECOND_LOOK = (
    600,
    5_000,
)  # records, by which most pairs are left aside, and those that seem to tell something
MIN_RECORDS = 20  # that have both columns: of fewer nothing is concluded
MAX_CLASSES = 12  # of an ordered key, by which its neighbours are looked at together
BETTER = 0.85  # of the changes of a key in the order of one column: a pair with more tells hardly more than it
ERRORS = 4  # standard errors below what chance would give
AT_ONCE = 1_000_000  # values of pairs that are looked at together
CELLS = 100  # into which what a pair gives is cut, of the range of nine of ten records
DAYS_OF_YEAR = 365.25


class KeySource(Protocol):
    """What several columns give together, as numbers that tell a key."""

    @property
    def words(self) -> str:
        """What is put together, in words."""

    def of(self, data: Microdata) -> FloatColumn:
        """Return what the columns of a file give together."""


@dataclass(frozen=True)
class ColumnPair:
    """Two columns and how they are put together.

    Parameters
    ----------
    first, second
        The columns.
    factor
        By what the second is multiplied before both are added: -1 is their difference.
    is_log
        Whether logarithms are added: 1 is then the product of both, -1 their ratio.
    """

    first: str
    second: str
    factor: float = 1.0
    is_log: bool = False

    @property
    def words(self) -> str:
        """What is put together, in words."""
        ways = {1.0: "product", -1.0: "ratio"} if self.is_log else {}
        way = ways.get(self.factor)
        return f"the {way} of {self.first} and {self.second}" if way else f"{self.first} and {self.second} together"

    def of(self, data: Microdata) -> FloatColumn:
        """Return what the columns of a file give together."""
        return self.of_values({name: numbers_of(data, name) for name in (self.first, self.second)})

    def of_values(self, values: Mapping[str, FloatColumn]) -> FloatColumn:
        """Return what columns give together; missing where a logarithm of one does not exist."""
        first, second = values[self.first], values[self.second]
        if self.is_log:
            first, second = logarithms(first), logarithms(second)
        return np.asarray(first + self.factor * second)


def is_number(data: Microdata, name: str) -> bool:
    """Tell whether a column holds numbers or dates, which can be added."""
    return name in data.schema and data.schema[name].kind in METRIC


def usual_pairs(data: Microdata, columns: Sequence[str]) -> list[ColumnPair]:
    """Return all pairs of some columns in the ways that they are usually put together.

    Beside a date a number is days or years, and dates have no logarithms.
    """
    pairs = []
    for first, second in combinations(columns, 2):
        dates = [data.schema[name].kind is Kind.DATE for name in (first, second)]
        if all(dates):
            pairs.append(ColumnPair(first, second, -1.0))
            continue
        year = DAYS_OF_YEAR if dates[0] else 1 / DAYS_OF_YEAR
        factors = (1.0, -1.0, year, -year) if any(dates) else (1.0, -1.0)
        pairs += [ColumnPair(first, second, factor) for factor in factors]
        if not any(dates):
            pairs += [ColumnPair(first, second, factor, is_log=True) for factor in (-1.0, 1.0)]
    return pairs


def promising_pairs(
    values: Mapping[str, FloatColumn], pairs: Sequence[ColumnPair], keys: Mapping[str, CodeColumn]
) -> list[tuple[str, ColumnPair]]:
    """Return keys with the pairs in whose order they change more seldom than in that of either column, or by chance.

    Parameters
    ----------
    values
        Columns of numbers, whose records are in random order.
    pairs
        The pairs to look at.
    keys
        Keys as codes, missing as -1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> size, income = rng.integers(1, 5, 900), rng.lognormal(size=900)
    >>> pair = ColumnPair("income", "by_head", -1.0, is_log=True)
    >>> columns = {"income": income, "by_head": income / size}
    >>> found = promising_pairs(columns, [pair], {"size": size, "luck": size[::-1]})
    >>> [(key, pair.words) for key, pair in found]
    [('size', 'the ratio of income and by_head')]
    """
    wanted = np.ones((len(pairs), len(keys)), dtype=np.bool_)
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    for look in (FIRST_LOOK, SECOND_LOOK):
        few = {name: values[name][:look] for name in names}
        codes = np.array([in_few_classes(column[:look]) for column in keys.values()])
        left = np.flatnonzero(wanted.any(axis=1))
        alone = {name: _changes(column, codes) for name, column in few.items()} if left.size else {}
        for some in _by_parts(left, min(look, codes.shape[-1])):
            tried = [pairs[place] for place in some]
            limits = BETTER * np.array([np.minimum(alone[pair.first], alone[pair.second]) for pair in tried])
            together = _together(tried, few)
            wanted[some] &= (_changes_by_row(together, codes) <= limits) & _has_enough(together)[:, None]
        for place in np.flatnonzero(wanted.any(axis=1)).tolist():
            told = np.flatnonzero(wanted[place])
            wanted[place, told] = [_is_told(pairs[place], few, codes[[key]]) for key in told]
    return [(name, pairs[place]) for at, name in enumerate(keys) for place in np.flatnonzero(wanted[:, at]).tolist()]


def _by_parts(places: Rows, width: int) -> list[Rows]:
    """Return pairs in parts of which each is looked at together."""
    return np.array_split(places, max(-(-places.size * width // AT_ONCE), 1)) if places.size else []


def _together(pairs: Sequence[ColumnPair], values: Mapping[str, FloatColumn]) -> FloatMatrix:
    """Return what pairs of columns give together (pairs x records)."""
    names = {name: place for place, name in enumerate(values)}
    both = np.array([*values.values(), *map(logarithms, values.values())])
    scale = np.array([pair.is_log * len(names) for pair in pairs])
    first, second = np.array([(names[pair.first], names[pair.second]) for pair in pairs]).T + scale
    return np.asarray(both[first] + np.array([pair.factor for pair in pairs])[:, None] * both[second])


def _has_enough(together: FloatMatrix) -> Booleans:
    """Tell which pairs enough records have."""
    return np.asarray(np.count_nonzero(np.isfinite(together), axis=1) >= MIN_RECORDS)


def _changes_by_row(together: FloatMatrix, codes: CodeMatrix) -> FloatMatrix:
    """Return how often each key (keys x records) changes in the order of each row, as a share (rows x keys)."""
    order = stable_orders(together)
    is_inside = np.arange(1, together.shape[1]) < np.count_nonzero(~np.isnan(together), axis=1)[:, None]
    inside = np.maximum(np.count_nonzero(is_inside, axis=1), 1)
    changes = np.empty((len(together), len(codes)))
    for place, key in enumerate(codes.astype(np.int32)):
        ordered = key[order]
        changes[:, place] = np.count_nonzero((ordered[:, 1:] != ordered[:, :-1]) & is_inside, axis=1) / inside
    return changes


def _is_told(pair: ColumnPair, values: Mapping[str, FloatColumn], codes: CodeMatrix) -> bool:
    """Tell whether a key (1 x records) changes more seldom in the order of a pair than in either's, and by chance.

    Compared are the records that have both columns.
    """
    together = pair.of_values(values)
    rows: Rows = np.flatnonzero(np.isfinite(together))
    key = codes[:, rows]
    differing = differing_share(key[0])
    alone = [_changes(values[column][rows], key)[0] for column in (pair.first, pair.second)]
    by_chance = differing - ERRORS * np.sqrt(differing * (1 - differing) / rows.size)
    return bool(_changes(together, codes)[0] <= min(by_chance, BETTER * min(alone)))


def in_few_classes(codes: CodeColumn) -> CodeColumn:
    """Return ordered codes with neighbours together where there are many, in classes of about as many records."""
    known = codes >= 0
    if np.count_nonzero(np.bincount(codes[known])) <= MAX_CLASSES if known.any() else True:
        return codes
    borders = np.quantile(codes[known], np.arange(1, MAX_CLASSES) / MAX_CLASSES)
    return np.where(known, np.searchsorted(borders, codes, side="right"), -1)


def in_cells(values: FloatColumn) -> FloatColumn:
    """Return numbers rounded to a hundredth of the range of nine of ten, so that what differs by less is equal."""
    known = values[np.isfinite(values)]
    if not known.size:
        return values
    step = max(central_width(known) / CELLS, ROUNDING * float(np.abs(known).max()))
    return np.round(values / step) if step else values


def _changes(values: FloatColumn, codes: CodeMatrix) -> FloatColumn:
    """Return how often each of some keys (keys x records) changes in the order of a column, as a share."""
    known = values.size - int(np.count_nonzero(np.isnan(values)))
    ordered = codes[:, stable_order(values)[:known]]
    return np.asarray(np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1) / max(known - 1, 1))


def differing_share(codes: CodeColumn) -> float:
    """Return the share of pairs of records that differ in a key, missing being a value of its own."""
    counts = np.bincount(codes + 1).astype(np.float64)
    return 1 - float((counts * (counts - 1)).sum()) / max(codes.size * (codes.size - 1), 1)


def logarithms(values: FloatColumn) -> FloatColumn:
    """Return logarithms, missing where there is none."""
    return np.asarray(np.log(np.where(values > 0, values, np.nan)))
