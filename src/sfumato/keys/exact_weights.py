"""Sums of weights that are exact, so that they are the same however a file is cut into parts."""

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn

BITS = 26
UNIT = float(1 << BITS)


def split_weights(weights: FloatColumn) -> CodeMatrix:
    """Return weights of 1 or more as whole numbers: of ones, of 2^-26 and of 2^-52 (three rows, one column for each).

    Sums of these are exact for up to 10^10 weights.

    Examples
    --------
    >>> split_weights(np.array([1.5, 3.0]))
    array([[       1,        3],
           [33554432,        0],
           [       0,        0]])
    """
    ones = np.floor(weights)
    rest = (weights - ones) * UNIT
    middle = np.floor(rest)
    return np.array([ones, middle, (rest - middle) * UNIT]).astype(np.int64)


def join_weights(parts: CodeMatrix) -> FloatColumn:
    """Return the weights, or sums of weights, that `split_weights` has split, rounded once.

    Examples
    --------
    >>> join_weights(split_weights(np.array([0.1 + 1, 2.2, 3.3])).sum(axis=1)[:, None])
    array([6.6])
    """
    ones, middle, least = parts
    middle = middle + (least >> BITS)
    ones, middle, least = ones + (middle >> BITS), middle & ((1 << BITS) - 1), least & ((1 << BITS) - 1)
    return np.asarray(ones + (middle * (1 << BITS) + least) / UNIT**2, dtype=np.float64)
