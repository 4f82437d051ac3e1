"""Log densities of masked places, held against those of scipy."""

import numpy as np
import pytest
from scipy import stats

from sfumato.numerics.densities import (
    IMPOSSIBLE,
    STANDARD_NORMAL,
    Density,
    Displacements,
    NormalMixture,
    Transitions,
)

MIXTURE = NormalMixture(np.array([0.2, 0.8]), np.array([-1.0, 3.0]), 0.25)
SWAPS = Transitions(np.array([[0.5, 0.5, 0.0], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]]))
STEPS = Displacements(np.log(np.random.default_rng(1).random((4, 21))))


def test_a_mixture_is_the_sum_of_its_normals() -> None:
    before, after = np.array([0.0, 5.0, -2.0]), np.array([3.1, 3.0, 1.0])
    difference = after - before
    expected = 0.2 * stats.norm(-1, 0.5).pdf(difference) + 0.8 * stats.norm(3, 0.5).pdf(difference)
    assert MIXTURE.log_density(before, after) == pytest.approx(np.log(expected), abs=1e-12)
    assert STANDARD_NORMAL.log_density(before, after) == pytest.approx(stats.norm.logpdf(difference), abs=1e-12)


def test_far_places_have_small_numbers_and_no_infinities() -> None:
    for density in (STANDARD_NORMAL, MIXTURE):
        assert density.log_density(np.zeros(1), np.array([1e100])).tolist() == [IMPOSSIBLE]
    assert SWAPS.log_density(np.array([0.0]), np.array([2.0])).tolist() == [IMPOSSIBLE]


@pytest.mark.parametrize("density", [STANDARD_NORMAL, MIXTURE, SWAPS, STEPS])
def test_a_missing_place_tells_nothing(density: Density) -> None:
    places = np.array([np.nan, 1.0, np.nan])
    assert density.log_density(places, np.array([0.0, np.nan, np.nan])).tolist() == [0.0, 0.0, 0.0]
    assert density.levels(places[:1]).tolist() == [0]


@pytest.mark.parametrize("density", [STANDARD_NORMAL, MIXTURE, SWAPS, STEPS])
def test_pairs_are_compared_by_broadcasting(density: Density) -> None:
    before, after = np.array([0.0, 1.0]), np.array([1.0, 0.0, 2.0])
    table = density.log_density(before[None, :], after[:, None])
    assert table.shape == (3, 2)
    assert table[2].tolist() == density.log_density(before, np.array([2.0, 2.0])).tolist()


@pytest.mark.parametrize("density", [STANDARD_NORMAL, MIXTURE, SWAPS, STEPS])
def test_the_grid_is_the_density_at_its_steps(density: Density) -> None:
    grid, rng = density.grid(), np.random.default_rng(2)
    if density is SWAPS:
        before, after = (rng.integers(3, size=50).astype(float) for _ in range(2))
    elif density is STEPS:
        before, after = rng.random(50), rng.random(50)
    else:
        before = rng.normal(size=50)
        after = before + rng.integers(-200, 200, size=50) / grid.scale
    steps = (after - density.positions(before)) * grid.scale + grid.origin
    table = grid.table[density.levels(before), np.rint(steps).astype(int)]
    assert table == pytest.approx(density.log_density(before, after), abs=1e-6)


def test_a_scaled_density_has_scaled_logarithms_up_to_a_constant() -> None:
    before, after = np.zeros(4), np.array([0.0, 0.5, 1.0, 2.0])
    for density in (STANDARD_NORMAL, Displacements(STEPS.table)):
        wide, own = density.scaled(0.5).log_density(before, after / 2), density.log_density(before, after / 2)
        assert np.diff(wide) == pytest.approx(0.5 * np.diff(own))
    codes = np.array([0.0, 1.0, 1.0])
    wide, own = SWAPS.scaled(2.0).log_density(codes, codes[::-1]), SWAPS.log_density(codes, codes[::-1])
    assert wide == pytest.approx(2.0 * own)


def test_displacements_stay_impossible_where_scaled() -> None:
    assert SWAPS.scaled(0.25).log_density(np.array([2.0]), np.array([0.0])).tolist() == [IMPOSSIBLE]
