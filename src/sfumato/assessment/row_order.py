"""Whether two files are in the same order of rows: what the records themselves show."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import Booleans, FloatColumn, Hashes, Integers, TinyIntegers
from sfumato.numerics.hashing import is_among, unique_hashes
from sfumato.risk.linkage.shared_records import FEW, MOST, cell_hashes

# Where either of two neighbours may as well come first, chance reaches five with at most exp(-5^2 / 2), 4 in a million;
# where it may not, as in couples, the evidence is what exceeds the rolled files, and the bound is no proof.
MIN_DEVIATIONS = 5.0
MIN_UNLIKE_CHANCE = 3.0  # chance reaches it with at most 1 percent: below, nothing speaks for the pairs
MIN_PAIRS = int(MIN_DEVIATIONS**2)  # with fewer not even an exact copy reaches it
MIN_PAIRS_OF_CHANCE = 50  # with fewer the right pairs of a strongly masked file may agree no more than strangers
MIN_PART_DEVIATIONS = 2.0  # of each half, or of each part that should reach five
MAX_PARTS = 10
MIN_EQUAL_ROWS = 90.0  # percent from which on the files are copies in the same order, however small
MAX_EQUAL_NEIGHBOURS = 50.0  # percent of rows equal to the next one's beyond which copies tell nothing
ROLLS = 4  # of a period, forward and back: near enough that the rhythm is the same, enough that chance evens out
MAX_PERIOD = 400  # pairs; a year of days is 365
MAX_IMBALANCE = 4.0  # standard deviations of random order beyond which a column orders the file


@dataclass(frozen=True)
class OrderEvidence:
    """How far two files agree on how each record differs from the next one.

    Parameters
    ----------
    comparisons
        How many differences of a record from its neighbour could be compared, over all columns.
    agreeing
        How many of them go the same way in both files, in percent.
    by_chance
        How many do so if one file is rolled against the other by the period for which most do, in percent; near 50
        unless the rows have a rhythm.
    pairs
        How many pairs of neighbours these are.
    deviations
        How far the agreement is above that of random order, in standard deviations of it.
    excess
        The same for what is above the agreement of the rolled files.
    is_in_part
        Whether some part of the file does not agree although the whole does.
    equal_rows
        How many rows are whole the same in both files, in percent; 0 where many rows are like the next one.
    has_moved_copies
        Whether most masked records are whole copies of unique originals that stand in other rows.
    ordered_by
        The columns that order the rows of both files.
    """

    comparisons: int
    agreeing: float
    by_chance: float
    pairs: int
    deviations: float
    excess: float
    is_in_part: bool
    equal_rows: float
    has_moved_copies: bool
    ordered_by: tuple[str, ...] = ()

    @property
    def is_copy(self) -> bool:
        """Whether nearly every row has its own copy opposite: even if that is another one's, it is as good."""
        return self.equal_rows >= MIN_EQUAL_ROWS

    @property
    def is_same_order(self) -> bool:
        """Whether neither chance nor rhythm can explain the agreement, in the whole and in each part."""
        if self.is_copy or self.has_moved_copies:
            return self.is_copy
        return min(self.deviations, self.excess) >= MIN_DEVIATIONS and not self.is_in_part

    @property
    def is_rhythm(self) -> bool:
        """Whether a rhythm of the rows may explain an agreement that chance cannot."""
        return self.deviations >= MIN_DEVIATIONS > self.excess and not self.is_copy

    @property
    def is_like_chance(self) -> bool:
        """Whether there are so many pairs that right ones would show it, and they agree as those of strangers may."""
        return self.pairs >= MIN_PAIRS_OF_CHANCE and self.deviations < MIN_UNLIKE_CHANCE and not self.is_copy

    @property
    def is_conclusive(self) -> bool:
        """Whether there are enough pairs for the same order to show."""
        return self.pairs >= MIN_PAIRS


def order_evidence(original: Microdata, masked: Microdata) -> OrderEvidence:
    """Compare how the first and second, third and fourth ... records differ in the two files, column by column.

    If either of two neighbours may as well come first, the sum of the agreements is one of independent signs, whose
    tail is bounded for any data (Hoeffding). Neighbours are compared, and columns that order the file left out, because
    two files that are only sorted alike would otherwise seem to be in the same order. Rows with a rhythm (man and
    woman, case and control, months) agree as well if one file is rolled by its period: what exceeds that counts.
    """
    rows = _compare_rows(original, masked)
    together = rows.first * rows.second
    agreement = together.sum(axis=0, dtype=np.float64)
    rolled, by_chance = _rolled_agreement(rows.first, rows.second, _period(rows.first, rows.second))
    excess = agreement - rolled
    return OrderEvidence(
        comparisons=int(np.count_nonzero(together)),
        agreeing=_percent_agreeing(int(np.count_nonzero(together > 0)), int(np.count_nonzero(together))),
        by_chance=by_chance,
        pairs=int(np.count_nonzero(agreement)),
        deviations=_deviations(agreement),
        excess=_deviations(excess),
        is_in_part=_is_in_part(excess),
        equal_rows=rows.equal,
        has_moved_copies=rows.columns > 1 and _has_moved_copies(*rows.hashes),  # swapping moves single values
        ordered_by=rows.ordered_by,
    )


