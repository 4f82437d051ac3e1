"""Correlations of ranks, where some values are missing."""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import eigen
from sfumato.numerics.ranking import stable_order


def rank_correlations(matrix: FloatMatrix) -> FloatMatrix:
    """Return Spearman's rank correlations of the columns, each over the records that have both values.

    Equal values have the mean of their ranks; a column without spread has correlations 0.
    """
    return correlations_of_ranks(np.array([centred_ranks(column) for column in matrix.T]), ~np.isnan(matrix.T))


def correlations_of_ranks(ranks: FloatMatrix, known: Booleans) -> FloatMatrix:
    """Return the correlations of centred ranks, one column per row and 0 where not known."""
    # einsum adds in one fixed order; a threaded BLAS may not
    products = np.einsum("in,jn->ij", ranks, ranks)
    squares = np.einsum("in,jn->ij", ranks**2, known.astype(np.float64))  # of column i where column j is known too
    scale = np.sqrt(squares * squares.T)
    correlations = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    np.fill_diagonal(correlations, 1.0)
    return np.asarray(np.clip(correlations, -1.0, 1.0), dtype=np.float64)


def as_correlations(matrix: FloatMatrix) -> FloatMatrix:
    """Return the matrix without negative eigenvalues and with ones in the diagonal: a correlation matrix near it."""
    values, vectors = eigen((matrix + matrix.T) / 2)
    nearest = np.einsum("ik,k,jk->ij", vectors, np.maximum(values, 0.0), vectors)
    scale = np.sqrt(np.diag(nearest))
    return np.asarray(nearest / np.outer(scale, scale), dtype=np.float64)


def centred_ranks(column: FloatColumn) -> FloatColumn:
    """Return the ranks of the observed values less their mean, mean ranks for equal values; 0 where missing."""
    observed = np.flatnonzero(~np.isnan(column))
    order = stable_order(column[observed])
    by_rank = column[observed[order]]
    first = np.concatenate([[True], by_rank[1:] > by_rank[:-1]])[: by_rank.size]
    run = np.cumsum(first) - 1
    bounds = np.append(np.flatnonzero(first), by_rank.size)
    ranks = np.zeros(column.size)
    ranks[observed[order]] = ((bounds[:-1] + bounds[1:] - 1) / 2)[run] - (by_rank.size - 1) / 2
    return ranks
