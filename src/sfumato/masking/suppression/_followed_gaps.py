"""Records whose gaps tell a value that too few persons have: others lose theirs too, so that a gap does not tell it."""

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import Booleans, CodeMatrix, Rows


def follow_gaps(seen: CodeMatrix, is_value: Booleans, cells: Booleans, rows: Rows, k: int) -> Booleans:
    """Return cells to suppress (records x columns), those given among them, so that k records look like each of some.

    Records that show the same in all other keys follow, those first that lose fewest values; where too few show the
    same, none does.

    Parameters
    ----------
    seen, is_value
        What readers see of the keys (keys x records), a gap as -1, and where that is a value that can be suppressed.
    cells
        The cells that are suppressed already (records x columns).
    rows
        The records that need company.
    k
        How many records must be equal, gaps included.

    Examples
    --------
    >>> seen = np.array([[7, 7, 7, 7, 8], [-1, 2, 3, 2, 2]])
    >>> nothing = np.zeros((5, 2), dtype=np.bool_)
    >>> follow_gaps(seen, seen >= 0, nothing, np.array([0]), 3)[:, 1]
    array([False,  True,  True, False, False])
    """
    cells = cells.copy()
    seen = np.where(cells.T, -1, seen)
    for row in rows[classes_of(seen[:, rows]).first_rows()] if rows.size else rows:
        gaps = seen[:, row] < 0
        differs = seen != seen[:, [row]]
        can_follow = ~(differs & (~gaps[:, None] | ~is_value)).any(axis=0)
        lost = np.count_nonzero(differs, axis=0)
        followers = np.flatnonzero(can_follow & (lost > 0))
        lacking = k - np.count_nonzero(lost == 0)
        if 0 < lacking <= followers.size:
            chosen = followers[np.argsort(lost[followers], kind="stable")[:lacking]]
            cells[chosen] |= gaps & differs[:, chosen].T
            seen[:, chosen] = seen[:, [row]]
    return cells
