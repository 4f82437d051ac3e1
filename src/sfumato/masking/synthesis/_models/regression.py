"""A linear regression on the columns before: what the models of numbers share."""

from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._bayesian_regression import fit_bayesian_regression
from sfumato.masking.synthesis._models.contract import Drawn, Settings
from sfumato.masking.synthesis._models.design import Design
from sfumato.numerics.arrays import FloatColumn, FloatMatrix


@dataclass(frozen=True, eq=False)
class FittedRegression:
    """Coefficients of the columns before, and the deviation of the residuals."""

    design: Design
    coefficients: FloatColumn
    deviation: float

    def predict(self, before: Drawn, n: int) -> FloatColumn:
        """Return the mean of each of `n` synthetic records."""
        return self.means(self.design.matrix(before, n))

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> FloatColumn:
        """Return the mean of each of `n` synthetic records, with a normal residual."""
        return self.predict(before, n) + self.deviation * rng.standard_normal(n)

    def means(self, known: FloatMatrix) -> FloatColumn:
        """Return what is predicted from predictors, one per row."""
        return np.asarray(np.einsum("k,kn->n", self.coefficients, known), dtype=np.float64)


def fit_regression(
    responses: FloatColumn, design: Design, known: FloatMatrix, settings: Settings, rng: np.random.Generator
) -> FittedRegression:
    """Return the regression of responses on predictors; drawn from its posterior with the bootstrap."""
    fit = fit_bayesian_regression(responses, known)
    if fit.freedom < 1:
        return FittedRegression(design, fit.coefficients, 0.0)
    if settings.bootstrap:
        return FittedRegression(design, *fit.draw(rng))
    return FittedRegression(design, fit.coefficients, float(np.sqrt(fit.residual_sum / fit.freedom)))
