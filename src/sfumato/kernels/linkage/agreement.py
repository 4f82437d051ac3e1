"""Compare pairs of records column by column: how far apart they are, and what that weighs.

The discrepancy of a pair in a column is |original - masked| times the scale of the original value; it is NaN where one
of the two is missing, and infinite where they cannot be compared.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers, ShortIntegers


@compiled
def weigh_all(original: Floats, scales: Floats, masked: Floats, slopes: Floats, heights: Floats, table: Floats) -> None:
    """Add the weight of every pair to `table` (output, masked x original).

    Parameters
    ----------
    original, scales
        Values of the original records and their scales, shape (d, n).
    masked
        Values of the masked records, shape (d, m).
    slopes, heights
        For each column what the weight loses for each unit of discrepancy, down to 0, and the weight of full agreement;
        shape (d,). A missing value weighs 0.
    """
    for k in range(masked.shape[1]):
        row = table[k]
        for j in range(len(original)):
            value, slope, height = masked[j, k], slopes[j], heights[j]
            column, scale = original[j], scales[j]
            if np.isnan(value):
                continue
            for i in range(len(row)):
                weight = height - slope * (abs(column[i] - value) * scale[i])
                row[i] += weight if weight > 0.0 else 0.0


@compiled
def weigh_pairs(
    original: Floats,
    scales: Floats,
    masked: Floats,
    candidates: Integers,
    slopes: Floats,
    heights: Floats,
    weights: Floats,
) -> None:
    """Put the weight of each masked record with each of its candidates into `weights` (output, as `candidates`).

    As `weigh_all`, but with the records in rows; `candidates` holds rows of the original, shape (m, k), -1 for none.
    """
    for k in range(len(candidates)):
        for place in range(candidates.shape[1]):
            i = candidates[k, place]
            total = 0.0
            for j in range(masked.shape[1] if i >= 0 else 0):
                weight = heights[j] - slopes[j] * (abs(original[i, j] - masked[k, j]) * scales[i, j])
                total += weight if weight > 0.0 else 0.0
            weights[k, place] = total


@compiled
def level_pairs(
    original: Floats,
    scales: Floats,
    masked: Floats,
    candidates: Integers,
    reach: float,
    starts: Integers,
    sizes: Integers,
    levels: ShortIntegers,
) -> None:
    """Put the level of each masked record with each of its candidates in each column into `levels` (output, m x k x d).

    Parameters
    ----------
    original, scales, masked, candidates
        As for `weigh_pairs`.
    reach
        The discrepancy from which on the level is the last.
    starts, sizes
        For each column the number of its first level, and how many it has. A missing value has the level -1.
    """
    for k in range(len(candidates)):
        for place in range(candidates.shape[1]):
            i = candidates[k, place]
            for j in range(masked.shape[1]):
                levels[k, place, j] = -1
                if i >= 0:
                    discrepancy = abs(original[i, j] - masked[k, j]) * scales[i, j]
                    if not np.isnan(discrepancy):
                        level = min(discrepancy * ((sizes[j] - 1) / reach), sizes[j] - 1)
                        levels[k, place, j] = starts[j] + int(level)


@compiled
def count_levels(original: Floats, scales: Floats, masked: Floats, reach: float, counts: Floats) -> None:
    """Add to `counts` (output, one per level) the pairs of each level in one column, every value with every value."""
    last = len(counts) - 1
    for i in range(len(original)):
        for k in range(len(masked)):
            discrepancy = abs(original[i] - masked[k]) * scales[i]
            counts[int(min(discrepancy * (last / reach), last))] += 1.0


@compiled
def weigh_levels(levels: ShortIntegers, weights: Floats, totals: Floats) -> None:
    """Put the total weight of each pair into `totals` (output, m x k); minus infinity where nothing is compared."""
    m, count, d = levels.shape
    for k in range(m):
        for place in range(count):
            total, compared = 0.0, False
            for j in range(d):
                level = levels[k, place, j]
                if level >= 0:
                    total += weights[level]
                    compared = True
            totals[k, place] = total if compared else -np.inf


@compiled
def expect_levels(levels: ShortIntegers, totals: Floats, counts: Floats) -> float:
    """Add to `counts` (output, one per level) how often each level is expected in pairs of the same record.

    Each masked record has one of its candidates as its partner, with a chance in proportion to exp(total weight).

    Returns
    -------
    The sum over masked records of the logarithm of the mean of exp(total weight) over their candidates.
    """
    m, count, d = levels.shape
    likelihood = 0.0
    chances = np.empty(count)
    for k in range(m):
        highest = -np.inf  # looked for here: the largest of an array compiles slowly
        for place in range(count):
            highest = max(highest, totals[k, place])
        if highest == -np.inf:
            continue
        total, compared = 0.0, 0
        for place in range(count):
            chances[place] = np.exp(totals[k, place] - highest)
            total += chances[place]
            compared += totals[k, place] > -np.inf
        likelihood += highest + np.log(total / compared)
        for place in range(count):
            for j in range(d):
                level = levels[k, place, j]
                if level >= 0:
                    counts[level] += chances[place] / total
    return likelihood
