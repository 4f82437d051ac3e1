import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.variable_size_mdav import variable_size_mdav_groups


def plain_groups(points: np.ndarray, k: int, gamma: float) -> list[set[int]]:
    """V-MDAV written as the definition reads, without the records left at the end."""

    def distance(row: int, other: np.ndarray) -> float:
        return float(((points[row] - other) ** 2).sum())

    def from_group(row: int, group: list[int]) -> float:
        return min(distance(row, points[member]) for member in group)

    free, groups = list(range(len(points))), []
    centroid = points.mean(axis=0)
    while len(free) >= k:
        far = max(free, key=lambda row: (distance(row, centroid), -row))
        others = sorted((row for row in free if row != far), key=lambda row: (distance(row, points[far]), row))
        group = [far, *others[: k - 1]]
        free = [row for row in free if row not in group]
        while len(group) < 2 * k - 1 and len(free) > 1:
            near = min(free, key=lambda row: (from_group(row, group), row))
            outside = min(distance(row, points[near]) for row in free if row != near)
            if from_group(near, group) >= gamma**2 * outside:
                break
            group.append(near)
            free.remove(near)
        groups.append(set(group))
    return groups


def as_sets(groups: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(groups == number).tolist()) for number in range(groups.max() + 1)]


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(6, 50),
    d=st.integers(1, 3),
    k=st.integers(2, 6),
    gamma=st.floats(0, 3),
)
def test_groups_equal_the_plain_definition(seed: int, n: int, d: int, k: int, gamma: float) -> None:
    points = np.random.default_rng(seed).normal(size=(n, d))
    assert as_sets(variable_size_mdav_groups(points, k, gamma)) == plain_groups(points, k, gamma)


@given(
    points=hnp.arrays(np.float64, st.tuples(st.integers(6, 40), st.integers(1, 3)), elements=st.integers(0, 3)),
    k=st.integers(2, 6),
    gamma=st.sampled_from([0.0, 0.5, 1.0, 2.0, 100.0]),
)
def test_with_ties_sizes_fit_and_fewer_than_a_group_are_left(points: np.ndarray, k: int, gamma: float) -> None:
    groups = variable_size_mdav_groups(points, k, gamma)
    sizes = np.bincount(groups[groups >= 0])
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert np.count_nonzero(groups < 0) < k


def test_of_equally_far_records_the_lowest_row_comes_first() -> None:
    points = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    assert variable_size_mdav_groups(points, 2, 0.2).tolist() == [0, 1, 0, 1]


def test_without_gamma_no_group_grows() -> None:
    points = np.random.default_rng(1).normal(size=(31, 2)).round(1)
    assert np.bincount(variable_size_mdav_groups(points, 3, 0.0) + 1).tolist() == [1, *[3] * 10]
