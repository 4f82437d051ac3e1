"""Individual ranking: groups of k neighbours in rank, column by column."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import NOTHING, Knowledge, Layout, MaskingMethod, columns_present
from sfumato.data import Kind, Microdata
from sfumato.masking.microaggregation._aggregation import average_columns, means_by_rank
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters import Columns, GroupSize, Strata


class IndividualRanking(MaskingMethod):
    """Replace each value by the mean of `k` neighbours in rank, each column ranked separately.

    Parameters
    ----------
    columns
        Continuous columns, each masked separately. Integer columns get rounded means.
    k
        The number of values in a group; the last group takes the remainder too and has up to `2 k - 1`. A
        column of more than 2 million values is cut into runs, and the last group of each run takes its remainder.
    within
        Columns whose equal values make the strata; values are then ranked inside each stratum.

    Effect on risk
        Low protection: the groups of different columns are different, so that a whole record is hardly ever equal to
        another one, and an intruder who knows the method narrows every value to the span between neighbouring means.
        It has been attacked effectively: measure `IndividualRankingLinkage`.
    Effect on utility
        Keeps means (up to the rounding of integer columns) and the order of the values. Loses little, and slightly
        more than `UnivariateMicroaggregation`.
    Missing values
        Stay missing; the observed values are ranked. Equal values are ranked by row, and some may go to one group and
        some to the next.
    Source
        Defays and Nanopoulos (1993), Panels of enterprises and confidentiality: the small aggregates method. The
        attack: Winkler (2002), Single-ranking micro-aggregation and re-identification.

    Examples
    --------
    >>> ranked_means(np.array([9.0, 1.0, 2.0, 8.0, 4.0]), 2)
    array([7. , 1.5, 1.5, 7. , 7. ])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.RANKS

    columns: Columns
    k: GroupSize = 3
    within: Strata = ()

    def reach(self, n: int) -> int:
        """Return the most ranks between two values of a group."""
        return 2 * self.k - 2

    def knowledge(self, original: Microdata) -> Knowledge:
        """Return that each column keeps its order; nothing with strata, as it is then kept only inside each stratum."""
        if self.strata:
            return NOTHING
        return Knowledge(individually_ranked=frozenset(columns_present(self.columns, original)))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with each of the chosen columns averaged in groups."""
        return average_columns(block, self, lambda column: ranked_means(column, self.k))


def ranked_means(column: FloatColumn, k: int) -> FloatColumn:
    """Return the values averaged in groups of `k` consecutive ranks, the last with the remainder."""
    return means_by_rank(column, lambda ranked: _runs(len(ranked), k))


def _runs(n: int, k: int) -> CodeColumn:
    return np.asarray(np.minimum(np.arange(n) // k, n // k - 1), dtype=np.int64)
