"""Ranges of cells, worked out from one relation after the other: never narrower than the truth."""

import numpy as np
from scipy.optimize import linprog

from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._flows.ranges import Ranges
from tests.tables.grids import grid_problem


def made(seed: int) -> tuple[Problem, Booleans]:
    """Return a small table with three primaries, and a pattern of it."""
    rng = np.random.default_rng(seed)
    inner = rng.integers(1, 30, (4, 5)).astype(np.float64)
    places = [(int(place) // 5, int(place) % 5) for place in rng.choice(20, 3, replace=False)]
    problem = grid_problem(inner, {place: 0.3 * inner[place] for place in places})
    return problem, problem.must_suppress | (rng.random(problem.size) < 0.5)


def is_possible(problem: Problem, suppressed: Booleans) -> bool:
    """Tell by linear programmes whether all primaries can move up and down by their levels."""
    bounds = np.stack([-problem.room_below, problem.room_above], axis=1) * suppressed[:, None]
    for primary, cell in enumerate(problem.primaries.tolist()):
        for sign, level in ((-1.0, problem.upper_levels[primary]), (1.0, problem.lower_levels[primary])):
            objective = sign * (np.arange(problem.size) == cell)
            solved = linprog(
                objective, A_eq=problem.relations.toarray(), b_eq=np.zeros(problem.relations.shape[0]), bounds=bounds
            )
            if -solved.fun < level * (1 - 1e-7):
                return False
    return True


def test_what_is_called_impossible_is_so_by_linear_programmes() -> None:
    refused, needed = 0, 0
    for seed in range(12):
        problem, suppressed = made(seed)
        if not is_possible(problem, suppressed):
            continue
        levels = np.stack([problem.upper_levels, problem.lower_levels])
        for cell in np.flatnonzero(suppressed & ~problem.must_suppress).tolist():
            is_needed = not is_possible(problem, suppressed & (np.arange(problem.size) != cell))
            is_refused = not Ranges(problem, suppressed, levels).hold_still(cell)
            assert is_needed or not is_refused
            refused, needed = refused + is_refused, needed + is_needed
    assert refused > 0.5 * needed > 0


def test_a_cell_that_was_let_move_again_leaves_no_trace() -> None:
    problem, suppressed = made(5)
    levels = np.stack([problem.upper_levels, problem.lower_levels]) * 1e-6
    ranges = Ranges(problem, suppressed, levels)
    before = [column.copy() for column in ranges._ranges]
    for cell in np.flatnonzero(suppressed).tolist():
        if ranges.hold_still(cell):
            ranges.let_move()
        assert all(np.array_equal(*pair) for pair in zip(before, ranges._ranges, strict=True))
