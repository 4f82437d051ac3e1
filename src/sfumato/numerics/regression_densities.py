"""The density of masked values that were drawn around the predictions of regressions."""

from dataclasses import dataclass, replace

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.joint_densities import JointDensity

FREEDOM = 4.0  # of Student's distribution, which a few records that do not fit do not upset
SLOWEST = 0.6  # of the deviation before: it falls no faster from one fit to the next
LEAST = 1e-9  # of the spread of a column, below which a deviation is that of arithmetic
RIDGE = 1e-9


@dataclass(frozen=True, eq=False)
class RegressionDensity(JointDensity):
    """Each column, one after another, lies about a regression on what was given and on the masked columns before it.

    The places of an original are its predictors; those of a masked record the places of its columns about which is
    said where they lie, their variances, and the columns as predictors of later ones. Missing predictors tell nothing
    but how the column is distributed; a missing place tells nothing.

    Parameters
    ----------
    coefficients
        For each column those of the predictors and of all masked columns, which are 0 for itself and later ones,
        shape (columns, predictors + columns).
    deviations
        The deviation of each column from its prediction.
    marginals
        The mean and deviation of each column, shape (2, columns).
    is_normal
        Whether deviations are normal; otherwise they follow Student's distribution.

    Examples
    --------
    >>> line = RegressionDensity(np.array([[1.0, 2.0, 0.0]]), np.ones(1), np.array([[5.0], [3.0]]), True)
    >>> before, after = np.array([[1.0, 3.0], [1.0, 0.0]]), np.array([[7.0, 0.0, 7.0]])
    >>> line.log_densities(before, after, np.array([[0, 1]])).round(2)
    array([[ -0.92, -18.92]])
    """

    coefficients: FloatMatrix
    deviations: FloatColumn
    marginals: FloatMatrix
    is_normal: bool

    @property
    def has_shared_draws(self) -> bool:
        """The coefficients are the same for all records."""
        return True

    @property
    def given(self) -> int:
        """How many predictors an original has."""
        return int(self.coefficients.shape[1]) - len(self.deviations)

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each masked record given each of its candidates."""
        total = np.zeros(candidates.shape)
        count = len(self.deviations)
        some = np.flatnonzero(~np.isnan(after[:, :count]).all(axis=1))
        after, rows = after[some], np.maximum(candidates[some], 0)
        for place in range(count):
            residuals, variances = self._residuals(before, after, rows, place)
            mean, deviation = self.marginals[:, place]
            alone = -0.5 * ((after[:, place] - mean) / deviation) ** 2 - np.log(deviation)
            found = np.where(np.isnan(residuals), alone[:, None], self._log_density(residuals, variances))
            found -= 0.5 * np.log(2 * np.pi)
            total[some] += np.where(np.isnan(after[:, place])[:, None], 0.0, found)
        return total

    def _log_density(self, residuals: FloatMatrix, variances: FloatMatrix) -> FloatMatrix:
        distances = residuals**2 / variances
        if not self.is_normal:
            distances = (FREEDOM + 1) * np.log1p(distances / FREEDOM)
        return np.asarray(-0.5 * (distances + np.log(variances)), dtype=np.float64)

    def _residuals(
        self, before: FloatMatrix, after: FloatMatrix, rows: CodeMatrix, place: int
    ) -> tuple[FloatMatrix, FloatMatrix]:
        """Return how far a column of each record lies from what each candidate predicts, and the variance of that."""
        count, weights = len(self.deviations), self.coefficients[place]
        earlier = np.nan_to_num(after[:, 2 * count : 3 * count])
        apart = after[:, place] - earlier @ weights[self.given :]
        variances = after[:, count + place, None] + self.deviations[place] ** 2
        predicted = before[:, : self.given] @ weights[: self.given]
        return apart[:, None] - predicted[rows], np.broadcast_to(variances, rows.shape)

    def refitted(
        self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix, weights: FloatMatrix
    ) -> "RegressionDensity":
        """Return the regressions that fit best where each candidate counts by its weight."""
        count, given = len(self.deviations), self.given
        some = np.flatnonzero(~np.isnan(after[:, :count]).all(axis=1))
        after, candidates, weights = after[some], candidates[some], weights[some]
        rows, predictors = np.maximum(candidates, 0), np.nan_to_num(before[:, :given])
        earlier = np.nan_to_num(after[:, 2 * count : 3 * count])
        coefficients, deviations = self.coefficients.copy(), self.deviations.copy()
        for place in range(count):
            residuals, variances = self._residuals(before, after, rows, place)
            is_known = ~np.isnan(residuals) & (candidates >= 0)
            residuals = np.where(is_known, residuals, 0.0)
            counted = np.where(is_known, weights / variances, 0.0)  # whose place is known badly tells less
            if not self.is_normal:
                counted *= (FREEDOM + 1) / (FREEDOM + residuals**2 / variances)
            if counted.sum() <= 0.0:
                continue
            used = (coefficients[place, given:] != 0.0) & (np.arange(count) < place)
            moved = _slopes(predictors, earlier[:, used], rows, counted, residuals)
            coefficients[place, :given] += moved[:given]
            coefficients[place, given:][used] += moved[given:]
            left = replace(self, coefficients=coefficients)._residuals(before, after, rows, place)[0]
            found = np.sqrt((counted * np.where(is_known, left, 0.0) ** 2).sum() / counted.sum())
            deviations[place] = max(found, SLOWEST * deviations[place], LEAST * self.marginals[1, place])
        return replace(self, coefficients=coefficients, deviations=deviations)


def _slopes(
    predictors: FloatMatrix, earlier: FloatMatrix, rows: CodeMatrix, weights: FloatMatrix, responses: FloatMatrix
) -> FloatColumn:
    """Return the weighted regression of what is left of each pair on the predictors of both its records."""
    n = len(predictors)
    by_original = np.bincount(rows.ravel(), weights.ravel(), n)
    sums = np.bincount(rows.ravel(), (weights * responses).ravel(), n)
    met = np.einsum("jc,jck->jk", weights, predictors[rows])
    moments = np.block(
        [
            [predictors.T @ (by_original[:, None] * predictors), met.T @ earlier],
            [earlier.T @ met, earlier.T @ (weights.sum(axis=1)[:, None] * earlier)],
        ]
    )
    products = np.concatenate([predictors.T @ sums, earlier.T @ (weights * responses).sum(axis=1)])
    scales = np.sqrt(np.maximum(np.diag(moments), 1e-300))
    moments = moments / np.outer(scales, scales) + RIDGE * np.eye(len(scales))
    return np.asarray(np.linalg.lstsq(moments, products / scales, rcond=1e-12)[0] / scales, dtype=np.float64)
