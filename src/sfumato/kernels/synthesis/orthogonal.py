"""Orthonormal bases of columns that may be collinear, and records turned at random inside their group."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers


@compiled
def orthonormalise(columns: Floats, against: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """Return an orthonormal basis of what some columns add to a space, and the columns in terms of it.

    Parameters
    ----------
    columns
        One column per row of the array, shape (d, n).
    against
        Orthonormal basis of the space, one vector per row, shape (m, n); m may be 0.
    tolerance
        A column adds nothing when what is left of it outside the space is at most this share of its length.

    Returns
    -------
    The basis, shape (r, n), its r vectors orthogonal to `against`; and the factor, shape (r, d), so that
    `factor.T @ basis` is the part of `columns` outside the space.

    Notes
    -----
    Gram-Schmidt with pivoting: the next vector is always the column of which the largest share is left. Each vector
    is cleaned twice, since rounding leaves a trace of the others after the first time.
    """
    d = len(columns)
    rest = columns.copy()
    lengths = np.empty(d)
    for j in range(d):
        lengths[j] = np.sqrt(_dot(rest[j], rest[j]))
        for i in range(len(against)):
            _subtract(rest[j], _dot(against[i], rest[j]), against[i])
    basis = np.empty(columns.shape)
    factor = np.zeros((d, d))
    is_used = np.zeros(d, dtype=np.bool_)
    rank = 0
    while rank < d:
        chosen = _largest_share(rest, lengths, is_used, tolerance)
        if chosen < 0:
            break
        is_used[chosen] = True
        vector = basis[rank]
        vector[:] = rest[chosen]
        for i in range(len(against)):
            _subtract(vector, _dot(against[i], vector), against[i])
        for i in range(rank):
            trace = _dot(basis[i], vector)
            factor[i, chosen] += trace
            _subtract(vector, trace, basis[i])
        length = np.sqrt(_dot(vector, vector))
        if length == 0.0:
            continue
        factor[rank, chosen] = length
        vector /= length
        for j in range(d):
            if not is_used[j]:
                factor[rank, j] = _dot(vector, rest[j])
                _subtract(rest[j], factor[rank, j], vector)
        rank += 1
    return basis[:rank].copy(), factor[:rank].copy()


@compiled
def rotate_in_groups(columns: Floats, starts: Integers, draws: Floats, tolerance: float) -> Floats:
    """Return records turned at random about the mean of their group, which keeps the group's mean and covariance.

    Parameters
    ----------
    columns
        One column per row of the array, the records of each group side by side, shape (d, n).
    starts
        Where each group starts, and n at the end, shape (groups + 1,).
    draws
        Standard normal numbers, shape (d, n).
    tolerance
        As in `orthonormalise`.

    Notes
    -----
    The centred records of a group are factor' basis, so that their covariance is that of the factor alone. The basis
    is exchanged for one made of the draws.
    """
    turned = np.empty(columns.shape)
    for group in range(len(starts) - 1):
        start, stop = starts[group], starts[group + 1]
        size = stop - start
        own = columns[:, start:stop].copy()
        means = np.empty(len(own))
        for j in range(len(own)):
            means[j] = own[j].sum() / size
            own[j] -= means[j]
        constant = np.full((1, size), 1.0 / np.sqrt(size))
        basis, factor = orthonormalise(own, constant, tolerance)
        other, _ = orthonormalise(draws[: len(basis), start:stop].copy(), constant, 0.0)
        for j in range(len(own)):
            turned[j, start:stop] = means[j]
            for i in range(len(other)):
                _subtract(turned[j, start:stop], -factor[i, j], other[i])
    return turned


@compiled
def _largest_share(rest: Floats, lengths: Floats, is_used: Booleans, tolerance: float) -> int:
    """Return the unused column of which the largest share is left, -1 where none exceeds the tolerance."""
    chosen, largest = -1, tolerance
    for j in range(len(rest)):
        if is_used[j] or lengths[j] == 0.0:
            continue
        share = np.sqrt(_dot(rest[j], rest[j])) / lengths[j]
        if share > largest:
            chosen, largest = j, share
    return chosen


@compiled
def _dot(one: Floats, other: Floats) -> float:
    """Return the sum of the products, added in order."""
    total = 0.0
    for i in range(one.size):
        total += one[i] * other[i]
    return total


@compiled
def _subtract(vector: Floats, times: float, other: Floats) -> None:
    """Take a multiple of another vector away (output: vector)."""
    for i in range(vector.size):
        vector[i] -= times * other[i]
