"""What the IPSO methods share: one regression of the masked columns on the given ones, and the incomplete records.

Records complete in all columns are masked together, and keep what the method promises. Every value of another record
is replaced too: by its prediction from what the record has of the given columns, with noise where the method adds any.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.kernels.synthesis.orthogonal import orthonormalise
from sfumato.masking.synthesis._dummies import dummy_matrix
from sfumato.masking.synthesis._rounding_back import check_rounding
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.missing_patterns import rows_by_pattern
from sfumato.numerics.normal_draws import correlated_normals
from sfumato.numerics.portable.symmetric import multiply, symmetric_inverse

COLLINEAR = 1e-9  # what is left of a column beside the others, as a share of it, when it is a sum of them
UNMASKED = 1e-6  # a residual below this share of the column, or of its usual size, leaves the value as it was
MAX_LEVERAGE = 0.9  # the part of a fitted value that comes from the original value itself, beyond which it is told


@dataclass(frozen=True, eq=False)
class Regression:
    """A regression, with intercept, of several columns on others; arrays hold one column per row.

    Parameters
    ----------
    space
        Orthonormal basis of the intercept and the predictors, shape (k, n).
    fitted
        The fitted values, shape (p, n).
    directions, factor
        Orthonormal basis of the residuals, shape (r, n), and the residuals in terms of it, shape (r, p): they are
        `factor.T @ directions`, and their cross-products `factor.T @ factor`.
    """

    space: FloatMatrix
    fitted: FloatMatrix
    directions: FloatMatrix
    factor: FloatMatrix

    @property
    def freedom(self) -> int:
        """The degrees of freedom of the residuals: records less predictors that are not collinear."""
        return int(self.space.shape[1]) - len(self.space)


Noise = Callable[[Regression, np.random.Generator], FloatMatrix]


def mask_by_regression(
    method: MaskingMethod, block: Microdata, given: tuple[str, ...], noise: Noise | None, rng: np.random.Generator
) -> Microdata:
    """Return a copy of the block in which the method's columns are fitted values plus noise.

    Parameters
    ----------
    method, block
        Whose columns are masked, and the records.
    given
        The columns to predict from.
    noise
        Gives the noise on the fitted values of the complete records, one column per row; none for no noise.
    rng
        The generator.
    """
    names = block.select(method.columns)
    reading = dummy_matrix(block, given)

    def change(matrix: FloatMatrix) -> FloatMatrix:
        complete = ~(np.isnan(matrix).any(axis=1) | np.isnan(reading).any(axis=1))
        to_fit = slice(None) if complete.all() else complete  # a slice copies nothing
        y_scale, x_scale = Scaling.of(matrix[to_fit]), Scaling.of(reading[to_fit])
        y, x = y_scale.apply(matrix[to_fit]), x_scale.apply(reading[to_fit])
        regression = fit_regression(y, x)
        _check(type(method).__name__, names, regression, predictors=len(x))
        residuals = np.einsum("rj,rn->jn", regression.factor, regression.directions) * y_scale.sizes[:, None]
        check_rounding(type(method).__name__, block, names, residuals)
        released = regression.fitted if noise is None else regression.fitted + noise(regression, rng)
        masked = np.full_like(matrix, np.nan)
        masked[to_fit] = y_scale.undo(released)
        if not complete.all():
            rest = x_scale.apply(reading[~complete])
            masked[~complete] = y_scale.undo(predict(x, y, rest, noise is not None, rng))
        return masked

    return block.map_matrix(names, change)


def fit_regression(responses: FloatMatrix, predictors: FloatMatrix) -> Regression:
    """Return the regression of some columns on others, which may be collinear; arrays hold one column per row."""
    n = responses.shape[1]
    constant = np.full((1, n), 1 / np.sqrt(max(n, 1)))
    more, _ = orthonormalise(np.ascontiguousarray(predictors), constant, COLLINEAR)
    space = np.vstack([constant, more])
    directions, factor = orthonormalise(np.ascontiguousarray(responses), space, COLLINEAR)
    return Regression(space, project(responses, space), directions, factor)


def project(columns: FloatMatrix, space: FloatMatrix) -> FloatMatrix:
    """Return the part of each column (one per row) that lies in the space of an orthonormal basis."""
    # einsum adds in one fixed order; a threaded BLAS may not
    weights = np.einsum("jn,kn->jk", columns, space)
    return np.asarray(np.einsum("jk,kn->jn", weights, space), dtype=np.float64)


def predict(
    x: FloatMatrix, y: FloatMatrix, incomplete: FloatMatrix, has_noise: bool, rng: np.random.Generator
) -> FloatMatrix:
    """Return a prediction for each incomplete record from the predictors that it has, plus normal noise where asked.

    Parameters
    ----------
    x, y
        Predictors and responses of the complete records, centred, one column per row.
    incomplete
        Predictors of the incomplete records on the same scale; NaN where missing.
    """
    n = x.shape[1]
    within, across, among = (np.einsum("in,jn->ij", one, other) / n for one, other in ((x, x), (x, y), (y, y)))
    absent = np.isnan(incomplete.T)
    found = np.empty((len(y), incomplete.shape[1]))
    for rows in rows_by_pattern(absent):
        has = ~absent[rows[0]]
        slopes = multiply(symmetric_inverse(within[np.ix_(has, has)], COLLINEAR), across[has])
        found[:, rows] = np.einsum("kj,kn->jn", slopes, incomplete[np.ix_(has, rows)])
        if has_noise:
            left = among - multiply(slopes.T, across[has])
            found[:, rows] += correlated_normals(rows.size, left, rng).T
    return found


@dataclass(frozen=True, eq=False)
class Scaling:
    """A linear change of each column to mean 0 and largest size 1, so that squares neither overflow nor vanish."""

    centres: FloatColumn
    sizes: FloatColumn

    @classmethod
    def of(cls, matrix: FloatMatrix) -> "Scaling":
        """Return the change for a matrix (records x columns) without missing values."""
        if not len(matrix):
            return cls(np.zeros(matrix.shape[1]), np.ones(matrix.shape[1]))
        centres = np.where(matrix.max(axis=0) > matrix.min(axis=0), matrix.mean(axis=0), matrix[0])
        sizes = np.abs(matrix - centres).max(axis=0)
        return cls(centres, np.where(sizes > 0, sizes, 1.0))

    def apply(self, matrix: FloatMatrix) -> FloatMatrix:
        """Return the columns of a matrix (records x columns) on the new scale, one per row."""
        return np.ascontiguousarray(((matrix - self.centres) / self.sizes).T)

    def undo(self, columns: FloatMatrix) -> FloatMatrix:
        """Return columns (one per row) on the old scale, as a matrix (records x columns)."""
        return np.asarray(columns.T * self.sizes + self.centres, dtype=np.float64)


def _check(who: str, names: tuple[str, ...], regression: Regression, predictors: int) -> None:
    """Refuse a regression that would publish original values."""
    n, free = regression.space.shape[1], len(regression.directions)
    if regression.freedom <= free:
        raise DataError(
            f"{who} needs more than {1 + predictors + len(names)} records complete in columns and given, in the file "
            f"and in each stratum; there are {n}: give fewer columns or join strata"
        )
    lengths = np.sqrt((regression.factor**2).sum(axis=0) + (regression.fitted**2).sum(axis=1))
    exact = np.sqrt((regression.factor**2).sum(axis=0)) <= UNMASKED * lengths
    if exact.any():
        raise DataError(
            f"{who}.columns: '{names[int(np.argmax(exact))]}' is constant or determined by the given columns, so its "
            f"values would stay as they are; leave it out, or leave out of given what it is computed from"
        )
    alone = int(np.count_nonzero((regression.space**2).sum(axis=0) >= MAX_LEVERAGE))
    if alone:
        raise DataError(
            f"{who}.given: records that decide alone what is fitted to them, as the only one of a category does or one "
            f"that is far out in a given column, would keep their values, or nearly; there are {alone}: join rare "
            f"categories, top-code or leave that column out of given"
        )
