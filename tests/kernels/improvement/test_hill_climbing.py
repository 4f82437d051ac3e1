"""The loop of post-masking optimisation: what it adds up is what comes out when all is computed anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import numeric
from sfumato.improve import PostMaskingOptimisation
from sfumato.improve._groups import shared_cells, single_cells
from sfumato.improve._moment_climb import TOLERANCE, Start, start_climb
from sfumato.improve._problem import Problem, build_problem
from sfumato.kernels.improvement.hill_climbing import climb, nearest_original
from tests.improve.files import grouped, incomes, noisy
from tests.matrices import microdata


def plain_figures(problem: Problem, begun: Start, order: int, compares_raw: bool) -> tuple[float, float]:
    """E and IL1 by loops over all records, columns and moments."""
    values = begun.state.values
    original = (problem.original - problem.original.mean(axis=0)) / problem.original.std(axis=0, ddof=1)
    points = (values - problem.original.mean(axis=0)) / problem.original.std(axis=0, ddof=1)
    d, error = values.shape[1], 0.0
    for number in range(1, (order + 1) ** d):
        exponents = [number // (order + 1) ** j % (order + 1) for j in range(d)]
        if sum(exponents) <= order:
            moments = [
                np.prod([file[:, j] ** exponents[j] for j in range(d)], axis=0).mean() for file in (points, original)
            ]
            error += (moments[0] - moments[1]) ** 2
    records = []
    for i in range(len(values)):
        distances = np.array([((record - points[i]) ** 2).sum() for record in original])
        nearest = int(np.flatnonzero(distances <= distances.min() * (1 + 1e-9))[0])
        x, y = (problem.original[nearest], values[i]) if compares_raw else (original[nearest], points[i])
        cells = [abs(b - a) / (abs(a) or abs(b)) for a, b in zip(x, y, strict=True) if a or b]
        records += [sum(cells) / len(cells)] if cells else []
    return error, sum(records) / len(records)


def problem_of(original: np.ndarray, masked: np.ndarray) -> Problem:
    return build_problem(PostMaskingOptimisation(columns=numeric), microdata(original), microdata(masked))


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 999),
    d=st.integers(1, 3),
    order=st.integers(1, 3),
    compares_raw=st.booleans(),
    is_grouped=st.booleans(),
    is_whole=st.booleans(),
)
def test_at_every_step_e_and_il1_are_those_computed_anew(
    seed: int, d: int, order: int, compares_raw: bool, is_grouped: bool, is_whole: bool
) -> None:
    original = incomes(25, d, seed)
    masked = grouped(original, 3) if is_grouped else noisy(original, seed)
    if is_whole:  # with zeros and repeated values
        original, masked = np.rint(original / 60), np.rint(masked / 60)
        original[0] += 3
    problem = problem_of(original, masked)
    begun = start_climb(problem, order, compares_raw)
    everyone = np.ones(25, dtype=np.bool_)
    cells = (shared_cells if is_grouped else single_cells)(problem, everyone)
    rng = np.random.default_rng(seed)
    target = 0.5 * begun.loss / 100
    for _ in range(30):
        before = begun.state.figures.copy()
        values = begun.state.values.copy()
        places, shifts = rng.integers(cells.columns.size, size=1), rng.normal(size=1)
        _, kept = climb(begun.terms, begun.originals, cells, begun.state, target, TOLERANCE, 0.0, places, shifts)
        error, total, known, _ = begun.state.figures
        plain = plain_figures(problem, begun, order, compares_raw)
        assert (error, total / known) == (pytest.approx(plain[0], abs=1e-9), pytest.approx(plain[1], rel=1e-9))
        away, away_before = abs(total / known - target), abs(before[1] / before[2] - target)
        if kept:
            assert error < before[0]
            assert away <= TOLERANCE * target or away < away_before
        else:
            assert np.array_equal(begun.state.values, values)


def test_a_change_that_lowers_e_and_brings_il1_nearer_is_kept_and_one_that_raises_e_is_not() -> None:
    original = np.array([[0.0], [10.0], [20.0], [30.0]]) + 100
    problem = problem_of(original, original + np.array([[0.0], [0.0], [0.0], [8.0]]))
    cells = single_cells(problem, np.array([False, False, False, True]))
    spread = float(problem.spread[0])
    for shift, kept in ((-4 / spread, 1), (-8 / spread, 1), (1 / spread, 0)):  # the last leaves the masked range
        begun = start_climb(problem, 2, compares_raw=True)
        place = np.zeros(1, dtype=np.int64)
        assert climb(
            begun.terms, begun.originals, cells, begun.state, 0.0, TOLERANCE, 0.0, place, np.array([shift])
        ) == (1, kept)


def test_the_loop_stops_as_soon_as_e_is_below_its_goal() -> None:
    original = incomes(30, 2, 1)
    problem = problem_of(original, noisy(original, 1))
    begun, cells = start_climb(problem, 2, compares_raw=True), single_cells(problem, np.ones(30, dtype=np.bool_))
    rng = np.random.default_rng(0)
    goal = begun.state.figures[0] / 2
    places, shifts = rng.integers(60, size=20_000), rng.normal(size=20_000)
    aim = begun.loss / 200
    tried, kept = climb(begun.terms, begun.originals, cells, begun.state, aim, TOLERANCE, goal, places, shifts)
    assert kept < tried < 20_000
    assert begun.state.figures[0] < goal
    assert climb(begun.terms, begun.originals, cells, begun.state, aim, TOLERANCE, goal, places, shifts) == (0, 0)


def test_no_value_falls_into_a_gap_or_off_the_whole_numbers() -> None:
    original = np.rint(incomes(60, 2, 3) / 10)
    masked = np.rint(noisy(original, 3))
    masked[(masked[:, 1] >= 8) & (masked[:, 1] <= 12), 1] = 13
    problem = problem_of(original, masked)
    plain = single_cells(problem, np.ones(60, dtype=np.bool_))
    cells = plain._replace(is_whole=np.ones(2, dtype=np.int64), gaps=np.array([[1.0, 8.0, 12.0]]))
    begun = start_climb(problem, 2, compares_raw=True)
    rng = np.random.default_rng(0)
    places, shifts = rng.integers(120, size=5000), rng.normal(size=5000)
    aim = begun.loss / 200
    _, kept = climb(begun.terms, begun.originals, cells, begun.state, aim, TOLERANCE, 0.0, places, shifts)
    after = begun.state.values
    assert kept > 20
    assert not ((after[:, 1] >= 8) & (after[:, 1] <= 12)).any()
    assert np.array_equal(after, np.rint(after))


@given(seed=st.integers(0, 999), n=st.integers(1, 200), d=st.integers(1, 6), is_rounded=st.booleans())
def test_a_wrong_guess_does_not_mislead_the_search(seed: int, n: int, d: int, is_rounded: bool) -> None:
    rng = np.random.default_rng(seed)
    original, masked = rng.normal(size=(n + 2, d)), rng.normal(size=(5, d))
    if is_rounded:
        original, masked = np.rint(original), np.rint(masked)
    original[0], original[1] = 9.0, -9.0
    problem = problem_of(original, np.vstack([masked, masked]))
    begun = start_climb(problem, 1, compares_raw=True)
    points = begun.state.points
    for row in range(5):
        distances = ((begun.originals.points - points[row]) ** 2).sum(axis=1)
        first = int(np.flatnonzero(distances <= distances.min() * (1 + 1e-9))[0])
        assert nearest_original(begun.originals, points, row, int(rng.integers(n + 2))) == first
