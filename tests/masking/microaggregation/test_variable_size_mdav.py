import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.errors import ParameterError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import VariableSizeMdav
from sfumato.masking.microaggregation._aggregation import group_means
from sfumato.masking.microaggregation.variable_size_mdav import variable_size_groups


@given(
    points=hnp.arrays(np.float64, st.tuples(st.integers(2, 40), st.integers(1, 2)), elements=st.integers(0, 4)),
    k=st.integers(2, 6),
    gamma=st.sampled_from([0.0, 0.2, 1.1, 5.0, 1e6]),
)
def test_groups_have_from_group_size_to_twice_that_less_one(points: np.ndarray, k: int, gamma: float) -> None:
    if len(points) >= k:
        counts = np.bincount(variable_size_groups(points, k, gamma))
        assert counts.sum() == len(points)
        assert counts.min() >= k
        assert counts.max() <= 2 * k - 1


def test_groups_follow_clusters_that_are_larger_than_the_group_size() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([centre + rng.normal(size=(5, 2)) for centre in (0.0, 60.0, 200.0)])
    clusters = np.repeat([0, 1, 2], 5)
    found = variable_size_groups(points, 3, 1.1)
    assert len(set(zip(found.tolist(), clusters.tolist(), strict=True))) == 3

    def lost(groups: np.ndarray) -> float:
        return float(((points - group_means(points, groups)) ** 2).sum())

    assert lost(found) < lost(mdav_groups(points, 3)) / 10


def test_a_larger_gamma_makes_larger_groups() -> None:
    points = np.random.default_rng(1).normal(size=(600, 2))
    counts = [variable_size_groups(points, 4, gamma).max() + 1 for gamma in (0.0, 0.5, 1.0, 10.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 150
    assert counts[-1] < 100


def test_what_is_left_joins_the_nearest_group_that_has_room() -> None:
    points = np.array([[0.0], [1.0], [100.0], [101.0], [40.0]])
    assert variable_size_groups(points, 2, 0.0).tolist() == [1, 1, 0, 0, 1]


def test_when_no_group_has_room_what_is_left_is_grouped_with_the_last_one() -> None:
    points = np.array([[0.0], [1.0], [2.0], [9.0]])
    assert variable_size_groups(points, 2, 100.0).tolist() == [1, 1, 0, 0]


def test_refuses_a_negative_gamma() -> None:
    with pytest.raises(ParameterError, match=r"^VariableSizeMdav.gamma must be in \[0, inf\); got -0.1$"):
        VariableSizeMdav(columns=("x",), gamma=-0.1)
