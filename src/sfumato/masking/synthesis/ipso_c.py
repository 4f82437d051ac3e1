"""IPSO-C: fitted values plus noise that leaves the regression and its residual covariance as they were."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.kernels.synthesis.orthogonal import orthonormalise
from sfumato.masking.synthesis._ipso import Regression, mask_by_regression
from sfumato.masking.synthesis._likelihoods.regressions import regression_likelihood, seen_values
from sfumato.numerics.arrays import FloatMatrix
from sfumato.parameters import Columns, Strata


class IpsoC(MaskingMethod):
    """Replace some columns by draws from a regression on other columns that give the same estimates.

    Parameters
    ----------
    columns
        Continuous columns to replace. Integer columns get rounded values. Collinear columns are fine: a total stays
        the sum of its parts (up to rounding).
    given
        Columns to predict from, which stay as they are; together with an intercept. Each category of a nominal or
        ordinal column but the first is a dummy. Collinear columns are fine.
    within
        Columns whose equal values make the strata; there is then a regression for each stratum.

    Effect on risk
        The masked values are draws around what `given` predicts. The better it predicts, the nearer they come to the
        original values, above all in records that are far out in `given`. With few records more than columns the
        draws are tied to the original residuals.
        An integer column that is nearly a function of `given`, so that rounding would give most values back, is
        refused.
    Effect on utility
        Keeps means, regression coefficients on `given`, residual covariance, and so all covariances of `columns`
        with each other and with `given`, exactly (integer columns: up to rounding). The residuals become normal,
        whatever they were: a skewed column may get negative values.
    Missing values
        Stay missing. What is kept is kept for the records complete in `columns` and `given`. The values of other
        records are drawn from a regression of the complete records on what these others have of `given`. A column
        that is constant or determined by `given`, and records that decide alone what is fitted to them, are refused:
        values would stay as they are.
    Source
        Burridge (2003), Information preserving statistical obfuscation, method C.

    Examples
    --------
    >>> import polars
    >>> firms = polars.DataFrame({"staff": [1.0, 2.0, 3.0, 4.0], "profit": [1.0, 5.0, 3.0, 7.0]})
    >>> method = IpsoC(columns=("profit",), given=("staff",))
    >>> masked = method.mask(Microdata(firms), np.random.default_rng(0)).frame
    >>> np.cov(masked["staff"], masked["profit"]).round(6)  # as in the original
    array([[1.666667, 2.666667],
           [2.666667, 6.666667]])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    given: Columns = Field(examples=[["age", "education"]])
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with draws in place of the chosen columns."""
        return mask_by_regression(self, block, block.select(self.given), matched_noise, rng)

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of draws about the regression of the original records."""
        given = original.select(self.given)
        return regression_likelihood(self, given, original, masked, names, seen_values, is_normal=True)


def matched_noise(regression: Regression, rng: np.random.Generator) -> FloatMatrix:
    """Return normal noise, one column per row, orthogonal to the predictors and with the residuals' cross-products."""
    normals = rng.standard_normal(regression.directions.shape)
    directions, _ = orthonormalise(normals, regression.space, 0.0)  # random ones in place of the original ones
    return np.asarray(np.einsum("rj,rn->jn", regression.factor, directions), dtype=np.float64)
