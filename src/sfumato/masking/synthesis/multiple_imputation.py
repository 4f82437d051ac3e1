"""Multiple imputation: confidential columns drawn from regressions with normal errors."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.masking.synthesis._bayesian_regression import fit_bayesian_regression
from sfumato.masking.synthesis._imputation import Releases, impute_releases
from sfumato.masking.synthesis._likelihoods.regressions import regression_likelihood, seen_values
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Given, Strata


class MultipleImputation(MaskingMethod):
    """Replace columns, one after another, by draws from regressions with normal errors.

    Parameters
    ----------
    columns
        Continuous columns, in the order in which they are drawn: each from `given` and the columns drawn before it.
        Collinear columns are fine: a total that comes after its parts stays their sum.
    given
        Columns that stay as they are and are predicted from; categories serve as dummies.
    releases
        Number of masked files, each with parameters and errors of its own. With more than one, each record stands that
        many times, one after the other, and a new column `release` has the number of the file. Users combine
        the estimates of all; the spread between them is the uncertainty that the masking adds.
    within
        Columns whose equal values make the strata; each stratum then has regressions of its own.

    Effect on risk
        A record's drawn values depend on its given columns only: an intruder learns what the regression says, with its
        residual error. The mean of many releases comes near the fitted value: release few.
        An integer column that is nearly a function of `given` is rounded back to its values: leave it out, or make it a
        float first.
    Effect on utility
        Keeps means, variances and correlations in expectation, where relations are linear. Normal errors lose
        skewness, zeros, bounds (a drawn income may be negative) and relations that are not linear.
    Missing values
        Stay missing. A missing value in a predictor counts as the mean, and that it is missing as a predictor. A
        column that is constant or determined by the given ones is refused, and so are an integer column in which
        rounding would give most values back, and too few records for a regression.
    Source
        Rubin (1993), Discussion: statistical disclosure limitation; variable by variable with randomised regressions
        as in Kennickell (1998), Multiple imputation and disclosure protection: the case of the 1995 Survey of Consumer
        Finances. Parameters are drawn from their posterior, so that the releases can be combined.

    Examples
    --------
    >>> age = np.array([20.0, 30.0, 40.0, 50.0, 60.0])
    >>> predictors = np.array([np.ones(5), age])
    >>> income = 100 * age + np.array([1.0, -1.0, 0.0, -1.0, 1.0])
    >>> normal_draw(income, predictors, predictors, np.random.default_rng(0)).round()
    array([2000., 3001., 4002., 5001., 5999.])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_shape: ClassVar[bool] = False

    columns: Columns
    given: Given = ()
    releases: Releases = 1
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the block with drawn values in the chosen columns, once per release."""
        return impute_releases(self, block, block.select(self.given), self.releases, normal_draw, rng)

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of draws about regressions, one after another; none for several releases."""
        if self.releases > 1:
            return None
        given = original.select(self.given)
        return regression_likelihood(self, given, original, masked, names, seen_values, is_normal=True)


def normal_draw(values: FloatColumn, known: FloatMatrix, asked: FloatMatrix, rng: np.random.Generator) -> FloatColumn:
    """Return a prediction from drawn parameters plus a normal error for each record.

    Parameters
    ----------
    values, known
        The column and its predictors, one per row, in the original file.
    asked
        The predictors to draw for.
    rng
        The generator.
    """
    if not values.size:
        return values
    centre = values.mean()
    coefficients, deviation = fit_bayesian_regression(values - centre, known).draw(rng)
    errors = deviation * rng.standard_normal(asked.shape[1])
    return np.asarray(centre + np.einsum("k,kn->n", coefficients, asked) + errors, dtype=np.float64)
