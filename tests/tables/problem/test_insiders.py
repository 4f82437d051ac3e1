"""Insiders who are only kept from exact values of the unsafe cells in their own sums."""

import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError, ParameterError
from sfumato.tables import (
    GivenCell,
    HeuristicSuppression,
    Insiders,
    MinUnits,
    OptimalSuppression,
    PPercent,
    Table,
    protect,
    safe_counts,
)
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.explain import explain
from sfumato.tables.audit.verify import verify
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._unavoidable_disclosure import spare_unavoidable
from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows
from sfumato.tables.suppression.optimal_suppression import suppress_optimally
from tests.tables.audited_problems import PRINTED, attacked, masked, reference_problem, slides_problem
from tests.tables.reference_tables import enterprises, of_unknown_units, simple_2d
from tests.tables.suppression_problems import cheapest, is_protected


def drawn_table(seed: int, holdings: int) -> Table:
    """Return a table of two by three of few units, so that many of them are alone in a cell."""
    rng = np.random.default_rng(seed)
    size = 9
    frame = pl.DataFrame(
        {
            "row": rng.choice(["a", "b"], size),
            "column": rng.choice(["x", "y", "z"], size),
            "unit": rng.integers(0, holdings, size).astype(str),
            "value": rng.integers(1, 60, size).astype(float),
        }
    )
    return Table.from_records(frame, ["row", "column"], "value", holding="unit")


def targets(problem: Problem, intruder: int) -> set[str]:
    open_to = problem.open_to(intruder)
    return {problem.cell_name(int(cell)) for cell in problem.primaries if cell not in open_to}


@given(st.integers(0, 2**32), st.sampled_from([5, 9]), st.booleans())
@settings(max_examples=4, deadline=None)
def test_the_pattern_is_the_cheapest_that_a_programme_of_all_demands_at_once_finds(
    seed: int, holdings: int, is_told: bool
) -> None:
    table = drawn_table(seed, holdings)
    told = build_problem(link([table]), [PPercent(p=20).find(table)], insiders="neighbours")
    problem, _ = spare_unavoidable(told if is_told else of_unknown_units(table, 20))
    pattern = suppress_optimally(problem)
    assert pattern.cost == pytest.approx(cheapest(problem), abs=1e-6)
    assert is_protected(problem, pattern.suppressed)
    for found in (pattern, suppress_by_flows(problem)):
        assert audit(problem, found.suppressed).is_safe
        assert audit(problem, found.suppressed, intervals="unprotected").is_safe
        assert verify(problem, found.suppressed, certify(problem, found.suppressed)) == ()


@given(st.integers(0, 2**32))
@settings(max_examples=6, deadline=None)
def test_more_is_suppressed_from_neighbours_than_from_outsiders_and_less_than_from_all(seed: int) -> None:
    table, rule = drawn_table(seed, 9), PPercent(p=20)
    assume(not rule.find(table).unsafe.all())  # such a table is refused
    costs = [
        protect(table, OptimalSuppression(), rule=rule, insiders=insiders).pattern.cost
        for insiders in ("none", "neighbours", "all")
    ]
    outsiders = protect(table, OptimalSuppression(), rule=rule, insiders=False).pattern.cost
    assert costs[0] == outsiders <= costs[1]
    if not protect(table, HeuristicSuppression(), rule=rule).remarks:  # with them, fewer are kept from everything
        assert costs[1] <= costs[2] + 1e-9


def lone_firms() -> Table:
    """Return one row of which a, b and c are single firms, the first two of equal turnover, and d has four firms."""
    frame = pl.DataFrame({"sector": [*"abcdddd"], "turnover": [5.0, 5.0, 9.0, 4.0, 4.0, 4.0, 4.0]})
    return Table.from_records(frame, ["sector"], "turnover")


def test_units_are_told_by_who_they_are_and_only_else_by_equal_value() -> None:
    table = lone_firms()
    told = build_problem(link([table]), [PPercent(p=10).find(table)], insiders="neighbours")
    firms = {f"sector={code}" for code in "abc"}
    known = [told.cell_name(int(cells[0])) for cells in told.intruders[1:]]
    assert sorted(known) == sorted(firms)
    assert [targets(told, number) for number in (1, 2, 3)] == [firms - {name} for name in known]
    unknown = of_unknown_units(table, 10)
    kept = {
        unknown.cell_name(int(cells[0])): targets(unknown, 1 + place)
        for place, cells in enumerate(unknown.intruders[1:])
    }
    assert kept == {"sector=a": {"sector=c"}, "sector=b": {"sector=c"}, "sector=c": {"sector=a", "sector=b"}}


def test_a_unit_is_not_kept_from_what_shares_no_sum_with_its_own_cell() -> None:
    codes = [("r1", "x"), ("r2", "y"), *[("r1", "y")] * 4, *[("r2", "x")] * 4]
    frame = pl.DataFrame({"row": [code[0] for code in codes], "column": [code[1] for code in codes]})
    table = Table.from_records(frame.with_columns(value=pl.lit(7.0)), ["row", "column"], "value")
    problem = build_problem(link([table]), [PPercent(p=10).find(table)], insiders="neighbours")
    assert len(problem.intruders) == 1  # the two who are alone meet in no row and no column
    assert len(build_problem(link([table]), [PPercent(p=10).find(table)]).intruders) == 3


def test_true_and_false_mean_what_they_meant_and_other_words_are_refused() -> None:
    assert (Insiders.parse(True), Insiders.parse(False)) == (Insiders.ALL, Insiders.NONE)
    assert Insiders.parse("neighbours") is Insiders.NEIGHBOURS
    with pytest.raises(ParameterError, match="one of none, neighbours, all, true or false; got 'neighbors'; did you"):
        protect(lone_firms(), rule=PPercent(p=10), insiders="neighbors")


