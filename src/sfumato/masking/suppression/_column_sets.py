"""Sets of columns as bits, bit j for column j: what they cost, and which rows of cells they are."""

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


def sets_by_cost(importance: FloatColumn) -> tuple[CodeColumn, FloatColumn]:
    """Return all sets of columns, as bits, and what they cost, by rising cost.

    Examples
    --------
    >>> sets_by_cost(np.array([1.0, 3.0]))
    (array([0, 1, 2, 3]), array([0., 1., 3., 4.]))
    """
    costs = np.zeros(1)
    for worth in importance:
        costs = np.concatenate((costs, costs + worth))
    order = np.argsort(costs, kind="stable")
    return order, costs[order]


def price_of_sets(importance: FloatColumn) -> FloatColumn:
    """Return what each set of columns costs, by its bits.

    Examples
    --------
    >>> price_of_sets(np.array([1.0, 3.0]))
    array([0., 1., 3., 4.])
    """
    sets, costs = sets_by_cost(importance)
    return np.asarray(costs[np.argsort(sets)], dtype=np.float64)


def bits_of(cells: Booleans) -> CodeColumn:
    """Return for each row the set of columns that are true, as bits.

    Examples
    --------
    >>> bits_of(np.array([[True, False], [True, True]]))
    array([1, 3])
    """
    return np.asarray(cells @ (1 << np.arange(cells.shape[1])), dtype=np.int64)


def holds(sets: CodeColumn, column: CodeColumn) -> Booleans:
    """Tell whether the column is in the set."""
    return np.asarray((sets >> column) & 1 == 1, dtype=np.bool_)
