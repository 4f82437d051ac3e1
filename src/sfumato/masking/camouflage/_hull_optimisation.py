"""The most that a query can be over the mixtures of some vectors; for the least, ask for the most of the negative.

Vectors are rows (vectors x records); a mixture has shares of them that are not negative and add up to 1.
"""

from heapq import heappop, heappush
from itertools import count

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

MAX_PARTS = 3000  # of the hull, that a search for a median looks at
CLOSE = 1e-6  # part of the spread of the values at which a search ends
MAX_STEPS = 100  # of a search for a slope, which ends after a handful


def highest_minimum(vectors: FloatMatrix) -> float:
    """Return the highest that the smallest value of a mixture can be, by a linear programme.

    Examples
    --------
    >>> round(highest_minimum(np.array([[0.0, 4.0], [2.0, 0.0]])), 4)  # at a third and two thirds
    1.3333
    """
    from scipy.optimize import linprog  # slow to load, and few need it

    vectors = vectors[:, vectors.min(axis=0) <= vectors.max(axis=0).min()]  # the others never have the smallest value
    k, n = vectors.shape
    middle, size = float(vectors.mean()), max(float(np.ptp(vectors)), 1e-300)
    scaled = (vectors - middle) / size
    bounds = [(0.0, 1.0)] * k + [(None, None)]
    found = linprog(
        [*[0.0] * k, -1.0],
        A_ub=np.column_stack([-scaled.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=[[*[1.0] * k, 0.0]],
        b_eq=[1.0],
        bounds=bounds,
        method="highs",
    )
    if found.status != 0:
        raise DataError("the query could not be answered: its linear programme was not solved")
    return middle + size * -float(found.fun) + 1e-7 * size  # beyond the tolerance of the solver


def smallest_variance(centred: FloatMatrix) -> float:
    """Return the smallest that the sum of squares of a mixture can be; the vectors have mean 0.

    Examples
    --------
    >>> round(smallest_variance(np.array([[-1.0, 1.0], [2.0, -2.0]])), 9)  # some mixture is constant
    0.0
    """
    return float((nearest_mixture(centred, np.zeros(centred.shape[1])) ** 2).sum())


def highest_slope(centred: FloatMatrix, response: FloatColumn) -> float:
    """Return the highest slope of a regression of the response on a mixture; all have mean 0, and no mixture is 0.

    With c the product of a mixture with the response and v its sum of squares, the highest c / v is found by
    Dinkelbach's steps: the mixture with the highest c - t v, for t the ratio so far, is the one nearest to
    response / (2 t). Where no c is above 0, that is convex in the mixture: a vector itself has the highest ratio.

    Examples
    --------
    >>> vectors = np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0]])
    >>> round(highest_slope(vectors, np.array([-3.0, 0.0, 3.0])), 9)
    3.0
    """
    ratios = centred @ response / (centred**2).sum(axis=1)
    best = float(ratios.max())
    if best <= 0:
        return best
    for _ in range(MAX_STEPS):
        mixture = nearest_mixture(centred, response / (2 * best))
        ratio = float(mixture @ response / (mixture @ mixture))
        if ratio <= best * (1 + 1e-13):
            break
        best = ratio
    return best


def nearest_mixture(vectors: FloatMatrix, point: FloatColumn) -> FloatColumn:
    """Return the mixture of vectors nearest to a point.

    With A the vectors less the point, the least |A y|^2 + (1 - sum of y)^2 over y >= 0 has y in proportion to the
    shares of the mixture that is nearest.

    References
    ----------
    Lawson and Hanson (1974), Solving least squares problems, chapter 23.

    Examples
    --------
    >>> nearest_mixture(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([0.5, 0.0]))
    array([1.25, 0.75])
    """
    from scipy.optimize import nnls  # slow to load, and few need it

    apart = vectors - point
    size = max(float(np.abs(apart).max()), 1e-300)
    if len(vectors) < vectors.shape[1]:
        apart = np.linalg.qr(apart.T)[1].T  # the same lengths and angles in fewer coordinates
    weights, _ = nnls(np.vstack([apart.T / size, np.ones(len(vectors))]), [*[0.0] * apart.shape[1], 1.0])
    return np.asarray(weights / weights.sum() @ vectors, dtype=np.float64)


def highest_median(vectors: FloatMatrix) -> float:
    """Return the highest that the median of a mixture can be, or a little more where the search is given up.

    Branch and bound: over a simplex of mixtures no median exceeds that of the highest values of each record; the
    simplex with the highest such bound is halved at its longest edge until its corners reach the bound.

    Examples
    --------
    >>> round(highest_median(np.array([[0.0, 4.0, 0.0], [2.0, 0.0, 2.0]])), 6)  # at the second vector
    2.0
    """
    spread = float(np.ptp(vectors))
    numbers = count()  # so that simplices with equal bounds are never compared themselves
    reached, waiting = -np.inf, [(-_bound(vectors), next(numbers), np.eye(len(vectors)))]
    for _ in range(MAX_PARTS):
        bound, _, corners = waiting[0]
        reached = max(reached, float(np.median(corners @ vectors, axis=1).max()))
        if -bound <= reached + CLOSE * spread:
            break
        heappop(waiting)
        for half in _halves(corners, vectors):
            heappush(waiting, (-_bound(half @ vectors), next(numbers), half))
    return -waiting[0][0]


def _bound(values: FloatMatrix) -> float:
    return float(np.median(values.max(axis=0)))


def _halves(corners: FloatMatrix, vectors: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Halve a simplex of shares at the edge along which values differ most."""
    values = corners @ vectors
    squares = (values**2).sum(axis=1)
    apart = squares[:, None] + squares - 2 * values @ values.T
    first, second = np.unravel_index(np.argmax(np.triu(apart, 1)), apart.shape)
    middle = (corners[first] + corners[second]) / 2
    halves = corners.copy(), corners.copy()
    halves[0][first], halves[1][second] = middle, middle
    return halves
