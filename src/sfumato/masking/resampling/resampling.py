"""Resampling: averages of sorted bootstrap samples, put back in the order of the original."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import shuffled_order
from sfumato.parameters import Columns, Strata


class Resampling(MaskingMethod):
    """Replace the value of rank j by the average of the values of rank j in some bootstrap samples of the column.

    Parameters
    ----------
    columns
        Continuous columns; each is resampled on its own. Integer columns get rounded values.
    samples
        Number of bootstrap samples that are averaged, each as large as the column.
    within
        Columns whose equal values make the strata; each stratum is resampled on its own.

    Effect on risk
        Small: ranks stay as they are and values move little, least where the data are dense. Fewer samples move them
        more. Outliers may be replaced by values well below or above them, or stay.
    Effect on utility
        Keeps ranks, and with them rank correlations, exactly, and means in expectation; lowers variances slightly as
        `samples` grows.
    Missing values
        Stay missing; samples are of the observed values.
    Source
        Domingo-Ferrer and Mateo-Sanz (1999), On resampling for statistical confidentiality in contingency tables; for
        microdata as in Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata.

    Examples
    --------
    >>> resample(np.array([5.0, 1.0, 9.0, 3.0]), 2, np.random.default_rng(0))
    array([3., 2., 6., 3.])
    """

    family: ClassVar[str] = "resampling"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    ignores_order: ClassVar[bool] = True

    columns: Columns
    samples: Annotated[int, Field(ge=1, le=10_000)] = 3
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns resampled."""
        check_value_count(type(self).__name__, block, block.select(self.columns))
        return block.map_columns(self.columns, lambda _, column: resample(column, self.samples, rng))


def resample(column: FloatColumn, samples: int, rng: np.random.Generator) -> FloatColumn:
    """Return for each value the average, over bootstrap samples, of the value of the same rank."""
    by_rank = shuffled_order(column, rng)
    ascending = column[by_rank]
    total = np.zeros(column.size)
    for _ in range(samples):
        # how often each rank was drawn gives the sample in sorted order without sorting it
        drawn = np.bincount(rng.integers(column.size, size=column.size), minlength=column.size)
        total += np.repeat(ascending, drawn)
    averaged = np.empty_like(column)
    averaged[by_rank] = total / samples
    return averaged
