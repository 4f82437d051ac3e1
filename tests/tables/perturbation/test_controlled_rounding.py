"""Controlled rounding against all roundings of small tables, tried one by one."""

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import block_diag, csr_array

from sfumato.errors import DataError, ParameterError
from sfumato.tables import Table, find_unsafe, protect
from sfumato.tables.perturbation import _nearest_multiples as nearest_multiples
from sfumato.tables.perturbation._additive_cells import AdditiveCells
from sfumato.tables.perturbation._integer_programme import Outcome, Solution, solve
from sfumato.tables.perturbation._nearest_multiples import Multiples
from sfumato.tables.perturbation.controlled_rounding import ControlledRounding, Rounded
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending
from tests.tables.grids import grid_problem


def rounded_cells(problem: Problem, base: float, **parameters: float) -> Rounded:
    return ControlledRounding(base=base, **parameters).protect(problem, np.random.default_rng(0))


def problem_of(*tables: Table) -> Problem:
    """Return the cells of tables, none of which is unsafe."""
    return find_unsafe(tables, None).problem


inner = st.lists(st.lists(st.integers(0, 30), min_size=2, max_size=2), min_size=2, max_size=3)


def nearest_distance(problem: Problem, base: float, steps: int) -> float:
    """Return the least distance of all tables that add up, each cell at most so many steps beyond its neighbours."""
    choices = []
    for value in problem.values:
        below, above = base * np.floor(value / base), base * np.ceil(value / base)
        reach = steps if value else 0
        choices.append([z for z in np.arange(below - reach * base, above + reach * base + 1, base) if z >= 0])
    tables = (np.array(table) for table in product(*choices))
    return min(
        (float(np.abs(table - problem.values).sum()) for table in tables if not (problem.relations @ table).any()),
        default=np.inf,
    )


def three_sums(values: list[float]) -> Problem:
    """Return three parts and the sum of each two of them: no table of two dimensions, but three linked ones."""
    a, b, c = values
    relations = csr_array([[1.0, 1, 0, -1, 0, 0], [0, 1, 1, 0, -1, 0], [1, 0, 1, 0, 0, -1]])
    cells = np.array([a, b, c, a + b, b + c, a + c])
    nothing, none = np.zeros(6), np.zeros(0)
    no = np.zeros(6, dtype=np.bool_)
    return Problem(cells, relations, nothing, nothing + 99, nothing, none.astype(np.int64), none, none, none, no, no)


@settings(max_examples=15, deadline=None)
@given(inner, st.sampled_from([3, 5]))
def test_no_rounding_of_a_table_of_two_dimensions_is_nearer(table: list[list[int]], base: int) -> None:
    problem = grid_problem(table)
    found = rounded_cells(problem, base, max_gap=0)
    assert not (problem.relations @ found.rounded).any()
    assert (np.abs(found.rounded - problem.values) < base).all()
    assert not (found.rounded % base).any()
    assert found.distance == pytest.approx(np.abs(found.rounded - problem.values).sum())
    assert found.distance == pytest.approx(nearest_distance(problem, base, steps=0))
    assert found.ended is Ending.OPTIMAL
    assert found.gap == 0


@given(st.lists(st.integers(0, 14), min_size=3, max_size=3))
def test_linked_tables_that_cannot_be_rounded_to_their_neighbours_move_by_the_fewest_steps(parts: list[float]) -> None:
    problem = three_sums(parts)
    found = rounded_cells(problem, 5, max_gap=0)
    steps = next(steps for steps in range(4) if nearest_distance(problem, 5, steps) < np.inf)
    assert found.steps == steps
    assert found.distance == pytest.approx(nearest_distance(problem, 5, steps))
    assert not (problem.relations @ found.rounded).any()
    assert (found.rounded >= 0).all()


def test_says_when_cells_had_to_move_further_than_to_a_neighbour() -> None:
    found = rounded_cells(three_sums([2.5, 2.5, 2.5]), 5)
    assert found.steps == 1
    assert "some by up to 1 base more than" in str(found)


def test_refuses_when_the_steps_allowed_are_too_few_and_names_a_cell() -> None:
    with pytest.raises(DataError, match=r"multiples of 5 .* cell 0 among them, within 0 steps .* allow more"):
        rounded_cells(three_sums([2.5, 2.5, 2.5]), 5, max_steps=0)


def test_only_the_cells_that_need_another_step_get_it() -> None:
    stuck, easy = three_sums([2.5, 2.5, 2.5]), three_sums([5.0, 6.0, 4.0])
    both = Problem(
        np.concatenate([stuck.values, easy.values]),
        csr_array(block_diag([stuck.relations, easy.relations])),
        np.concatenate([stuck.lower, easy.lower]),
        np.concatenate([stuck.upper, easy.upper]),
        np.concatenate([stuck.costs, easy.costs]),
        stuck.primaries,
        stuck.upper_levels,
        stuck.upper_levels,
        stuck.upper_levels,
        np.zeros(12, dtype=np.bool_),
        np.zeros(12, dtype=np.bool_),
    )
    rounded = rounded_cells(both, 5).rounded
    assert np.array_equal(rounded[6:], rounded_cells(easy, 5, max_steps=0).rounded)


