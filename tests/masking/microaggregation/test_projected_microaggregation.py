from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import ProjectedMicroaggregation
from sfumato.masking.microaggregation._aggregation import group_means
from sfumato.masking.microaggregation.projected_microaggregation import Projection, first_component, projected_groups
from sfumato.masking.microaggregation.univariate_microaggregation import optimal_means
from sfumato.numerics.standardisation import z_scores

every_projection = pytest.mark.parametrize("projection", Projection)


def lost(points: np.ndarray, groups: np.ndarray) -> float:
    return float(((points - group_means(points, groups)) ** 2).sum())


def scores(points: np.ndarray, projection: Projection) -> np.ndarray:
    """The projection by other means: singular vectors, and a plain sum."""
    if projection is Projection.SUM_OF_Z_SCORES:
        return np.array([sum(row) for row in points.tolist()])
    centred = points - points.mean(axis=0)
    return np.asarray(centred @ np.linalg.svd(centred, full_matrices=False)[2][0])


@every_projection
@given(seed=st.integers(0, 999), k=st.integers(2, 3))
def test_no_groups_of_neighbours_in_that_order_lose_less(projection: Projection, seed: int, k: int) -> None:
    points = z_scores(np.random.default_rng(seed).normal(size=(8, 3)))
    ranked = points[np.argsort(scores(points, projection))]
    every_way = [np.cumsum([0, *cuts]) for cuts in product([0, 1], repeat=7)]
    least = min(lost(ranked, groups) for groups in every_way if np.bincount(groups).min() >= k)
    assert lost(points, projected_groups(points, k, projection)) == pytest.approx(least)


def test_the_first_component_is_that_of_the_singular_vectors() -> None:
    points = z_scores(np.random.default_rng(1).normal(size=(200, 4)) @ np.random.default_rng(2).normal(size=(4, 4)))
    found, expected = first_component(points), scores(points, Projection.FIRST_COMPONENT)
    assert min(np.abs(found - expected).max(), np.abs(found + expected).max()) < 1e-9


def test_collinear_and_constant_columns_have_a_first_component() -> None:
    x = np.random.default_rng(3).normal(size=30)
    points = z_scores(np.column_stack([x, 2 * x, -x, np.full(30, 7.0)]))
    assert np.allclose(np.abs(first_component(points)), np.sqrt(3) * np.abs(points[:, 0]))
    assert (first_component(np.zeros((5, 2))) == 0.0).all()


@every_projection
def test_one_column_is_grouped_as_by_the_optimal_univariate_method(projection: Projection) -> None:
    points = z_scores(np.random.default_rng(4).lognormal(size=(300, 1)))
    groups = projected_groups(points, 4, projection)
    assert lost(points, groups) == pytest.approx(((points[:, 0] - optimal_means(points[:, 0], 4)) ** 2).sum())


def test_opposite_columns_need_the_first_component() -> None:
    x = np.random.default_rng(5).normal(size=200)
    points = z_scores(np.column_stack([x, 0.1 * np.random.default_rng(6).normal(size=200) - x]))
    by_component = lost(points, projected_groups(points, 3, Projection.FIRST_COMPONENT))
    by_sum = lost(points, projected_groups(points, 3, Projection.SUM_OF_Z_SCORES))
    assert by_component < by_sum / 10


def test_independent_columns_lose_more_than_by_mdav() -> None:
    points = z_scores(np.random.default_rng(7).normal(size=(300, 4)))
    by_mdav = lost(points, mdav_groups(points, 3))
    assert all(lost(points, projected_groups(points, 3, projection)) > by_mdav for projection in Projection)


def test_refuses_an_unknown_projection() -> None:
    with pytest.raises(ParameterError, match=r"^ProjectedMicroaggregation.projection must be 'first_component' or"):
        ProjectedMicroaggregation(columns=("x",), projection="second_component")
