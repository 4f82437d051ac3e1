import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.mdav import mdav_groups


def plain_mdav(points: np.ndarray, k: int) -> list[set[int]]:
    """MDAV written as the definition reads, on sets of rows; exact on small integers."""

    def distance(row: int, centre: np.ndarray) -> float:
        return float(((points[row] - centre) ** 2).sum())

    def farthest(rows: list[int], centre: np.ndarray) -> int:
        return max(rows, key=lambda row: (distance(row, centre), -row))

    def around(row: int, rows: list[int]) -> set[int]:
        others = sorted(
            (other for other in rows if other != row), key=lambda other: (distance(other, points[row]), other)
        )
        return {row, *others[: k - 1]}

    rows, groups = list(range(len(points))), []
    while len(rows) >= 3 * k:
        first = farthest(rows, points[rows].mean(axis=0))
        groups.append(around(first, rows))
        rows = [row for row in rows if row not in groups[-1]]
        groups.append(around(farthest(rows, points[first]), rows))
        rows = [row for row in rows if row not in groups[-1]]
    if len(rows) >= 2 * k:
        groups.append(around(farthest(rows, points[rows].mean(axis=0)), rows))
        rows = [row for row in rows if row not in groups[-1]]
    return [*groups, set(rows)]


def as_sets(groups: np.ndarray) -> list[set[int]]:
    return [set(np.flatnonzero(groups == number).tolist()) for number in range(groups.max() + 1)]


@given(seed=st.integers(0, 10_000), n=st.integers(2, 60), d=st.integers(1, 4), k=st.integers(2, 6))
def test_groups_equal_the_plain_definition(seed: int, n: int, d: int, k: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, d))
    if n >= k:
        assert as_sets(mdav_groups(points, k)) == plain_mdav(points, k)


@given(
    points=hnp.arrays(np.float64, st.tuples(st.integers(2, 40), st.integers(1, 3)), elements=st.integers(0, 3)),
    k=st.integers(2, 5),
)
def test_every_record_is_in_a_group_of_fitting_size_even_with_ties(points: np.ndarray, k: int) -> None:
    if len(points) >= k:
        sizes = np.bincount(mdav_groups(points, k))
        assert sizes.sum() == len(points)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1


def test_of_equally_far_records_the_lowest_row_comes_first() -> None:
    points = np.array([[-1.0], [1.0], [-1.0], [1.0], [-1.0], [1.0]])
    assert mdav_groups(points, 2).tolist() == [0, 1, 0, 1, 2, 2]
