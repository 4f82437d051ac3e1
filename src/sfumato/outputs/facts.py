"""Facts: what an output tells of sets of records, as counts and sums over its cells."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

COUNT = ""  # the measure that counts records; any other is the key of a variable that is added up, or begins as follows
QUANTILES = "quantiles of "  # the records behind quantiles and extreme values of a column, judged like counts


@dataclass(frozen=True, eq=False)
class Facts:
    """The cells of one output as sets of records, and which of them are shown.

    Parameters
    ----------
    output
        What the output is called.
    groups
        For each record of the project the finest group of the output that it falls into; -1 for none.
    cells
        The sparse 0/1 matrix (cells x groups): the groups that each cell is made of.
    names
        What each cell is called.
    is_asked
        The cells that the output was asked to show; others are totals that a reader may work out.
    is_shown
        Those of them that it shows.
    measures
        What is told of each shown cell: `COUNT`, keys of variables that are added up, and of which columns `QUANTILES`.
    rounding
        The base that counts are rounded to; 0 where they are exact.
    """

    output: str
    groups: CodeColumn
    cells: Any  # scipy.sparse.csr_array
    names: tuple[str, ...]
    is_asked: Booleans
    is_shown: Booleans
    measures: tuple[str, ...] = (COUNT,)
    rounding: int = 0

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.names)

    def hide(self, hidden: Booleans) -> "Facts":
        """Return the facts with some more cells hidden."""
        return replace(self, is_shown=self.is_shown & ~hidden)

    def show_all(self) -> "Facts":
        """Return the facts with every cell shown that was asked for."""
        return replace(self, is_shown=self.is_asked.copy())

    def placed(self, places: CodeColumn, records: int) -> "Facts":
        """Return the facts with the records of one file at their places among those of the project."""
        groups = np.full(records, -1, dtype=np.int64)
        groups[places] = self.groups
        return replace(self, groups=groups)

    def totals(self, values: FloatColumn | None = None) -> FloatColumn:
        """Return for each cell how many records it has, or what a variable adds up to over them."""
        inside = self.groups >= 0
        weights = None if values is None else values[inside]
        sums = np.bincount(self.groups[inside], weights, minlength=self.cells.shape[1])
        return np.asarray(self.cells @ sums, dtype=np.float64)

    def bounds(self, counts: FloatColumn) -> tuple[FloatColumn, FloatColumn]:
        """Return what a reader knows of shown counts: the counts, or the ends of what rounds to the figure shown."""
        if not self.rounding:
            return counts, counts
        shown = round_counts(counts, self.rounding)
        reach = (self.rounding - 1) // 2
        above = self.rounding - 1 - reach
        return np.maximum(shown - above, 0.0), shown + reach


def is_of_records(measure: str) -> bool:
    """Tell whether a measure is judged by numbers of records; others are sums of a variable."""
    return measure == COUNT or measure.startswith(QUANTILES)


def round_counts(counts: FloatColumn, base: int) -> FloatColumn:
    """Return counts rounded to the nearest multiples of a base; halves go up.

    Examples
    --------
    >>> round_counts(np.array([2.0, 3.0, 12.0]), 5)
    array([ 0.,  5., 10.])
    """
    return np.floor(counts / base + 0.5) * base
