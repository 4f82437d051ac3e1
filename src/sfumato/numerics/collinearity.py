"""Predictors that depend on each other."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix

EXPLAINED = 1e-9  # a predictor with less than this part of its square left over by earlier ones adds nothing


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
    from scipy.linalg import solve_triangular

    scale = np.sqrt(np.diag(products))
    factor = np.zeros_like(products)  # of Cholesky, rows of the kept predictors only
    kept: list[int] = []
    for place in np.flatnonzero(scale > 0).tolist():
        known = len(kept)
        cosines = products[kept, place] / (scale[kept] * scale[place])
        row = solve_triangular(factor[:known, :known], cosines, lower=True) if known else cosines
        left = 1 - row @ row
        if left > explained:
            factor[known, :known], factor[known, known] = row, np.sqrt(left)
            kept.append(place)
    return kept
