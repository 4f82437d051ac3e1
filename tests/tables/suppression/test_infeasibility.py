"""What cannot be protected is named, with what stands in the way and what to do."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.errors import DataError
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows
from sfumato.tables.suppression.optimal_suppression import suppress_optimally
from tests.tables.audited_problems import make_problem, masked, slides_problem


def said(problem: Problem) -> str:
    with pytest.raises(DataError) as caught:
        suppress_optimally(problem)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301
    return str(caught.value)


def test_names_the_published_cells_that_stand_in_the_way() -> None:
    problem = slides_problem(["M2, P3"])
    row = [f"M2, {column}" for column in ("P1", "P2", "P4", "P5", "T")]
    message = said(replace(problem, must_publish=masked(problem, row)))
    assert message.startswith(
        "the primary cell M2, P3 cannot be protected, whatever else is suppressed: too many others"
    )
    assert "It can be if these need not: M2, P" in message


def test_says_that_bounds_leave_too_little_room() -> None:
    problem = slides_problem(["M2, P3"])
    near = replace(problem, lower=problem.values - 1, upper=problem.values + 1)
    assert "leave too little room. Widen the bounds, lower its level" in said(near)


def test_names_what_an_intruder_knows_who_can_always_work_it_out() -> None:
    problem = slides_problem(["M2, P3"])
    known = np.flatnonzero(masked(problem, ["M2, P1", "M2, P2", "M2, P4", "M2, P5", "M2, T"]))
    message = said(replace(problem, intruders=(NOBODY_KNOWS, known)))
    assert "from an intruder who knows M2, P1; M2, P2; M2, P4; M2, P5; M2, T" in message
    assert "or leave that intruder out" in message


def test_names_the_primary_though_a_cell_that_equals_it_comes_first() -> None:
    relations = csr_array([[1.0, 1.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, 0.0, -1.0]])
    problem = make_problem(np.array([5.0, 3.0, 10.0, 18.0, 5.0]), relations, [4], above=2.0, upper=6.0)
    assert said(problem).startswith(
        "the primary cell cell 4 cannot be protected, whatever else is suppressed: the bounds"
    )
    with pytest.raises(
        DataError, match="the primary cell cell 4 cannot be protected, whatever else is suppressed: the"
    ):
        suppress_by_flows(problem)


def test_refuses_primaries_that_must_be_published() -> None:
    problem = slides_problem(["M2, P3"])
    message = said(replace(problem, must_publish=problem.must_suppress))
    assert message.endswith("every primary cell must be suppressed; M2, P3 is among the cells that must be published")


def test_refuses_primaries_that_are_not_suppressed() -> None:
    problem = slides_problem(["M2, P3"])
    message = said(replace(problem, must_suppress=np.zeros(problem.size, dtype=np.bool_)))
    assert message.endswith("M2, P3 is not among the suppressed cells")
