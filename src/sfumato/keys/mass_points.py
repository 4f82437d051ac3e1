"""Whether a column has its most frequent value, such as an amount of zero, or another: only who is at work pays."""

from dataclasses import replace

import numpy as np

from sfumato.keys.ruled_out import MIN_HOLDERS, RuledOut
from sfumato.numerics.arrays import Booleans, CodeColumn

MIN_SHARE = 0.05  # of the records, that have the most frequent value: fewer are no group that a rule is about


def mass_point(column: CodeColumn) -> CodeColumn | None:
    """Return 0 for records with the most frequent value of a column, 1 for others, and -1 for gaps; None if it is rare.

    Examples
    --------
    >>> mass_point(np.array([0, 0, 0, 0, 0, 1, 2, 3, 4, -1]))
    array([ 0,  0,  0,  0,  0,  1,  1,  1,  1, -1])
    >>> mass_point(np.arange(200)) is None
    True
    """
    held = np.bincount(column + 1)[1:]
    most, total = int(held.max(initial=0)), int(held.sum())
    if np.count_nonzero(held) <= 2 or most < max(MIN_SHARE * total, MIN_HOLDERS) or total - most < MIN_HOLDERS:
        return None
    return np.where(column < 0, -1, (column != held.argmax()).astype(np.int64))


def is_shown_by(kinds: CodeColumn, column: CodeColumn) -> Booleans:
    """Tell which records show their kind for certain, as all that show the same value are of it: means may be of both.

    Examples
    --------
    >>> is_shown_by(np.array([0, 0, 1, 1, -1]), np.array([0, 1, 1, 2, 2]))
    array([ True, False, False, False, False])
    """
    low, high = (np.full(int(column.max(initial=-1)) + 2, bound) for bound in (2, -2))
    np.minimum.at(low, column, kinds)
    np.maximum.at(high, column, kinds)
    return np.asarray((column >= 0) & (low == high)[column] & (kinds >= 0))


def keep_shown(ruled: RuledOut, is_shown: Booleans) -> RuledOut:
    """Return what is ruled out by the records that show their kind; others rule out nothing."""
    return replace(ruled, kinds=np.where(is_shown, ruled.kinds, ruled.kinds.dtype.type(len(ruled.allowed) - 1)))
