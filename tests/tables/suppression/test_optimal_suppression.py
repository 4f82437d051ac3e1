"""Optimal suppression is safe, is the cheapest, says so, and is the same on every run."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.sparse import block_diag

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, Progress
from sfumato.tables.suppression._cut_search.master import LinearRelaxation, Master
from sfumato.tables.suppression.automatic_suppression import AutomaticSuppression
from sfumato.tables.suppression.optimal_suppression import OptimalSuppression, suppress_optimally
from tests.tables.audited_problems import crossed, make_problem, masked, slides_problem
from tests.tables.suppression_problems import cheapest, is_protected, problems


@given(problems())
@settings(max_examples=9, deadline=None)
def test_costs_what_a_programme_of_all_deviations_at_once_costs_and_is_safe(problem: Problem) -> None:
    least = cheapest(problem)
    if np.isinf(least):
        with pytest.raises(DataError, match="cannot be protected"):
            suppress_optimally(problem)
        return
    pattern = suppress_optimally(problem)
    assert pattern.cost == pytest.approx(least, abs=1e-6)
    assert pattern.bound == pytest.approx(least, abs=1e-6)
    assert pattern.cost == problem.cost(pattern.suppressed)
    assert pattern.ended is Ending.OPTIMAL
    assert pattern.suppressed[problem.must_suppress].all()
    assert not pattern.suppressed[problem.must_publish].any()
    assert is_protected(problem, pattern.suppressed)


def test_finds_the_cheapest_pattern_of_the_slides_table() -> None:
    # With a level above of 50 and a level below of the 22 that the cell holds: its row and column need one cell each,
    # and the fourth corner of the rectangle follows. All totals cost more than any such corner.
    alone = slides_problem(["M2, P3"])
    alone = replace(alone, upper_levels=np.array([50.0]), lower_levels=np.array([22.0]))
    pattern = suppress_optimally(alone)
    assert pattern.cost == 1058
    assert (pattern.suppressed == masked(alone, ["M2, P3", "M2, P5", "M3, P3", "M3, P5"])).all()
    # (M3, P5) can fall by no more than (M2, P3) holds, so that its own level below must not be above 22.
    both = slides_problem(["M2, P3", "M3, P5"])
    assert suppress_optimally(both).cost == 695


def test_wants_more_where_the_levels_of_the_p_percent_rule_are_asked_for_on_the_slides_table() -> None:
    level = 0.5 * 350 + 354 - 363
    problem = slides_problem(["M2, P3", "M3, P5"])
    wider = replace(problem, upper_levels=np.array([22.0, level]), lower_levels=np.array([22.0, level]))
    pattern = suppress_optimally(wider)
    assert pattern.cost == pytest.approx(cheapest(wider))
    assert pattern.cost > 695


def test_a_time_limit_gives_a_safe_pattern_and_a_bound_below_the_cheapest() -> None:
    problem = drawn(6, 6, seed=3)
    least = suppress_optimally(problem).cost
    pattern = suppress_optimally(problem, time_limit=1e-9)
    assert pattern.ended is Ending.TIME
    assert pattern.bound <= least <= pattern.cost
    assert is_protected(problem, pattern.suppressed)


def test_stops_when_the_gap_is_as_small_as_asked_for() -> None:
    problem = drawn(6, 6, seed=2)
    least = suppress_optimally(problem).cost
    pattern = suppress_optimally(problem, max_gap=50)
    assert pattern.bound < least < pattern.cost
    assert 0 < pattern.gap <= 50
    assert pattern.ended is Ending.GAP
    assert is_protected(problem, pattern.suppressed)


def test_gives_the_same_pattern_on_every_run() -> None:
    problem = replace(drawn(6, 6, seed=1), costs=np.ones(49))  # where many patterns cost the same
    first, second = suppress_optimally(problem), suppress_optimally(problem)
    assert (first.suppressed == second.suppressed).all()


def test_tells_of_costs_that_fall_and_bounds_that_rise() -> None:
    told: list[Progress] = []
    pattern = suppress_optimally(drawn(6, 6, seed=3), on_progress=told.append)
    costs, bounds = [one.cost for one in told], [one.bound for one in told]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert (costs[-1], bounds[-1]) == pytest.approx((pattern.cost, pattern.cost))


def test_suppresses_no_cell_that_is_not_needed_even_if_it_costs_nothing() -> None:
    problem = drawn(5, 5, seed=2)
    free = replace(problem, costs=np.where(np.arange(problem.size) % 2 == 0, 0.0, problem.costs))
    suppressed = suppress_optimally(free).suppressed
    for cell in np.flatnonzero(suppressed & ~free.must_suppress):
        without = suppressed.copy()
        without[cell] = False
        assert not is_protected(free, without)


def test_solves_tables_that_share_only_published_cells_apart() -> None:
    problem = drawn(4, 4, seed=5)
    inner = np.zeros(25, dtype=np.bool_)
    inner.reshape(5, 5)[:4, :4] = True
    alone = replace(problem, must_publish=~inner & ~problem.must_suppress)
    least = suppress_optimally(alone).cost
    assert suppress_optimally(twice(alone)).cost == pytest.approx(2 * least)


def test_needs_no_secondary_where_nothing_is_asked_of_the_primaries() -> None:
    problem = drawn(4, 4, seed=0)
    nothing = np.zeros(problem.primaries.size)
    pattern = suppress_optimally(replace(problem, upper_levels=nothing, lower_levels=nothing))
    assert (pattern.cost, pattern.bound, pattern.ended) == (0, 0, Ending.OPTIMAL)
    assert (pattern.suppressed == problem.must_suppress).all()


def drawn(rows: int, columns: int, seed: int) -> Problem:
    """Return a table of drawn values of which every fifth cell is a primary."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(1, 100, (rows, columns)).astype(float))
    cells = np.arange(values.size).reshape(rows + 1, columns + 1)[:-1, :-1].ravel()
    primaries = np.sort(rng.choice(cells, rows * columns // 5, replace=False))
    level = np.ceil(0.15 * values[primaries])
    return make_problem(values, relations, primaries.tolist(), above=level, below=level)


def twice(problem: Problem) -> Problem:
    """Return two copies of a problem beside each other as one."""

    def both(part: np.ndarray) -> np.ndarray:
        return np.concatenate([part, part])

    return Problem(
        both(problem.values),
        block_diag([problem.relations, problem.relations], format="csr"),
        both(problem.lower),
        both(problem.upper),
        both(problem.costs),
        np.concatenate([problem.primaries, problem.primaries + problem.size]),
        both(problem.upper_levels),
        both(problem.lower_levels),
        both(problem.sliding_levels),
        both(problem.must_suppress),
        both(problem.must_publish),
    )


def test_work_ends_the_search_alike_on_every_machine_and_the_gap_is_told() -> None:
    problem = drawn(6, 6, seed=3)
    one, two = (suppress_optimally(problem, effort=1e-3) for _ in range(2))
    assert one.ended is Ending.EFFORT
    assert 0 < one.gap < 100
    assert (one.suppressed == two.suppressed).all()
    assert is_protected(problem, one.suppressed)
    assert OptimalSuppression().effort == AutomaticSuppression().effort


def test_a_choice_that_the_solver_wrongly_calls_the_cheapest_does_not_end_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = drawn(6, 6, seed=3)
    least, right, asked = suppress_optimally(problem).cost, Master.choose, []

    def wrong(master: Master, best: Booleans, relaxed: LinearRelaxation, **how: Any) -> tuple[Booleans, float]:
        asked.append(how.get("with_presolve", True))
        return (best, problem.cost(best)) if asked[-1] else right(master, best, relaxed, **how)

    monkeypatch.setattr(Master, "choose", wrong)
    pattern = suppress_optimally(problem)
    assert False in asked
    assert pattern.cost == pytest.approx(least)
    assert pattern.ended is Ending.OPTIMAL
