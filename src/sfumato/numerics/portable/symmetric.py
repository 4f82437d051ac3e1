"""Symmetric matrices, taken apart in one fixed order of additions: the same bits on every processor.

Libraries of linear algebra choose their order by the processor, so that the last digits of a root or an inverse, and
with them masked values, would depend on the machine. The matrices here have a row for each column of a file, which is
few enough for plain numpy.
"""

from functools import lru_cache

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Floats, Rows

EXPLAINED = 1e-9  # a predictor with less than this part of its square left over by earlier ones adds nothing
MAX_SWEEPS = 60
CONVERGED = 1e-24  # of the squares of the diagonal, left beside it: one more sweep squares that, and no digit moves


def multiply(first: FloatMatrix, second: FloatMatrix) -> FloatMatrix:
    """Return the product of two matrices, added up in one order.

    Examples
    --------
    >>> multiply(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    return np.asarray(np.einsum("...ij,...jk->...ik", first, second), dtype=np.float64)


def eigen(matrix: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of symmetric matrices in rising order, and the eigenvectors as columns.

    Jacobi's method: pairs of rows and columns are turned, as many at once as have none in common, until nothing is left
    beside the diagonal. Of each vector the largest coefficient is positive.

    Parameters
    ----------
    matrix
        One matrix, or several in the first dimensions.

    Examples
    --------
    >>> values, vectors = eigen(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> values, vectors.round(6)
    (array([1., 3.]), array([[ 0.707107,  0.707107],
           [-0.707107,  0.707107]]))
    """
    turned = np.array(matrix, dtype=np.float64)
    size = turned.shape[-1]
    vectors = np.broadcast_to(np.eye(size), turned.shape).copy()
    if not turned.size:
        return np.zeros(turned.shape[:-1]), vectors
    upper = np.triu(np.ones((size, size)), 1)
    for _ in range(MAX_SWEEPS):
        squares = turned**2
        is_last = (upper * squares).sum(axis=(-2, -1)) <= CONVERGED * np.einsum("...ii->...", squares)
        for first, second in _rounds(size):
            _turn(turned, vectors, first, second)
        if is_last.all():
            break
    values = np.einsum("...ii->...i", turned)
    order = np.argsort(values, axis=-1, kind="stable")
    values = np.take_along_axis(values, order, axis=-1)
    vectors = np.take_along_axis(vectors, order[..., None, :], axis=-1)
    largest = np.abs(vectors).round(9).argmax(axis=-2)  # rounded: of equal ones the first
    signs = np.sign(np.take_along_axis(vectors, largest[..., None, :], axis=-2))
    return values, vectors * np.where(signs == 0, 1.0, signs)


def symmetric_inverse(matrix: Floats, negligible: float) -> Floats:
    """Return the pseudo-inverses of symmetric matrices, in which eigenvalues below a part of the largest count as 0.

    Examples
    --------
    >>> symmetric_inverse(np.array([[4.0, 0.0], [0.0, 0.0]]), 1e-12)
    array([[0.25, 0.  ],
           [0.  , 0.  ]])
    """
    values, vectors = eigen(matrix)
    if not values.shape[-1]:
        return np.zeros_like(matrix)
    sizes = np.abs(values)
    kept = sizes > negligible * sizes.max(axis=-1, keepdims=True)
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=kept)
    return np.asarray(np.einsum("...ik,...k,...jk->...ij", vectors, inverse, vectors), dtype=np.float64)


def cholesky(matrix: FloatMatrix) -> FloatMatrix:
    """Return the lower triangle L with L L' = matrix; NaN from the first row on of which nothing above 0 is left.

    That is nowhere where the matrix is positive definite, and not by less than rounding makes.

    Examples
    --------
    >>> cholesky(np.array([[4.0, 2.0], [2.0, 10.0]]))
    array([[2., 0.],
           [1., 3.]])
    """
    factor = np.zeros_like(matrix)
    for place in range(len(matrix)):
        row = factor[place, :place]
        left = matrix[place, place] - _dot(row, row)
        factor[place, place] = np.sqrt(left) if left > 0 else np.nan
        for below in range(place + 1, len(matrix)):
            left = matrix[below, place] - _dot(factor[below, :place], row)
            factor[below, place] = left / factor[place, place]
    return factor


