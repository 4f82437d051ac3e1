import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.explain import Treatment, explain, what_if_published
from sfumato.tables.audit.redundancy import redundant_secondaries
from sfumato.tables.problem.problem import Problem
from tests.tables.audited_problems import PRINTED, audits, masked, reference_problem, slides_problem

MORE = (*PRINTED, "M3, P1", "M3, P3", "M3, P5")


@pytest.fixture
def problem() -> Problem:
    return slides_problem()


def test_a_secondary_is_explained_by_the_primaries_that_it_protects(problem: Problem) -> None:
    found = explain(problem, masked(problem, PRINTED), problem.names.index("M1, P5"))
    assert found.treatment is Treatment.SECONDARY
    assert [(problem.cell_name(each.cell), each.lower, each.upper) for each in found.protects] == [
        ("M2, P3", 22.0, 22.0)
    ]
    assert not found.is_redundant
    assert str(found) == (
        "M1, P5 is suppressed: to protect others.\n"
        "The outsider finds [338, 680].\n"
        "If it were published, others would lose their protection:\n"
        "  M2, P3: the outsider finds [22, 22]; wanted [2, 42]"
    )


def test_a_primary_is_explained_by_its_interval_and_who_comes_nearest(problem: Problem) -> None:
    insiders = (np.array([problem.names.index("M3, P3")]), np.array([0]))
    knowing = dataclasses.replace(problem, intruders=(*problem.intruders, *insiders))
    found = explain(knowing, masked(problem, MORE), problem.names.index("M2, P3"))
    assert found.treatment is Treatment.PRIMARY
    assert str(found) == (
        "M2, P3 is suppressed: it is a primary.\n"
        "The outsider finds [0, 342].\n"
        "For everybody all of [2, 42] must stay possible: it is protected."
    )
    known = dataclasses.replace(problem, intruders=(*problem.intruders, np.array([problem.names.index("M2, P5")])))
    found = explain(known, masked(problem, MORE), problem.names.index("M2, P3"))
    assert "Insider 1, who knows M2, P5, finds [22, 22].\n" in str(found)
    assert str(found).endswith("For everybody all of [2, 42] must stay possible: it is not protected.")


def test_a_cell_that_protects_nobody_could_be_published(problem: Problem) -> None:
    found = explain(problem, masked(problem, MORE), problem.names.index("M3, P1"))
    assert found.is_redundant
    assert str(found).endswith("It could be published without harm.")


def test_a_published_cell_and_a_primary_that_is_published_are_told_apart(problem: Problem) -> None:
    nothing = np.zeros(24, dtype=np.bool_)
    assert str(explain(problem, nothing, 0)) == "M1, P1 is published."
    assert (
        str(explain(problem, nothing, problem.names.index("M2, P3"))) == "M2, P3 is published, and must be suppressed."
    )


def test_what_if_tells_what_publishing_cells_would_reveal(problem: Problem) -> None:
    pattern = masked(problem, PRINTED)
    assert what_if_published(problem, pattern, []).is_safe
    found = what_if_published(problem, pattern, [problem.names.index("M1, P3")])
    assert [problem.cell_name(int(cell)) for cell in found.unprotected] == ["M2, P3"]
    assert pattern.sum() == 4


def test_redundant_secondaries_can_all_be_published_together(problem: Problem) -> None:
    pattern = masked(problem, MORE)
    redundant = redundant_secondaries(problem, pattern)
    assert [problem.cell_name(int(cell)) for cell in redundant] == ["M1, P3", "M1, P5", "M3, P1"]
    assert what_if_published(problem, pattern, redundant).is_safe


@given(audits())
@settings(max_examples=15, deadline=None)
def test_without_redundant_secondaries_a_pattern_is_safe_and_has_none(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    quarters = {name: getattr(problem, name) / 4 for name in ("upper_levels", "lower_levels", "sliding_levels")}
    easier = dataclasses.replace(problem, **quarters)
    if not audit(easier, suppressed).is_safe:
        with pytest.raises(DataError, match="only in a safe pattern can secondaries be redundant"):
            redundant_secondaries(easier, suppressed)
        return
    left = suppressed.copy()
    left[redundant_secondaries(easier, suppressed)] = False
    assert audit(easier, left).is_safe
    for cell in np.flatnonzero(left & ~easier.must_suppress).tolist():
        assert not what_if_published(easier, left, [cell]).is_safe
        assert explain(easier, left, cell).protects


def test_refuses_cells_that_do_not_exist(problem: Problem) -> None:
    for refused in (explain, lambda problem, suppressed, cell: what_if_published(problem, suppressed, [cell])):
        with pytest.raises(DataError, match="a cell must be a number from 0 to 23; got 24"):
            refused(problem, masked(problem, PRINTED), 24)


@pytest.mark.reference
def test_a_heuristic_pattern_of_a_reference_table_suppresses_more_than_needed_and_optima_do_not() -> None:
    problem, patterns = reference_problem("simple2d")
    assert redundant_secondaries(problem, patterns["gauss"]).size == 8
    assert not redundant_secondaries(problem, patterns["opt_value"]).size
    larger, patterns = reference_problem("ent_ap")
    assert not redundant_secondaries(larger, patterns["opt_value"]).size
