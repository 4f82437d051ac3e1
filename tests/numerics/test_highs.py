"""Programmes small enough to solve by hand, built, solved and read."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.numerics import highs

ROWS = csr_array([[1.0, 1.0]])  # x + y


def loaded(
    costs: list[float], least: float, *, upper: float = 10.0, is_whole: np.ndarray | None = None, **options: Any
) -> Any:
    model = highs.make_model(
        ROWS,
        np.array(costs),
        np.zeros(2),
        np.full(2, upper),
        np.array([least]),
        np.array([np.inf]),
        is_whole=is_whole,
        offset=1.0,
    )
    return highs.load_model(options, model)


def test_a_linear_programme_is_solved_and_read() -> None:
    solver = loaded([1.0, 3.0], 12.5)
    assert highs.solve(solver)
    assert highs.status_of(solver) == "Optimal"
    assert highs.unknowns_of(solver) == pytest.approx([10, 2.5])
    assert highs.objective_of(solver) == pytest.approx(1 + 10 + 7.5)


def test_whole_numbers_are_whole_and_bounded_from_below() -> None:
    solver = loaded([2.0, 3.0], 2.5, is_whole=np.array([True, True]))
    solver.run()
    assert highs.has_solution(solver)
    assert highs.unknowns_of(solver) == pytest.approx([3, 0])
    assert highs.bound_of(solver) == pytest.approx(highs.objective_of(solver))


def test_what_has_no_solution_is_told() -> None:
    solver = loaded([1.0, 1.0], 25.0)
    assert not highs.solve(solver)
    assert highs.status_of(solver) == "Infeasible"
    assert not highs.has_solution(solver)


def test_a_solution_that_is_known_is_not_made_worse() -> None:
    solver = loaded([1.0, 1.0], 2.5, is_whole=np.array([True, False]), time_limit=10.0)
    highs.start_from(solver, np.array([2.0, 0.5]))
    solver.run()
    assert highs.objective_of(solver) == pytest.approx(3.5)


def test_options_are_set_and_solutions_reproducible() -> None:
    solver = highs.make_solver({"presolve": "off"})
    assert solver.getOptionValue("presolve")[1] == "off"
    assert [solver.getOptionValue(name)[1] for name in ("threads", "random_seed", "output_flag")] == [1, 0, False]
