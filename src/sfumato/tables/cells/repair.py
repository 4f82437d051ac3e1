"""Make cells add up that do so only roughly, as rounded tables do, by changing them as little as possible."""

from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.numerics.highs import OPTIMAL, load_model, make_model, status_of, unknowns_of

NEARLY_WHOLE = 1e-5


def make_additive(values: FloatColumn, relations: Any) -> FloatColumn:
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
    >>> make_additive(np.array([10.0, 4.0, 7.0]), csr_array([[-1.0, 1.0, 1.0]]))
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
    return compute_totals(changed, relations)


def compute_totals(values: FloatColumn, relations: Any) -> FloatColumn:
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
    from scipy.sparse import hstack

    size = np.abs(values)
    costs = 1.0 / np.where(size > 0, size, 1.0)
    rises, falls = np.where(values > 0, np.inf, size), np.where(values < 0, np.inf, size)
    model = make_model(
        hstack([relations, -relations]),
        np.concatenate([costs, costs]),
        np.zeros(2 * values.size),
        np.concatenate([rises, falls]),
        -off,
        -off,
    )
    solver = load_model({}, model)
    solver.run()
    if status_of(solver) != OPTIMAL:
        raise DataError("the cells could not be made to add up; check that every total is given and correct")
    up, down = np.split(unknowns_of(solver), 2)
    return np.asarray(up - down)
