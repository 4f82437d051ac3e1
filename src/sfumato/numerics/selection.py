"""Numbers that come in parts and are too many to hold at once: their count, sum and ends, and the value of a rank."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import fsum, inf

import numpy as np

from sfumato.numerics.arrays import AnyArray, FloatColumn

ENOUGH_TO_SORT = 1 << 20
DIGIT_BITS = 16
DIGITS = 1 << DIGIT_BITS


@dataclass(frozen=True)
class Extent:
    """How many numbers there are, their sum and their ends."""

    count: int
    total: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, pieces: Iterable[FloatColumn]) -> "Extent":
        """Return the extent of numbers that come in pieces; the sum is the same to the last bit for the same pieces.

        Examples
        --------
        >>> Extent.of([np.array([1.0, 4.0]), np.array([]), np.array([2.5])])
        Extent(count=3, total=7.5, lowest=1.0, highest=4.0)
        """
        found = [(part.size, float(part.sum()), part.min(), part.max()) for part in pieces if part.size]
        if not found:
            return cls(0, 0.0, inf, -inf)
        counts, sums, lows, highs = zip(*found, strict=True)
        return cls(sum(counts), fsum(sums), float(min(lows)), float(max(highs)))


def value_of_rank(parts: Callable[[], Iterable[FloatColumn]], rank: int) -> float:
    """Return the number with `rank` smaller or equal ones before it, from 0 for the smallest.

    Each pass over the parts counts the next digits of the numbers, from the highest on, and so narrows the range in
    which the wanted one lies; what is left in it is sorted as soon as it is little. At most four passes are needed.

    Parameters
    ----------
    parts
        Gives the numbers, none of them NaN, as often as it is called, in parts of any size.
    rank
        At least 0 and below how many numbers there are.

    Examples
    --------
    >>> value_of_rank(lambda: [np.array([3.0, -1.0]), np.array([2.0])], 1)
    2.0
    """
    prefix, known_bits = np.uint64(0), 0
    while known_bits < 64:
        shift = np.uint64(64 - known_bits - DIGIT_BITS)
        counts = np.zeros(DIGITS, dtype=np.int64)
        for part in parts():
            digits = (_inside(part, prefix, known_bits) >> shift) & np.uint64(DIGITS - 1)
            counts += np.bincount(digits.astype(np.int64), minlength=DIGITS)
        ends = np.cumsum(counts)
        digit = int(np.searchsorted(ends, rank, side="right"))
        rank -= int(ends[digit] - counts[digit])
        prefix, known_bits = (prefix << np.uint64(DIGIT_BITS)) | np.uint64(digit), known_bits + DIGIT_BITS
        if counts[digit] <= ENOUGH_TO_SORT and known_bits < 64:
            left = np.sort(np.concatenate([_inside(part, prefix, known_bits) for part in parts()]))
            return _numbers(left[rank : rank + 1])
    return _numbers(np.array([prefix], dtype=np.uint64))


def _inside(part: FloatColumn, prefix: np.uint64, known_bits: int) -> AnyArray:
    """Return the keys of the numbers whose first bits are known: whole numbers in the order of the numbers."""
    bits = (part + 0.0).view(np.uint64)  # of the two zeros, which are equal, only the positive one is left
    top = np.uint64(1) << np.uint64(63)
    keys = np.where(bits & top, ~bits, bits | top)
    return keys[(keys >> np.uint64(64 - known_bits)) == prefix] if known_bits else keys


def _numbers(keys: AnyArray) -> float:
    top = np.uint64(1) << np.uint64(63)
    return float(np.where(keys & top, keys ^ top, ~keys).astype(np.uint64).view(np.float64)[0])
