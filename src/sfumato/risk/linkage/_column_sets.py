"""Links by many sets of columns of the same records: each column is standardised once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sfumato.kernels.neighbours.nearest import nearest_share
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.standardisation import standardise_both

Scaled = tuple[FloatMatrix, FloatMatrix]
"""A column of the originals and of the masked records, as rows; no row where the originals do not differ."""


@dataclass(frozen=True, eq=False)
class ColumnSets:
    """Original and masked records that are linked by one set of their columns after the other.

    Parameters
    ----------
    original, masked
        Values, shapes (n, d) and (m, d); missing is NaN.
    rows
        For each masked record the original that it came from.
    """

    original: FloatMatrix
    masked: FloatMatrix
    rows: Rows
    _scaled: dict[tuple[bytes, int], Scaled] = field(default_factory=dict, repr=False)

    def links(self, known: Sequence[int]) -> FloatColumn:
        """Return how far each masked record is linked by some columns, gaps fitting every value or looked for apart.

        Of both ways the one that links more: gaps fit every value, or records without one are looked for among those
        without one.
        """
        links = self._nearest(known, np.ones(len(self.original), dtype=np.bool_), np.arange(len(self.rows)))
        whole, asked = _without_gaps(self.original, known), _without_gaps(self.masked, known)
        if len(known) == 1 or whole.all() or not (asked & whole[self.rows]).any():  # one value is there or is not
            return links
        found = np.flatnonzero(asked & whole[self.rows])
        apart = np.where(asked, 0.0, links)
        apart[found] = self._nearest(known, whole, found)
        return apart if apart.mean() > links.mean() else links

    def _nearest(self, known: Sequence[int], among: Booleans, asked: Rows) -> FloatColumn:
        """Return how far some masked records are linked among some originals, whose deviations count."""
        columns = [self._column(place, among) for place in known]
        before, after = (np.vstack([pair[file] for pair in columns]).T for file in (0, 1))
        return nearest_share(before, after[asked], (np.cumsum(among) - 1)[self.rows[asked]])

    def _column(self, place: int, among: Booleans) -> Scaled:
        """Return a column of the originals that are looked among, and of all masked records."""
        about = np.packbits(among).tobytes(), place
        if about not in self._scaled:
            column = slice(place, place + 1)
            before, after = standardise_both(self.original[among, column], self.masked[:, column])
            self._scaled[about] = before.T, after.T
        return self._scaled[about]


def _without_gaps(values: FloatMatrix, known: Sequence[int]) -> Booleans:
    lacks_none = np.ones(len(values), dtype=np.bool_)
    for place in known:
        lacks_none &= ~np.isnan(values[:, place])
    return lacks_none
