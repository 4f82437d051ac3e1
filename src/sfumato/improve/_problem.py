"""What an improver has before it: both files on one scale, what may change, and what must not become of it."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Improver, check_records
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.kernels.improvement.record_variation import UNKNOWN
from sfumato.kernels.neighbours.nearest import nearest_rows
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.standardisation import standard_deviations, varies


@dataclass(frozen=True, eq=False)
class Problem:
    """The columns to improve in both files.

    Parameters
    ----------
    names
        The columns; those that are constant in the original are left out.
    original
        The complete original records (records x columns).
    masked
        All masked records (records x columns); missing is NaN.
    complete
        Which masked records have all values: the others do not change and do not count.
    means, spread
        The means and standard deviations of the complete original records: all columns are standardised by these.
    lows, highs
        The least and greatest value of each masked column; what changes stays between them.
    is_whole
        Which columns hold whole numbers.
    gaps
        Values that stand for "no answer": column, low and high end of each closed range.
    """

    names: tuple[str, ...]
    original: FloatMatrix
    masked: FloatMatrix
    complete: Booleans
    means: FloatColumn
    spread: FloatColumn
    lows: FloatColumn
    highs: FloatColumn
    is_whole: Booleans
    gaps: FloatMatrix

    def points(self, values: FloatMatrix) -> FloatMatrix:
        """Return values standardised."""
        return np.ascontiguousarray((values - self.means) / self.spread)

    def nearest(self, points: FloatMatrix) -> Rows:
        """Return the row of the nearest original record of each standardised record; -1 where a value is missing."""
        rows = np.full(len(points), -1, dtype=np.int64)
        whole = ~np.isnan(points).any(axis=1)
        rows[whole] = nearest_rows(self.points(self.original), points[whole])
        return rows


def build_problem(improver: Improver, original: Microdata, masked: Microdata) -> Problem:
    """Return the problem of two files; refuse files in which there is nothing to compare."""
    who = type(improver).__name__
    names = improver.common_columns(original, masked)
    check_records(who, original, masked)
    before = original.matrix(names)
    before = before[~np.isnan(before).any(axis=1)]
    some = varies(before) if len(before) >= 2 else np.zeros(len(names), dtype=np.bool_)
    if not some.any():
        raise DataError(
            f"{who} needs at least 2 original records that have all of {', '.join(names)}, and a column in which they "
            f"differ; there are {len(before)} such records: leave out the columns with many missing values"
        )
    names = tuple(name for name, there in zip(names, some, strict=True) if there)
    before = np.ascontiguousarray(before[:, some])
    after = np.ascontiguousarray(masked.matrix(names))
    spread = standard_deviations(before)
    complete = np.asarray(~np.isnan(after).any(axis=1), dtype=np.bool_)
    if not complete.any():
        raise DataError(f"{who} changes complete records only; no masked record has all of {', '.join(names)}")
    return Problem(
        names,
        before,
        after,
        complete,
        before.mean(axis=0),
        spread,
        np.nanmin(after, axis=0),
        np.nanmax(after, axis=0),
        np.array([masked.table[name].dtype.is_integer() for name in names]),
        _gaps(masked, names),
    )


def most_varied(variations: FloatColumn, complete: Booleans, percent: float) -> Booleans:
    """Tell which records vary most from their nearest originals: so many percent of the complete ones, at least one.

    Examples
    --------
    >>> most_varied(np.array([0.2, 0.9, 0.5, 0.1]), np.array([True, True, True, True]), 50)
    array([False,  True,  True, False])
    """
    count = max(1, int(percent / 100 * np.count_nonzero(complete) + 1e-9))
    ranked = np.argsort(np.where(complete, -variations, np.inf), kind="stable")
    chosen = np.zeros(variations.size, dtype=np.bool_)
    chosen[ranked[:count]] = True
    return chosen & complete


def mean_loss(variations: FloatColumn) -> float:
    """Return IL1 in percent: the mean of the variations that are known; 0 where there is none."""
    known = variations[variations != UNKNOWN]
    return 100 * float(known.mean()) if known.size else 0.0


def _gaps(masked: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    found = []
    for column, name in enumerate(names):
        variable = masked.schema[name]
        found += [(column, float(code), float(code)) for code in variable.missing_codes]
        found += [(column, low, high) for low, high in variable.missing_ranges]
    return np.array(found, dtype=np.float64).reshape(-1, 3)