def test_counts_take_the_same_words() -> None:
    people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    for insiders in Insiders:
        assert safe_counts(people, ["town", "sick"], threshold=3, insiders=insiders).shape == (3, 4)


def watched(*, only_exact: bool) -> Problem:
    """Return the table of the slides with somebody who knows a cell beside the primary."""
    problem = slides_problem()
    knows = np.array([problem.names.index("M1, P3")])
    return replace(problem, intruders=(NOBODY_KNOWS, knows), only_exact=(False, only_exact))


def test_an_exact_value_is_a_violation_and_a_wider_interval_is_none() -> None:
    problem = watched(only_exact=True)
    bad = audit(problem, masked(problem, PRINTED))
    assert [(each.intruder, each.wanted_lower, each.wanted_upper) for each in bad.violations] == [(1, 22.0, 22.022)]
    assert "1 insider must only be kept from the exact values" in str(bad)
    more = masked(problem, (*PRINTED, "M3, P3", "M3, P5"))
    narrow = replace(problem, upper=np.where(more, problem.values + 5, problem.upper))
    assert attacked(narrow, more, int(problem.primaries[0]), 1)[1] == pytest.approx(27)
    by_intruder = {each.intruder for each in audit(narrow, more).violations}
    assert by_intruder == {0}  # the outsider must not rule out 42
    assert {each.intruder for each in audit(replace(narrow, only_exact=()), more).violations} == {0, 1}


def test_an_explanation_says_who_is_only_kept_from_the_exact_value() -> None:
    problem = watched(only_exact=True)
    text = str(explain(problem, masked(problem, (*PRINTED, "M3, P3", "M3, P5")), int(problem.primaries[0])))
    assert (
        "For the outsider all of [2, 42] must stay possible, and insiders who must be kept from it must not work it out"
        in text
    )
    text = str(explain(problem, masked(problem, PRINTED), int(problem.primaries[0])))
    assert "Insider 1, who knows M1, P3, finds [22, 22].\n" in text
    assert text.endswith("it is not protected.")


def test_says_who_can_work_it_out_whatever_is_suppressed() -> None:
    problem = watched(only_exact=True)
    beside = np.flatnonzero([name.startswith("M2, ") and name != "M2, P3" for name in problem.names])
    stuck = replace(problem, intruders=(NOBODY_KNOWS, beside))
    for suppressor in (suppress_optimally, suppress_by_flows):
        with pytest.raises(DataError, match="M2, P3 cannot be protected from an intruder who knows M2, P1") as caught:
            suppressor(stuck)
        assert pickle.loads(pickle.dumps(caught.value)).is_exact  # noqa: S301
    found, learnt = spare_unavoidable(stuck)
    assert learnt == 1
    assert (
        suppress_optimally(found).cost
        == suppress_optimally(replace(stuck, intruders=(NOBODY_KNOWS,), only_exact=())).cost
    )


def test_remarks_count_what_cannot_be_avoided_and_not_what_is_not_asked_for() -> None:
    frame = pl.DataFrame({"sector": [*"abb"], "turnover": [5.0, 3.0, 4.0]})
    table = Table.from_records(frame, ["sector"], "turnover")
    total = GivenCell(where={"sector": "Total"}, status="publish")
    protected = protect(table, rule=MinUnits(units=3), given_cells=[total], insiders="neighbours")
    assert protected.remarks[0].startswith(
        "in 1 case a unit that is alone in a cell can work out an unsafe cell in one"
    )
    assert not protect(table, rule=MinUnits(units=3), insiders="neighbours").remarks


def test_refuses_levels_that_do_not_fit_the_intruders() -> None:
    problem = slides_problem()
    with pytest.raises(DataError, match="only_exact must have 1 entries, one per intruder, or none at all; got 2"):
        replace(problem, only_exact=(False, True))
    with pytest.raises(DataError, match="the outsider must be kept away by whole levels"):
        replace(problem, only_exact=(True,))


@pytest.mark.reference
def test_finds_the_known_insider_safe_optimum_of_size_by_region() -> None:
    _, known = reference_problem("simple2d")
    problem = of_unknown_units(simple_2d(), 15)
    pattern = suppress_optimally(problem)
    assert (pattern.cost, pattern.bound) == pytest.approx((523_101, 523_101))
    assert (
        (pattern.suppressed & ~problem.must_suppress).sum()
        == 11
        == (known["opt_insider"] & ~problem.must_suppress).sum()
    )
    assert audit(problem, pattern.suppressed).is_safe


@pytest.mark.reference
def test_size_by_region_needs_more_where_firms_of_equal_value_are_told_apart() -> None:
    protected = protect(simple_2d(), OptimalSuppression(), rule=PPercent(p=15), insiders="neighbours")
    assert (protected.pattern.cost, protected.secondaries) == (1_092_477, 13)


@pytest.mark.reference
def test_the_known_insider_safe_pattern_of_activity_by_product_is_safe_and_the_outsiders_is_not() -> None:
    problem = of_unknown_units(enterprises("product"), 10)
    given_problem, known = reference_problem("ent_ap")
    number = {name: cell for cell, name in enumerate(given_problem.names)}
    order = [number[", ".join(part.split("=")[1] for part in name.split(", "))] for name in problem.names]
    pattern = known["opt_insider"][order] | problem.must_suppress
    assert problem.cost(pattern) == pytest.approx(410_952.04)
    assert verify(problem, pattern, certify(problem, pattern)) == ()
    outsiders = known["opt_value"][order] | problem.must_suppress
    assert {each.intruder > 0 for each in audit(problem, outsiders, intervals="unprotected").violations} == {True}
