"""A fitted regression, and generalised linear models by iteratively reweighted least squares."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import independent_columns
from sfumato.regression.design import Design

STEPS = 60
CLOSE = 1e-10  # a step that changes every linear predictor by less than this, relatively, is the last
FAR = 30.0  # a linear predictor of a logistic or log-linear model beyond this says that the data are separated


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted regression.

    Parameters
    ----------
    names
        What each coefficient belongs to.
    estimates
        The coefficients; NaN where the file does not tell one, as when it is given by earlier ones.
    covariance
        Of the estimates, NaN like them.
    records
        How many records it was fitted to.
    left_out
        How many were left out, as a value is missing.
    """

    names: tuple[str, ...]
    estimates: FloatColumn
    covariance: FloatMatrix
    records: int
    left_out: int

    @property
    def errors(self) -> FloatColumn:
        """The standard errors of the estimates."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True)
class MeanFunction:
    """How the mean of a response depends on the linear predictor: mean, its slope, and the variance at a mean."""

    mean: Callable[[FloatColumn], FloatColumn]
    variance: Callable[[FloatColumn], FloatColumn]  # with a canonical link also the slope of the mean
    start: Callable[[FloatColumn], FloatColumn]  # a first linear predictor from the response


def fit_least_squares(design: Design) -> Fit:
    """Return the least squares fit, with the usual covariance."""
    kept, scaled, scale = _independent(design)
    freedom = len(design.response) - len(kept)
    if freedom < 1:
        raise DataError(_too_few(design, len(kept)))
    weights, inverse = _solve(scaled, design.response, np.ones_like(design.response))
    left = design.response - scaled @ weights
    return _fit(design, kept, weights, float(left @ left) / freedom * inverse, scale)


def fit_generalised(design: Design, function: MeanFunction) -> Fit:
    """Return the maximum likelihood fit of a model with its canonical link."""
    kept, scaled, scale = _independent(design)
    if len(design.response) <= len(kept):
        raise DataError(_too_few(design, len(kept)))
    predictor = function.start(design.response)
    for _ in range(STEPS):
        mean = function.mean(predictor)
        slope = np.maximum(function.variance(mean), 1e-300)
        weights, inverse = _solve(scaled, predictor + (design.response - mean) / slope, slope)
        after = scaled @ weights
        change = np.abs(after - predictor).max(initial=0.0)
        predictor = np.clip(after, -2 * FAR, 2 * FAR)
        if change <= CLOSE * (1 + np.abs(after).max(initial=0.0)):
            if np.abs(after).max(initial=0.0) > FAR:
                break
            return _fit(design, kept, weights, inverse, scale)
    alone = _separating_terms(design)
    named = f" (all records of {', '.join(alone)} have the same response)" if alone else ""
    raise DataError(
        f"the regression has no finite solution: some terms separate the records completely{named}; leave out terms, "
        f"join categories, or leave such records out of the files"
    )


def _separating_terms(design: Design) -> list[str]:
    """Return the categories whose records all have the same response, also those that others are compared with."""
    dummies = {name: design.predictors[:, j] == 1 for j, name in enumerate(design.names) if "=" in name}
    columns = dict.fromkeys(name.split("=")[0] for name in dummies)
    rest = {
        f"the first category of {column}": ~np.any(
            [own for name, own in dummies.items() if name.split("=")[0] == column], 0
        )
        for column in columns
    }
    return [name for name, own in {**dummies, **rest}.items() if own.any() and np.ptp(design.response[own]) == 0]


def _independent(design: Design) -> tuple[list[int], FloatMatrix, FloatColumn]:
    """Return the predictors that the others do not give, divided by their root mean squares, and these."""
    if not len(design.response):
        raise DataError("no record has values in all columns of the formula")
    scale = np.sqrt((design.predictors**2).mean(axis=0))
    scaled = design.predictors / np.where(scale > 0, scale, 1.0)
    kept = independent_columns(scaled.T @ scaled)
    return kept, scaled[:, kept], scale[kept]


def _solve(predictors: FloatMatrix, response: FloatColumn, slope: FloatColumn) -> tuple[FloatColumn, FloatMatrix]:
    """Return weighted least squares: coefficients, and the inverse of the weighted products."""
    root = np.sqrt(slope)
    q, r = np.linalg.qr(predictors * root[:, None])
    half = np.linalg.inv(r)
    return half @ (q.T @ (response * root)), half @ half.T


def _fit(design: Design, kept: list[int], weights: FloatColumn, inverse: FloatMatrix, scale: FloatColumn) -> Fit:
    width = len(design.names)
    estimates, covariance = np.full(width, np.nan), np.full((width, width), np.nan)
    estimates[kept] = weights / scale
    covariance[np.ix_(kept, kept)] = inverse / np.outer(scale, scale)
    return Fit(design.names, estimates, covariance, len(design.response), design.left_out)


def _too_few(design: Design, coefficients: int) -> str:
    return f"a regression needs more records than coefficients; got {len(design.response)} for {coefficients}"
