"""The keys of records, and of the cells that they are in: the same records always have the same key."""

from secrets import token_bytes

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, FloatColumn

KEY_BITS = 24  # so that sums over 500 million records are exact in any order
KEYS = 2**KEY_BITS
MAX_EXACT_SUM = 2.0**53  # the largest sum that is


def draw_record_keys(count: int, rng: np.random.Generator | None = None) -> CodeColumn:
    """Return a key for each record, a whole number of 24 bits; keep them with the records, and as secret.

    Parameters
    ----------
    count
        How many records there are.
    rng
        Draws the keys; the system does when it is not given, so that nobody can draw them again.
    """
    if rng is not None:
        return rng.integers(0, KEYS, count)
    drawn = np.frombuffer(token_bytes(3 * count), dtype=np.uint8).reshape(count, 3).astype(np.int64)
    return np.asarray(drawn @ np.array([1, 2**8, 2**16]))


def cell_keys(sums: FloatColumn, name: str) -> CodeColumn:
    """Return the key of each cell: the sum of its records' keys, without what exceeds 24 bits.

    Parameters
    ----------
    sums
        The sums of the records' keys, without weights.
    name
        What the column of keys is called.
    """
    if (sums != np.floor(sums)).any() or (sums < 0).any() or (sums >= MAX_EXACT_SUM).any():
        raise DataError(
            f"record keys must be whole numbers of {KEY_BITS} bits; the sums of '{name}' are not: draw keys with "
            f"draw_record_keys, or multiply keys between 0 and 1 by {KEYS} and cut them to whole numbers"
        )
    return np.asarray(sums.astype(np.int64) % KEYS)


def given_cell_keys(keys: FloatColumn, name: str) -> CodeColumn:
    """Return keys that are given with the cells: whole numbers of 24 bits, or all of them between 0 and 1.

    Parameters
    ----------
    keys
        The key of each cell.
    name
        What their column is called.
    """
    if ((keys >= 0) & (keys < 1)).all():
        return np.asarray(np.floor(keys * KEYS).astype(np.int64))
    wrong = int(np.count_nonzero(~((keys == np.floor(keys)) & (keys >= 0) & (keys < KEYS))))
    if wrong:
        raise DataError(
            f"cell keys must all lie from 0 to below 1, or be whole numbers of {KEY_BITS} bits; {wrong} of the keys in "
            f"'{name}' are not"
        )
    return np.asarray(keys.astype(np.int64))
