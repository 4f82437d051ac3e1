"""Optima of the reference problems, found by other programmes before."""

from dataclasses import replace

import numpy as np
import pytest

from sfumato.tables.audit.audit import audit
from sfumato.tables.protection import Ending
from sfumato.tables.suppression.optimal_suppression import suppress_optimally
from tests.tables.audited_problems import reference_problem

pytestmark = pytest.mark.reference


@pytest.mark.parametrize(("name", "cost", "secondaries"), [("simple2d", 521_926, 6), ("ent_ap", 317_615.4, 53)])
def test_finds_the_known_optimum_and_an_audit_finds_it_safe(name: str, cost: float, secondaries: int) -> None:
    problem, known = reference_problem(name)
    pattern = suppress_optimally(problem)
    assert pattern.ended is Ending.OPTIMAL
    assert pattern.cost == pytest.approx(cost)
    assert problem.cost(known["opt_value"] | problem.must_suppress) == pytest.approx(cost)
    assert (pattern.suppressed & ~problem.must_suppress).sum() == secondaries
    assert audit(problem, pattern.suppressed).is_safe


def test_finds_the_known_optimum_of_cells_that_cost_the_same() -> None:
    problem, known = reference_problem("simple2d")
    alike = replace(problem, costs=np.ones(problem.size))
    assert suppress_optimally(alike).cost == alike.cost(known["opt_unit"] | problem.must_suppress) == 4
