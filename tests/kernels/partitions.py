"""Small partitions to search in, and their cost by the definition."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import EMPTY, Partition, partition_of

ENDLESS = 10**6


@st.composite
def partitions(draw: st.DrawFn, most: int = 30, neighbours: int = ENDLESS) -> Partition:
    """Draw a partition of records, many of them in one place, into groups of k to 2k - 1."""
    k = draw(st.integers(2, 4))
    sizes = draw(st.lists(st.integers(k, 2 * k - 1), min_size=1, max_size=most // k))
    n = sum(sizes)
    elements = st.one_of(st.integers(0, 3).map(float), st.floats(-50, 50, allow_subnormal=False))
    points = draw(hnp.arrays(np.float64, (n, draw(st.integers(1, 3))), elements=elements))
    order = np.array(draw(st.permutations(range(n))))
    return partition_of(points, nearest_others(points, neighbours), np.repeat(np.arange(len(sizes)), sizes)[order], k)


def plain_cost(points: np.ndarray, groups: np.ndarray) -> float:
    """Return the sum of squared distances from the means of the groups."""
    parts = [points[groups == number] for number in np.unique(groups)]
    return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))


def is_sound(partition: Partition) -> bool:
    """Tell whether sizes are from k to 2k - 1 and everything that is kept of a partition fits its groups."""
    sizes = np.bincount(partition.group, minlength=len(partition.size))
    used = np.flatnonzero(sizes)
    empty = partition.empty[: partition.counts[EMPTY]]
    listed = all(
        set(partition.members[group, : sizes[group]].tolist()) == set(np.flatnonzero(partition.group == group).tolist())
        for group in used
    )
    slots = partition.members[partition.group, partition.slot]
    return (
        listed
        and np.array_equal(sizes, partition.size)
        and sizes[used].min() >= partition.k
        and sizes[used].max() <= 2 * partition.k - 1
        and set(empty.tolist()) == set(np.flatnonzero(sizes == 0).tolist())
        and np.array_equal(slots, np.arange(len(partition.points)))
        and close(partition, partition.total[0], plain_cost(partition.points, partition.group))
        and close(partition, partition.cost.sum(), partition.total[0])
        and all(np.allclose(partition.centre[g], partition.points[partition.group == g].mean(axis=0)) for g in used)
    )


def close(partition: Partition, one: float, other: float) -> bool:
    """Tell whether two costs are equal but for rounding."""
    return bool(abs(one - other) <= 1e-9 * (1 + np.ptp(partition.points) ** 2))
