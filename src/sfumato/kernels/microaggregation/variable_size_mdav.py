"""Group near records in groups of variable size: the loop of V-MDAV."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.free_records import measure_squares, nearest_free
from sfumato.numerics.arrays import Floats, Integers


@compiled
def variable_size_mdav_groups(points: Floats, k: int, gamma: float) -> Integers:
    """Return the group number of each record; the fewer than `k` records that are left at the end have -1.

    Parameters
    ----------
    points
        Standardised records, shape (n, d), n >= k.
    k
        The smallest number of records in a group; no group has more than `2 k - 1`.
    gamma
        How much nearer to the group than to the other free records a record must be to extend the group.

    Notes
    -----
    While at least k records are free: the one farthest from the centroid of all records takes its k - 1 nearest. Then
    the free record nearest to a member of the group joins it if that distance is below gamma times the distance to
    its nearest free neighbour, and so on up to 2k - 1 members. Of equally far or near records the lowest row comes
    first. A record without free neighbours does not join: it belongs to those that are left.
    """
    n = len(points)
    columns = points.T.copy()  # one variable after another in memory: the distance loops then run over records
    rows = np.arange(n)
    groups = np.full(n, -1, dtype=np.int64)
    central, inside, distances = np.empty(n), np.empty(n), np.empty(n)
    measure_squares(columns, columns.sum(axis=1) / n, n, central)
    central *= -1.0  # least for the record farthest from the centroid
    left, group = n, 0
    while left >= k:
        first = nearest_free(central, rows, groups, left)
        measure_squares(columns, columns[:, first].copy(), left, inside)
        members = _claim(inside, rows, groups, left, k, first, group)
        for member in members[1:]:
            measure_squares(columns, columns[:, member].copy(), left, distances)
            _lower(inside, distances, left)
        _extend(columns, inside, distances, rows, groups, left, k, gamma, group)
        left = _close_ranks(columns, central, rows, groups, left)
        group += 1
    return groups


@compiled
def _lower(inside: Floats, distances: Floats, left: int) -> None:
    """Lower the distances from the group (output: inside) where those from a further member of it are less."""
    for i in range(left):
        inside[i] = min(inside[i], distances[i])


@compiled
def _claim(distances: Floats, rows: Integers, groups: Integers, left: int, k: int, centre: int, group: int) -> Integers:
    """Give the record at `centre` and its nearest free ones the number `group` (output: groups); return the places."""
    members = np.empty(k, dtype=np.int64)
    place = centre
    for slot in range(k):
        members[slot] = place
        groups[rows[place]] = group
        place = nearest_free(distances, rows, groups, left)
    return members


@compiled
def _extend(
    columns: Floats,
    inside: Floats,
    distances: Floats,
    rows: Integers,
    groups: Integers,
    left: int,
    k: int,
    gamma: float,
    group: int,
) -> None:
    """Let the records that are much nearer to the group than to other free ones join it (outputs: groups, inside)."""
    for _ in range(k - 1):
        near = nearest_free(inside, rows, groups, left)
        if near < 0:
            return
        groups[rows[near]] = group
        measure_squares(columns, columns[:, near].copy(), left, distances)
        neighbour = nearest_free(distances, rows, groups, left)
        if neighbour < 0 or inside[near] >= gamma**2 * distances[neighbour]:
            groups[rows[near]] = -1
            return
        _lower(inside, distances, left)


@compiled
def _close_ranks(columns: Floats, central: Floats, rows: Integers, groups: Integers, left: int) -> int:
    """Drop the grouped records from the front of `columns`, `central` and `rows`, keeping their order."""
    kept = 0
    for i in range(left):
        if groups[rows[i]] < 0:
            if kept < i:
                rows[kept], central[kept] = rows[i], central[i]
                for j in range(len(columns)):
                    columns[j, kept] = columns[j, i]
            kept += 1
    return kept
