"""Least squares with standard errors, block by block, for predictors that may depend on each other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import independent_columns
from sfumato.numerics.row_blocks import row_blocks
from sfumato.numerics.standardisation import NEGLIGIBLE


@dataclass(frozen=True, eq=False)
class SlopeEstimates:
    """The slopes of a regression with a constant; NaN for predictors that are constant or that earlier ones give.

    Parameters
    ----------
    slopes, errors
        The slope of each predictor and its standard error.
    units
        The standard deviation of the target over that of each predictor: what a slope is measured in.
    varies
        Whether the target varies.
    freedom
        The number of records less that of the coefficients, the constant among them.
    """

    slopes: FloatColumn
    errors: FloatColumn
    units: FloatColumn
    varies: bool
    freedom: int


def estimate_slopes(records: Callable[[slice], FloatMatrix], n: int) -> SlopeEstimates:
    """Return the regression of the last column of `records(rows)` on the columns before it, over rows 0 .. n - 1.

    Where there are no more records than coefficients, there is no standard error: it is 0.

    Examples
    --------
    >>> table = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 3.0], [3.0, 6.0]])
    >>> fit = estimate_slopes(lambda rows: table[rows], 4)
    >>> fit.slopes, fit.errors.round(4), fit.freedom
    (array([1.6]), array([0.3464]), 2)
    """
    ranges = [(block.min(axis=0), block.max(axis=0), block.sum(axis=0)) for block in map(records, row_blocks(n))]
    lowest, highest, sums = (np.array(part) for part in zip(*ranges, strict=True))
    constant = highest.max(axis=0) - lowest.min(axis=0) <= NEGLIGIBLE
    means = sums.sum(axis=0) / n
    products = np.zeros((means.size, means.size))
    for block in map(records, row_blocks(n)):
        centred = block - means
        centred[:, constant] = 0.0  # the mean of equal numbers may differ in the last bit
        products += centred.T @ centred
    return _solve(products, n)


def _solve(products: FloatMatrix, n: int) -> SlopeEstimates:
    """Return the regression of the last column on the others, from their centred sums of products."""
    last = len(products) - 1
    kept = independent_columns(products[:last, :last])
    scale = np.sqrt(np.diag(products))
    slopes, errors, units = (np.full(last, np.nan) for _ in range(3))
    freedom = n - 1 - len(kept)
    if kept:
        own = scale[kept]
        inverse = np.linalg.inv(products[np.ix_(kept, kept)] / np.outer(own, own))
        weights = inverse @ (products[kept, last] / own)
        left = max(0.0, float(products[last, last] - weights @ (products[kept, last] / own)))
        slopes[kept] = weights / own
        errors[kept] = np.sqrt(left / max(freedom, 1) * np.diag(inverse)) / own
        units[kept] = scale[last] / own
    return SlopeEstimates(slopes, errors, units, bool(scale[last] > 0), freedom)
