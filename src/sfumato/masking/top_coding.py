"""Top coding: no value above a threshold."""

from typing import ClassVar, Self

import numpy as np
from pydantic import model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Summary
from sfumato.parameters import Columns, Percent, Strata


class TopCoding(MaskingMethod):
    """Replace every value above a threshold by the threshold.

    Parameters
    ----------
    columns
        Continuous columns.
    at
        The threshold, in the columns' own unit. Give this or `percent`.
    percent
        The share of the highest values to replace; the threshold is then the quantile of each column.
    within
        Columns whose equal values make the strata; a threshold by `percent` is then one per stratum.

    Effect on risk
        Hides the highest values, which are the easiest to recognise; everything below stays as it is.
    Effect on utility
        Keeps all values below the threshold, and quantiles up to it; lowers means and variances.
    Missing values
        Stay missing; quantiles are of the observed values.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, section 3.2.3.

    Examples
    --------
    >>> import polars
    >>> ages = Microdata(polars.DataFrame({"age": [31.0, 99.0, 87.0]}))
    >>> TopCoding(columns=("age",), at=90).mask(ages, np.random.default_rng()).frame["age"].to_list()
    [31.0, 90.0, 87.0]
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
            raise ValueError("TopCoding needs either at or percent; got " + ("neither" if self.at is None else "both"))
        return self

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with no value above the threshold."""
        summary = block.summary
        return block.map_columns(self.columns, lambda name, column: np.minimum(column, self.threshold(name, summary)))

    def threshold(self, name: str, summary: Summary) -> float:
        """Return the threshold of a column: the one given, or the quantile above which `percent` of the values lie."""
        if self.at is not None:
            return self.at
        return summary.quantile(name, 1 - (self.percent or 0.0) / 100)
