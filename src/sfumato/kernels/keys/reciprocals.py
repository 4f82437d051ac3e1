"""The mean of 1 / F when the F persons of a class are counted until f of them are in the sample.

Each person of the class is in the sample with probability p, so that F = f, f + 1, ... has the probabilities
C(F - 1, f - 1) p^f q^(F - f), q = 1 - p. The mean of 1 / F is the integral of p u^(f - 1) / (p + q u), u in [0, 1].
"""

import math

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats

MAX_RECURSION = 12  # up to this f the recursion from f = 1 is as exact as the series, and shorter


@compiled
def mean_reciprocals(counts: Floats, shares: Floats, means: Floats) -> None:
    """Put the mean of 1 / F of each class into `means` (output).

    Parameters
    ----------
    counts
        The sample count f of each class, whole numbers from 1, shape (n,).
    shares
        The probability p of each class, above 0 up to 1, shape (n,).
    means
        Output, shape (n,).
    """
    for row in range(counts.size):
        means[row] = mean_reciprocal(counts[row], shares[row])


@compiled
def mean_reciprocal(count: float, share: float) -> float:
    """Return the mean of 1 / F for one class."""
    if share <= 0.5 and count <= MAX_RECURSION:
        return _by_recursion(count, share)
    return _by_series(count, share)


@compiled
def _by_recursion(count: float, share: float) -> float:
    """Start from q / p E(1) = -log p and go up by q E(f + 1) = p (1 / f - E(f)): errors shrink while p is below q."""
    odds = share / (1 - share)
    mean = -odds * math.log(share)
    for size in range(1, int(count)):
        mean = odds * (1 / size - mean)
    return mean


@compiled
def _by_series(count: float, share: float) -> float:
    """Return p / f times the hypergeometric series 2F1(1, 1; f + 1; q), whose terms are all positive."""
    total, term, k = 1.0, 1.0, 0.0
    while term > 1e-17 * total:
        k += 1
        term *= k / (count + k) * (1 - share)
        total += term
    return share / count * total
