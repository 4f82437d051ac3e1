"""The moments that a file should share with another: means of products of standardised values, and how far they are."""

from itertools import combinations_with_replacement

import numpy as np

from sfumato.errors import DataError
from sfumato.kernels.improvement.hill_climbing import Terms
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

MAX_TERMS = 20_000


def moment_terms(original: FloatMatrix, order: int) -> Terms:
    """Return all moments of the columns up to an order, with those of the standardised originals as targets.

    With order 2 they are the sums (3), (4) and (5) of the source: d means, d squares, d (d - 1) / 2 products.

    Examples
    --------
    >>> terms = moment_terms(np.array([[-1.0, -1.0], [1.0, 1.0]]), order=2)
    >>> terms.factors.tolist()
    [[0, -1], [1, -1], [0, 0], [0, 1], [1, 1]]
    >>> terms.targets
    array([0., 0., 1., 1., 1.])
    """
    d = original.shape[1]
    factors = [
        (*columns, *(-1,) * (order - size))
        for size in range(1, order + 1)
        for columns in combinations_with_replacement(range(d), size)
    ]
    if len(factors) > MAX_TERMS:
        raise DataError(
            f"{d} columns have {len(factors)} moments up to order {order}, of which at most {MAX_TERMS} can be "
            f"followed; choose fewer columns or a lower moment_order"
        )
    table = np.array(factors, dtype=np.int64)
    holding = [np.flatnonzero((table == column).any(axis=1)) for column in range(d)]
    starts = np.concatenate([[0], np.cumsum([terms.size for terms in holding])])
    return Terms(table, starts, np.concatenate(holding), term_sums(original, table) / len(original))


def term_sums(points: FloatMatrix, factors: CodeColumn) -> FloatColumn:
    """Return the sum of each term over complete standardised records."""
    columns = np.ascontiguousarray(points.T)
    products = (np.prod(columns[term[term >= 0]], axis=0) for term in factors)
    return np.array([product.sum() for product in products])


def moment_error(points: FloatMatrix, terms: Terms) -> float:
    """Return E: the sum of squared differences between the moments of the records and their targets, equation (7)."""
    return float(((term_sums(points, terms.factors) / len(points) - terms.targets) ** 2).sum())
