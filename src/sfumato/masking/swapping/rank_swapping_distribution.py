"""Rank swapping p-distribution: exchange values between ranks whose distance is a normal draw."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.kernels.swapping.rank_swaps import pair_near
from sfumato.masking.swapping._odd_counts import pair_ranks
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import shuffled_order
from sfumato.parameters import Columns, Percent, Strata


class RankSwappingDistribution(MaskingMethod):
    """Swap each value with one whose distance in rank is drawn from a normal distribution.

    With p the window as a number of ranks, the distance is drawn from a normal distribution with mean p / 2 and
    standard deviation p / 2. Most values go no further than in rank swapping with the same window, and any value may
    go anywhere.

    Parameters
    ----------
    columns
        Continuous or ordinal columns; each is swapped on its own.
    window
        Twice the mean distance in rank, in percent of the number of records.
    within
        Columns whose equal values make the strata; values are then swapped, and ranked, inside each stratum.

    Effect on risk
        Falls as `window` grows. There is no largest distance that an intruder could know, so that the set of records
        that a value may have gone to is the whole file: the attack by intersecting such sets, which is strong against
        `RankSwapping`, fails. But values are still exchanged between two records at a time: an intruder who has the
        original values of several columns follows the swaps from record to record and links nearly every record whose
        values are unique, as with `RankSwapping`. Measure `WorstCaseLinkage`.
    Effect on utility
        Keeps every marginal distribution exactly; weakens correlations as `window` grows.
    Missing values
        Stay missing; ranks are of the observed values. Equal values are ranked by row.
    Source
        Nin, Herranz and Torra (2008), Rethinking rank swapping to decrease disclosure risk. Where the rank drawn is
        not free any more, or there is none, the nearest free rank takes its place here, so that every value but at
        most one is swapped.

    Examples
    --------
    >>> swap_by_distance(np.array([30.0, 10.0, 20.0, 40.0]), 2.0, np.random.default_rng(0))
    array([40., 20., 10., 30.])
    """

    family: ClassVar[str] = "swapping"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})
    layout: ClassVar[Layout] = Layout.RANKS
    ignores_order: ClassVar[bool] = True
    exchanges_values: ClassVar[bool] = True

    columns: Columns
    window: Percent = 5.0
    within: Strata = ()

    def reach(self, n: int) -> int:
        """Return the distance in rank that all but one of three million draws stay below."""
        return int(3 * n * self.window / 100)  # the mean and five standard deviations

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns swapped."""
        check_value_count(type(self).__name__, block, block.select(self.columns))
        summary = block.summary
        return block.map_columns(
            self.columns,
            lambda name, column: swap_by_distance(column, summary.observed(name) * self.window / 100, rng),
        )


def swap_by_distance(column: FloatColumn, window: float, rng: np.random.Generator) -> FloatColumn:
    """Return `column` with values swapped between ranks about `window` / 2, as a number of ranks, apart."""
    by_rank = shuffled_order(column, rng)
    steps = np.rint(rng.normal(0.5 * window, 0.5 * window, column.size)).astype(np.int64)
    swapped = np.empty_like(column)
    partners = pair_ranks(column.size, lambda ranks: pair_near(steps[ranks]), rng)
    swapped[by_rank] = column[by_rank[partners]]
    return swapped
