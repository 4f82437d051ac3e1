"""Rank swapping: exchange values between records of similar rank."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import NOTHING, Knowledge, Layout, MaskingMethod, columns_present
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.kernels.swapping.pairing import pair_within
from sfumato.masking.swapping._odd_counts import pair_on_both_sides
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import shuffled_order
from sfumato.parameters import Columns, Percent, Strata


class RankSwapping(MaskingMethod):
    """Swap each value with one whose rank is at most `window` percent away.

    Parameters
    ----------
    columns
        Continuous or ordinal columns; each is swapped on its own.
    window
        Largest difference in rank, in percent of the number of records. A window of less than one record
        is refused: nothing would be swapped.
    within
        Columns whose equal values make the strata; values are then swapped, and ranked, inside each stratum.

    Effect on risk
        Falls as `window` grows. An intruder who knows `window` can narrow every value to an interval of ranks, and
        one who links by ranks re-identifies far more than one who links by values: do not judge by distance linkage
        alone, measure `WorstCaseLinkage`. It protects from those who know little of a record, and not at all from those
        who have the original values of several columns: a swap ties two pairs of records together, so that one right
        guess confirms others, and an intruder who follows the swaps links nearly every record whose values are
        unique, whatever the window (Census, 5 columns known, window 50: all of them).
    Effect on utility
        Keeps every marginal distribution exactly; weakens correlations as `window` grows. Of an odd number of values
        one, drawn at random, stays as it is.
    Missing values
        Stay missing; ranks are of the observed values.
    Source
        Moore (1996), Controlled data-swapping techniques for masking public use microdata sets.

    Examples
    --------
    >>> swap_ranks(np.array([30.0, 10.0, 20.0, 40.0]), 2, np.random.default_rng(0))
    array([10., 30., 40., 20.])
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
        """Return the window as a number of ranks."""
        return int(n * self.window / 100 + 1e-9)  # 0.57 % of 10 000 is 57, whatever the computer makes of it

    def knowledge(self, original: Microdata) -> Knowledge:
        """Return the window of each column; nothing with strata, as ranks are then counted inside each stratum."""
        if self.strata:
            return NOTHING
        return Knowledge(rank_windows=dict.fromkeys(columns_present(self.columns, original), self.window))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns swapped."""
        summary = block.summary
        reaches = {name: self.reach(summary.observed(name)) for name in block.select(self.columns)}
        for name, reach in reaches.items():
            if reach < 1 and summary.observed(name):
                raise DataError(
                    f"RankSwapping.window reaches less than one record in '{name}', in the file or in a stratum, "
                    f"and would leave it as it is: {format_compact(self.window)} % of {summary.observed(name)} values; "
                    f"widen it or join strata"
                )
        return block.map_columns(self.columns, lambda name, column: swap_ranks(column, reaches[name], rng))


def swap_ranks(column: FloatColumn, reach: int, rng: np.random.Generator) -> FloatColumn:
    """Return `column` with values swapped between ranks at most `reach` apart; equal values are ranked at random."""
    by_rank = shuffled_order(column, rng).astype(np.int32)  # half the memory; no block has 2^31 values
    draws = rng.random(column.size)
    source = by_rank[pair_on_both_sides(column.size, lambda run: pair_within(reach, draws[run]), rng)]
    swapped = np.empty_like(column)
    swapped[by_rank] = column[source]
    return swapped
