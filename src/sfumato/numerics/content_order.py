"""An order of rows that looks random and depends on what they hold, not on where they stand."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, Hashes, Rows
from sfumato.numerics.hashing import mix_bits

NOT_A_NUMBER = np.float64("nan").view(np.uint64)  # one of several forms of it


def rows_by_content(*columns: CodeColumn | FloatColumn) -> Rows:
    """Return the rows in an order that is the same for the same records, however the file is sorted.

    Where only some records are looked at, the first of these are drawn. Equal rows lie apart, as in a random order;
    which of them comes first does not matter to whoever looks at these columns alone.

    Examples
    --------
    >>> ages, towns = np.array([31.0, 45.0, 62.0, np.nan]), np.array([0, 1, 0, 2])
    >>> drawn, upside_down = rows_by_content(ages, towns), rows_by_content(ages[::-1], towns[::-1])
    >>> np.array_equal(towns[drawn], towns[::-1][upside_down])
    True
    """
    hashes = np.add.reduce([mix_bits(_bits(column), place) for place, column in enumerate(columns)])
    order = np.argsort(hashes, kind="stable")
    is_first = np.append(True, np.diff(hashes[order]) != 0)[: order.size]
    starts = np.maximum.accumulate(np.where(is_first, np.arange(order.size), 0))
    repeats = (np.arange(order.size) - starts).astype(np.uint64)
    return order[np.argsort(mix_bits(hashes[order] + mix_bits(repeats, 1), 0), kind="stable")]


def _bits(column: CodeColumn | FloatColumn) -> Hashes:
    values = column.astype(np.float64) + 0.0  # 0 and -0 are one number
    return np.where(np.isnan(values), NOT_A_NUMBER, values.view(np.uint64))
