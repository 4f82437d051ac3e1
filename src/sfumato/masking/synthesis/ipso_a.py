"""IPSO-A: replace confidential columns by their fitted values."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.masking.synthesis._ipso import mask_by_regression
from sfumato.masking.synthesis._likelihoods.regressions import fitted_values, regression_likelihood
from sfumato.parameters import Columns, Strata


class IpsoA(MaskingMethod):
    """Replace some columns by what a regression on other columns predicts for each record.

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
        The masked values hold nothing of a record but its given values; the better these predict, the nearer the
        masked values come to the original ones, above all in records that are far out in `given`.
        An integer column that is nearly a function of `given`, so that rounding would give most values back, is
        refused.
    Effect on utility
        Keeps means and regression coefficients on `given`. Variances shrink to their explained part, and correlations
        among the masked columns grow: the residuals are gone.
    Missing values
        Stay missing. The regression is of the records complete in `columns` and `given`. The values of other records
        are predicted from what they have of `given`, by a regression of the complete records on these columns only.
        A column that is constant or determined by `given`, and records that decide alone what is fitted to them, are
        refused: values would stay as they are.
    Source
        Burridge (2003), Information preserving statistical obfuscation; as fitted values without noise in Torra, Abowd
        and Domingo-Ferrer (2006), Using Mahalanobis distance-based record linkage for disclosure risk assessment.

    Examples
    --------
    >>> import polars
    >>> firms = Microdata(polars.DataFrame({"staff": [1.0, 2.0, 3.0, 4.0], "profit": [1.0, 5.0, 3.0, 7.0]}))
    >>> masked = IpsoA(columns=("profit",), given=("staff",)).mask(firms, np.random.default_rng())
    >>> masked.frame["profit"].round(6).to_list()
    [1.6, 3.2, 4.8, 6.4]
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    given: Columns = Field(examples=[["age", "education"]])
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the fitted values in place of the chosen columns."""
        return mask_by_regression(self, block, block.select(self.given), None, rng)

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of fitted values, about those of a regression on all records where it was on a sample."""
        return regression_likelihood(
            self,
            original.select(self.given),
            original,
            masked,
            names,
            fitted_values(masked.n / max(original.n, 1)),
            is_normal=False,
            uses_earlier=False,
        )
