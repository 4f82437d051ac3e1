"""Sets of records that have a given mean, found by the sums of their halves (meeting in the middle)."""

from math import comb

import numpy as np

from sfumato.kernels.linkage.subset_sums import subsets_in_window
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix

MAX_SIZE = 12  # of sets that are looked for
MAX_HALVES = 400_000  # that are kept at a time
MAX_MATCHES = 1_000_000  # of halves, by one column
FEW_HALVES = 20_000  # of which all are looked at
WAYS = 6  # to halve a set that are expected to be kept: one set in 400 is missed
UNITS = 4.0  # to a deviation of the values, modulo which sums are taken
APART = 20.0  # windows are so many times wider than what is spare


def ways_to_halve(size: int) -> int:
    """Return one in how many halves of sets of a size need be looked at."""
    return max(comb(size, size // 2) // WAYS, 1)


def most_records(size: int, halves: int) -> int:
    """Return of how many records sets of a size can be found by so many halves.

    Examples
    --------
    >>> [most_records(size, 300_000) for size in (3, 6, 8, 12)]
    [775, 122, 53, 27]
    """
    half, records = size - size // 2, size
    while comb(records + 1, half) <= halves and comb(records + 1, half) <= MAX_HALVES * ways_to_halve(size):
        records += 1
    return records


def sets_with_mean(values: FloatMatrix, mean: FloatColumn, size: int, tolerances: FloatColumn) -> CodeMatrix:
    """Return the sets of so many records whose mean is the given one in all columns (sets x records).

    Halves are looked up among the others by the column whose mean is known most precisely. Where there are many, only
    those with sums in one window are, so that a set is missed now and then.

    Examples
    --------
    >>> values = np.array([[1.0, 5.0], [2.0, 7.0], [6.0, 0.0], [3.0, 3.0]])
    >>> sets_with_mean(values, np.array([3.0, 4.0]), 3, np.array([1e-9, 1e-9]))
    array([[0, 1, 2]])
    """
    if len(values) < size or not len(mean):
        return np.empty((0, size), dtype=np.int64)
    finest = int(np.argmax(values.std(axis=0) / np.maximum(tolerances, 1e-300)))
    column = np.ascontiguousarray(values[:, finest])
    wanted, spare = size * mean, size * tolerances
    unit, width = _window(column, size, float(spare[finest]))
    ends = (0.0, width) if width < unit else (0.0, unit)
    first, sums = subsets_in_window(column, size // 2, 0.0, 1.0, unit, *ends)
    around = (-spare[finest], width + 2 * spare[finest]) if width < unit else (0.0, unit)
    second, others = subsets_in_window(column, size - size // 2, float(wanted[finest]), -1.0, unit, *around)
    order = np.argsort(others, kind="stable")
    left, rising = wanted[finest] - sums, others[order]
    low = np.searchsorted(rising, left - spare[finest], side="left")
    counts = np.searchsorted(rising, left + spare[finest], side="right") - low
    if counts.sum() > MAX_MATCHES:  # few different values: sets that come to a mean tell nothing
        return np.empty((0, size), dtype=np.int64)
    one = np.repeat(np.arange(len(counts)), counts)
    other = order[np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)]
    sets = np.sort(np.column_stack([first[one], second[other]]), axis=1)
    sets = sets[(np.diff(sets, axis=1) > 0).all(axis=1)]
    sets = sets[(np.abs(values[sets].sum(axis=1) - wanted) <= spare).all(axis=1)]
    return np.unique(sets, axis=0)


def _window(column: FloatColumn, size: int, spare: float) -> tuple[float, float]:
    """Return modulo what sums are taken, and how wide the window of remainders is; as wide if all are looked at."""
    unit = max(float(column.std()) / UNITS, 1e-300)
    width = unit / ways_to_halve(size)
    is_many = comb(len(column), size - size // 2) > FEW_HALVES
    is_fine = width > APART * spare and len(np.unique(column)) > len(column) / 2
    return (unit, width) if is_many and is_fine else (unit, unit)
