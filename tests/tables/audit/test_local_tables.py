from typing import Any

import numpy as np
import pytest
from hypothesis import given

from sfumato.numerics.arrays import Booleans
from sfumato.tables.audit import feasible_tables, local_tables
from sfumato.tables.audit.audit import audit
from sfumato.tables.audit.certify import certify
from sfumato.tables.audit.components import Component, components
from sfumato.tables.audit.local_tables import LocalTables
from sfumato.tables.audit.verify import verify
from sfumato.tables.audit.witnesses import Moves
from sfumato.tables.problem.local_programme import LocalProgramme
from sfumato.tables.problem.problem import Problem
from tests.tables.audited_problems import attacked, audits, crossed, make_problem


@pytest.fixture
def component() -> Component:
    rng = np.random.default_rng(5)
    values, relations = crossed(np.exp(rng.normal(6, 1.5, (8, 8, 8))).round(2))
    suppressed = np.zeros((9, 9, 9), dtype=np.bool_)
    suppressed[:8, :8, :8] = rng.random((8, 8, 8)) < 0.7
    (found,) = components(make_problem(values, relations, [], upper=float(3 * values.max())), suppressed.ravel())
    return found


def is_feasible(component: Component, moves: Moves) -> bool:
    """Tell whether a table adds up and keeps the bounds, to a trillionth of the largest value."""
    table = component.values.copy()
    table[moves.cells] += moves.distances
    rests = component.relations @ (table - component.values)
    rounding = 1e-12 * np.abs(component.values).max()
    is_within = (table >= component.lower - rounding) & (table <= component.upper + rounding)
    return bool((np.abs(rests) <= 2 * rounding).all() and is_within.all())


def moved(moves: Moves, cell: int) -> float:
    return float(moves.distances[moves.cells == cell].sum())


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_local_table_moves_its_cell_by_what_is_asked_adds_up_and_keeps_the_bounds(
    component: Component, sign: float
) -> None:
    local = LocalTables(component)
    for cell in range(0, component.cells.size, 12):
        amount = sign * min(0.1 * float(component.values[cell]), 100.0)
        tables = local.tables(cell, amount)
        assert tables
        assert all(is_feasible(component, moves) for moves in tables)
        assert moved(tables[0], cell) == pytest.approx(amount, rel=1e-12)
        assert all(moves.cells.size < component.cells.size / 4 for moves in tables)


def test_the_opposite_of_a_local_table_comes_with_it_only_where_it_keeps_the_bounds(component: Component) -> None:
    local = LocalTables(component)
    cells = range(0, component.cells.size, 6)
    found = [local.tables(cell, 0.2 * float(component.values[cell])) for cell in cells]
    assert {1, 2} <= {len(tables) for tables in found}
    for first, *others in filter(None, found):
        assert is_feasible(component, first.reversed()) == bool(others)


def test_a_local_table_leaves_known_cells_alone_until_they_are_known_no_more(component: Component) -> None:
    local = LocalTables(component)
    amount = 0.1 * float(component.values[100])
    used = local.tables(100, amount)[0].cells
    known = used[used != 100][:1]
    local.know(known)
    assert not np.isin(known, local.tables(100, amount)[0].cells).any()
    assert local.tables(int(known[0]), 0.1) == ()
    local.know(known[:0])
    assert local.tables(100, amount)[0].cells.tolist() == used.tolist()


