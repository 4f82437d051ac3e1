"""Best subset linkage: an intruder who has the numbers that tell most looks for the nearest original record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import METRIC, Kind, Microdata
from sfumato.kernels.neighbours.nearest import nearest_share
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.binomial import error_of_mean
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.standardisation import standardise_both
from sfumato.parameters import Columns

ASKED = 1000  # masked records that sets of columns are compared by
SEARCHED = 20_000  # original records that they are looked for among
COUNTED = 50_000  # masked records by which the chosen sets are counted, which is exact to a quarter of a percent
CONSIDERED = 20  # columns, those that tell most by themselves
PAIRED = 10  # of them, of which each two are tried
BEGINNINGS = 2  # pairs that sets are grown from
SEPARATOR = "+"

Subset = tuple[int, ...]
Scaled = tuple[FloatMatrix, FloatMatrix]
"""A column of the originals and of the masked records, as rows; no row where the originals do not differ."""


class BestSubsetLinkage(RiskMeasure):
    """Count the masked records whose nearest original record is the right one, by the columns that tell most.

    Which columns an intruder has is not known, so that those count that find most: all of them, the best two, and the
    set that grows from these by the column that adds most. Sets are chosen by up to 1,000 masked records looked for
    among up to 20,000 originals, spread evenly over the file, and the chosen ones are counted over all records; of more
    than 50,000 masked records so many are drawn at random, looked for among all originals, and a standard error is
    given. The value is the percent of masked records linked by the set that links most; parts are the sets, by their
    columns.

    Parameters
    ----------
    columns
        Continuous, ordinal (by the number of their category) or date columns (in days). Of more than 20 sets are made
        of the 20 that tell most by themselves, and of all.

    Meaning
        0: no record is linked. 100: every record is, by the columns that tell most. Other sets than those tried may
        link more.
    Intruder
        Knows the exact original values of every person in the file, in the columns that tell most, and links by the
        Euclidean distance after standardising both files by the original's means and standard deviations. Of equally
        near records one is drawn.
    Missing values
        A distance is over the columns that both records have, scaled up by columns / columns compared, so that an
        original with few values is easily near. Whoever sees this looks for masked records without a gap among
        originals without one: of both ways the one counts that links more. A record without a common column with its
        original is not linked. Constant columns tell nothing.
    Source
        The linkage from Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for
        microdata; the forward search from Kohavi and John (1997), Wrappers for feature subset selection.

    Examples
    --------
    >>> original = np.array([[1.0, 5.0, 7.0], [2.0, 1.0, 3.0], [3.0, 9.0, 5.0], [4.0, 6.0, 1.0]])
    >>> masked = np.array([[2.5, 5.2, 6.0], [2.5, 1.1, 4.5], [2.5, 8.5, 4.0], [2.5, 6.1, 2.0]])
    >>> choose_subsets(original, masked, np.arange(4))  # the second column finds all four
    [(1,), (1, 2), (0, 1, 2)]
    """

    symbol: ClassVar[str] = "BSLD"
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = METRIC | {Kind.ORDINAL}

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of records linked by the columns that tell most, and by the other sets."""
        files = side_by_side(self, original, masked, Correspondence.TRUE_RECORD)
        before, after = files.original, files.masked
        subsets = choose_subsets(before, after, files.rows)
        drawn = _drawn(after)
        after, rows = after[drawn], files.rows[drawn]
        links = {known: best_link_share(before[:, known], after[:, known], rows) for known in subsets}
        parts = {_name(known, files.names): 100 * float(link.mean()) for known, link in links.items()}
        most = max(links, key=lambda known: (float(links[known].mean()), -len(known)))
        per_record = np.full(masked.n, np.nan)
        per_record[drawn] = 100 * links[most]
        is_sample = drawn.size < masked.n
        looked_for = f", looked for in {drawn.size:,} masked records drawn at random" if is_sample else ""
        return Measurement(
            self.name(),
            self.symbol,
            parts[_name(most, files.names)],
            parts=parts,
            per_record=per_record,
            standard_error=error_of_mean(100 * links[most], drawn.size / masked.n) if is_sample else None,
            remark=f"of the sets of columns that were tried, {_listed(most, files.names)} links most{looked_for}",
        )


