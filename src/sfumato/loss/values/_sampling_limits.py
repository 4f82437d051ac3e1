"""How many figures another sample of the same population would move too far: what may be off by chance alone.

Figures of one file go together (those of a domain, cells and their totals), so that no count of them tells how many may
be off at once. Two further samples are drawn from the records with replacement, again and again, and compared.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.loss.values._kept_figures import Codes, is_kept
from sfumato.loss.values._kept_relations import relations
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows

SAMPLES = 200
AT_ONCE = 2_000_000  # weights that are held in memory
PASSING = 0.985  # of the samples, by each of three conditions: by all about 95 %
ROUNDING = 1e-12


class PercentsOff(NamedTuple):
    """The percent of figures that are off, or that may be.

    Parameters
    ----------
    moments, relations, tables
        Of the means and covariances, of the correlations, and of the figures in tables.
    columns
        For each column, of the moments and correlations that it takes part in.
    own_tables
        For each column of categories, of the cells of its own table.
    """

    moments: float
    relations: float
    tables: float
    columns: FloatColumn
    own_tables: FloatColumn

    def at_least(self, percent: float) -> "PercentsOff":
        """Return the same, with so many percent where there are fewer."""
        moments, relations, tables = (max(part, percent) for part in self.by_kind)
        columns, own_tables = (np.maximum(part, percent) for part in (self.columns, self.own_tables))
        return PercentsOff(moments, relations, tables, columns, own_tables)

    @property
    def by_kind(self) -> tuple[float, float, float]:
        """The percents of moments, of relations and of figures in tables."""
        return self.moments, self.relations, self.tables


class _Samples(NamedTuple):
    """How often each record is in one sample and in another (records x pairs), that one as if it were as long."""

    first: FloatMatrix
    second: FloatMatrix

    def of(self, rows: Rows) -> "_Samples":
        """Return the samples of some records."""
        return _Samples(self.first[rows], self.second[rows])


class _RelationParts(NamedTuple):
    """Which columns have a correlation (pairs x 2), and what each record adds to it (records x pairs)."""

    pairs: Rows
    parts: FloatMatrix


def sampling_limits(
    matrix: FloatMatrix,
    domains: Sequence[Rows],
    tables: Sequence[Codes],
    own: int,
    ratio: float,
    tolerance: float,
    rng: np.random.Generator,
) -> PercentsOff:
    """Return the percent of figures that are at most off in 98.5 % of samples, of each kind.

    Parameters
    ----------
    matrix
        The columns of the original (records x columns, missing is NaN).
    domains
        The rows of each domain.
    tables
        The tables of shares; the first `own` are of one column of categories, and have totals too.
    ratio
        How long the other sample is, as a part of the original.
    tolerance
        How many standard errors of the difference of two samples a figure may move.
    rng
        The generator.
    """
    filled = np.nan_to_num(matrix)
    values = matrix / np.where(np.ptp(filled, axis=0) > 0, filled.std(axis=0), 1.0)
    once = np.insert(np.tri(matrix.shape[1], dtype=np.bool_).T, 0, values=True, axis=1)  # of each two columns
    related = [_relation_parts(matrix[rows]) for rows in domains]
    moments, pairs_off, figures, columns, cells = [], [], [], [], []
    for samples in _draw_samples(len(matrix), ratio, rng):
        far = tolerance * np.sqrt(1 + 1 / ratio)
        off = np.array([_moments_off(values[rows], samples.of(rows), far) for rows in domains])
        moments.append(off[:, once].mean(axis=(0, 1)))
        pairs = np.concatenate([part.pairs for part in related])
        by_pair = np.concatenate(
            [_sums_off(part.parts, samples.of(rows), far) for part, rows in zip(related, domains, strict=True)]
        )
        pairs_off.append(by_pair.sum(axis=0) / max(len(pairs), 1))
        columns.append(_off_by_column(off, pairs, by_pair))
        shares = [_shares_off(table, samples, far) for table in tables]
        totals = [_totals_off(np.nan_to_num(values), table, samples, far) for table in tables[:own]]
        none = np.zeros((1, samples.first.shape[1]), dtype=np.bool_)  # without tables
        figures.append(np.concatenate([*shares, *totals] or [none]).mean(axis=0))
        cells.append(np.array([part.mean(axis=0) for part in shares[:own]]).reshape(own, none.shape[1]))
    return PercentsOff(
        float(_limit(moments)), float(_limit(pairs_off)), float(_limit(figures)), _limit(columns), _limit(cells)
    )


def _off_by_column(moments: Booleans, pairs: Rows, by_pair: Booleans) -> FloatMatrix:
    """Return for each column the share of the moments and correlations it is part of that are off."""
    off = moments.sum(axis=(0, 2), dtype=np.float64)
    judged = np.full(len(off), moments.shape[0] * moments.shape[2], dtype=np.int64)
    for ends in pairs.T:
        np.add.at(off, ends, by_pair)
        np.add.at(judged, ends, 1)
    return np.asarray(off / judged[:, None], dtype=np.float64)


def _relation_parts(values: FloatMatrix) -> _RelationParts:
    """Return what each record adds to the correlations of some records."""
    found = relations(values)
    parts = np.zeros((len(values), len(found)))
    for place, (one, other, there) in enumerate(found):
        parts[~np.isnan(values[:, one]) & ~np.isnan(values[:, other]), place] = there.parts
    pairs = np.array([(one, other) for one, other, _ in found], dtype=np.int64).reshape(-1, 2)
    return _RelationParts(pairs, parts)


def _limit(shares: list[FloatMatrix]) -> FloatColumn:
    """Return the percent of figures that are off in the worst of those samples that pass."""
    return 100 * np.quantile(np.concatenate(shares, axis=-1), PASSING, axis=-1, method="higher")


def _draw_samples(n: int, ratio: float, rng: np.random.Generator) -> Iterator[_Samples]:
    """Yield pairs of samples with replacement, some at a time."""
    at_once = min(max(AT_ONCE // n, 1), SAMPLES)
    for start in range(0, SAMPLES, at_once):
        shape = (n, min(at_once, SAMPLES - start))
        yield _Samples(rng.poisson(1.0, shape).astype(np.float64), rng.poisson(ratio, shape) / ratio)


def _moments_off(values: FloatMatrix, samples: _Samples, far: float) -> Booleans:
    """Return which moments are off (columns x moments x samples): the mean, then the covariance with each column."""
    d = values.shape[1]
    there = ~np.isnan(values)
    apart = np.where(there, values - np.nanmean(np.where(there.any(axis=0), values, 0.0), axis=0), 0.0)
    off = np.zeros((d, d + 1, samples.first.shape[1]), dtype=np.bool_)
    for one in range(d):
        products = apart[:, one, None] * apart[:, one:]
        both = there[:, one, None] & there[:, one:]
        products -= both * (products.sum(axis=0) / np.maximum(both.sum(axis=0), 1))
        found = _sums_off(np.column_stack([apart[:, one], products]), samples, far)
        off[one, 0], off[one, one + 1 :], off[one:, one + 1] = found[0], found[1:], found[1:]
    return off


def _sums_off(parts: FloatMatrix, samples: _Samples, far: float) -> Booleans:
    """Return which sums of the parts of the records, 0 on average, are off (sums x samples)."""
    sums, squares = parts.T @ samples.first, (parts**2).T @ samples.first
    moved = parts.T @ samples.second - sums
    variances = np.maximum(squares - sums**2 / np.maximum(samples.first.sum(axis=0), 1.0), 0.0)
    return np.asarray(moved**2 > far**2 * variances + ROUNDING * len(parts), dtype=np.bool_)


def _shares_off(table: Codes, samples: _Samples, far: float) -> Booleans:
    """Return which shares of the cells of a table are off (cells x samples)."""
    ones = np.ones(len(samples.first))
    one, other = (_cell_means(ones, table, part) for part in samples)
    likely = np.maximum(one, 1 / len(ones))
    errors = np.sqrt(likely * np.maximum(1 - likely, 0.0) / len(ones))
    return np.asarray(is_kept(one, other, errors, far) == 0, dtype=np.bool_)


def _totals_off(values: FloatMatrix, table: Codes, samples: _Samples, far: float) -> Booleans:
    """Return which totals of the columns by cell of a table are off (columns and cells x samples)."""
    off = []
    for column in values.T:
        one, other = (_cell_means(column, table, part) for part in samples)
        variances = np.maximum(_cell_means(column**2, table, samples.first) - one**2, 0.0)
        off.append(is_kept(one, other, np.sqrt(variances / len(column)), far) == 0)
    return np.concatenate(off)


def _cell_means(column: FloatColumn, table: Codes, weights: FloatMatrix) -> FloatMatrix:
    """Return the totals in the cells that records are in, for each record of the sample (cells x samples)."""
    order = np.argsort(table.before, kind="stable")
    starts = np.flatnonzero(np.diff(table.before[order], prepend=-1))
    totals = np.add.reduceat((column[:, None] * weights)[order], starts, axis=0)
    return np.asarray(totals / np.maximum(weights.sum(axis=0), 1.0), dtype=np.float64)