def test_multiples_and_zeros_stay_and_signs_are_kept() -> None:
    problem = grid_problem([[10, 0, 5], [20, 5, 0]])
    assert np.array_equal(rounded_cells(problem, 5).rounded, problem.values)
    losses = grid_problem([[-3, 4], [-12, 1]])
    found = rounded_cells(losses, 10).rounded
    assert (found * losses.values >= 0).all()
    assert not (losses.relations @ found).any()


@given(st.lists(st.integers(-14, 14), min_size=3, max_size=3), st.integers(1, 3))
def test_no_number_of_steps_leads_across_zero(parts: list[float], steps: int) -> None:
    cells = AdditiveCells.of(three_sums(parts))
    multiples = Multiples.of(cells.values, 5)
    for free, relations in cells.tied_groups(cells.values != 0):
        programme = nearest_multiples._programme(cells, multiples, (free, relations), steps)
        up, above, below = np.split(programme.upper, 3)
        is_loss = cells.values[free] < 0
        assert ((multiples.floors[free] + up + above)[is_loss] <= 0).all()
        assert ((multiples.floors[free] - below)[~is_loss] >= 0).all()


def test_a_base_that_is_no_whole_number_works_on_values_with_rounding_errors() -> None:
    problem = grid_problem(np.array([[0.1, 0.2, 0.75], [0.3, 0.31, 0.6]]))
    found = rounded_cells(problem, 0.1)
    assert np.allclose(problem.relations @ found.rounded, 0, atol=1e-12)
    assert np.allclose(found.rounded[[0, 1, 4]], [0.1, 0.2, 0.3]), "0.1 + 0.2 is a multiple of 0.1"


def test_linked_tables_are_rounded_alike_every_time_and_share_their_cells() -> None:
    people = pl.DataFrame({"town": [*"AAAABBBBBBBCC"], "sick": [*"yynnyyyynnnnn"], "old": [*"ynynynynynynn"]})
    tables = [Table.from_records(people, by) for by in (["town", "sick"], ["town", "old"])]
    first, again = (protect(tables, ControlledRounding(base=3)) for _ in range(2))
    assert np.array_equal(first.values(0), again.values(0))
    one = [tables[0].cell(town=town, sick="Total") for town in "ABC"]
    other = [tables[1].cell(town=town, old="Total") for town in "ABC"]
    assert np.array_equal(first.values(0)[one], first.values(1)[other])


def test_a_table_of_three_dimensions_adds_up_everywhere() -> None:
    rng = np.random.default_rng(2)
    people = pl.DataFrame({name: rng.integers(0, 4, 150) for name in "abc"})
    table = Table.from_records(people, ["a", "b", "c"])
    found = rounded_cells(problem_of(table), 5, max_gap=2)
    assert not (table.relations @ found.rounded).any()
    assert found.distance >= found.bound > 0


def test_a_search_that_a_gap_ends_says_so_and_keeps_to_it() -> None:
    rng = np.random.default_rng(1)  # a table whose relaxation is not whole
    people = pl.DataFrame({name: rng.integers(0, 5, 600) for name in "abc"})
    found = rounded_cells(problem_of(Table.from_records(people, ["a", "b", "c"])), 5, max_gap=50)
    assert found.ended is Ending.GAP
    assert 0 < found.gap <= 50


def test_time_that_runs_out_leaves_the_rounding_found_near_the_relaxation_and_a_proven_gap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hurried(programme: Any, *, time_limit: float, gap: float, start: Any = None) -> Any:
        is_large = programme.is_whole.any() and (programme.upper > programme.lower).all()
        nothing = Solution(Outcome.TIME, np.empty(0), np.inf, 0.0)
        return nothing if is_large else solve(programme, time_limit=60, gap=gap)

    monkeypatch.setattr(nearest_multiples, "solve", hurried)
    rng = np.random.default_rng(1)  # a table whose relaxation is not whole
    people = pl.DataFrame({name: rng.integers(0, 5, 600) for name in "abc"})
    table = Table.from_records(people, ["a", "b", "c"])
    found = rounded_cells(problem_of(table), 5, max_gap=5)
    assert not (table.relations @ found.rounded).any()
    assert found.ended is Ending.TIME
    assert 0 < found.gap < 10


def test_no_rounding_in_time_at_any_step_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_multiples, "solve", lambda *_, **__: Solution(Outcome.TIME, np.empty(0), np.inf, 0.0))
    with pytest.raises(DataError, match=r"within 3 steps and 7 seconds for each"):
        rounded_cells(grid_problem([[1, 2], [3, 4]]), 5, time_limit=7)


def test_what_does_not_add_up_and_bases_out_of_range_are_refused() -> None:
    problem = grid_problem([[1, 2], [3, 4]])
    broken = Problem(**{**problem.__dict__, "values": problem.values + np.arange(9)})
    with pytest.raises(DataError, match=r"relations do not hold, the first that of r0 c2"):
        rounded_cells(broken, 5)
    with pytest.raises(ParameterError, match=r"ControlledRounding.base must be in \(0, inf\); got 0"):
        rounded_cells(problem, 0)
    with pytest.raises(ParameterError, match=r"ControlledRounding.max_steps must be in \[0, 1000000\]; got -1"):
        rounded_cells(problem, 5, max_steps=-1)