def choose_subsets(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> list[tuple[int, ...]]:
    """Return the sets of columns by which most records are linked, as far as some records tell, and all columns.

    Parameters
    ----------
    original, masked
        Values, shapes (n, d) and (m, d).
    rows
        For each masked record the original that it came from.
    """
    asked = _evenly(len(masked), ASKED)
    among = np.union1d(_evenly(len(original), SEARCHED), rows[asked])
    sets = ColumnSets(original[among], masked[asked], np.searchsorted(among, rows[asked]))

    def share(known: tuple[int, ...]) -> float:
        links = sets.links(known)
        return float(links.mean()) if links.size else 0.0

    return strongest_subsets(original.shape[1], share)


def strongest_subsets(count: int, share: Callable[[Subset], float]) -> list[Subset]:
    """Return the best pair, the best set that grows from one of the best pairs, the best single column, and all.

    Parameters
    ----------
    count
        How many columns there are.
    share
        What a set of columns finds, by the places of its columns in rising order.

    Examples
    --------
    >>> worth = {(0,): 1, (1,): 2, (2,): 3, (0, 1): 9, (0, 2): 4, (1, 2): 4, (0, 1, 2): 8}
    >>> strongest_subsets(3, worth.__getitem__)
    [(2,), (0, 1), (0, 1, 2)]
    """
    singles: dict[Subset, float] = {(place,): share((place,)) for place in range(count)}
    ranked = [known[0] for known in sorted(singles, key=lambda known: -singles[known])][:CONSIDERED]
    found = dict(singles)
    pairs = [_ordered(pair) for pair in combinations(ranked[:PAIRED], 2)]
    found |= {pair: share(pair) for pair in pairs}
    best_pairs = sorted(pairs, key=lambda pair: -found[pair])[:BEGINNINGS]
    for pair in best_pairs:
        _grow(pair, ranked, share, found)
    best = max(found, key=lambda known: (found[known], -len(known)))
    chosen = [max(singles, key=singles.__getitem__), *best_pairs[:1], best, tuple(range(count))]
    return list(dict.fromkeys(chosen))


def _grow(pair: Subset, ranked: list[int], share: Callable[[Subset], float], found: dict[Subset, float]) -> None:
    """Add to `found` the sets that a pair grows to, each time by the column that adds most."""
    known = pair
    while left := [place for place in ranked if place not in known]:
        larger = [_ordered((*known, place)) for place in left]
        found |= {one: share(one) for one in larger if one not in found}
        known = max(larger, key=found.__getitem__)


def _ordered(known: Subset) -> Subset:
    return tuple(sorted(known))


def best_link_share(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> FloatColumn:
    """Return how far each masked record is linked, gaps fitting every value or records without one looked for apart.

    Of both ways the one that links more; an original with few values is near to many, and hides who is whole.

    Examples
    --------
    >>> original = np.array([[1.0, 9.0], [4.0, 2.0], [1.2, np.nan]])
    >>> best_link_share(original, np.array([[1.2, 8.0], [4.0, 2.5], [1.4, np.nan]]), np.arange(3))
    array([1., 1., 1.])
    """
    return ColumnSets(original, masked, rows).links(range(original.shape[1]))


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


def _drawn(masked: FloatMatrix) -> Rows:
    """Return the places of all masked records, or of as many as are counted, whatever the order of the file."""
    if len(masked) <= COUNTED:
        return np.arange(len(masked))
    return np.sort(rows_by_content(*masked.T)[:COUNTED])


def _without_gaps(values: FloatMatrix, known: Sequence[int]) -> Booleans:
    lacks_none = np.ones(len(values), dtype=np.bool_)
    for place in known:
        lacks_none &= ~np.isnan(values[:, place])
    return lacks_none


def _evenly(count: int, most: int) -> Rows:
    """Return at most so many places, spread evenly."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, most)).astype(np.int64))


def _name(known: Sequence[int], names: Sequence[str]) -> str:
    return SEPARATOR.join(names[place] for place in known)


def _listed(known: Sequence[int], names: Sequence[str]) -> str:
    *first, last = (names[place] for place in known)
    return f"that of {', '.join(first)} and {last}" if first else last
