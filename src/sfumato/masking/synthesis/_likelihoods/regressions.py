"""The likelihood of values drawn around regressions, and of values borrowed from who has a similar prediction."""

from collections.abc import Callable

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.masking.synthesis._bayesian_regression import BayesianRegression, fit_bayesian_regression
from sfumato.masking.synthesis._dummies import dummy_matrix
from sfumato.masking.synthesis._imputation import scaled_predictors
from sfumato.masking.synthesis._likelihoods.strata import Places, stratified_likelihood
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.regression_densities import RegressionDensity

Seen = Callable[[FloatColumn, FloatMatrix, BayesianRegression, FloatColumn], tuple[FloatColumn, FloatColumn, float]]
"""From a column, its predictors and its regression, and the masked column: where masked records stand, with which
variance, and the deviation of that from the prediction."""


def regression_likelihood(
    method: MaskingMethod,
    given: tuple[str, ...],
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    seen: Seen,
    *,
    is_normal: bool,
    uses_earlier: bool = True,
) -> Likelihood | None:
    """Return the likelihood of columns that lie about regressions, one after another.

    Parameters
    ----------
    method, given
        The method, and the columns that it predicts from.
    original, masked, names
        The files before and after it, and the columns that the intruder knows.
    seen
        Tells of a column where masked records stand.
    is_normal
        Whether the deviations from the predictions are normal.
    uses_earlier
        Whether masked columns help to predict those after them.
    """
    columns = original.select(method.columns)

    def state(stratum: Microdata, released: Microdata) -> Places | None:
        fixed, _ = scaled_predictors(*[dummy_matrix(stratum, given)] * 2)
        values, after = stratum.matrix(columns), released.matrix(columns)
        centres, sizes = _scales(values)
        known, earlier = (np.nan_to_num((file - centres) / sizes) for file in (values, after))
        coefficients = np.zeros((len(columns), len(fixed) + len(columns)))
        places, variances = np.full(after.shape, np.nan), np.zeros(after.shape)
        deviations, marginals = np.ones(len(columns)), np.zeros((2, len(columns)))
        for place in range(len(columns)):
            observed = ~np.isnan(values[:, place])
            if np.count_nonzero(observed) < 2:
                return None
            before = known[observed, :place] if uses_earlier else known[observed, :0]
            predictors = np.ascontiguousarray(np.vstack([fixed[:, observed], before.T]))
            responses = values[observed, place] - centres[place]
            fit = fit_bayesian_regression(responses, predictors)
            if fit.freedom < 1:
                return None
            coefficients[place, : len(fixed)] = fit.coefficients[: len(fixed)]
            coefficients[place, len(fixed) :][: before.shape[1]] = fit.coefficients[len(fixed) :]
            there = ~np.isnan(after[:, place])
            asked = after[there, place] - centres[place]
            places[there, place], variances[there, place], deviations[place] = seen(responses, predictors, fit, asked)
            marginals[:, place] = np.mean(places[there, place]), np.std(places[there, place]) + sizes[place] * 1e-12
        density = RegressionDensity(coefficients, deviations, marginals, is_normal)
        return density, fixed.T, np.hstack([places, variances, earlier])

    return stratified_likelihood(method, original, masked, names, state)


def _scales(values: FloatMatrix) -> tuple[FloatColumn, FloatColumn]:
    known = ~np.isnan(values)
    centres = np.where(known, values, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    sizes = np.abs(np.where(known, values - centres, 0.0)).max(axis=0, initial=0.0)
    return centres, np.where(sizes > 0, sizes, 1.0)


def prediction_deviation(fit: BayesianRegression, predictors: FloatMatrix) -> float:
    """Return the deviation of predictions with drawn coefficients from those with the fitted ones."""
    spread = np.einsum("kr,kn->rn", fit.root, predictors)
    return float(np.sqrt(fit.residual_sum / fit.freedom * (spread**2).sum(axis=0).mean()))


def seen_values(
    values: FloatColumn, predictors: FloatMatrix, fit: BayesianRegression, asked: FloatColumn
) -> tuple[FloatColumn, FloatColumn, float]:
    """Return masked values as they are, about their prediction as the original ones are."""
    return asked, np.zeros(len(asked)), float(np.sqrt(fit.residual_sum / fit.freedom))


def fitted_values(share: float) -> Seen:
    """Return how fitted values are seen where the regression was on a share of the records."""

    def seen(
        values: FloatColumn, predictors: FloatMatrix, fit: BayesianRegression, asked: FloatColumn
    ) -> tuple[FloatColumn, FloatColumn, float]:
        error = prediction_deviation(fit, predictors) * np.sqrt(max(1 / max(share, 1e-9) - 1, 0.0))
        return asked, np.zeros(len(asked)), max(error, 1e-9 * float(np.abs(values).max(initial=0.0)), 1e-300)

    return seen


def matched_donors(donors: int) -> Seen:
    """Return how borrowed values are seen: where the predictions of those who have them lie."""

    def seen(
        values: FloatColumn, predictors: FloatMatrix, fit: BayesianRegression, asked: FloatColumn
    ) -> tuple[FloatColumn, FloatColumn, float]:
        means = np.einsum("k,kn->n", fit.coefficients, predictors)
        distinct, owner, counts = np.unique(values, return_inverse=True, return_counts=True)
        centres = np.bincount(owner, means) / counts
        spreads = np.maximum(np.bincount(owner, means**2) / counts - centres**2, 0.0)
        place = np.clip(np.searchsorted(distinct, asked), 1, max(len(distinct) - 1, 1)) - 1
        place = np.minimum(place, len(distinct) - 1)
        nearer = np.minimum(place + 1, len(distinct) - 1)
        place = np.where(np.abs(distinct[nearer] - asked) < np.abs(distinct[place] - asked), nearer, place)
        rising = np.sort(means)
        reach = min(donors + 1, len(rising) - 1)
        apart = float(np.mean(rising[reach:] - rising[: len(rising) - reach])) / 2
        deviation = float(np.hypot(prediction_deviation(fit, predictors), apart))
        return centres[place], spreads[place], max(deviation, 1e-300)

    return seen
