"""The smallest linear change that gives some records the moments that their file lacks."""

from collections.abc import Callable

import numpy as np

from sfumato.improve._problem import Problem
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import eigen, multiply

SINGULAR = 1e-9  # a standard deviation below this part of the largest counts as 0
ROUNDS = 6  # of matching and confining, at most
SETTLED = 0.9  # a round that leaves more than this part of E is the last


def match_moments(problem: Problem, points: FloatMatrix, chosen: Booleans) -> FloatMatrix:
    """Return all masked values with the chosen records changed so that the file has the original's moments.

    Parameters
    ----------
    problem
        The two files.
    points
        All masked records, standardised; those that are not chosen are as in the file.
    chosen
        The records to change.

    Notes
    -----
    The values are then confined to those that their columns may have, which moves the moments a little; so both is
    repeated while that helps.
    """
    original = problem.points(problem.original)
    mean, second = original.mean(axis=0), second_moments(original)
    left_mean, left_second = _moments_needed(points[problem.complete & ~chosen], points[chosen], mean, second)
    least, best = np.inf, points[chosen]
    current = points[chosen]
    for _ in range(ROUNDS):
        current = _confine(problem, with_moments(current, left_mean, left_second))
        apart = float(
            ((current.mean(axis=0) - left_mean) ** 2).sum() + ((second_moments(current) - left_second) ** 2).sum()
        )
        if apart < least:
            best = current
        if apart >= SETTLED * least:
            break
        least = apart
    values = problem.masked.copy()
    values[chosen] = best * problem.spread + problem.means
    values[:, problem.is_whole] = np.rint(values[:, problem.is_whole])  # standardising has blurred the last bits
    return np.clip(values, problem.lows, problem.highs)


def with_moments(points: FloatMatrix, mean: FloatColumn, second: FloatMatrix) -> FloatMatrix:
    """Return the records moved by the linear map, of all that give them these moments, that moves them least.

    It is that of optimal transport between normal distributions: A^-1/2 (A^1/2 B A^1/2)^1/2 A^-1/2 for the covariances
    A before and B after. Where no records can have the moments, B is the nearest covariance that they can have.

    Examples
    --------
    >>> moved = with_moments(np.array([[0.0], [2.0]]), np.array([5.0]), np.array([[29.0]]))  # a variance of 4
    >>> moved.ravel()
    array([3., 7.])
    """
    centre = points.mean(axis=0)
    spread = second_moments(points - centre)
    wanted = second - np.outer(mean, mean)
    half, back = _root(spread), _inverse_root(spread)
    inner = _root(multiply(multiply(half, _feasible(wanted)), half))
    step = multiply(multiply(back, inner), back)
    return np.asarray(mean + np.einsum("ni,ij->nj", points - centre, step), dtype=np.float64)


def second_moments(points: FloatMatrix) -> FloatMatrix:
    """Return the mean product of each two columns."""
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ni,nj->ij", points, points) / len(points), dtype=np.float64)


def _moments_needed(
    others: FloatMatrix, chosen: FloatMatrix, mean: FloatColumn, second: FloatMatrix
) -> tuple[FloatColumn, FloatMatrix]:
    """Return the moments that the chosen records must have for the whole to have `mean` and `second`."""
    n = len(others) + len(chosen)
    products = np.einsum("ni,nj->ij", others, others)
    return (n * mean - others.sum(axis=0)) / len(chosen), (n * second - products) / len(chosen)


def _confine(problem: Problem, points: FloatMatrix) -> FloatMatrix:
    """Return standardised records whose values are of the type of their column, in its range, and no missing code."""
    values = points * problem.spread + problem.means
    values[:, problem.is_whole] = np.rint(values[:, problem.is_whole])
    values = np.clip(values, problem.lows, problem.highs)
    for column, low, high in problem.gaps:
        inside = (values[:, int(column)] >= low) & (values[:, int(column)] <= high)
        values[inside, int(column)] = _beside(problem, int(column), low, high)
    return problem.points(values)


def _beside(problem: Problem, column: int, low: float, high: float) -> float:
    """Return the masked value that is nearest to a gap in its column."""
    values = np.unique(problem.masked[problem.complete, column])
    return float(values[np.argmin(np.abs(values - (low + high) / 2))])


def _feasible(covariance: FloatMatrix) -> FloatMatrix:
    return _map_eigenvalues(covariance, lambda values: values)


def _root(covariance: FloatMatrix) -> FloatMatrix:
    return _map_eigenvalues(covariance, np.sqrt)


def _inverse_root(covariance: FloatMatrix) -> FloatMatrix:
    def inverted(values: FloatColumn) -> FloatColumn:
        roots = np.sqrt(values)
        is_large = roots > SINGULAR * roots.max(initial=0.0)
        return np.divide(1.0, roots, out=np.zeros_like(roots), where=is_large)

    return _map_eigenvalues(covariance, inverted)


def _map_eigenvalues(covariance: FloatMatrix, change: Callable[[FloatColumn], FloatColumn]) -> FloatMatrix:
    """Return a symmetric matrix with its eigenvalues changed; negative ones count as 0."""
    values, vectors = eigen((covariance + covariance.T) / 2)
    return np.asarray(multiply(vectors * change(np.maximum(values, 0.0)), vectors.T), dtype=np.float64)
