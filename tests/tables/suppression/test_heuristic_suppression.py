"""The flow heuristic is safe, costs no less than the cheapest, and suppresses nothing that is not needed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sfumato.errors import DataError
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.redundancy import redundant_secondaries
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.protection import Ending, Progress
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows import local_flows
from sfumato.tables.suppression._flows.flow_pattern import flow_pattern
from sfumato.tables.suppression._flows.flow_proofs import goal_levels
from sfumato.tables.suppression._flows.growing_pattern import GrowingPattern
from sfumato.tables.suppression._independent_parts import independent_parts
from sfumato.tables.suppression._merged_cells import merge_cells
from sfumato.tables.suppression._reach import levels_of
from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows
from tests.tables.audited_problems import crossed, make_problem, slides_problem
from tests.tables.suppression_problems import cheapest, is_protected, problems


def drawn(shape: tuple[int, ...], seed: int, share: float = 0.1, insiders: int = 0) -> Problem:
    """Return a table with zeros, small primaries, and insiders who know two primaries each."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(np.floor(rng.lognormal(3, 1.5, shape)))
    core = np.flatnonzero(values > 0)
    primaries = np.sort(rng.choice(core, int(share * core.size), replace=False))
    known = [rng.choice(primaries, 2, replace=False).tolist() for _ in range(insiders)]
    upper = 1.5 * float(values.max())
    level = np.ceil(0.1 * values[primaries])
    return make_problem(values, relations, primaries.tolist(), above=level, below=0.0, upper=upper, insiders=known)


@given(problems())
@settings(max_examples=6, deadline=None)
def test_is_safe_and_costs_at_least_what_the_cheapest_costs(problem: Problem) -> None:
    least = cheapest(problem)
    if np.isinf(least):
        with pytest.raises(DataError, match="cannot be protected"):
            suppress_by_flows(problem)
        return
    pattern = suppress_by_flows(problem)
    assert is_protected(problem, pattern.suppressed)
    assert pattern.suppressed[problem.must_suppress].all()
    assert not pattern.suppressed[problem.must_publish].any()
    assert pattern.cost == problem.cost(pattern.suppressed)
    assert pattern.bound - 1e-6 <= least <= pattern.cost + 1e-6
    assert pattern.ended is Ending.HEURISTIC


def test_in_four_dimensions_it_costs_at_least_what_the_cheapest_pattern_of_all_costs() -> None:
    problem = drawn((2, 2, 2, 2), seed=1, share=0.05, insiders=1)
    pattern = suppress_by_flows(problem)
    assert is_protected(problem, pattern.suppressed)
    assert pattern.bound <= cheapest(problem) <= pattern.cost


def test_in_five_dimensions_two_programmes_for_each_intruder_and_primary_find_it_safe() -> None:
    problem = drawn((2, 2, 2, 2, 2), seed=1, share=0.04, insiders=2)
    pattern = suppress_by_flows(problem)
    assert problem.size == 3**5
    assert is_protected(problem, pattern.suppressed)
    assert not is_protected(problem, problem.must_suppress)


@given(st.integers(0, 2**32), st.sampled_from([(5, 6), (3, 4, 3)]), st.integers(0, 2))
@settings(max_examples=8, deadline=None)
def test_publishing_any_secondary_would_reveal_something(seed: int, shape: tuple[int, ...], insiders: int) -> None:
    problem = drawn(shape, seed, insiders=insiders)
    if not is_protected(problem, ~problem.must_publish):  # some drawn insiders know too much for any pattern
        with pytest.raises(DataError, match="cannot be protected"):
            suppress_by_flows(problem)
        return
    pattern = suppress_by_flows(problem)
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert not redundant_secondaries(problem, pattern.suppressed).size


def test_gives_the_same_pattern_on_every_run() -> None:
    problem = drawn((12, 10), seed=1, insiders=3)
    first, second = suppress_by_flows(problem), suppress_by_flows(problem)
    assert (first.suppressed == second.suppressed).all()
    assert (first.cost, first.bound) == (second.cost, second.bound)


def test_small_programmes_of_cells_that_move_together_give_a_safe_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = drawn((2, 3, 2, 3), seed=0)
    widely = suppress_by_flows(problem)
    monkeypatch.setattr(local_flows, "FIRST_NEIGHBOURS", 4)
    monkeypatch.setattr(local_flows, "NARROW_NEIGHBOURS", 4)
    monkeypatch.setattr(local_flows, "WIDE_WORK", 0.0)
    monkeypatch.setattr(local_flows, "CLOSED", ((1, 16), (2, 60)))
    narrowly = suppress_by_flows(problem)
    assert (narrowly.suppressed != widely.suppressed).any()
    assert audit(problem, narrowly.suppressed, intervals="unprotected").is_safe


def test_without_work_left_what_the_flows_found_can_do_without_is_still_published() -> None:
    fewer = 0
    for seed in range(4):
        (part, *_) = independent_parts(drawn((5, 4, 4), seed=seed, share=0.2))
        problem = merge_cells(part.problem).problem
        effort = Effort(1e-9)
        growing = GrowingPattern(
            problem, problem.costs, goal_levels(problem, levels_of(problem)), problem.must_suppress, effort
        )
        for primary in range(problem.primaries.size):
            growing.protect(primary)
        before, work = growing.suppressed.copy(), effort.done
        growing.publish()
        assert effort.done == work
        assert audit(problem, growing.suppressed, intervals="unprotected").is_safe
        fewer += int(before.sum() - growing.suppressed.sum())
    assert fewer > 0


