"""How far some figures of a study say the same as others: correlations over its candidates."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numerics.arrays import FloatColumn

if TYPE_CHECKING:
    import polars


def correlations_frame(
    means: Mapping[str, FloatColumn], figures: Sequence[str], others: Sequence[str]
) -> "polars.DataFrame":
    """Return a row for each pair of figures, with their correlations over the candidates that have both.

    Parameters
    ----------
    means
        The mean of each figure for each candidate, NaN where it has none.
    figures, others
        The figures to pair.
    """
    import polars

    rows = []
    for figure in figures:
        for other in others:
            first, second = means[figure], means[other]
            both = ~np.isnan(first) & ~np.isnan(second)
            linear, of_ranks = correlations(first[both], second[both])
            rows.append((figure, other, int(both.sum()), linear, of_ranks))
    types = {
        "figure": polars.String,
        "other": polars.String,
        "candidates": polars.Int64,
        "correlation": polars.Float64,
        "rank_correlation": polars.Float64,
    }
    return polars.DataFrame(rows, schema=types, orient="row")


def correlations(first: FloatColumn, second: FloatColumn) -> tuple[float | None, float | None]:
    """Return the correlation of two columns and that of their ranks; None with fewer than three values, or one alone.

    Examples
    --------
    >>> correlations(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 4.0, 9.0, 16.0]))
    (0.984, 1.0)
    """
    if first.size < 3 or not np.ptp(first) or not np.ptp(second):
        return None, None
    linear, of_ranks = (
        float(np.corrcoef(one, other)[0, 1]) for one, other in ((first, second), (_ranks(first), _ranks(second)))
    )
    return round(linear, 3), round(of_ranks, 3)


def _ranks(column: FloatColumn) -> FloatColumn:
    """Return the rank of each value, the mean rank where several are equal."""
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[places], dtype=np.float64)
