"""What is found automatically is the cheapest where that is proven with the effort, and else safe and cheap."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.sparse import block_diag

from sfumato.errors import DataError
from sfumato.tables.audit.audit import audit
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, Progress
from sfumato.tables.suppression import automatic_suppression as automatic
from sfumato.tables.suppression._cut_search.primal_heuristic import drop_redundant, greedy_pattern
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._independent_parts import independent_parts
from sfumato.tables.suppression.automatic_suppression import suppress_automatically
from tests.tables.audited_problems import crossed, make_problem
from tests.tables.suppression_problems import cheapest, problems


def two_tables() -> Problem:
    """Return a small and a larger table that have nothing to do with each other."""
    rng = np.random.default_rng(5)
    drawn = [crossed(rng.integers(1, 60, shape).astype(float)) for shape in ((2, 2), (6, 5))]
    values = np.concatenate([values for values, _ in drawn])
    relations = block_diag([relations for _, relations in drawn], format="csr")
    return make_problem(values, relations, [0, 10, 18, 27], above=5.0, below=0.0, upper=1e3)


@given(problems())
@settings(max_examples=5, deadline=None)
def test_a_small_table_gets_its_cheapest_pattern(problem: Problem) -> None:
    least = cheapest(problem)
    if np.isinf(least):
        with pytest.raises(DataError, match="cannot be protected"):
            suppress_automatically(problem)
        return
    pattern = suppress_automatically(problem)
    assert pattern.cost == pytest.approx(least, abs=1e-6)
    assert pattern.ended is Ending.OPTIMAL
    assert pattern.gap == 0.0


@pytest.mark.parametrize(("time_limit", "ended"), [(None, Ending.EFFORT), (1e-9, Ending.TIME)])
def test_with_little_effort_it_is_safe_and_says_how_much_cheaper_it_could_be_at_best(
    time_limit: float | None, ended: Ending
) -> None:
    problem = two_tables()
    pattern = suppress_automatically(problem, effort=1e-9, time_limit=time_limit)
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe
    assert pattern.ended is ended
    assert pattern.gap > 0
    assert pattern.bound <= suppress_automatically(problem).cost <= pattern.cost


def test_a_pattern_that_is_looked_for_beyond_the_effort_is_no_longer_made_cheaper() -> None:
    (part, *_) = independent_parts(two_tables())
    problem = part.problem
    nothing = Effort(0.0)
    assert greedy_pattern(problem, problem.costs, effort=nothing).tolist() == (~problem.must_publish).tolist()
    assert drop_redundant(problem, ~problem.must_publish, effort=nothing).tolist() == (~problem.must_publish).tolist()
    assert problem.cost(drop_redundant(problem, ~problem.must_publish)) < problem.cost(~problem.must_publish)


def test_a_part_that_is_too_large_to_be_proven_is_protected_by_flows(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = two_tables()
    best = suppress_automatically(problem)
    monkeypatch.setattr(automatic, "MAX_OPTIMAL_CELLS", 10)
    pattern = suppress_automatically(problem)
    assert best.ended is Ending.OPTIMAL
    assert pattern.ended is Ending.HEURISTIC
    assert suppress_automatically(problem, effort=1e-9).ended is Ending.EFFORT
    assert pattern.bound <= best.cost <= pattern.cost
    assert audit(problem, pattern.suppressed, intervals="unprotected").is_safe


def test_tells_of_each_part_that_is_done() -> None:
    seen: list[Progress] = []
    pattern = suppress_automatically(two_tables(), on_progress=seen.append)
    assert len(seen) == 2
    assert seen[-1].cost == pattern.cost


def hard_table() -> Problem:
    """Return a table whose cheapest pattern takes a while to be proven."""
    rng = np.random.default_rng(3)
    values, relations = crossed(np.round(rng.lognormal(3, 1.2, (12, 10))) + 1)
    cells = np.arange(13 * 11).reshape(13, 11)[:-1, :-1].ravel()
    primaries = np.sort(rng.choice(cells, 14, replace=False)).tolist()
    return make_problem(values, relations, primaries, above=9.0, below=0.0, upper=1e4)


@contextmanager
def busy_machine() -> Iterator[None]:
    """Let other threads take most of the processor."""
    is_over = Event()

    def work() -> None:
        while not is_over.is_set():
            sum(range(2000))

    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("effort", [0.01, 0.04, 0.1])
def test_a_busy_machine_gives_the_same_pattern_and_bound_wherever_the_effort_ends(effort: float) -> None:
    problem = hard_table()
    alone = suppress_automatically(problem, effort=effort)
    with busy_machine():
        beside_others = suppress_automatically(problem, effort=effort)
    assert alone.ended is Ending.EFFORT
    assert alone.suppressed.tolist() == beside_others.suppressed.tolist()
    assert (alone.cost, alone.bound, alone.ended) == (beside_others.cost, beside_others.bound, beside_others.ended)


def test_more_effort_never_costs_more_and_proves_more() -> None:
    problem = hard_table()
    patterns = [suppress_automatically(problem, effort=effort) for effort in (1e-9, 0.1, 60.0)]
    assert patterns[0].cost >= patterns[1].cost >= patterns[2].cost
    assert patterns[0].bound <= patterns[1].bound <= patterns[2].bound
    assert patterns[2].ended is Ending.OPTIMAL
