"""Which cells to suppress where the gaps of all records are wildcards, as other programs count them."""

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.wildcard_suppression import restore_in_turn, suppress_in_turn
from sfumato.keys.classes import MissingKeys, class_weights
from sfumato.keys.combinations import largest_demands
from sfumato.masking.suppression._column_sets import bits_of, price_of_sets, sets_by_cost
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


def cells_with_wildcards(codes: CodeColumn, needed: CodeColumn, importance: FloatColumn, enough: Booleans) -> Booleans:
    """Return which cells to suppress (records x columns) so that enough records fit each, gaps fitting every value.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    needed
        How many records must fit the values of each set of columns, by its bits; see `needed_fits`.
    importance
        What a cell of each column costs.
    enough
        Cells that are enough when only the gaps of a record itself fit every value.

    Notes
    -----
    The records at risk are made safe in turn, each by its cheapest cells; the gaps of one make others safe. Then cells
    that are no longer needed get their values back. It is done twice, with the records that need most cells first and
    last, and the cheaper result is taken. The least of all cells would be those of a few records that lose everything:
    see the decision on categorical keys.
    """
    combinations = largest_demands(needed)
    classes = classes_of(codes.T)
    records, copies = codes[classes.first_rows()], classes.sizes()
    lacking = np.minimum(_fitting(records, copies, combinations) - needed[combinations], 0).sum(axis=1)
    single = np.flatnonzero(lacking[classes.numbers])
    safe = np.setdiff1d(np.arange(classes.count), classes.numbers[single])
    units = np.concatenate((codes[single], records[safe]))  # those at risk one by one, the others by kind
    amounts = np.concatenate((np.ones(single.size, dtype=np.int64), copies[safe]))
    prices = price_of_sets(importance)[bits_of(enough[single])]
    orders = (np.argsort(sign * prices, kind="stable") for sign in (-1, 1))
    found = [_in_order(units, amounts, order, combinations, needed[combinations], importance) for order in orders]
    best = min(found, key=lambda cells: float((cells * importance).sum()))
    cells = np.zeros(codes.shape, dtype=np.bool_)
    cells[single] = best[: single.size]
    return cells


def _in_order(
    units: CodeColumn,
    copies: CodeColumn,
    order: CodeColumn,
    combinations: CodeColumn,
    needed: CodeColumn,
    importance: FloatColumn,
) -> Booleans:
    """Return the cells to suppress when records are made safe in some order; the last are restored first."""
    records = units.copy()
    suppress_in_turn(records, copies, order, combinations, needed, *sets_by_cost(importance))
    suppressed = (records < 0) & (units >= 0)
    dearest = np.argsort(-importance, kind="stable")
    places = np.argwhere(suppressed[order[::-1]][:, dearest])
    rows, columns = order[::-1][places[:, 0]], dearest[places[:, 1]]
    fitting = _fitting(records, copies, combinations)
    restore_in_turn(records, units, copies, rows, columns, combinations, needed, fitting)
    return np.asarray((records < 0) & (units >= 0), dtype=np.bool_)


def _fitting(records: CodeColumn, copies: CodeColumn, combinations: CodeColumn) -> CodeColumn:
    """Return how many records fit each of the different ones in each combination (records x combinations)."""
    columns = np.arange(records.shape[1])
    by_combination = [
        class_weights(records[:, combination >> columns & 1 == 1].T, copies.astype(np.float64), MissingKeys.WILDCARD)
        for combination in combinations
    ]
    return np.rint(np.stack(by_combination, axis=1)).astype(np.int64)
