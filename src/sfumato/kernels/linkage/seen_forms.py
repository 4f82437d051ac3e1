"""What a masked record that shows noisy values more or less exactly asks of each original that it may come from."""

import math
from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

FINE = 0.1  # of a variance, up to which an interval may pass for a little more noise
NEGLIGIBLE = 1e-7
EXTRA = 3  # elements of mixtures beyond the values that are seen
JITTER = 1e-10  # of the variance of each column: columns that add up have no density otherwise


class SeenForm(NamedTuple):
    """How what is seen of noisy values becomes white, and what it lets expect of the rest.

    Parameters
    ----------
    seen, wide
        The columns whose values are seen exactly, or nearly so, shape (s,), and those known by a wide interval, (w,).
    middles
        The values that are seen.
    white
        The matrix that makes them white inside each component, shape (s, s).
    basis
        Directions of the white values in which elements of the noise come in one at a time, from the last, (r, s).
    triangle
        The loads of the elements there, shape (r, e).
    enters
        Where each element comes in; -1 for one that moves none of them, shape (e,).
    gains
        What the white values let expect of the wide ones, shape (w, s).
    wide_loads, wide_covariance
        The loads of the elements on the wide values given the others, (w, e), and their covariance, (w, w).
    constant
        What the logarithms of densities have in common.
    """

    seen: Integers
    wide: Integers
    middles: Floats
    white: Floats
    basis: Floats
    triangle: Floats
    enters: Integers
    gains: Floats
    wide_loads: Floats
    wide_covariance: Floats
    constant: float


@compiled
def seen_form(
    low: Floats, high: Floats, spread: Floats, normal: Floats, loads: Floats, variances: Floats, most: int
) -> SeenForm:
    """Return the form of a record: values that are exact or nearly so first, wide intervals given them.

    With more elements than `most`, intervals that have two ends pass for values with a little more noise, and elements
    beyond a few more than there are values seen for normal: the weakest of them.
    """
    if loads.shape[1] > most:
        spread, low, high = spread.copy(), low.copy(), high.copy()
        for c in range(len(low)):
            if high[c] > low[c] and not math.isinf(high[c] - low[c]):
                spread[c] += (high[c] - low[c]) ** 2 / 12.0
                low[c] = high[c] = 0.5 * (low[c] + high[c])
    form = _plain_form(low, high, spread, normal, loads, variances)
    extra = loads.shape[1] - max(most, len(form.seen) + EXTRA)
    if extra <= 0:
        return form
    weakest = np.argsort((form.triangle**2).sum(axis=0))[:extra]
    normal, loads = normal.copy(), loads.copy()
    for e in weakest:
        normal += np.outer(loads[:, e], loads[:, e])
        loads[:, e] = 0.0
    return _plain_form(low, high, spread, normal, loads, variances)


@compiled
def _plain_form(
    low: Floats, high: Floats, spread: Floats, normal: Floats, loads: Floats, variances: Floats
) -> SeenForm:
    """Return the form with all elements."""
    d = len(low)
    covariance = normal + (loads * variances) @ np.ascontiguousarray(loads.T)
    widths = np.zeros(d)
    for c in range(d):
        covariance[c, c] *= 1.0 + JITTER
        if not np.isnan(low[c]):
            covariance[c, c] += spread[c]
            widths[c] = (high[c] - low[c]) / math.sqrt(max(covariance[c, c], 1e-300)) if high[c] > low[c] else 0.0
    seen, wide = np.empty(d, dtype=np.int64), np.empty(d, dtype=np.int64)
    root, used, rest = np.zeros((d, d)), 0, 0
    constant = 0.0
    for c in np.argsort(widths, kind="mergesort"):
        if np.isnan(low[c]) or (math.isinf(low[c]) and math.isinf(high[c])):
            continue
        for k in range(used):
            total = covariance[c, seen[k]]
            for earlier in range(k):
                total -= root[used, earlier] * root[k, earlier]
            root[used, k] = total / root[k, k]
        variance = covariance[c, c] - (root[used, :used] ** 2).sum()
        rounding = (high[c] - low[c]) ** 2 / 12.0 if high[c] > low[c] else 0.0
        if rounding > FINE * variance:
            wide[rest] = c
            rest += 1
            continue
        root[used, used] = math.sqrt(max(variance + rounding, 1e-300))
        constant -= math.log(root[used, used])
        seen[used] = c
        used += 1
    seen, wide, root = seen[:used], wide[:rest], root[:used, :used]
    white = np.zeros((used, used))
    for k in range(used):
        white[k, k] = 1.0 / root[k, k]
        for earlier in range(k):
            total = 0.0
            for middle in range(earlier, k):
                total += root[k, middle] * white[middle, earlier]
            white[k, earlier] = -total / root[k, k]
    across = np.empty((rest, used))
    for c in range(rest):
        for k in range(used):
            across[c, k] = covariance[wide[c], seen[k]]
    gains = across @ np.ascontiguousarray(white.T)
    wide_covariance = np.empty((rest, rest))
    for c in range(rest):
        for other in range(rest):
            wide_covariance[c, other] = covariance[wide[c], wide[other]] - (gains[c] * gains[other]).sum()
    turned = white @ loads[seen]
    basis, triangle, enters = _triangular(turned)
    middles = np.where(high[seen] > low[seen], 0.5 * (low[seen] + high[seen]), low[seen])
    wide_loads = loads[wide] - gains @ turned
    return SeenForm(seen, wide, middles, white, basis, triangle, enters, gains, wide_loads, wide_covariance, constant)


@compiled
def _triangular(turned: Floats) -> tuple[Floats, Floats, Integers]:
    """Return directions in which the elements come in one at a time, from the last, their loads there, and where.

    The weakest element is made orthogonal first, so that the strongest are decided first.
    """
    used, elements = turned.shape
    left, basis = turned.copy(), np.zeros((min(used, elements), used))
    is_left = np.ones(elements, dtype=np.bool_)
    least = NEGLIGIBLE * math.sqrt((turned**2).sum() + 1e-300)
    rank = 0
    while rank < len(basis):
        weakest, shortest = -1, np.inf
        for e in range(elements):
            length = math.sqrt((left[:, e] ** 2).sum())
            if is_left[e] and least < length < shortest:
                weakest, shortest = e, length
        if weakest < 0:
            break
        direction = left[:, weakest] / shortest
        for k in range(rank):
            direction -= (direction * basis[k]).sum() * basis[k]
        basis[rank] = direction / math.sqrt((direction**2).sum())
        is_left[weakest] = False
        for e in range(elements):
            left[:, e] -= (left[:, e] * basis[rank]).sum() * basis[rank]
        rank += 1
    basis = basis[:rank].copy()
    triangle = basis @ turned
    enters = np.full(elements, -1, dtype=np.int64)
    for e in range(elements):
        for k in range(rank):
            if abs(triangle[k, e]) > NEGLIGIBLE * 10.0:
                enters[e] = k
    return basis, triangle, enters
