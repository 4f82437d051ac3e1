"""Whom a query singles out: how many records of a file satisfy it, and which one."""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers


class RecordIndex(NamedTuple):
    """Records that can be looked up by any column.

    Parameters
    ----------
    table
        Their values, shape (d, n); nothing is NaN.
    order
        For each column the rows by rising value, shape (d, n).
    rising
        The values in that order.
    """

    table: Floats
    order: Integers
    rising: Floats

    @classmethod
    def of(cls, values: Floats | Integers) -> "RecordIndex":
        """Return the index of records x columns."""
        table = np.ascontiguousarray(values.T, dtype=np.float64)
        order = np.argsort(table, axis=1, kind="stable")
        return cls(table, order, np.take_along_axis(table, order, axis=1))


def matching_records(
    index: RecordIndex, columns: Integers, low: Floats, high: Floats, most: int
) -> tuple[Integers, Integers]:
    """Return how many records satisfy each query, and the row of the last one that was found.

    Parameters
    ----------
    index
        The records.
    columns
        The columns that each query asks about, shape (q, c).
    low, high
        Between which values a record must lie in them, shape (q, c).
    most
        Counting stops there.

    Returns
    -------
    Counts up to `most`, and rows (-1 where none does), shape (q,).
    """
    counts, rows = np.zeros(len(columns), dtype=np.int64), np.full(len(columns), -1)
    run_in_threads(
        lambda piece: _count(index, columns[piece], low[piece], high[piece], most, counts[piece], rows[piece]),
        len(columns),
    )
    return counts, rows


@compiled
def _count(
    index: RecordIndex, columns: Integers, low: Floats, high: Floats, most: int, counts: Integers, rows: Integers
) -> None:
    """Count for each query the records between its bounds (outputs: counts, rows).

    Only the records that satisfy the condition of fewest are looked at.
    """
    for query in range(len(columns)):
        first, start, stop = -1, 0, index.table.shape[1] + 1
        for place in range(columns.shape[1]):
            column = columns[query, place]
            below = np.searchsorted(index.rising[column], low[query, place], side="left")
            up_to = np.searchsorted(index.rising[column], high[query, place], side="right")
            if up_to - below < stop - start:
                first, start, stop = place, below, up_to
        for at in range(start, stop):
            row = index.order[columns[query, first], at]
            fits = True
            for place in range(columns.shape[1]):
                value = index.table[columns[query, place], row]
                if value < low[query, place] or value > high[query, place]:
                    fits = False
                    break
            if fits:
                counts[query] += 1
                rows[query] = row
                if counts[query] >= most:
                    break
