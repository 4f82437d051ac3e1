"""Moves of cells at the least cost, by whichever method a programme is solved."""

import numpy as np
import pytest
from scipy.optimize import linprog

from sfumato.tables.problem import local_programme
from sfumato.tables.problem.local_programme import LocalProgramme
from sfumato.tables.suppression._intruder_programme import SIMPLEX_OPTIONS
from tests.tables.grids import grid_problem

GRID = grid_problem(np.random.default_rng(0).lognormal(3, 1, (12, 12)))
METHODS = {  # from how many columns on the simplex may give way, and after how many steps
    "simplex": (10**9, (0, 0.0)),
    "simplex that is quick enough": (0, (4000, 0.25)),
    "interior points after two steps": (0, (2, 0.0)),
}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_moves_of_the_least_cost(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    programme = _programme(monkeypatch, method)
    costs = np.tile(np.random.default_rng(1).uniform(1, 9, GRID.size), 2)
    lowest, highest = np.zeros(2 * GRID.size), np.full(2 * GRID.size, 0.3)
    lowest[0], highest[0], highest[GRID.size] = 1.0, 1.0, 0.0  # the first cell moves up by 1, others by 0.3 at most
    tied = programme.tied(GRID.costs, np.arange(GRID.size), with_outside=False)
    moves = programme.moves(costs, lowest, highest, tied)
    both_ways = np.hstack([GRID.relations.toarray(), -GRID.relations.toarray()])
    found = linprog(costs, A_eq=both_ways, b_eq=np.zeros(len(both_ways)), bounds=np.column_stack([lowest, highest]))
    assert programme.objective == pytest.approx(found.fun)
    assert moves is not None
    assert moves[0] == pytest.approx(1.0)
    assert GRID.relations @ moves == pytest.approx(0.0, abs=1e-7)
    assert programme.iterations > 2


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_that_there_are_no_moves(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    programme = _programme(monkeypatch, method)
    lowest, highest = np.zeros(2 * GRID.size), np.full(2 * GRID.size, 0.01)
    lowest[0], highest[0] = 1.0, 1.0  # twelve others of a sum make up for 0.12
    tied = programme.tied(GRID.costs, np.arange(GRID.size), with_outside=False)
    assert programme.moves(np.ones(2 * GRID.size), lowest, highest, tied) is None


def _programme(monkeypatch: pytest.MonkeyPatch, method: str) -> LocalProgramme:
    columns, steps = METHODS[method]
    monkeypatch.setattr(local_programme, "LARGE_PROGRAMME", columns)
    monkeypatch.setattr(local_programme, "MAX_STEPS", steps)
    return LocalProgramme(GRID.relations, SIMPLEX_OPTIONS)
