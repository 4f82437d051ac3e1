"""Inner cells: those that are no total, and what every other cell is the sum of."""

from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem

MAX_NAMED = 3  # cells in a message


def sums_of_inner(problem: Problem) -> tuple[Booleans, Any]:
    """Return which cells are inner ones, and the sparse matrix that makes all cells of them.

    The matrix has a row and a column for each cell; only columns of inner cells hold anything. Tables that are linked
    by their totals alone, so that one total is the sum of different inner cells, are refused.

    Parameters
    ----------
    problem
        The cells and their relations.
    """
    from scipy import sparse

    relations = problem.relations.tocoo()
    is_total = relations.data < 0
    inner = ~np.isin(np.arange(problem.size), relations.col[is_total])
    totals, first = np.unique(relations.col[is_total], return_index=True)  # any relation of a total makes it
    total_of = np.full(problem.relations.shape[0], -1)
    total_of[relations.row[is_total][first]] = totals
    is_part = (relations.data > 0) & (total_of[relations.row] >= 0)
    shape = (problem.size, problem.size)
    ends = (total_of[relations.row[is_part]], relations.col[is_part])
    parts = sparse.csr_array((relations.data[is_part], ends), shape=shape)
    level = sparse.csr_array((np.ones(int(inner.sum())), (np.flatnonzero(inner), np.flatnonzero(inner))), shape=shape)
    sums = level
    while (level := parts @ level).nnz:
        sums = sums + level
    broken = np.unique((problem.relations @ sums).tocoo().row[np.abs((problem.relations @ sums).tocoo().data) > 0])
    if broken.size:
        row = problem.relations[[int(broken[0])]].tocoo()
        names = problem.name_cells(row.col[row.data < 0].astype(np.int64), MAX_NAMED)
        raise DataError(
            f"small_count_rounding: {names} is a total of several tables that share no parts; make one table of all "
            "dimensions, or take controlled_rounding"
        )
    return inner, sums
