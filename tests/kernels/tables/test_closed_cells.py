"""Cells that are chosen to move with one: each relation of theirs has others, cheap ones with room first."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.tables.closed_cells import closed_cells
from tests.kernels.tables.test_nearby_cells import drawn, graph


def closed(relations: Any, costs: Any, *, width: int, most: int = 99, rooms: Any = None, amount: float = 1.0) -> Any:
    lines, cells = relations.shape
    work = np.zeros(cells, dtype=np.bool_), np.zeros(lines, dtype=np.int64)
    rooms = np.full(cells, 9.0) if rooms is None else rooms
    found = closed_cells(*graph(relations), costs, 0.1, rooms, amount, 0, width, most, *work)
    assert not work[0].any()
    assert not work[1].any()
    return found


def cube(dimensions: int) -> Any:
    """Return the relations of a table of three parts and a total in each dimension."""
    sums, still = np.array([[1.0, 1, 1, -1]]), np.eye(4)
    rows = []
    for summed in range(dimensions):
        product = np.ones((1, 1))
        for dimension in range(dimensions):
            product = np.kron(product, sums if dimension == summed else still)
        rows.append(product)
    return np.vstack(rows)


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_each_relation_of_a_chosen_cell_has_so_many_others_unless_it_lacks_them(seed: int, width: int) -> None:
    relations, costs = drawn(seed)
    found = closed(relations, costs, width=width)
    assert found[0] == 0
    assert np.unique(found).size == found.size
    assert np.isfinite(costs[found[1:]]).all()
    for line in relations[relations[:, found].any(axis=1)]:
        chosen = int(np.count_nonzero(line[found]))
        movable = int(np.count_nonzero(line[np.isfinite(costs) | (np.arange(9) == 0)]))
        assert chosen >= min(width + 1, movable)


def test_one_other_in_each_relation_of_four_dimensions_makes_a_cube_of_sixteen() -> None:
    assert closed(cube(4), np.ones(256), width=1).size == 16


def test_no_more_cells_are_chosen_than_are_asked_for_but_for_those_of_one_relation() -> None:
    assert 20 <= closed(cube(4), np.ones(256), width=3, most=20).size < 23


def test_cheap_cells_are_chosen_first_and_those_without_room_last() -> None:
    line = np.array([[1.0, 1, 1, 1, -1]])
    costs = np.array([1.0, 5, 2, 1, 9])
    assert closed(line, costs, width=2).tolist() == [0, 3, 2]
    rooms = np.array([9.0, 9, 9, 0.01, 9])
    assert closed(line, costs, width=2, rooms=rooms).tolist() == [0, 2, 1]
