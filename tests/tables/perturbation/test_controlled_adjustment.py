"""Controlled adjustment against all directions of small tables, tried one by one with another solver's programme."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import csr_array

from sfumato.errors import DataError, ParameterError
from sfumato.tables.perturbation.controlled_adjustment import Adjusted, ControlledAdjustment, Kept, MoveCost
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending
from tests.tables.grids import grid_problem
from tests.tables.reference_files import reference_frame

SEARCH = {"time_limit": 60.0, "max_gap": 0.0}


def adjusted_cells(problem: Problem, rng: np.random.Generator, **parameters: object) -> Adjusted:
    return ControlledAdjustment(**parameters).protect(problem, rng)


def cheapest_cost(problem: Problem, prices: np.ndarray, kept: np.ndarray) -> float:
    """Return what the cheapest adjustment costs: for all directions the least sum of prices |z - a|, in values z."""
    size = problem.size
    eye = np.eye(size)
    off = np.vstack([np.hstack([eye, -eye]), np.hstack([-eye, -eye])])  # z - t <= a and -z - t <= -a
    sums = np.hstack([problem.relations.toarray(), np.zeros((problem.relations.shape[0], size))])
    costs = []
    for ways in product((True, False), repeat=problem.primaries.size):
        bounds = np.stack([problem.lower, problem.upper], axis=1)
        bounds[kept] = problem.values[kept, None]
        for place, (cell, is_up) in enumerate(zip(problem.primaries, ways, strict=True)):
            value = problem.values[cell]
            if is_up:
                bounds[cell, 0] = value + problem.upper_levels[place]
            else:
                bounds[cell, 1] = value - problem.lower_levels[place]
        if (bounds[:, 0] > bounds[:, 1]).any():
            continue
        found = linprog(
            np.concatenate([np.zeros(size), prices]),
            A_ub=off,
            b_ub=np.concatenate([problem.values, -problem.values]),
            A_eq=sums,
            b_eq=np.zeros(len(sums)),
            bounds=[*map(tuple, bounds), *[(0, None)] * size],
        )
        costs.append(found.fun if found.success else np.inf)
    return min(costs)


def are_moved(problem: Problem, adjusted: np.ndarray) -> bool:
    moves = (adjusted - problem.values)[problem.primaries]
    return bool(((moves >= problem.upper_levels - 1e-6) | (moves <= -problem.lower_levels + 1e-6)).all())


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    table = draw(st.lists(st.lists(st.integers(1, 40), min_size=3, max_size=3), min_size=2, max_size=3))
    places = draw(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=3, unique=True))
    return grid_problem(table, {place: float(draw(st.integers(1, 9))) for place in places})


@settings(max_examples=12, deadline=None)
@given(problems(), st.sampled_from(MoveCost), st.sampled_from([Kept.NOTHING, Kept.TOTALS]))
def test_no_adjustment_is_cheaper(problem: Problem, cost: MoveCost, keeps: Kept) -> None:
    prices = 1 / problem.values if cost is MoveCost.RELATIVE else np.ones(problem.size)
    totals = np.zeros(problem.size, dtype=np.bool_)
    totals[problem.relations.tocoo().col[problem.relations.tocoo().data < 0]] = keeps is Kept.TOTALS
    wanted = cheapest_cost(problem, prices, totals)
    if np.isinf(wanted):
        with pytest.raises(DataError, match=r"cannot all move|have no room"):
            adjusted_cells(problem, np.random.default_rng(0), cost=cost, keeps=keeps, **SEARCH)
        return
    found = adjusted_cells(problem, np.random.default_rng(0), cost=cost, keeps=keeps, **SEARCH)
    assert found.cost == pytest.approx(wanted, rel=1e-6)
    assert found.cost == pytest.approx(prices @ np.abs(found.adjusted - problem.values), rel=1e-6)
    assert found.gap <= 1e-4  # percent: nearer than a millionth the solver's own tolerances do not bring its bound
    assert (found.ended is Ending.OPTIMAL) == (found.gap == 0)
    assert found.bound == pytest.approx(wanted, rel=1e-5)


@settings(max_examples=12, deadline=None)
@given(problems(), st.integers(0, 2**32))
def test_drawn_directions_move_every_primary_far_enough_and_keep_sums_bounds_and_the_bound_on_the_cost(
    problem: Problem, seed: int
) -> None:
    drawn = adjusted_cells(problem, np.random.default_rng(seed), time_limit=0)
    assert are_moved(problem, drawn.adjusted)
    assert np.abs(problem.relations @ drawn.adjusted).max() < 1e-6
    assert (drawn.adjusted >= 0).all()
    assert drawn.bound <= adjusted_cells(problem, np.random.default_rng(seed), **SEARCH).cost * (1 + 1e-9)


def test_a_search_that_a_gap_ends_says_so_and_keeps_to_it() -> None:
    rng = np.random.default_rng(1)
    places = [(int(row), int(column)) for row, column in rng.integers(0, 6, (9, 2))]
    problem = grid_problem(
        rng.integers(1, 60, (6, 6)).astype(np.float64), {place: float(rng.integers(2, 9)) for place in places}
    )
    rough = adjusted_cells(problem, np.random.default_rng(0), time_limit=60, max_gap=30)
    least = adjusted_cells(problem, np.random.default_rng(0), **SEARCH)
    assert (rough.ended, least.ended) == (Ending.GAP, Ending.OPTIMAL)
    assert 0 < rough.gap <= 30
    assert rough.bound <= least.cost <= rough.cost
    assert least.gap == 0


def test_the_generator_decides_the_drawn_directions() -> None:
    problem = grid_problem(np.full((4, 4), 30.0), {(row, row): 5.0 for row in range(4)})
    ways = {tuple(adjusted_cells(problem, np.random.default_rng(seed), time_limit=0).is_up) for seed in range(8)}
    assert len(ways) > 3
    again = [adjusted_cells(problem, np.random.default_rng(5), time_limit=0).adjusted for _ in range(2)]
    assert np.array_equal(again[0], again[1])


def test_kept_totals_published_cells_and_zeros_stay() -> None:
    problem = grid_problem([[20, 0, 30], [25, 40, 15], [12, 18, 0]], {(0, 0): 4.0, (1, 1): 6.0})
    published = np.zeros(problem.size, dtype=np.bool_)
    published[[4, 8]] = True
    found = adjusted_cells(replace(problem, must_publish=published), np.random.default_rng(1), keeps="grand_totals")
    same = found.adjusted == problem.values
    assert same[[4, 8, 1, 10, 15]].all(), "what must be published, zeros, the grand total"
    every = adjusted_cells(problem, np.random.default_rng(1), keeps="totals").adjusted == problem.values
    assert every[[3, 7, 11, 12, 13, 14, 15]].all()


def test_a_primary_that_is_a_part_by_itself_goes_the_way_of_its_total() -> None:
    chain = csr_array([[1.0, 0, -1, 0], [0, 1, 1, -1]])  # the third cell is the total of the first alone
    base = grid_problem([[7, 9]])
    problem = replace(
        base,
        values=np.array([7.0, 9, 7, 16]),
        relations=chain,
        **{
            name: getattr(base, name)[:4]
            for name in ("lower", "upper", "costs", "must_suppress", "must_publish", "names")
        },
        primaries=np.array([0, 2]),
        upper_levels=np.array([2.0, 3]),
        lower_levels=np.array([2.0, 3]),
        sliding_levels=np.zeros(2),
    )
    for seed in range(4):
        found = adjusted_cells(problem, np.random.default_rng(seed), time_limit=0)
        assert found.adjusted[0] == found.adjusted[2]
        assert are_moved(problem, found.adjusted)


def test_a_primary_of_zero_moves_up() -> None:
    problem = grid_problem([[0, 30], [25, 40]], {(0, 0): 4.0})
    assert adjusted_cells(problem, np.random.default_rng(0)).adjusted[0] >= 4


def test_a_table_of_counts_stays_one_and_a_table_without_primaries_stays_itself() -> None:
    problem = grid_problem([[3, 30], [25, 40]], {(0, 0): 2.0})
    found = adjusted_cells(problem, np.random.default_rng(0)).adjusted
    assert np.array_equal(found, np.rint(found))
    assert not (problem.relations @ found).any()
    safe = grid_problem([[3, 30], [25, 40]])
    assert np.array_equal(adjusted_cells(safe, np.random.default_rng(0)).adjusted, safe.values)


def test_what_cannot_be_adjusted_is_refused_by_the_name_of_a_cell() -> None:
    problem = grid_problem([[3, 30], [25, 40]], {(0, 2): 9.0})
    with pytest.raises(DataError, match=r"1 of 1 primaries are among the cells that are kept as they are, r0 c2"):
        adjusted_cells(problem, np.random.default_rng(0), keeps="totals")
    tight = grid_problem([[3, 30], [25, 40]], {(0, 0): (200.0, 9.0)})
    stuck = replace(tight, lower=tight.values - 1)
    with pytest.raises(DataError, match=r"have no room to move as far up or down as they must, r0 c0"):
        adjusted_cells(stuck, np.random.default_rng(0))
    both = grid_problem([[3, 30]], {(0, 0): 2.0})
    with pytest.raises(DataError, match="cannot all move as far as they must while all sums hold"):
        adjusted_cells(both, np.random.default_rng(0), keeps="totals")


def test_unknown_choices_are_refused_with_the_nearest() -> None:
    problem = grid_problem([[3, 30], [25, 40]], {(0, 0): 2.0})
    with pytest.raises(ParameterError, match=r"keeps must be 'nothing', 'grand_totals' or 'totals'; got 'total'"):
        adjusted_cells(problem, np.random.default_rng(0), keeps="total")
    with pytest.raises(ParameterError, match=r"ControlledAdjustment.time_limit must be in \[0, inf\); got -1"):
        adjusted_cells(problem, np.random.default_rng(0), time_limit=-1)


@pytest.mark.reference
def test_a_published_instance_is_adjusted_within_a_tenth_of_the_cheapest_at_once() -> None:
    cells, entries = reference_frame("inst_ent_ap_cells"), reference_frame("inst_ent_ap_relations")
    number = {
        name: cells[name].cast(float).to_numpy() for name in ("value", "lb", "ub", "weight", "primary", "upl", "lpl")
    }
    primaries = np.flatnonzero(number["primary"])
    places = tuple(entries[name].cast(int).to_numpy() for name in ("relation", "cell"))
    no = np.zeros(cells.height, dtype=np.bool_)
    problem = Problem(
        number["value"],
        csr_array((entries["coef"].cast(float).to_numpy(), places)),
        number["lb"],
        number["ub"],
        number["weight"],
        primaries,
        number["upl"][primaries],
        number["lpl"][primaries],
        np.zeros(primaries.size),
        no,
        no,
    )
    found = adjusted_cells(problem, np.random.default_rng(1), time_limit=0)
    assert are_moved(problem, found.adjusted)
    assert np.abs(problem.relations @ found.adjusted).max() < 1e-5
    assert found.gap < 8
