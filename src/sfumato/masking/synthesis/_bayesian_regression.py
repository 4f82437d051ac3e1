"""Regression with coefficients drawn from their posterior, for predictors that may be collinear."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import eigen, multiply

COLLINEAR = 1e-10  # an eigenvalue of the moments of the predictors below this part of the largest counts as 0


@dataclass(frozen=True, eq=False)
class BayesianRegression:
    """A regression whose predictors may be collinear, with the posterior of its coefficients.

    Parameters
    ----------
    coefficients
        The shortest ones of those that fit best, shape (k,).
    root
        The symmetric matrix whose square is the inverse of the predictors' moments, shape (k, k).
    residual_sum
        The sum of the squared residuals.
    freedom
        Records less predictors that are not collinear.
    """

    coefficients: FloatColumn
    root: FloatMatrix
    residual_sum: float
    freedom: int

    def draw(self, rng: np.random.Generator) -> tuple[FloatColumn, float]:
        """Return coefficients and residual deviation drawn from their posterior under the usual flat prior."""
        deviation = np.sqrt(self.residual_sum / rng.chisquare(self.freedom))
        shift = np.einsum("kr,r->k", self.root, rng.standard_normal(self.root.shape[1]))
        return self.coefficients + deviation * shift, float(deviation)


def fit_bayesian_regression(responses: FloatColumn, known: FloatMatrix) -> BayesianRegression:
    """Return the regression of a column on predictors (one per row)."""
    # einsum adds in one fixed order; a threaded BLAS may not
    values, vectors = eigen(np.einsum("in,jn->ij", known, known))
    kept = values > COLLINEAR * values[-1]
    # the symmetric root, which is one and the same however the directions are turned
    root = multiply(vectors[:, kept] / np.sqrt(values[kept]), vectors[:, kept].T)
    coefficients, rest = np.zeros(len(known)), responses
    for _ in range(2):  # the second time removes what rounding has left
        turned = np.einsum("jr,j->r", root, np.einsum("jn,n->j", known, rest))
        coefficients = coefficients + np.einsum("ir,r->i", root, turned)
        rest = responses - np.einsum("k,kn->n", coefficients, known)
    return BayesianRegression(coefficients, root, float(np.sum(rest**2)), responses.size - int(np.count_nonzero(kept)))