@dataclass(frozen=True, eq=False)
class _ComparedRows:
    """The rows of two files, opposite each other.

    Parameters
    ----------
    columns
        How many columns can be compared.
    first, second
        The steps from each second record to its neighbour in the two files, columns that do not order the rows x pairs.
    equal
        How many rows are whole the same in both files, in percent; 0 where many rows are like the next one.
    hashes
        A hash of each whole row, in the two files.
    ordered_by
        The columns that order the rows of both files.
    """

    columns: int
    first: TinyIntegers
    second: TinyIntegers
    equal: float
    hashes: tuple[Hashes, Hashes]
    ordered_by: tuple[str, ...]


def _compare_rows(original: Microdata, masked: Microdata) -> _ComparedRows:
    """Compare the rows of two files column by column."""
    steps: list[tuple[TinyIntegers, TinyIntegers]] = []
    equal, shifted = np.ones(original.n, dtype=np.bool_), np.ones(original.n, dtype=np.bool_)
    hashes = np.zeros((2, original.n), dtype=np.uint64)
    compared, ordered_by = 0, list[str]()
    for name in original.schema.names:
        columns = _numbers(original, masked, name)
        if columns is None:
            continue
        equal &= _is_equal(*columns)
        shifted &= _is_equal(columns[0], np.roll(columns[1], 1))
        hashes += cell_hashes(original, masked, name, compared)
        compared += 1
        is_ordered = original.schema[name].kind in (Kind.CONTINUOUS, Kind.ORDINAL)
        if all(orders_rows(column) or (not is_ordered and orders_rows_by_category(column)) for column in columns):
            ordered_by.append(name)
            continue
        steps.append((_steps(columns[0]), _steps(columns[1])))
    first, second = (
        np.array([pair[file] for pair in steps], dtype=np.int8).reshape(len(steps), original.n // 2) for file in (0, 1)
    )
    tells = compared > 0 and original.n > 1 and shifted.mean() < MAX_EQUAL_NEIGHBOURS / 100
    return _ComparedRows(
        compared, first, second, 100 * float(equal.mean()) if tells else 0.0, (hashes[0], hashes[1]), tuple(ordered_by)
    )


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


def _steps(column: FloatColumn) -> TinyIntegers:
    """Return for each pair of neighbours 1 if the second one's value is larger, -1 if smaller, 0 if nothing tells."""
    return np.nan_to_num(np.sign(column[1::2] - column[: column.size // 2 * 2 : 2])).astype(np.int8)


def _period(first: TinyIntegers, second: TinyIntegers) -> int:
    """Return the number of pairs by which one file must be rolled for most agreement; 0 in files too short to roll.

    The agreement at all lags is a correlation, and comes from one Fourier transform of each column.
    """
    pairs = first.shape[1]
    periods = range(1, min(MAX_PERIOD, pairs // ROLLS) + 1)
    if not periods or not first.size:
        return 0
    spectrum = np.zeros(pairs + 1, dtype=np.complex128)
    for before, after in zip(first, second, strict=True):
        spectrum += np.fft.rfft(before, 2 * pairs) * np.conj(np.fft.rfft(after, 2 * pairs))
    agreement = np.fft.irfft(spectrum, 2 * pairs)

    def mean(period: int) -> float:
        lags = _lags(period, pairs)
        return float(agreement[lags].sum() / (pairs - np.abs(lags)).sum())

    return max(periods, key=mean)


def _lags(period: int, pairs: int) -> Integers:
    """Return the multiples of the period, forward and back, that leave at least half of the pairs to compare."""
    forward = period * np.arange(1, ROLLS + 1)
    forward = forward[forward <= pairs // 2]
    return np.concatenate([forward, -forward])


def _rolled_agreement(first: TinyIntegers, second: TinyIntegers, period: int) -> tuple[FloatColumn, float]:
    """Return for each pair its mean agreement with those some periods away, and how many comparisons agree so."""
    pairs = first.shape[1]
    total, counted = np.zeros(pairs), np.zeros(pairs)
    agreeing = comparisons = 0
    for lag in _lags(period, pairs) if period else ():
        here, there = slice(max(lag, 0), pairs + min(lag, 0)), slice(max(-lag, 0), pairs + min(-lag, 0))
        together = first[:, here] * second[:, there]
        total[here] += together.sum(axis=0, dtype=np.float64)
        counted[here] += 1
        agreeing += int(np.count_nonzero(together > 0))
        comparisons += int(np.count_nonzero(together))
    return total / np.maximum(counted, 1), _percent_agreeing(agreeing, comparisons)


def _is_in_part(excess: FloatColumn) -> bool:
    """Tell whether the whole agrees but some part does not: of halves, or of as many parts as should reach five."""
    whole = _deviations(excess)
    if whole < MIN_DEVIATIONS:
        return False
    parts = int(np.clip((whole / MIN_DEVIATIONS) ** 2, 2, MAX_PARTS))
    return any(_deviations(part) < MIN_PART_DEVIATIONS for part in np.array_split(excess, parts))


def _percent_agreeing(agreeing: int, comparisons: int) -> float:
    return 100 * agreeing / comparisons if comparisons else 50.0


def _has_moved_copies(original: Hashes, masked: Hashes) -> bool:
    """Tell whether most masked records equal a unique original, but fewer than half of them the one opposite."""
    copies = is_among(masked, unique_hashes(original))
    in_place = copies & (original == masked)
    are_most = copies.sum() >= FEW and 100 * copies.mean() >= MOST
    return bool(are_most and 2 * in_place.sum() < copies.sum())


def _deviations(agreement: FloatColumn) -> float:
    """Return the sum in standard deviations of one whose signs are random."""
    spread = float(np.sqrt((agreement**2).sum()))
    return float(agreement.sum()) / spread if spread else 0.0
