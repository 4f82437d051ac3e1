import numpy as np
import pytest

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.audit.components import Component, components
from sfumato.tables.audit.near_tables import NearTables
from tests.tables.audited_problems import crossed, make_problem

NOTHING: Rows = np.empty(0, dtype=np.int64)


@pytest.fixture
def component() -> Component:
    rng = np.random.default_rng(5)
    values, relations = crossed(np.exp(rng.normal(4, 1, (8, 8, 8))).round(2))
    suppressed = np.zeros((9, 9, 9), dtype=np.bool_)
    suppressed[:8, :8, :8] = rng.random((8, 8, 8)) < 0.7
    (found,) = components(make_problem(values, relations, [], upper=float(3 * values.max())), suppressed.ravel())
    return found


def wanted_moves(component: Component, share: float) -> FloatColumn:
    """Return moves of every fifth cell by a share of its value, up and down in turn."""
    wanted = np.zeros(component.cells.size)
    wanted[::5] = share * component.values[::5] * np.where(np.arange(wanted[::5].size) % 2, 1.0, -1.0)
    return wanted


@pytest.mark.parametrize("share", [0.2, 5.0])
def test_a_near_table_adds_up_and_keeps_the_bounds_even_when_too_much_is_wanted(
    component: Component, share: float
) -> None:
    moves = NearTables(component, NOTHING).table(wanted_moves(component, share))
    assert moves is not None
    assert np.abs(component.relations @ moves).max() <= component.tolerance
    assert (component.values + moves >= component.lower - component.tolerance).all()
    assert (component.values + moves <= component.upper + component.tolerance).all()


def test_a_near_table_moves_all_that_is_wanted_where_there_is_room(component: Component) -> None:
    wanted = wanted_moves(component, 0.05)
    moves = NearTables(component, NOTHING).table(wanted)
    assert moves is not None
    assert (np.abs(moves) >= np.abs(wanted)).all()
    assert (moves[wanted != 0] * wanted[wanted != 0] > 0).all()


def test_a_near_table_leaves_known_cells_alone(component: Component) -> None:
    known = np.array([3, 7, 100])
    moves = NearTables(component, known).table(wanted_moves(component, 0.2))
    assert moves is not None
    assert (moves[known] == 0).all()
    assert np.count_nonzero(moves) > component.cells.size / 2