def test_keeps_insiders_out_at_a_higher_cost() -> None:
    problem = drawn((8, 8), seed=4, insiders=6)
    outsider = suppress_by_flows(replace(problem, intruders=(NOBODY_KNOWS,)))
    assert not audit(problem, outsider.suppressed, intervals="unprotected").is_safe
    pattern = suppress_by_flows(problem)
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert pattern.cost > outsider.cost


def test_finds_the_cheapest_pattern_of_the_slides_table() -> None:
    problem = replace(slides_problem(), upper_levels=np.array([50.0]), lower_levels=np.array([22.0]))
    assert suppress_by_flows(problem).cost == 1058


def test_a_time_limit_that_is_over_at_once_still_gives_a_safe_pattern() -> None:
    problem = drawn((12, 10), seed=1)
    hasty, patient = suppress_by_flows(problem, time_limit=0.0), suppress_by_flows(problem)
    assert audit(problem, hasty.suppressed, intervals="unprotected").is_safe
    assert hasty.cost > patient.cost


def test_tells_of_its_progress() -> None:
    seen: list[Progress] = []
    pattern = suppress_by_flows(drawn((6, 6), seed=2), on_progress=seen.append)
    assert (seen[-1].cost, seen[-1].bound) == (pattern.cost, pattern.bound)


def test_starts_from_cells_that_are_suppressed_already_and_drops_those_it_does_not_need() -> None:
    problem = drawn((6, 6), seed=2)
    everything = np.ones(problem.size, dtype=np.bool_)
    pattern = flow_pattern(problem, problem.costs, everything)
    assert audit(problem, pattern, intervals="unprotected").is_safe
    assert not redundant_secondaries(problem, pattern).size


def test_needs_nothing_where_there_are_no_primaries() -> None:
    values, relations = crossed(np.ones((2, 2)))
    pattern = suppress_by_flows(make_problem(values, relations, []))
    assert not pattern.suppressed.any()
    assert pattern.cost == pattern.bound == 0.0


def test_refuses_a_level_that_no_pattern_reaches_though_the_interval_can_be_wide_enough() -> None:
    made = make_problem(np.array([5.0, 5.0, 10.0]), csr_array([[1.0, 1.0, -1.0]]), [0], above=3.0, below=0.0, width=5.0)
    with pytest.raises(DataError, match="cell 0 cannot be protected"):
        suppress_by_flows(replace(made, upper=np.array([6.0, 20.0, 20.0])))
    assert suppress_by_flows(made).cost == 5.0


def test_two_insiders_who_leave_room_on_different_sides_are_both_kept_out() -> None:
    # The first part can fall only against the second and rise only against the third; each insider knows one of them.
    # So one of them sees it rise by 4 at most, the other sees it fall by 4 at most: no one split suits both.
    values, relations = np.array([4.0, 4.0, 4.0, 12.0]), csr_array([[1.0, 1.0, 1.0, -1.0]])
    made = make_problem(values, relations, [0], above=0.0, below=0.0, width=4.0, insiders=[[1], [2]])
    bounded = replace(
        made,
        lower=np.array([0.0, 4.0, 0.0, 12.0]),
        upper=np.array([9.0, 8.0, 4.0, 12.0]),
        must_publish=np.array([False, False, False, True]),
    )
    pattern = suppress_by_flows(bounded)
    assert is_protected(bounded, pattern.suppressed)
    assert pattern.suppressed.tolist() == [True, True, True, False]


@pytest.mark.parametrize("seed", [12, 28])
def test_exchanging_secondaries_makes_no_pattern_dearer_where_empty_cells_cost_nothing(seed: int) -> None:
    values, relations = crossed(np.random.default_rng(seed).poisson(1.2, (5, 5, 4)).astype(np.float64))
    problem = make_problem(values, relations, np.flatnonzero((values > 0) & (values < 3)).tolist())
    (part,) = independent_parts(problem)
    merged = merge_cells(part.problem).problem
    levels = levels_of(merged)
    growing = GrowingPattern(merged, merged.costs, goal_levels(merged, levels), merged.must_suppress)
    for primary in np.argsort(-levels.max(axis=0), kind="stable").tolist():
        growing.protect(primary)
    before = growing.cost
    growing.exchange()
    assert growing.cost <= before


def test_one_cell_of_little_cost_goes_rather_than_many_that_cost_nothing() -> None:
    sums = [[0, 1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]  # cell 0 moves with 1, or with 2 to 7
    relations = np.zeros((len(sums), 8 + len(sums)))
    for row, cells in enumerate(sums):
        relations[row, cells], relations[row, 8 + row] = 1.0, -1.0
    values = np.concatenate([np.full(8, 5.0), 5.0 * np.array([len(cells) for cells in sums])])
    is_total, numbers = np.arange(values.size) >= 8, np.arange(values.size)
    problem = make_problem(values, csr_array(relations), [0])
    problem = replace(problem, costs=np.where(numbers == 1, 4.0, 0.0), must_publish=is_total)
    assert np.flatnonzero(suppress_by_flows(problem).suppressed).tolist() == [0, 1]
