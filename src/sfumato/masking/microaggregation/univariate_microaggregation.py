"""Univariate microaggregation: the best possible groups of each column."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import NOTHING, Knowledge, Layout, MaskingMethod, columns_present
from sfumato.data import Kind, Microdata
from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts
from sfumato.masking.microaggregation._aggregation import average_columns, means_by_rank
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns, GroupSize, Strata


class UnivariateMicroaggregation(MaskingMethod):
    """Replace each value by the mean of its group, each column grouped separately at the least possible loss.

    Parameters
    ----------
    columns
        Continuous columns, each masked separately. Integer columns get rounded means.
    k
        The smallest number of values in a group; groups have up to `2 k - 1`.
    within
        Columns whose equal values make the strata; values are then grouped inside each stratum.

    Effect on risk
        Low protection: the groups of different columns are different, so that a whole record is hardly ever equal to
        another one, and an intruder who knows the method narrows every value to the span between neighbouring means.
        Measure `IndividualRankingLinkage`. Use it where one column is known to an intruder, or before other methods.
    Effect on utility
        Keeps means (up to the rounding of integer columns) and the order of the values. Of all groups with at least
        `k` values these have the least sum of squared differences.
    Missing values
        Stay missing; the observed values are grouped. Of equal values some may go to one group and some to the next,
        those in earlier rows first.
    Source
        Hansen and Mukherjee (2003), A polynomial algorithm for optimal univariate microaggregation.

    Examples
    --------
    >>> optimal_means(np.array([9.0, 1.0, 2.0, 8.0, 3.0]), 2)
    array([8.5, 2. , 2. , 8.5, 2. ])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.RANKS  # with the reach of all ranks: each column is one run

    columns: Columns
    k: GroupSize = 3
    within: Strata = ()

    def knowledge(self, original: Microdata) -> Knowledge:
        """Return that each column keeps its order; nothing with strata, as it is then kept only inside each stratum."""
        if self.strata:
            return NOTHING
        return Knowledge(individually_ranked=frozenset(columns_present(self.columns, original)))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with each of the chosen columns averaged in groups."""
        return average_columns(block, self, lambda column: optimal_means(column, self.k))


def optimal_means(column: FloatColumn, k: int) -> FloatColumn:
    """Return the values averaged in groups of at least `k` with the least sum of squared differences."""
    return means_by_rank(column, lambda ranked: optimal_cuts(ranked, k))
