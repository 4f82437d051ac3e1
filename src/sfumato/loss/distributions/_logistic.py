"""Logistic regression by Newton's method, block by block, for files that it may separate completely."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import independent_columns
from sfumato.numerics.row_blocks import row_blocks

PENALTY = 1e-9  # per record, on the squared coefficients of predictors made uncorrelated: keeps them finite
CLOSE = 1e-9  # the step that adds less than this to the log-likelihood of a record is the last
STEPS = 50
HALVINGS = 10

Design = Callable[[slice], FloatMatrix]
"""The predictors of a run of records (records x predictors), the first of them 1 for all."""


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """A fitted logistic regression.

    Parameters
    ----------
    chances
        The fitted chance of each record to be one of those asked about.
    coefficients
        How many coefficients were fitted, the constant among them; predictors that others give are left out.
    """

    chances: FloatColumn
    coefficients: int


@dataclass(frozen=True, eq=False)
class _State:
    """Where the search stands: coefficients, the criterion per record, its slope and its curvature."""

    coefficients: FloatColumn
    criterion: float
    slope: FloatColumn
    curvature: FloatMatrix


@dataclass(frozen=True, eq=False)
class _Problem:
    """What is asked; predictors times `turned` are uncorrelated and of mean square 1, the constant stays as it is."""

    design: Design
    asked: FloatColumn
    turned: FloatMatrix

    def at(self, coefficients: FloatColumn) -> _State:
        """Return where some coefficients of the turned predictors lead."""
        from scipy.special import expit

        n, width = self.asked.size, len(self.turned)
        weights = self.turned @ coefficients
        likelihood, slope, curvature = 0.0, np.zeros(width), np.zeros((width, width))
        for rows in row_blocks(n):
            block = self.design(rows)
            logits = block @ weights
            likelihood += float((self.asked[rows] * logits - np.logaddexp(0, logits)).sum())
            slope += block.T @ (self.asked[rows] - expit(logits))
            weighted = block * np.sqrt(expit(logits) * expit(-logits))[:, None]
            curvature += weighted.T @ weighted
        penalty = np.where(np.arange(coefficients.size) == 0, 0.0, PENALTY)  # none on the constant
        return _State(
            coefficients,
            likelihood / n - float(penalty @ coefficients**2) / 2,
            self.turned.T @ slope / n - penalty * coefficients,
            self.turned.T @ curvature @ self.turned / n + np.diag(penalty),
        )

    def after(self, now: _State, step: FloatColumn) -> _State:
        """Return where a step leads, halved until it makes nothing worse."""
        for halving in range(HALVINGS):
            after = self.at(now.coefficients + step / 2**halving)
            if after.criterion >= now.criterion:
                return after
        return now

    def chances(self, coefficients: FloatColumn) -> FloatColumn:
        """Return the chance of each record."""
        from scipy.special import expit

        weights = self.turned @ coefficients
        return np.concatenate([expit(self.design(rows) @ weights) for rows in row_blocks(self.asked.size)])


def logistic_fit(design: Design, asked: FloatColumn) -> LogisticFit:
    """Return the logistic regression of `asked` (0 or 1 for each record, both of them there) on the predictors.

    The likelihood has no maximum where the predictors tell some records apart completely; a penalty too small to be
    seen elsewhere then stops the chances close to 0 and 1.

    Examples
    --------
    >>> records = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    >>> fit = logistic_fit(lambda rows: records[rows], np.array([0.0, 1.0, 0.0, 0.0]))
    >>> fit.chances.round(6), fit.coefficients
    (array([0.5, 0.5, 0. , 0. ]), 2)
    """
    turned, slope = _prepare(design, asked)
    share, coefficients = float(asked.mean()), np.zeros(turned.shape[1])
    coefficients[0] = np.log(share / (1 - share))
    likelihood = share * np.log(share) + (1 - share) * np.log(1 - share)
    # with the constant alone all chances are equal, and the curvature of uncorrelated predictors is theirs
    curvature = share * (1 - share) * np.eye(coefficients.size)
    problem = _Problem(design, asked, turned)
    best = _best(problem, _State(coefficients, likelihood, slope, curvature))
    return LogisticFit(problem.chances(best), coefficients.size)


def _best(problem: _Problem, now: _State) -> FloatColumn:
    """Return the coefficients that Newton's steps lead to."""
    for _ in range(STEPS):
        step = np.linalg.solve(now.curvature, now.slope).astype(np.float64)
        if now.slope @ step < 2 * CLOSE:
            return now.coefficients + step
        reached = problem.after(now, step)
        if reached is now:  # what is left to gain is lost in rounding
            break
        now = reached
    return now.coefficients


def _prepare(design: Design, asked: FloatColumn) -> tuple[FloatMatrix, FloatColumn]:
    """Return what turns the predictors that count into uncorrelated ones, and the slope with the constant alone."""
    from scipy.linalg import solve_triangular

    n, share = asked.size, asked.mean()
    width = design(slice(0, 1)).shape[1]
    products, slope = np.zeros((width, width)), np.zeros(width)
    for rows in row_blocks(n):
        block = design(rows)
        products += block.T @ block
        slope += block.T @ (asked[rows] - share)
    kept = independent_columns(products)
    scale = np.sqrt(np.diag(products)[kept] / n)
    factor = np.linalg.cholesky(products[np.ix_(kept, kept)] / np.outer(scale, scale) / n)
    turned = np.zeros((width, len(kept)))
    turned[kept] = solve_triangular(factor, np.eye(len(kept)), lower=True).T / scale[:, None]
    return turned, turned.T @ slope / n
