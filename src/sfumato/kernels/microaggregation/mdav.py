"""Group near records by MDAV (maximum distance to average vector)."""

from sfumato.kernels.compile_cost import CompileCost
from sfumato.kernels.microaggregation.mdav_scan import group_by_scan
from sfumato.kernels.microaggregation.mdav_tree import group_by_tree, group_until_rebuilt
from sfumato.numerics.arrays import Floats, Integers

MIN_TREE_RECORDS = 3000  # fewer are scanned before the loops of the tree are at hand
MIN_TREE_RECORDS_PER_COLUMN = 200  # with fewer the boxes of a tree are too wide to leave any out
SCAN_SECONDS = 1.1e-9  # per column, record and record looked at again for each of n / k groups: 10^4 x 6 take 0.2 s
TREE = CompileCost(group_until_rebuilt, seconds=8.0)


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
    n, d = points.shape
    few = MIN_TREE_RECORDS_PER_COLUMN * d
    if n < max(MIN_TREE_RECORDS, few) or not TREE.is_worth(SCAN_SECONDS * d * n * n / k):
        return group_by_scan(points, k)
    return group_by_tree(points, k, few)
