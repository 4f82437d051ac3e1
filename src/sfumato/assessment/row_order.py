"""Whether two files are in the same order of rows: what the records themselves show."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import Booleans, FloatColumn

MIN_DEVIATIONS = 5.0  # of random order; exp(-5^2 / 2), 4 in a million, bounds how often chance reaches it
MIN_PAIRS = int(MIN_DEVIATIONS**2)  # with fewer not even an exact copy reaches it
MIN_PART_DEVIATIONS = 2.0  # of each part that should reach five
MAX_PARTS = 10
MIN_EQUAL_ROWS = 90.0  # percent from which on the files are copies in the same order, however small
MAX_EQUAL_NEIGHBOURS = 50.0  # percent of rows equal to the next one's beyond which copies tell nothing
MAX_IMBALANCE = 4.0  # standard deviations of random order beyond which a column orders the file


@dataclass(frozen=True)
class OrderEvidence:
    """How far two files agree on how each record differs from the next one.

    Parameters
    ----------
    comparisons
        How many differences of a record from its neighbour could be compared, over all columns.
    agreeing
        How many of them go the same way in both files, in percent; 50 by chance.
    pairs
        How many pairs of neighbours these are.
    deviations
        How far the agreement is above that of random order, in standard deviations of it.
    is_in_part
        Whether some part of the file does not agree although the whole does.
    equal_rows
        How many rows are whole the same in both files, in percent; 0 where many rows are like the next one.
    """

    comparisons: int
    agreeing: float
    pairs: int
    deviations: float
    is_in_part: bool
    equal_rows: float

    @property
    def is_copy(self) -> bool:
        """Whether nearly every row has its own copy opposite: even if that is another one's, it is as good."""
        return self.equal_rows >= MIN_EQUAL_ROWS

    @property
    def is_same_order(self) -> bool:
        """Whether chance cannot explain the agreement, in the whole and in each part."""
        return self.is_copy or (self.deviations >= MIN_DEVIATIONS and not self.is_in_part)

    @property
    def is_conclusive(self) -> bool:
        """Whether there are enough pairs for the same order to show."""
        return self.pairs >= MIN_PAIRS


def order_evidence(original: Microdata, masked: Microdata) -> OrderEvidence:
    """Compare how the first and second, third and fourth ... records differ in the two files, column by column.

    If the rows are in random order, each pair of neighbours may as well be exchanged: the sum of the agreements is then
    one of independent signs, whose tail is bounded for any data (Hoeffding). Neighbours are compared, and columns that
    order the file left out, because two files that are only sorted alike would otherwise seem to be in the same order.
    """
    agreement = np.zeros(original.n // 2)
    equal, shifted = np.ones(original.n, dtype=np.bool_), np.ones(original.n, dtype=np.bool_)
    agreeing = comparisons = compared = 0
    for name in original.schema.names:
        columns = _numbers(original, masked, name)
        if columns is None:
            continue
        equal &= _is_equal(*columns)
        shifted &= _is_equal(columns[0], np.roll(columns[1], 1))
        compared += 1
        is_ordered = original.schema[name].kind in (Kind.CONTINUOUS, Kind.ORDINAL)
        if all(orders_rows(column) or (not is_ordered and orders_rows_by_category(column)) for column in columns):
            continue
        found = (_concordance if is_ordered else _matches)(*columns)
        agreement += found
        agreeing, comparisons = agreeing + int((found > 0).sum()), comparisons + int((found != 0).sum())
    percent = 100 * agreeing / comparisons if comparisons else 50.0
    deviations = _deviations(agreement)
    parts = int(min(MAX_PARTS, (deviations / MIN_DEVIATIONS) ** 2)) if deviations > 0 else 0
    in_part = parts > 1 and any(_deviations(part) < MIN_PART_DEVIATIONS for part in np.array_split(agreement, parts))
    tells = compared > 0 and original.n > 1 and shifted.mean() < MAX_EQUAL_NEIGHBOURS / 100
    equal_rows = 100 * float(equal.mean()) if tells else 0.0
    return OrderEvidence(comparisons, percent, int(np.count_nonzero(agreement)), deviations, in_part, equal_rows)


def _numbers(original: Microdata, masked: Microdata, name: str) -> tuple[FloatColumn, FloatColumn] | None:
    """Return a column of both files as numbers that can be compared, or None where it cannot be."""
    if name not in masked.schema or original.schema[name].kind is not masked.schema[name].kind:
        return None
    if original.schema[name].kind is Kind.CONTINUOUS:
        return original.values(name), masked.values(name)
    before, after, _ = common_codes(original, masked, name)
    return before.astype(np.float64), after.astype(np.float64)


def _is_equal(first: FloatColumn, second: FloatColumn) -> Booleans:
    """Tell for each row whether the values are equal, or both missing."""
    return np.asarray((first == second) | (np.isnan(first) & np.isnan(second)), dtype=np.bool_)


def orders_rows(column: FloatColumn) -> bool:
    """Tell whether steps up and down from a row to the next are not balanced: rows are sorted by the column, or partly.

    In random order the difference of ups and downs has a variance of a third of their number.

    Examples
    --------
    >>> orders_rows(np.arange(60.0) % 20), orders_rows(np.arange(60.0) * 7 % 13)
    (True, False)
    """
    steps = np.diff(column)
    up, down = np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)
    return bool(abs(up - down) > MAX_IMBALANCE * np.sqrt((up + down) / 3))


def orders_rows_by_category(codes: FloatColumn) -> bool:
    """Tell whether some categories follow others more often than the other way round, in whatever order.

    The test of symmetry of Bowker (1948): in random order each change from one category to another is as frequent as
    the change back.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> orders_rows_by_category(np.tile([2.0, 0.0, 1.0], 40)), orders_rows_by_category(rng.integers(0, 3, 120) * 1.0)
    (True, False)
    """
    before, after = codes[:-1], codes[1:]
    changes = before != after
    low, high = np.minimum(before, after)[changes], np.maximum(before, after)[changes]
    _, pair = np.unique(low * (codes.max(initial=0.0) + 2) + high, return_inverse=True)
    forward = np.bincount(pair, weights=np.where(before[changes] == low, 1.0, -1.0))
    asymmetry, pairs = float((forward**2 / np.maximum(np.bincount(pair), 1)).sum()), forward.size
    return bool(asymmetry > pairs + MAX_IMBALANCE * np.sqrt(2 * pairs))


def _concordance(original: FloatColumn, masked: FloatColumn) -> FloatColumn:
    """Return for each pair of neighbours 1 if the larger value is the same one's, -1 if not, 0 if nothing tells."""
    signs = [np.sign(column[1::2] - column[: column.size // 2 * 2 : 2]) for column in (original, masked)]
    return np.asarray(np.nan_to_num(signs[0] * signs[1]), dtype=np.float64)


def _matches(original: FloatColumn, masked: FloatColumn) -> FloatColumn:
    """Return for each pair of neighbours 1 if categories stay more often with the same record, -1 if less often."""
    size = original.size // 2 * 2
    first, second = original[:size:2], original[1:size:2]
    masked_first, masked_second = masked[:size:2], masked[1:size:2]
    stay = (first == masked_first).astype(np.float64) + (second == masked_second)
    leave = (first == masked_second).astype(np.float64) + (second == masked_first)
    return np.asarray(np.sign(stay - leave), dtype=np.float64)


def _deviations(agreement: FloatColumn) -> float:
    """Return the sum in standard deviations of one whose signs are random."""
    spread = float(np.sqrt((agreement**2).sum()))
    return float(agreement.sum()) / spread if spread else 0.0
