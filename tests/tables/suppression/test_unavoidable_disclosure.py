"""Primaries that an insider need not be kept from: everything else still is, and whoever reads the audit is told."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sfumato.errors import DataError
from sfumato.tables import OptimalSuppression, PPercent, protect
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.explain import explain
from sfumato.tables.audit.verify import verify
from sfumato.tables.problem.insiders import distinct
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._unavoidable_disclosure import spare_unavoidable
from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows
from sfumato.tables.suppression.optimal_suppression import suppress_optimally
from tests.tables.audited_problems import PRINTED, attacked, crossed, make_problem, masked, slides_problem
from tests.tables.reference_tables import simple_2d
from tests.tables.suppression_problems import cheapest


def watched(seed: int, insiders: int = 1) -> Problem:
    """Return a table of three by three with two primaries, and insiders who know the same cell."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(3, 20, (3, 3)).astype(float))
    first, second, known = rng.choice([0, 1, 2, 4, 5, 6, 8, 9, 10], 3, replace=False).tolist()
    problem = make_problem(values, relations, [first, second], above=2.0, below=2.0, insiders=[[known]] * insiders)
    return replace(problem, costs=rng.integers(1, 30, values.size).astype(float))


def knowing_insider(*, is_spared: bool) -> Problem:
    problem = slides_problem()
    knows, spared = np.array([problem.names.index("M2, P5")]), problem.primaries if is_spared else NOBODY_KNOWS
    return replace(problem, intruders=(NOBODY_KNOWS, knows), spared=(NOBODY_KNOWS, spared))


def test_whoever_is_spared_every_primary_counts_for_nothing() -> None:
    problem = watched(5)
    alone = replace(problem, intruders=(NOBODY_KNOWS,))
    spared = replace(problem, spared=(NOBODY_KNOWS, problem.primaries))
    assert suppress_optimally(problem).cost > suppress_optimally(alone).cost
    for suppressor in (suppress_optimally, suppress_by_flows):
        assert suppressor(spared).cost == suppressor(alone).cost


