import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings

from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.findings import Reason
from sfumato.tables.problem.problem import Problem
from tests.tables.audited_problems import (
    PRINTED,
    attacked,
    audits,
    crossed,
    is_kept_from,
    levels_asked,
    make_problem,
    masked,
    reference_problem,
    slides_problem,
)
from tests.tables.reference_files import reference_frame


def protected(problem: Problem, intruder: int, primary: int, interval: tuple[float, float], tolerance: float) -> bool:
    value, (lower, upper) = problem.values[problem.primaries[primary]], interval
    above, below, width = levels_asked(problem, intruder, primary)
    return bool(
        upper >= value + above - tolerance and lower <= value - below + tolerance and upper - lower >= width - tolerance
    )


def some(places: Rows) -> list[int]:
    """Return a few of many places: each costs a solver from scratch."""
    return [int(place) for place in places[:: max(1, places.size // 4)]]


@given(audits())
@settings(max_examples=15, deadline=None)
def test_every_interval_is_that_of_the_intruders_two_programmes(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    found = audit(problem, suppressed, intervals="every")
    size = np.abs(problem.values).max()
    for intruder, known in enumerate(problem.intruders):
        for cell in some(np.setdiff1d(np.flatnonzero(suppressed), known)):
            expected = attacked(problem, suppressed, cell, intruder)
            assert found.interval(cell, intruder) == pytest.approx(expected, abs=1e-7 * size)


@given(audits())
@settings(max_examples=15, deadline=None)
def test_the_quick_way_finds_the_same_primaries_unprotected_as_whole_intervals_do(
    drawn: tuple[Problem, Booleans],
) -> None:
    problem, suppressed = drawn
    quick, whole = (audit(problem, suppressed, intervals=intervals) for intervals in ("unprotected", "every"))
    assert [(each.intruder, each.cell) for each in quick.violations] == [
        (each.intruder, each.cell) for each in whole.violations
    ]
    assert quick.disclosed.tolist() == whole.disclosed.tolist()
    size = np.abs(problem.values).max()
    for each in quick.violations[:2]:
        expected = attacked(problem, suppressed, each.cell, each.intruder)
        assert (each.lower, each.upper) == pytest.approx(expected, abs=1e-7 * size)


@given(audits())
@settings(max_examples=15, deadline=None)
def test_calls_unprotected_what_an_intruder_can_narrow_and_nothing_else(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    unprotected = audit(problem, suppressed).unprotected
    size = np.abs(problem.values).max()
    for primary in some(np.arange(problem.primaries.size)):
        cell = int(problem.primaries[primary])
        intruders = [number for number in range(len(problem.intruders)) if is_kept_from(problem, number, cell)]
        expected = not all(
            protected(problem, intruder, primary, attacked(problem, suppressed, cell, intruder), 1e-7 * size)
            for intruder in intruders
        )
        assert (cell in unprotected) == expected


def test_the_printed_pattern_of_the_slides_leaves_the_intervals_of_its_intruders() -> None:
    problem = slides_problem()
    found = audit(problem, masked(problem, PRINTED), intervals="every")
    intervals = {name: found.interval(problem.names.index(name)) for name in PRINTED}
    assert intervals == {
        "M1, P3": (400.0, 742.0),
        "M1, P5": (338.0, 680.0),
        "M2, P3": (0.0, 342.0),
        "M2, P5": (0.0, 342.0),
    }
    assert found.is_safe
    assert "Safe: every primary is protected from every intruder" in str(found)


def test_the_printed_pattern_of_the_slides_publishes_a_primary() -> None:
    problem = slides_problem(("M2, P3", "M3, P5"))
    found = audit(problem, masked(problem, PRINTED))
    assert not found.is_safe
    assert [(problem.cell_name(each.cell), each.reason) for each in found.violations] == [("M3, P5", Reason.PUBLISHED)]
    assert "M3, P5: is published" in str(found)


def test_an_insider_comes_nearer_than_the_outsider() -> None:
    problem = slides_problem()
    knowing = dataclasses.replace(problem, intruders=(*problem.intruders, np.array([problem.names.index("M2, P5")])))
    found = audit(knowing, masked(problem, PRINTED))
    assert [(each.intruder, each.lower, each.upper) for each in found.violations] == [(1, 22.0, 22.0)]
    assert "M2, P3: insider 1, who knows M2, P5, finds [22, 22]; wanted [2, 42]" in str(found)


def test_an_insider_whose_cells_bear_on_nothing_suppressed_is_the_outsider() -> None:
    problem = slides_problem()
    elsewhere = dataclasses.replace(problem, intruders=(*problem.intruders, np.array([0])))
    found = audit(elsewhere, masked(problem, PRINTED))
    assert found.is_safe
    assert found.intruders.tolist() == [0]
    assert found.interval(problem.names.index("M2, P3"), intruder=1) == (0.0, 342.0)


def test_of_insiders_who_are_kept_out_the_quick_way_keeps_nothing_as_they_may_be_thousands() -> None:
    problem = slides_problem()
    aside = np.array([problem.names.index("M3, P1")])
    kept_out = dataclasses.replace(problem, intruders=(*problem.intruders, aside))
    found = audit(kept_out, np.ones(problem.size, dtype=np.bool_), intervals="unprotected")
    assert found.is_safe
    assert found.intruders.tolist() == [0]
    with pytest.raises(ParameterError, match="was not asked for"):
        found.interval(int(problem.primaries[0]), intruder=1)


@pytest.mark.parametrize("intervals", ["every", "primaries", "unprotected"])
def test_a_secondary_that_can_be_computed_is_named(intervals: str) -> None:
    problem = slides_problem()
    found = audit(problem, masked(problem, (*PRINTED, "M3, P1")), intervals=intervals)
    assert [problem.cell_name(int(cell)) for cell in found.disclosed] == ["M3, P1"]
    assert found.is_safe
    assert "M3, P1: is suppressed, but anybody can compute it" in str(found)


def test_a_level_that_is_reached_exactly_is_reached_and_one_a_little_larger_is_not() -> None:
    values, relations = crossed(np.array([[0.1, 0.2], [0.7, 1.3]]))
    pattern = np.isin(np.arange(9), [0, 1, 3, 4])
    exact, larger = (make_problem(values, relations, [0], above=level, below=0.1) for level in (0.2, 0.2 * (1 + 1e-9)))
    assert audit(exact, pattern).is_safe
    found = audit(larger, pattern)
    assert not found.is_safe
    assert "short by 2e-10" in str(found)


def test_a_level_that_is_lost_in_rounding_is_not_called_safe() -> None:
    values, relations = crossed(np.array([[5.0, 3.0], [3.3e12, 4.1e12]]))
    problem = make_problem(values, relations, [0], above=1.0, below=1.0, upper=1e14)
    found = audit(problem, np.isin(np.arange(9), [0, 1, 3, 4]))
    assert [each.reason for each in found.violations] == [Reason.UNDECIDED]
    assert "too small to be told from rounding" in str(found)


def test_values_of_ten_millions_with_decimals_have_sharp_intervals() -> None:
    values, relations = crossed(np.array([[12_345_678.91, 0.07, 4.2], [98_765_432.1, 3.33, 7.77], [5.5, 1.01, 2.02]]))
    problem = make_problem(values, relations, [0], above=3.0, below=3.0, upper=1e9)
    found = audit(problem, np.isin(np.arange(16), [0, 1, 4, 5]), intervals="every")
    assert found.interval(1) == pytest.approx((0.0, 3.4), abs=1e-4 * 0.07)
    assert found.interval(0)[1] - values[0] == pytest.approx(0.07, abs=1e-6)


def test_many_primaries_of_a_large_table_are_proven_by_few_tables() -> None:
    rng = np.random.default_rng(3)
    values, relations = crossed(np.exp(rng.normal(4, 1, (40, 40))).round(2))
    suppressed = np.zeros((41, 41), dtype=np.bool_)
    suppressed[:40, :40] = True
    primaries = np.flatnonzero(suppressed)[::7]
    level = 0.1 * values[primaries]
    problem = make_problem(
        values, relations, primaries.tolist(), above=level, below=level, upper=float(2 * values.max())
    )
    found = audit(problem, suppressed.ravel(), intervals="unprotected")
    assert found.is_safe
    assert not found.is_whole.any()
    assert not found.disclosed.size
    first = primaries[:5]
    whole = audit(make_problem(values, relations, first.tolist(), upper=float(2 * values.max())), suppressed.ravel())
    for cell in first.tolist():
        (low, high), (lowest, highest) = found.interval(cell), whole.interval(cell)
        assert lowest - 1e-6 <= low <= 0.9 * values[cell]
        assert 1.1 * values[cell] <= high <= highest + 1e-6


def test_progress_counts_the_attacks() -> None:
    problem = slides_problem()
    seen: list[tuple[int, int]] = []
    audit(problem, masked(problem, (*PRINTED, "M3, P1")), on_progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(1, 2), (2, 2)]


def test_the_plain_form_is_json_and_the_frame_has_a_row_for_each_interval() -> None:
    problem = slides_problem(("M2, P3", "M3, P5"))
    found = audit(problem, masked(problem, PRINTED), intervals="every")
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (plain["format"], plain["is_safe"], len(plain["intervals"])) == (1, False, 4)
    frame = found.to_frame()
    assert frame.height == 5
    assert frame["is_protected"].to_list() == [None, None, True, None, False]


def test_an_unbounded_cell_is_infinite_in_the_frame_and_nothing_in_json() -> None:
    problem = make_problem(*crossed(np.array([[1.0, 2.0], [3.0, 4.0]])), [0], upper=np.inf)
    found = audit(problem, np.ones(9, dtype=np.bool_))
    assert found.to_frame()["upper"].to_list() == [np.inf]
    assert found.to_dict()["intervals"][0]["interval"] == [0.0, None]


def test_cells_that_must_be_published_or_suppressed_and_are_not_are_named() -> None:
    problem = slides_problem()
    suppressed, published = problem.must_suppress.copy(), problem.must_publish.copy()
    suppressed[problem.names.index("M3, P4")] = True
    published[problem.names.index("M1, P3")] = True
    found = audit(
        dataclasses.replace(problem, must_suppress=suppressed, must_publish=published), masked(problem, PRINTED)
    )
    assert not found.is_safe
    assert "M3, P4: must be suppressed and is published" in str(found)
    assert "M1, P3: must be published and is suppressed" in str(found)


def test_refuses_a_pattern_of_another_size() -> None:
    with pytest.raises(DataError, match=r"must be 24 truth values, one per cell.*shape \(23,\)"):
        audit(slides_problem(), np.zeros(23, dtype=np.bool_))


def test_refuses_values_that_do_not_add_up() -> None:
    problem = slides_problem()
    values = problem.values.copy()
    values[3] += 1.0
    with pytest.raises(DataError, match=r"2 of 10 relations do not, the worst by 1: .*make the table additive first"):
        audit(dataclasses.replace(problem, values=values), masked(problem, PRINTED))


def test_refuses_values_that_are_missing() -> None:
    problem = slides_problem()
    values = problem.values.copy()
    values[3] = np.nan
    with pytest.raises(DataError, match="there is none for M1, P4"):
        audit(dataclasses.replace(problem, values=values), masked(problem, PRINTED))


def test_refuses_an_unknown_kind_of_intervals() -> None:
    with pytest.raises(ParameterError, match="got 'primary'; did you mean 'primaries'"):
        audit(slides_problem(), np.zeros(24, dtype=np.bool_), intervals="primary")


def test_says_when_an_interval_was_not_asked_for() -> None:
    problem = slides_problem()
    with pytest.raises(ParameterError, match="interval of M1, P3 was not asked for"):
        audit(problem, masked(problem, PRINTED)).interval(problem.names.index("M1, P3"))


def test_a_table_without_suppressed_cells_or_primaries_is_safe() -> None:
    found = audit(make_problem(*crossed(np.ones((2, 2))), []), np.zeros(9, dtype=np.bool_))
    assert found.is_safe
    assert found.to_frame().height == 0


@pytest.mark.reference
@pytest.mark.parametrize("name", ["simple2d", "ent_ap"])
def test_known_patterns_of_reference_tables_are_safe_from_the_outsider(name: str) -> None:
    problem, patterns = reference_problem(name)
    for suppressed in patterns.values():
        found = audit(problem, suppressed, intervals="unprotected")
        assert found.is_safe
        assert not found.disclosed.size


@pytest.mark.reference
def test_a_pattern_made_against_outsiders_does_not_keep_those_alone_in_their_cells_from_each_other() -> None:
    cells = reference_frame("inst_simple2d_cells")
    alone = np.flatnonzero((cells["freq"] == "1").to_numpy())
    problem, patterns = reference_problem("simple2d", insiders=[[int(cell)] for cell in alone])
    found = audit(problem, patterns["opt_value"])
    first, second = problem.names.index("4, Nr"), problem.names.index("4, Os")
    insider = 1 + alone.tolist().index(first)
    assert found.interval(second, insider) == (problem.values[second],) * 2  # their total is published
    assert found.interval(second)[0] < problem.values[second] < found.interval(second)[1]


@pytest.mark.reference
@pytest.mark.parametrize("name", ["simple2d", "ent_ap"])
def test_the_optimum_without_any_one_of_its_secondaries_is_not_safe(name: str) -> None:
    problem, patterns = reference_problem(name)
    pattern = patterns["opt_value"]
    for cell in np.flatnonzero(pattern & ~problem.must_suppress)[::5]:
        without = pattern.copy()
        without[cell] = False
        assert not audit(problem, without, intervals="unprotected").is_safe
