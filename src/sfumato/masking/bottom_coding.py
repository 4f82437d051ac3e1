"""Bottom coding: no value below a threshold."""

from typing import ClassVar, Self

import numpy as np
from pydantic import model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Summary
from sfumato.parameters import Columns, Percent, Strata


class BottomCoding(MaskingMethod):
    """Replace every value below a threshold by the threshold.

    Parameters
    ----------
    columns
        Continuous columns.
    at
        The threshold, in the columns' own unit. Give this or `percent`.
    percent
        The share of the lowest values to replace; the threshold is then the quantile of each column.
    within
        Columns whose equal values make the strata; a threshold by `percent` is then one per stratum.

    Effect on risk
        Hides the lowest values, such as large losses; everything above stays as it is.
    Effect on utility
        Keeps all values above the threshold, and quantiles from it on; raises means and lowers variances.
    Missing values
        Stay missing; quantiles are of the observed values.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, section 3.2.3.

    Examples
    --------
    >>> import polars
    >>> profits = Microdata(polars.DataFrame({"profit": [31.0, -99.0, 8.0]}))
    >>> BottomCoding(columns=("profit",), at=-50).mask(profits, np.random.default_rng()).frame["profit"].to_list()
    [31.0, -50.0, 8.0]
    """

    family: ClassVar[str] = "coding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    at: float | None = None
    percent: Percent | None = None
    within: Strata = ()

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        if (self.at is None) == (self.percent is None):
            raise ValueError(
                "BottomCoding needs either at or percent; got " + ("neither" if self.at is None else "both")
            )
        return self

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with no value below the threshold."""
        summary = block.summary
        return block.map_columns(self.columns, lambda name, column: np.maximum(column, self.threshold(name, summary)))

    def threshold(self, name: str, summary: Summary) -> float:
        """Return the threshold of a column: the one given, or the quantile below which `percent` of the values lie."""
        if self.at is not None:
            return self.at
        return summary.quantile(name, (self.percent or 0.0) / 100)
