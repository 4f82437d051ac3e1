"""Group near records by MDAV (maximum distance to average vector)."""

from sfumato.kernels.microaggregation.mdav_scan import group_by_scan
from sfumato.kernels.microaggregation.mdav_tree import group_by_tree
from sfumato.numerics.arrays import Floats, Integers

MIN_TREE_RECORDS = 3000  # fewer are scanned before the loops of the tree are compiled
MIN_TREE_RECORDS_PER_COLUMN = 200  # with fewer the boxes of a tree are too wide to leave any out


def mdav_groups(points: Floats, k: int) -> Integers:
    """Return the group number of each record, groups of `k` to `2 k - 1` records.

    Parameters
    ----------
    points
        Standardised records, shape (n, d), n >= k.
    k
        The smallest number of records in a group.

    Notes
    -----
    While at least 3k records remain: the one farthest from their centroid takes its k - 1 nearest, then the one
    farthest from that does the same. With 2k to 3k - 1 left there is one more such group; what remains is the last
    one. Of equally far or near records the one in the lowest row comes first.
    """
    few = MIN_TREE_RECORDS_PER_COLUMN * points.shape[1]
    if len(points) < max(MIN_TREE_RECORDS, few):
        return group_by_scan(points, k)
    return group_by_tree(points, k, few)
