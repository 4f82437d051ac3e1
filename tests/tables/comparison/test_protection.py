"""Protections of one table side by side: what they tell an attacker, against all tables that fit, tried one by one."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError, ParameterError
from sfumato.papers.slides.salary_table import PRINTED_INTERVALS, PRINTED_PATTERN, TABLE, cheapest_pattern
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.cells.table import Table
from sfumato.tables.comparison.protection import (
    Protection,
    protection_by_adjustment,
    protection_by_cell_key,
    protection_by_rounding,
    protection_by_suppression,
)
from sfumato.tables.comparison.protection_comparison import compare_protections
from sfumato.tables.perturbation._perturbation_table import PerturbationTable
from sfumato.tables.perturbation.cell_key_perturbation import draw_record_keys, perturb
from sfumato.tables.perturbation.controlled_adjustment import adjust
from sfumato.tables.perturbation.controlled_rounding import round_controlled
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.problem.problem import Problem
from sfumato.tables.sensitivity.rules import min_units, p_percent
from tests.tables.grids import grid_problem

SLIDES = grid_problem(TABLE, {(1, 2): 22.0, (2, 4): 337.0})


def slides_mask(pattern: frozenset[tuple[int, int]]) -> np.ndarray:
    mask = np.zeros((4, 6), dtype=np.bool_)
    mask[tuple(zip(*pattern, strict=True))] = True
    return mask.ravel()


def survey(size: int, seed: int) -> tuple[pl.DataFrame, list[str]]:
    rng = np.random.default_rng(seed)
    columns = {"town": rng.integers(0, 3, size), "job": rng.integers(0, 3, size), "pay": rng.integers(1, 90, size)}
    return pl.DataFrame({**columns, "key": draw_record_keys(size, rng)}), ["town", "job"]


def count_problem(frame: pl.DataFrame, by: list[str]) -> tuple[Table, Problem]:
    table = Table.from_records(frame, by)
    return table, build_problem(link([table]), [min_units(4).find(table)], insiders=False)


@settings(max_examples=15, deadline=None)
@given(st.integers(15, 60), st.integers(0, 2**32))
def test_the_bounds_of_every_protection_hold_the_truth(size, seed):
    frame, by = survey(size, seed)
    table, problem = count_problem(frame, by)
    noise = PerturbationTable.of_maximum_entropy(4, 2.5, smallest=3)
    protections = [
        protection_by_suppression(problem, problem.hidden),
        protection_by_rounding(problem, round_controlled(problem, 5)),
        protection_by_adjustment(problem, adjust(problem, np.random.default_rng(seed), seconds=0)),
        protection_by_cell_key(problem, perturb(table, Table.from_records(frame, by, "key"), noise)),
    ]
    pay, keys = Table.from_records(frame, by, "pay"), Table.from_records(frame, by, "key")
    money = build_problem(link([pay]), [p_percent(10).find(pay)])
    magnitudes = protection_by_cell_key(money, perturb(pay, keys, noise, share=30))
    for protection, values in [*((each, problem.values) for each in protections), (magnitudes, pay.values)]:
        assert (protection.lower <= values + 1e-9).all(), protection.name
        assert (protection.upper >= values - 1e-9).all(), protection.name


@pytest.mark.parametrize("seed", range(4))
def test_the_attackers_intervals_are_those_of_all_tables_that_fit(seed):
    inner = np.random.default_rng(seed).integers(1, 9, (2, 2))
    problem = grid_problem(inner, {(0, 0): 2.0, (1, 1): 3.0})
    protection = protection_by_rounding(problem, round_controlled(problem, 3))
    a, b, c, d = np.indices((15,) * 4).reshape(4, -1)
    tables = np.stack([a, b, a + b, c, d, c + d, a + c, b + d, a + b + c + d], axis=1)
    fitting = tables[((tables >= protection.lower) & (tables <= protection.upper)).all(axis=1)][:, problem.primaries]
    low, high = fitting.min(axis=0), fitting.max(axis=0)
    values = problem.values[problem.primaries]
    is_safe = (high >= values + problem.upper_levels) & (low <= values - problem.lower_levels)
    found = compare_protections([protection], problem).measures[0]
    quick = compare_protections([protection], problem, intervals="unprotected").measures[0]
    assert found.protected_primaries == quick.protected_primaries == pytest.approx(100 * is_safe.mean())
    assert found.narrowest_interval == pytest.approx(
        ((high - low) / (problem.upper_levels + problem.lower_levels)).min()
    )


def test_the_printed_pattern_of_the_slides_leaves_one_sensitive_cell_open():
    found = compare_protections([protection_by_suppression(SLIDES, slides_mask(PRINTED_PATTERN))], SLIDES).measures[0]
    assert found.protected_primaries == 50, "M3 P5 is published"
    assert found.narrowest_interval == 0
    one = grid_problem(TABLE, {(1, 2): 22.0})
    found = compare_protections([protection_by_suppression(one, slides_mask(PRINTED_PATTERN))], one).measures[0]
    low, high = PRINTED_INTERVALS[1, 2]
    assert found.narrowest_interval == pytest.approx((high - low) / 44)


def test_four_protections_of_the_slides_table_side_by_side():
    adjusted = adjust(SLIDES, np.random.default_rng(0))
    compared = compare_protections(
        [
            protection_by_suppression(SLIDES, slides_mask(cheapest_pattern())),
            protection_by_rounding(SLIDES, round_controlled(SLIDES, 10), name="rounding to 10"),
            protection_by_rounding(SLIDES, round_controlled(SLIDES, 500), name="rounding to 500"),
            protection_by_adjustment(SLIDES, adjusted, reach=2 * adjusted.largest_move),
        ],
        SLIDES,
    )
    frame = compared.to_frame()
    assert frame["name"].to_list() == ["suppression", "rounding to 10", "rounding to 500", "adjustment"]
    assert frame["hidden_value"].to_list() == pytest.approx([100 * (1058 + 22) / (4 * 8620), 0, 0, 0])
    assert frame["largest_break"].to_list() == [0, 0, 0, 0]
    assert frame["protected_primaries"].to_list() == [50, 0, 100, 100]
    assert frame["largest_deviation"][3] == pytest.approx(337)
    text = str(compared)
    assert text.splitlines()[0].strip() == "suppression  rounding to 10  rounding to 500  adjustment"
    assert "primaries protected, %" in text


def test_the_measures_are_what_they_say():
    problem = replace(grid_problem([[10, 20], [30, 40]]), primaries=np.zeros(0, dtype=np.int64))
    values = problem.values + np.array([2.0, 0, 0, -3, 0, 0, 0, 0, 0])
    values[8] = np.nan
    found = compare_protections([Protection("own", values, values - 5, values + 5)], problem).measures[0]
    assert found.hidden_cells == pytest.approx(100 / 9)
    assert found.hidden_value == pytest.approx(100 * 100 / 400)
    assert found.changed_cells == pytest.approx(200 / 9)
    assert (found.mean_deviation, found.largest_deviation) == pytest.approx((5 / 8, 3))
    assert (found.mean_relative_deviation, found.largest_relative_deviation) == pytest.approx((30 / 8, 20))
    assert found.largest_break == 3
    published, true = values[:8], problem.values[:8]
    overlap = np.sqrt(published / published.sum() * true / true.sum()).sum()
    assert found.hellinger == pytest.approx(np.sqrt(1 - overlap))
    assert np.isnan(found.protected_primaries)


def test_cell_keys_break_sums_and_wider_noise_protects_more():
    frame, by = survey(40, 3)
    table, problem = count_problem(frame, by)
    keys = Table.from_records(frame, by, "key")
    compared = compare_protections(
        [
            protection_by_cell_key(problem, perturb(table, keys, PerturbationTable.of_maximum_entropy(*noise)))
            for noise in ((1, 0.5), (6, 4.0))
        ],
        problem,
    ).measures
    assert compared[1].largest_break > 0
    assert compared[0].narrowest_interval < compared[1].narrowest_interval
    assert compared[0].protected_primaries <= compared[1].protected_primaries


def test_an_insider_comes_nearer():
    one = grid_problem(TABLE, {(1, 2): 22.0})
    problem = replace(one, attackers=(np.empty(0, dtype=np.int64), np.array([2])))  # who knows M1 P3
    hidden = [protection_by_suppression(problem, slides_mask(PRINTED_PATTERN))]
    outside, inside = (compare_protections(hidden, problem, insiders=known).measures[0] for known in (False, True))
    assert (outside.protected_primaries, inside.protected_primaries) == (100, 0)
    assert inside.narrowest_interval == pytest.approx(0, abs=1e-9)


def test_protections_of_other_tables_are_refused():
    with pytest.raises(DataError, match="must have the 24 cells of the problem"):
        protection_by_rounding(SLIDES, round_controlled(grid_problem([[1, 2]]), 5))
    with pytest.raises(DataError, match="own: it must have the 24 cells of the problem; got 1"):
        compare_protections([Protection("own", np.zeros(1), np.zeros(1), np.zeros(1))], SLIDES)
    with pytest.raises(DataError, match="at least one protection"):
        compare_protections([], SLIDES)
    with pytest.raises(ParameterError, match="reach must be no less than the largest move; got 1"):
        protection_by_adjustment(SLIDES, adjust(SLIDES, np.random.default_rng(0), seconds=0), reach=1)
