"""Worlds of a part: found where one exists, by brute force, and never one that does not give the shown figures."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.outputs.audit.count_worlds import CountWorlds

WANTED = 3


def some_part(seed: int) -> tuple[csr_array, np.ndarray, np.ndarray]:
    """Return figures over five atoms, the counts of these, and how many records there are of each figure."""
    rng = np.random.default_rng(seed)
    sets = (rng.random((4, 5)) < 0.5).astype(float)
    sets[3] = 1.0  # everybody is counted
    counts = rng.integers(0, 3, 5).astype(float)
    return csr_array(sets), counts, sets @ counts


def all_worlds(sets: csr_array, figures: np.ndarray) -> list[np.ndarray]:
    most = int(figures[3])
    worlds = (np.array(counts, dtype=float) for counts in product(range(most + 1), repeat=sets.shape[1]))
    return [world for world in worlds if (sets @ world == figures).all()]


@pytest.mark.parametrize("seed", range(12))
def test_a_world_with_enough_records_is_found_just_where_one_exists(seed: int) -> None:
    sets, counts, figures = some_part(seed)
    exists = np.max(all_worlds(sets, figures), axis=0) >= WANTED
    worlds = CountWorlds(sets, figures, figures, counts.sum())
    for atom in range(5):
        world = worlds.reach(atom, WANTED)
        assert (world is not None) == exists[atom]
        if world is not None:
            assert world[atom] >= WANTED
            np.testing.assert_array_equal(sets @ world, figures)


def test_a_world_in_whole_numbers_is_found_where_a_corner_has_fractions() -> None:
    """Three figures of two atoms each, and one of their sum with a fourth: half a record in each is a corner."""
    sets = csr_array(np.array([[1.0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 1, 0], [1, 0, 1, 0, 0, 1]]))
    figures = np.array([5.0, 5.0, 5.0])
    worlds = CountWorlds(sets, figures, figures, 15.0)
    fractions = worlds.corner(np.array([-1.0, -1.0, -1.0, 0.0, 0.0, 0.0]))
    assert fractions is None
    for atom in range(6):
        world = worlds.reach(atom, 4)
        assert world is not None
        assert world[atom] >= 4
        np.testing.assert_array_equal(sets @ world, figures)


def test_a_world_that_serves_many_gives_others_as_many_as_wanted_and_no_more() -> None:
    sets = csr_array(np.ones((1, 4)))
    worlds = CountWorlds(sets, np.array([9.0]), np.array([9.0]), 9.0)
    world = worlds.fill(0, np.array([0, 1, 2]), 3)
    assert world is not None
    assert world[0] >= 3
    np.testing.assert_array_equal(world[[1, 2]], [3.0, 3.0])
