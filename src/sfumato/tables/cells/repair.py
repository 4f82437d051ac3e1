"""Make cells add up that do so only roughly, as rounded tables do, by changing them as little as possible."""

from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn

NEARLY_WHOLE = 1e-5


def repaired(values: FloatColumn, relations: Any) -> FloatColumn:
    """Return values near the given ones for which every relation holds.

    Of all tables that add up, one is taken whose relative changes |y - a| / |a| have the smallest sum, so that large
    cells, totals above all, take most of the change. A cell of 0 stays 0, no cell changes its sign, and a table of
    whole numbers stays one where such a solution is among the best.

    Parameters
    ----------
    values
        The given values a.
    relations
        The sparse matrix A with A y = 0: +1 for a part, -1 for its total.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> repaired(np.array([10.0, 4.0, 7.0]), csr_array([[-1.0, 1.0, 1.0]]))
    array([11.,  4.,  7.])
    """
    off = relations @ values
    unit = float(np.abs(off).max(initial=0.0))
    if unit == 0:
        return values.copy()
    changed = values + unit * _smallest_change(values / unit, relations, off / unit)
    changed = np.where(values == 0, 0.0, np.where(values > 0, np.maximum(changed, 0), np.minimum(changed, 0)))
    if (values == np.rint(values)).all() and (np.abs(changed - np.rint(changed)) < NEARLY_WHOLE).all():
        changed = np.rint(changed)
    return with_totals(changed, relations)


def with_totals(values: FloatColumn, relations: Any) -> FloatColumn:
    """Return values with every total computed anew from its parts, from the finest cells up."""
    parts = relations.copy()
    parts.data = np.where(parts.data > 0, 1.0, 0.0)
    parts.eliminate_zeros()
    totals = np.asarray(relations.argmin(axis=1)).ravel()
    filled = values.copy()
    known: Booleans = np.ones(values.size, dtype=np.bool_)
    known[totals] = False
    while not known.all():
        ready = np.flatnonzero((parts @ (~known).astype(np.float64) == 0) & ~known[totals])
        if not ready.size:
            raise DataError("the relations of the cells go in a circle: some cell is a part of itself")
        filled[totals[ready]] = parts[ready] @ filled
        known[totals[ready]] = True
    return filled


def _smallest_change(values: FloatColumn, relations: Any, off: FloatColumn) -> FloatColumn:
    """Return d of the smallest sum |d| / |values| with A d = -off, by a linear program in its rises and falls."""
    import highspy

    cells, inf = values.size, highspy.kHighsInf
    size = np.abs(values)
    costs = 1.0 / np.where(size > 0, size, 1.0)
    columns = relations.tocsc()
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = 2 * cells, relations.shape[0]
    lp.col_cost_ = np.concatenate([costs, costs])
    lp.col_lower_ = np.zeros(2 * cells)
    rises = np.where(values > 0, inf, size)
    falls = np.where(values < 0, inf, size)
    lp.col_upper_ = np.concatenate([rises, falls])
    lp.row_lower_ = lp.row_upper_ = -off
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([columns.indptr, columns.indptr[1:] + columns.nnz]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate([columns.indices, columns.indices]).astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate([columns.data, -columns.data])
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in (("output_flag", False), ("threads", 1), ("random_seed", 0)):
        solver.setOptionValue(option, setting)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise DataError("the cells could not be made to add up; check that every total is given and correct")
    moves: FloatColumn = np.array(solver.getSolution().col_value)
    return moves[:cells] - moves[cells:]
