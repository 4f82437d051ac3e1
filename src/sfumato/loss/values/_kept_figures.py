"""Which figures are kept: within some standard errors of what they were.

1 stands for a figure that is kept, 0 for one that is off, NaN for one that could not be computed before either.
"""

from typing import NamedTuple

import numpy as np

from sfumato.loss.values._moments import moments
from sfumato.loss.values._sampling_errors import sampling_errors
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

KOLMOGOROV = 1.358  # times sqrt(1 / n + 1 / m): how far the distributions of two samples are apart in 5 % of pairs
ROUNDING = 1e-9


class Codes(NamedTuple):
    """The cell of each record of both files in a table, and how many cells it has."""

    before: CodeColumn
    after: CodeColumn
    cell_count: int


class KeptMoments(NamedTuple):
    """Which moments of some records are kept.

    Parameters
    ----------
    means
        Of each column.
    covariances
        Of each two columns; those below the diagonal are NaN, as they are above it.
    """

    means: FloatColumn
    covariances: FloatMatrix


def cross(one: Codes, other: Codes) -> Codes:
    """Return the cells of the table of two tables; of those that no record has there are none.

    Examples
    --------
    >>> cross(Codes(np.array([0, 1]), np.array([1]), 2), Codes(np.array([0, 2]), np.array([2]), 3))
    Codes(before=array([0, 1]), after=array([1]), cell_count=2)
    """
    both = np.concatenate([one.before * other.cell_count + other.before, one.after * other.cell_count + other.after])
    cells, numbers = np.unique(both, return_inverse=True)
    return Codes(numbers[: one.before.size], numbers[one.before.size :], cells.size)


def is_kept(before: FloatMatrix, after: FloatMatrix, errors: FloatMatrix, tolerance: float) -> FloatMatrix:
    """Return 1 where a figure moved by at most `tolerance` standard errors, else 0; also where it is no number.

    Examples
    --------
    >>> is_kept(np.array([10.0, 10.0, 0.0]), np.array([11.5, 12.5, 0.0]), np.array([1.0, 1.0, 0.0]), 2.0)
    array([1., 0., 1.])
    """
    with np.errstate(over="ignore"):  # beyond all numbers is far enough
        return (np.abs(after - before) <= tolerance * errors + ROUNDING * np.abs(before)).astype(np.float64)


def moments_kept(before: FloatMatrix, after: FloatMatrix, tolerance: float) -> KeptMoments:
    """Return which means, variances and covariances of some records are kept (records x columns, missing is NaN)."""
    d = before.shape[1]
    enough, left = ((~np.isnan(matrix)).sum(axis=0) >= 2 for matrix in (before, after))
    errors, old = sampling_errors(before[:, enough]), moments(before[:, enough])
    means, covariances = np.full(d, np.nan), np.full((d, d), np.nan)
    both = left[enough]
    new_means, new_covariances = np.full(both.size, np.nan), np.full((both.size, both.size), np.nan)
    if both.any():
        new = moments(after[:, enough & left])
        new_means[both], new_covariances[np.ix_(both, both)] = new.means, new.covariances
    means[enough] = is_kept(old.means, new_means, errors.means, tolerance)
    covariances[np.ix_(enough, enough)] = is_kept(old.covariances, new_covariances, errors.covariances, tolerance)
    return KeptMoments(means, np.where(np.tri(d, k=-1, dtype=bool), np.nan, covariances))


def off_by_column(domains: list[KeptMoments], relations: list[FloatMatrix]) -> FloatColumn:
    """Return for each column the percent of the moments and relations it is part of, over all domains, that are off."""
    means = [domain.means[:, None] for domain in domains]
    of_two = [np.fmin(figures, figures.T) for figures in (*(domain.covariances for domain in domains), *relations)]
    kept = np.concatenate([*means, *of_two], axis=1)
    judged = ~np.isnan(kept)
    return np.asarray(100 * ((kept == 0) & judged).sum(axis=1) / np.maximum(judged.sum(axis=1), 1), dtype=np.float64)


def shares_kept(cells: Codes, tolerance: float) -> FloatColumn:
    """Return which shares of the cells of a table are kept; a cell that was empty counts as one of a single record."""
    n, m = cells.before.size, cells.after.size
    shares = np.bincount(cells.before, minlength=cells.cell_count) / n
    other = np.bincount(cells.after, minlength=cells.cell_count) / m
    likely = np.maximum(shares, 1 / n)
    kept = is_kept(shares, other, np.sqrt(likely * np.maximum(1 - likely, 0.0) / n), tolerance)
    return np.where((shares > 0) | (other > 0), kept, np.nan)


def totals_kept(before: FloatMatrix, after: FloatMatrix, cells: Codes, tolerance: float) -> FloatMatrix:
    """Return which totals of the columns in the cells of a table are kept, for each record of the file."""
    kept = np.full((cells.cell_count, before.shape[1]), np.nan)
    for cell in np.unique(cells.before):
        old, new = (
            np.where(codes[:, None] == cell, np.nan_to_num(matrix), 0.0)
            for codes, matrix in ((cells.before, before), (cells.after, after))
        )
        errors = old.std(axis=0, ddof=1) / np.sqrt(len(old)) if len(old) > 1 else np.zeros(old.shape[1])
        kept[cell] = is_kept(old.mean(axis=0), new.mean(axis=0), errors, tolerance)
    return kept


def distribution_kept(before: FloatColumn, after: FloatColumn, ratio: float) -> bool:
    """Tell whether the Kolmogorov-Smirnov distance of a column is as small as that of a sample of `ratio` the length.

    Values that are missing after masking leave the sample as long as it is: they excuse nothing.
    """
    old, new = (np.sort(column[~np.isnan(column)]) for column in (before, after))
    if not old.size or not new.size:
        return old.size == new.size
    steps = np.concatenate([old, new])
    below = (np.searchsorted(values, steps, side="right") / values.size for values in (old, new))
    return bool(np.abs(np.subtract(*below)).max() <= KOLMOGOROV * np.sqrt((1 + 1 / ratio) / old.size))
