"""Groups of equal records that lose some members: others follow them, so that nobody is left in a small group."""

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, Rows


def refill_groups(codes: CodeMatrix, cells: Booleans, k: int) -> Booleans:
    """Return cells to suppress (records x columns), those given among them, so that `k` records are equal again.

    Parameters
    ----------
    codes
        The keys as they are seen (keys x records), a gap as -1, where `k` records or more are equal to each.
    cells
        The cells that must be suppressed (records x columns).
    k
        How many records must be equal, gaps included.

    Examples
    --------
    >>> lost = np.array([[True], [False], [False], [False], [False]])
    >>> refill_groups(np.array([[7, 7, 7, 7, 7]]), lost, 2)[:, 0]
    array([ True,  True, False, False, False])
    """
    cells, groups = cells.copy(), classes_of(codes).numbers
    for small in _small_classes(codes, cells, k):
        _add_followers(cells, groups, small, k)
    while (left := _small_classes(codes, cells, k)) and not _are_whole(cells, groups):
        for group in np.unique(groups[np.concatenate(left)]):
            members = groups == group
            cells[members] = cells[members].any(axis=0)
    return cells


def _small_classes(codes: CodeMatrix, cells: Booleans, k: int) -> list[Rows]:
    """Return the rows of each class of fewer than k records, once the cells are suppressed."""
    numbers = classes_of(np.where(cells.T, -1, codes)).numbers
    rows = np.flatnonzero(np.bincount(numbers)[numbers] < k)
    rows = rows[np.argsort(numbers[rows], kind="stable")]
    return np.split(rows, np.flatnonzero(np.diff(numbers[rows])) + 1) if rows.size else []


def _add_followers(cells: Booleans, groups: CodeColumn, small: Rows, k: int) -> None:
    """Let records follow those who left their group, all that are left where these would be too few (output: cells)."""
    if not cells[small[0]].any():
        return
    stayed = np.flatnonzero((groups == groups[small[0]]) & ~cells.any(axis=1))
    lacking = k - small.size
    followers = stayed[:lacking] if stayed.size - lacking >= k else stayed
    cells[followers] = cells[small[0]]


def _are_whole(cells: Booleans, groups: CodeColumn) -> bool:
    """Tell whether all members of each group lose the same."""
    first = np.unique(groups, return_index=True)[1]
    return bool((cells == cells[first[groups]]).all())
