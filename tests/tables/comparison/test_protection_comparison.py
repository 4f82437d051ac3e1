"""Protections of one table side by side: what they tell an intruder, against all tables that fit, tried one by one."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError, ParameterError
from sfumato.papers.slides.salary_table import PRINTED_PATTERN, SALARIES
from sfumato.tables import (
    CellKeyPerturbation,
    ControlledAdjustment,
    ControlledRounding,
    MinUnits,
    OptimalSuppression,
    PPercent,
    ProtectedCells,
    Table,
    compare_protections,
    draw_record_keys,
    find_unsafe,
)
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, known_around
from tests.tables.grids import grid_problem

TABLE = np.array(SALARIES, dtype=np.float64)
CHEAPEST = ((1, 2), (1, 4), (2, 2), (2, 4))  # the pattern from which neither sensitive cell can be computed
SLIDES = grid_problem(TABLE, {(1, 2): 22.0, (2, 4): 337.0})


RNG = np.random.default_rng(0)


class OwnCells(ProtectedCells):
    """Values made up for a test, of which an intruder knows that they are off by 5 at most."""

    values: np.ndarray

    def __init__(self, values: np.ndarray) -> None:
        object.__setattr__(self, "values", values)

    def publish(self, problem: Problem) -> np.ndarray:
        return self.values

    def bounds(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        return known_around(problem, self.values, 5.0)

    def to_dict(self) -> dict[str, object]:
        return {}

    def __str__(self) -> str:
        return "own"


def slides_pattern(cells: tuple[tuple[int, int], ...]) -> Pattern:
    mask = np.zeros((4, 6), dtype=np.bool_)
    mask[tuple(zip(*cells, strict=True))] = True
    return Pattern(mask.ravel(), cost=0.0, bound=0.0, ended=Ending.HEURISTIC)


def survey(size: int, seed: int) -> tuple[pl.DataFrame, list[str]]:
    rng = np.random.default_rng(seed)
    columns = {"town": rng.integers(0, 3, size), "job": rng.integers(0, 3, size), "pay": rng.integers(1, 90, size)}
    return pl.DataFrame({**columns, "key": draw_record_keys(size, rng)}), ["town", "job"]


def count_problem(frame: pl.DataFrame, by: list[str]) -> Problem:
    return find_unsafe(Table.from_records(frame, by, key="key"), MinUnits(units=4), insiders=False).problem


@settings(max_examples=15, deadline=None)
@given(st.integers(15, 60), st.integers(0, 2**32))
def test_the_bounds_of_every_protection_hold_the_truth(size: int, seed: int) -> None:
    frame, by = survey(size, seed)
    problem = count_problem(frame, by)
    pay = find_unsafe(Table.from_records(frame, by, "pay", key="key"), PPercent(p=10)).problem
    deviating = CellKeyPerturbation(max_deviation=4, variance=2.5, min_count=3)
    suppressed = Pattern(problem.must_suppress, 0.0, 0.0, Ending.HEURISTIC)
    rng = np.random.default_rng(seed)
    for cells, held in (
        (suppressed, problem),
        (ControlledRounding(base=5).protect(problem, rng), problem),
        (ControlledAdjustment(time_limit=0).protect(problem, rng), problem),
        (deviating.protect(problem, rng), problem),
        (deviating.replace(max_percent=30).protect(pay, rng), pay),
    ):
        lower, upper = cells.bounds(held)
        assert (lower <= held.values + 1e-9).all(), cells
        assert (upper >= held.values - 1e-9).all(), cells


@pytest.mark.parametrize("seed", range(4))
def test_the_intruders_intervals_are_those_of_all_tables_that_fit(seed: int) -> None:
    inner = np.random.default_rng(seed).integers(1, 9, (2, 2))
    problem = grid_problem(inner.astype(np.float64), {(0, 0): 2.0, (1, 1): 3.0})
    cells = ControlledRounding(base=3).protect(problem, RNG)
    lower, upper = cells.bounds(problem)
    a, b, c, d = np.indices((15,) * 4).reshape(4, -1)
    tables = np.stack([a, b, a + b, c, d, c + d, a + c, b + d, a + b + c + d], axis=1)
    fitting = tables[((tables >= lower) & (tables <= upper)).all(axis=1)][:, problem.primaries]
    low, high = fitting.min(axis=0), fitting.max(axis=0)
    values = problem.values[problem.primaries]
    is_safe = (high >= values + problem.upper_levels) & (low <= values - problem.lower_levels)
    found = compare_protections({"rounding": cells}, problem).measures[0]
    quick = compare_protections({"rounding": cells}, problem, intervals="unprotected").measures[0]
    assert found.protected_primaries == quick.protected_primaries == pytest.approx(100 * is_safe.mean())
    assert found.disclosed_primaries == quick.disclosed_primaries == pytest.approx(100 * (high == low).mean())
    assert found.narrowest_interval == pytest.approx(
        ((high - low) / (problem.upper_levels + problem.lower_levels)).min()
    )


def test_the_printed_pattern_of_the_slides_leaves_one_sensitive_cell_open() -> None:
    found = compare_protections({"printed": slides_pattern(PRINTED_PATTERN)}, SLIDES).measures[0]
    assert found.protected_primaries == 50, "M3 P5 is published"
    assert found.disclosed_primaries == 50
    assert found.narrowest_interval == 0
    one = grid_problem(TABLE, {(1, 2): 22.0})
    found = compare_protections({"printed": slides_pattern(PRINTED_PATTERN)}, one).measures[0]
    assert found.narrowest_interval == pytest.approx(342 / 44)  # M2 P3 may hold from 0 to 342


def test_four_protections_of_the_slides_table_side_by_side() -> None:
    adjusted = ControlledAdjustment().protect(SLIDES, np.random.default_rng(0))
    compared = compare_protections(
        {
            "suppression": slides_pattern(CHEAPEST),
            "rounding to 10": ControlledRounding(base=10).protect(SLIDES, RNG),
            "rounding to 500": ControlledRounding(base=500).protect(SLIDES, RNG),
            "adjustment": replace(adjusted, reach=2 * adjusted.largest_move),
        },
        SLIDES,
    )
    frame = compared.to_frame()
    assert frame["name"].to_list() == ["suppression", "rounding to 10", "rounding to 500", "adjustment"]
    assert frame["suppressed_value"].to_list() == pytest.approx([100 * (1058 + 22) / (4 * 8620), 0, 0, 0])
    assert frame["largest_break"].to_list() == [0, 0, 0, 0]
    assert frame["protected_primaries"].to_list() == [50, 0, 100, 100]
    assert frame["largest_deviation"][3] == pytest.approx(337)
    text = str(compared)
    assert text.splitlines()[0].strip() == "suppression  rounding to 10  rounding to 500  adjustment"
    assert "primaries protected, %" in text


def test_the_measures_are_what_they_say() -> None:
    problem = replace(grid_problem([[10, 20], [30, 40]]), primaries=np.zeros(0, dtype=np.int64))
    values = problem.values + np.array([2.0, 0, 0, -3, 0, 0, 0, 0, 0])
    values[8] = np.nan
    found = compare_protections({"own": OwnCells(values)}, problem).measures[0]
    assert found.suppressed_cells == pytest.approx(100 / 9)
    assert found.suppressed_value == pytest.approx(100 * 100 / 400)
    assert found.changed_cells == pytest.approx(200 / 9)
    assert (found.mean_deviation, found.largest_deviation) == pytest.approx((5 / 8, 3))
    assert (found.mean_relative_deviation, found.largest_relative_deviation) == pytest.approx((30 / 8, 20))
    assert found.largest_break == 3
    published, true = values[:8], problem.values[:8]
    overlap = np.sqrt(published / published.sum() * true / true.sum()).sum()
    assert found.hellinger == pytest.approx(np.sqrt(1 - overlap))
    assert np.isnan(found.protected_primaries)


def test_cell_keys_break_sums_and_wider_noise_protects_more() -> None:
    problem = count_problem(*survey(40, 3))
    noises = (CellKeyPerturbation(max_deviation=1, variance=0.5), CellKeyPerturbation(max_deviation=6, variance=4))
    compared = compare_protections(
        {str(noise.max_deviation): noise.protect(problem, RNG) for noise in noises}, problem
    ).measures
    assert compared[1].largest_break > 0
    assert compared[0].narrowest_interval < compared[1].narrowest_interval
    assert compared[0].protected_primaries <= compared[1].protected_primaries


def test_an_insider_comes_nearer() -> None:
    one = grid_problem(TABLE, {(1, 2): 22.0})
    problem = replace(one, intruders=(np.empty(0, dtype=np.int64), np.array([2])))  # who knows M1 P3
    suppressed = {"printed": slides_pattern(PRINTED_PATTERN)}
    outside, inside = (compare_protections(suppressed, problem, insiders=known).measures[0] for known in (False, True))
    assert (outside.protected_primaries, inside.protected_primaries) == (100, 0)
    assert inside.narrowest_interval == pytest.approx(0, abs=1e-9)


def test_protections_of_other_tables_are_refused() -> None:
    with pytest.raises(DataError, match="the protected table must have the 24 cells of the problem"):
        ControlledRounding(base=5).protect(grid_problem([[1, 2]]), RNG).bounds(SLIDES)
    with pytest.raises(DataError, match="the pattern must say of each of the 24 cells"):
        OptimalSuppression().protect(grid_problem([[1, 2]]), RNG).publish(SLIDES)
    with pytest.raises(DataError, match="own: it must have the 24 cells of the problem; got 1"):
        compare_protections({"own": OwnCells(np.zeros(1))}, SLIDES)
    with pytest.raises(DataError, match="at least one protection"):
        compare_protections({}, SLIDES)
    drawn = ControlledAdjustment(time_limit=0).protect(SLIDES, np.random.default_rng(0))
    with pytest.raises(ParameterError, match="reach must be no less than the largest move; got 1"):
        replace(drawn, reach=1)
