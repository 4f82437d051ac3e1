from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from sfumato.errors import DataError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking.microaggregation._microaggregation_bound import microaggregation_bound
from sfumato.masking.microaggregation.near_optimal_microaggregation import near_optimal_groups
from tests.masking.microaggregation.test_near_optimal_microaggregation import least_loss, lost


def gauss(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 2))


def relaxed(points: np.ndarray) -> float:
    """The least cost when parts of groups may be chosen, over all groups of 3 to 5."""
    n = len(points)
    sets = [list(members) for size in (3, 4, 5) for members in combinations(range(n), size)]
    costs = [((points[members] - points[members].mean(axis=0)) ** 2).sum() for members in sets]
    held = np.array([[row in members for members in sets] for row in range(n)], dtype=float)
    return float(linprog(costs, A_eq=held, b_eq=np.ones(n)).fun)


@pytest.mark.parametrize("seed", range(5))
def test_no_grouping_of_a_few_records_loses_less_than_the_bound(seed: int) -> None:
    points = gauss(10, seed)
    found = microaggregation_bound(points, mdav_groups(points, 3))
    assert found.bound <= least_loss(points, 3) + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_that_of_the_relaxed_problem_over_all_groups(seed: int) -> None:
    points = gauss(11, seed)
    assert microaggregation_bound(points, mdav_groups(points, 3)).bound == pytest.approx(relaxed(points))


def test_the_bound_holds_whenever_it_stops() -> None:
    points = gauss(60, 1)
    groups = mdav_groups(points, 3)
    bounds = [microaggregation_bound(points, groups, rounds).bound for rounds in (1, 2, 30)]
    assert bounds == sorted(bounds)


def test_the_gap_is_what_better_groups_would_save_at_most() -> None:
    points = gauss(120, 2)
    groups = near_optimal_groups(points, 3, 20, None, np.random.default_rng(1))
    found = microaggregation_bound(points, groups)
    assert found.sse == pytest.approx(lost(points, groups))
    assert found.gap == pytest.approx(100 * (found.sse - found.bound) / found.sse)
    assert 0 <= found.gap < 5 < microaggregation_bound(points, mdav_groups(points, 3)).gap


def test_groups_without_any_loss_have_no_gap() -> None:
    assert microaggregation_bound(np.zeros((7, 2)), np.array([0, 0, 0, 0, 1, 1, 1])) == (0.0, 0.0, 0.0)


def test_refuses_what_it_cannot_bound() -> None:
    with pytest.raises(DataError, match=r"^microaggregation_bound needs groups of at least 3 records"):
        microaggregation_bound(gauss(4, 0), np.array([0, 0, 1, 1]))
    with pytest.raises(DataError, match=r"^microaggregation_bound takes at most 2000 records; got 2001"):
        microaggregation_bound(gauss(2001, 0), np.zeros(2001, dtype=np.int64))
    with pytest.raises(DataError, match=r"^microaggregation_bound needs records without missing values"):
        microaggregation_bound(np.full((3, 1), np.nan), np.zeros(3, dtype=np.int64))