@given(st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_two_who_know_the_same_and_are_spared_different_primaries_are_kept_from_both(seed: int) -> None:
    problem = watched(seed, insiders=2)
    first, second = problem.primaries.reshape(2, 1)
    pattern = suppress_optimally(replace(problem, spared=(NOBODY_KNOWS, first, second)))
    assert pattern.cost == pytest.approx(cheapest(watched(seed)))
    assert audit(problem, pattern.suppressed).is_safe


def test_of_two_equal_primaries_only_the_one_that_is_spared_may_be_learnt() -> None:
    # 5 + 3 + 10 = 18, with the 5 once more: whoever knows the 10 sees that the 5 can be at most 8.
    relations = csr_array([[1.0, 1.0, 1.0, -1.0, 0.0], [1.0, 0.0, 0.0, 0.0, -1.0]])
    problem = make_problem(
        np.array([5.0, 3.0, 10.0, 18.0, 5.0]), relations, [0, 4], above=[2.0, 5.0], below=1.0, insiders=[[2]]
    )
    problem = replace(problem, must_publish=np.arange(5) == 3)
    spared = replace(problem, spared=(NOBODY_KNOWS, np.array([4])))
    assert cheapest(spared) == 13
    for suppressor in (suppress_optimally, suppress_by_flows):
        with pytest.raises(DataError, match=r"cell [04] cannot be protected from an intruder who knows cell 2"):
            suppressor(problem)
        pattern = suppressor(spared)
        assert pattern.cost == 13
        assert audit(spared, pattern.suppressed).is_safe


@given(st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_spares_insiders_what_they_learn_though_everything_is_suppressed_and_nothing_else(seed: int) -> None:
    problem = watched(seed)
    total = int(np.flatnonzero(np.abs(problem.relations.toarray()[:, problem.intruders[1]]).ravel())[0])
    total = int(np.flatnonzero(problem.relations.toarray()[total] < 0)[0])
    high = problem.values[total] - problem.values[problem.intruders[1][0]] + 1.0  # below what they know to be in it
    problem = replace(
        problem,
        primaries=np.array([problem.primaries[0], total]),
        upper_levels=np.full(2, 2.0),
        lower_levels=np.array([2.0, high]),
        must_suppress=np.isin(np.arange(problem.size), [problem.primaries[0], total]),
    )
    found, learnt = spare_unavoidable(problem)
    everything = np.ones(problem.size, dtype=np.bool_)
    assert found.spared[0].size == 0
    assert found.spared[1].tolist() == [total]
    assert learnt == 1
    assert attacked(problem, everything, total, 1)[0] > problem.values[total] - high
    assert all(np.array_equal(now, before) for now, before in zip(found.intruders, problem.intruders, strict=True))
    pattern = suppress_optimally(found)
    assert pattern.cost == pytest.approx(cheapest(found))
    assert audit(found, pattern.suppressed).is_safe
    assert not audit(problem, pattern.suppressed).is_safe


def test_an_audit_and_an_explanation_say_who_is_spared() -> None:
    problem, strict = (knowing_insider(is_spared=is_spared) for is_spared in (True, False))
    pattern = masked(problem, PRINTED)
    assert not audit(strict, pattern).is_safe
    found = audit(problem, pattern)
    assert found.is_safe
    assert found.interval(int(problem.primaries[0]), 1) == (22, 22)
    assert "Safe: every primary is protected from every intruder who must be kept from it" in str(found)
    assert "In 1 case an insider may come nearer to a primary, because the problem does not ask to keep them" in str(
        found
    )
    assert found.to_frame()["is_protected"].to_list() == [True, None]
    text = str(explain(problem, pattern, int(problem.primaries[0])))
    assert "Insider 1, who knows M2, P5, finds [22, 22], and need not be kept from it.\n" in text
    assert text.endswith("For everybody else all of [2, 42] must stay possible: it is protected.")


def test_certificates_need_no_claims_of_whoever_is_spared() -> None:
    problem, strict = (knowing_insider(is_spared=is_spared) for is_spared in (True, False))
    pattern = masked(problem, PRINTED)
    certificates = certify(problem, pattern)
    assert verify(problem, pattern, certificates) == ()
    assert verify(strict, pattern, certificates) == ("intruder 1 is not shown to be kept from M2, P3",)


def test_refuses_sparing_that_does_not_fit_the_intruders() -> None:
    problem = slides_problem()
    with pytest.raises(DataError, match="spared must have 1 entries, one per intruder, or none at all; got 2"):
        replace(problem, spared=(NOBODY_KNOWS, NOBODY_KNOWS))
    with pytest.raises(DataError, match="the outsider must be kept from every primary"):
        replace(problem, spared=(problem.primaries,))


def test_a_member_of_a_coalition_is_still_kept_from_the_primaries_of_the_others() -> None:
    alone, together = np.array([1]), np.array([1, 2])
    assert [known.tolist() for known in distinct([alone, together], primaries=np.array([2]))] == [[1, 2], [1]]
    assert [known.tolist() for known in distinct([alone, together], primaries=np.array([1]))] == [[1, 2]]


@pytest.mark.reference
def test_size_by_region_is_kept_from_insiders_but_for_what_one_of_them_learns_anyway() -> None:
    protected = protect(simple_2d(), OptimalSuppression(), rule=PPercent(p=15))
    problem = protected.problem
    assert protected.pattern.cost == pytest.approx(1_092_497)
    assert protected.secondaries == 13
    assert protected.remarks[0].startswith("in 1 case a unit that is alone in a cell")
    spared = [problem.cell_name(int(cell)) for cells in problem.spared for cell in cells]
    assert spared == ["Size=2, Region=Nr"]  # in which all others hold 0
    assert protected.audit().is_safe