def test_a_table_whose_sums_are_off_by_more_than_the_tolerance_does_not_count(
    component: Component, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = LocalProgramme.moves
    amount = 0.1 * float(component.values[0])
    for error, is_taken in ((0.3, True), (3.0, False)):
        size = error * component.tolerance / amount

        def off(self: LocalProgramme, *programme: Any, size: float = size) -> Any:
            found = solved(self, *programme)
            return None if found is None else found + size * (np.cumsum(found != 0) == 1) * (found != 0)

        monkeypatch.setattr(LocalProgramme, "moves", off)
        assert bool(LocalTables(component).tables(0, amount)) is is_taken


@given(audits())
def test_a_local_table_is_found_exactly_where_the_intruders_programme_goes_as_far(
    drawn: tuple[Problem, Booleans],
) -> None:
    problem, suppressed = drawn
    for component in components(problem, suppressed):
        local = LocalTables(component)
        for place in range(0, component.cells.size, 5):
            lower, upper = attacked(problem, suppressed, int(component.cells[place]), 0)
            value = component.values[place]
            for sign, reach in ((1.0, min(upper - value, 1e6)), (-1.0, value - lower)):
                if reach > 1e-6 * component.largest:
                    tables = local.tables(place, sign * 0.99 * reach)
                    assert tables
                    assert all(is_feasible(component, moves) for moves in tables)
                    assert not local.is_impossible(place, sign * 0.99 * reach)
                if reach < 1e6:
                    beyond = sign * (1.01 * reach + 1e-6 * component.largest)
                    assert not local.tables(place, beyond)
                    assert local.is_impossible(place, beyond)


@given(audits())
def test_an_extent_is_as_far_as_the_intruders_programme_goes_and_its_table_goes_there(
    drawn: tuple[Problem, Booleans],
) -> None:
    problem, suppressed = drawn
    for component in components(problem, suppressed):
        local = LocalTables(component)
        for place in range(0, component.cells.size, 4):
            lower, upper = attacked(problem, suppressed, int(component.cells[place]), 0)
            for sign, reach in ((1.0, upper - component.values[place]), (-1.0, component.values[place] - lower)):
                extent = local.extent(place, sign)
                if extent is None:
                    assert not np.isfinite(reach)
                    continue
                assert extent.distance == pytest.approx(reach, rel=1e-9, abs=1e-7)
                assert is_feasible(component, extent.moves)
                assert sign * moved(extent.moves, place) == pytest.approx(extent.distance, rel=1e-9, abs=1e-7)


def test_extents_that_few_cells_show_are_those_of_the_whole_table(
    component: Component, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_tables, "BOUNDING_NEIGHBOURS", (5, 20, 60))
    local, whole = LocalTables(component), feasible_tables.FeasibleTables(component)
    found = [(cell, local.extent(cell, feasible_tables.BELOW)) for cell in range(0, component.cells.size, 15)]
    shown = [(cell, extent.distance) for cell, extent in found if extent is not None]
    assert shown
    for cell, distance in shown:
        assert distance == pytest.approx(whole.push(cell, feasible_tables.BELOW), rel=1e-9)


def test_a_stretched_table_goes_to_the_bounds_on_both_sides(component: Component) -> None:
    local = LocalTables(component)
    amount = 0.01 * float(component.values[100])
    first = local.tables(100, amount)[0]
    ahead, back = local.stretch(first)
    for table, sign in ((ahead, 1.0), (back, -1.0)):
        assert is_feasible(component, table)
        assert table.cells.tolist() == first.cells.tolist()
        times = moved(table, 100) / amount
        assert sign * times > 0.0
        np.testing.assert_allclose(table.distances, times * first.distances, rtol=1e-9, atol=1e-9)
        ends = component.values[table.cells] + table.distances
        at_bound = np.isclose(ends, component.lower[table.cells]) | np.isclose(ends, component.upper[table.cells])
        assert at_bound.any()


def test_only_what_no_table_does_is_called_impossible_though_few_cells_are_looked_at(
    component: Component, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_tables, "FIRST_NEIGHBOURS", 5)
    local, whole = LocalTables(component), feasible_tables.FeasibleTables(component)
    verdicts = []
    for cell in range(0, component.cells.size, 25):
        reach = whole.push(cell, feasible_tables.ABOVE)
        assert not local.is_impossible(cell, 0.999 * reach)
        verdicts.append(local.is_impossible(cell, 3.0 * reach))
    assert any(verdicts)


@given(audits())
def test_an_audit_finds_the_same_with_local_tables_as_without(drawn: tuple[Problem, Booleans]) -> None:
    problem, suppressed = drawn
    without = audit(problem, suppressed, intervals="unprotected")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feasible_tables, "LARGE_COMPONENT", 0)
        patch.setattr(feasible_tables, "HUGE_COMPONENT", 0)
        patch.setattr(local_tables, "FIRST_NEIGHBOURS", 4)
        found = audit(problem, suppressed, intervals="unprotected")
        certificates = certify(problem, suppressed) if found.is_safe else None
    assert [(each.intruder, each.cell, each.reason) for each in found.violations] == [
        (each.intruder, each.cell, each.reason) for each in without.violations
    ]
    assert found.disclosed.tolist() == without.disclosed.tolist()
    assert certificates is None or verify(problem, suppressed, certificates) == ()