def solve_lower(factor: FloatMatrix, right: FloatMatrix) -> FloatMatrix:
    """Return x with L x = right for a lower triangle L.

    Examples
    --------
    >>> solve_lower(np.array([[2.0, 0.0], [1.0, 3.0]]), np.array([[2.0], [7.0]]))
    array([[1.],
           [2.]])
    """
    found = np.zeros_like(right)
    for place in range(len(factor)):
        known = np.einsum("j,jk->k", factor[place, :place], found[:place])
        found[place] = (right[place] - known) / factor[place, place]
    return found


def independent_columns(products: FloatMatrix, explained: float = EXPLAINED) -> list[int]:
    """Return the predictors that no linear combination of earlier ones gives, from their sums of products.

    Parameters
    ----------
    products
        The sums of products of the predictors.
    explained
        A predictor with less than this part of its square left over by earlier ones is given by them.

    Examples
    --------
    >>> total = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]])  # the third is the sum of the first two
    >>> independent_columns(total.T @ total)
    [0, 1]
    """
    scale = np.sqrt(np.diag(products))
    factor = np.zeros_like(products)  # of Cholesky, rows of the kept predictors only
    kept: list[int] = []
    for place in np.flatnonzero(scale > 0).tolist():
        known = len(kept)
        cosines = products[kept, place] / (scale[kept] * scale[place])
        row = solve_lower(factor[:known, :known], cosines[:, None])[:, 0]
        left = 1 - _dot(row, row)
        if left > explained:
            factor[known, :known], factor[known, known] = row, np.sqrt(left)
            kept.append(place)
    return kept


def _dot(first: FloatColumn, second: FloatColumn) -> float:
    return float(np.einsum("j,j->", first, second))


def _turn(turned: Floats, vectors: Floats, first: Rows, second: Rows) -> None:
    """Turn pairs of rows and columns of `turned` (output), and of columns of `vectors` (output), to make them apart."""
    beside = turned[..., first, second]
    apart = turned[..., second, second] - turned[..., first, first]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratio = apart / (2 * beside)
        tangent = np.where(ratio < 0, -1.0, 1.0) / (np.abs(ratio) + np.sqrt(ratio**2 + 1))
    tangent = np.where(beside == 0, 0.0, tangent)
    cosine = 1 / np.sqrt(tangent**2 + 1)
    sine = tangent * cosine
    down, across = (cosine[..., :, None], sine[..., :, None]), (cosine[..., None, :], sine[..., None, :])
    one, other = turned[..., first, :], turned[..., second, :]
    turned[..., first, :], turned[..., second, :] = down[0] * one - down[1] * other, down[1] * one + down[0] * other
    for matrix in (turned, vectors):
        one, other = matrix[..., :, first], matrix[..., :, second]
        left, right = across[0] * one - across[1] * other, across[1] * one + across[0] * other
        matrix[..., :, first], matrix[..., :, second] = left, right
    turned[..., first, second] = turned[..., second, first] = 0.0


@lru_cache(maxsize=64)
def _rounds(size: int) -> list[tuple[Rows, Rows]]:
    """Return all pairs of so many places, in rounds in which each place is in one pair at most."""
    even = size + size % 2
    places, rounds = list(range(even)), []
    for _ in range(even - 1):
        pairs = [sorted((places[j], places[even - 1 - j])) for j in range(even // 2)]
        kept = np.array([pair for pair in pairs if pair[1] < size], dtype=np.int64).reshape(-1, 2)
        rounds.append((kept[:, 0], kept[:, 1]))
        places = [places[0], places[-1], *places[1:-1]]
    return rounds
