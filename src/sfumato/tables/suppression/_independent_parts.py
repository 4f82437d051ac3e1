"""The parts of a problem that have nothing to do with each other, each a smaller problem of its own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatMatrix, Rows
from sfumato.tables.problem.problem import NOBODY_KNOWS, OUTSIDER, Problem
from sfumato.tables.suppression._infeasibility import check_movable

MAX_ROOM = 1000.0  # times the largest level: as far as a cell is let move; more would help no other cell
WIDEST_SCALE = 1e6  # the largest level in units of the smallest, as far as the scale is set by the smallest


@dataclass(frozen=True, eq=False)
class Part:
    """A problem whose cells can move without moving any other, and which cells of the whole they are.

    Its values, bounds and levels are scaled so that the solver's tolerances are small beside the smallest level.
    """

    problem: Problem
    cells: Rows


def independent_parts(problem: Problem) -> list[Part]:
    """Return the parts that hold primaries, without the cells that cannot move; all rooms are finite.

    Published cells, and cells that follow from them, move in no pattern. What remains falls apart into the connected
    components of cells and relations.
    """
    from scipy.sparse import block_array
    from scipy.sparse.csgraph import connected_components

    movable = movable_cells(problem)
    check_movable(problem, movable)
    relations = problem.relations[:, np.flatnonzero(movable)]
    lines, cells = relations.shape
    if cells == 0:
        return []
    graph = block_array([[None, abs(relations)], [abs(relations).T, None]]) if lines else np.zeros((cells, cells))
    numbers = np.full(problem.size, -1)
    numbers[movable] = connected_components(graph, directed=False)[1][lines:]
    asked = np.unique(numbers[problem.primaries])
    return [_part(problem, np.flatnonzero(numbers == number)) for number in asked if number >= 0]


def movable_cells(problem: Problem) -> Booleans:
    """Return which cells can move when everything is suppressed that may be, as far as single relations tell."""
    movable = ~problem.must_publish & (problem.room_above + problem.room_below > 0)
    pattern = abs(problem.relations)
    while True:
        lone = pattern @ movable.astype(np.float64) == 1
        fixed = movable & (pattern.T @ lone.astype(np.float64) > 0)
        if not fixed.any():
            return movable
        movable = movable & ~fixed


def _part(problem: Problem, cells: Rows) -> Part:
    lines = np.flatnonzero(abs(problem.relations[:, cells]).sum(axis=1))
    places = np.full(problem.size, -1)
    places[cells] = np.arange(cells.size)
    here = places[problem.primaries] >= 0
    unit = _unit(problem.levels_for(problem.one_of_each)[..., here])
    levels = problem.levels_for(OUTSIDER)[:, here] / unit
    room = MAX_ROOM * float(levels.max(initial=1.0))
    values = problem.values[cells] / unit
    intruders, spared, only_exact = _intruders(problem, places)
    smaller = Problem(
        values=values,
        relations=problem.relations[lines][:, cells],
        lower=values - np.minimum(problem.room_below[cells] / unit, room),
        upper=values + np.minimum(problem.room_above[cells] / unit, room),
        costs=problem.costs[cells],
        primaries=places[problem.primaries[here]],
        upper_levels=levels[0],
        lower_levels=levels[1],
        sliding_levels=levels[2],
        must_suppress=problem.must_suppress[cells],
        must_publish=problem.must_publish[cells],
        intruders=intruders,
        names=tuple(problem.cell_name(int(cell)) for cell in cells),
        spared=spared,
        only_exact=only_exact,
    )
    return Part(smaller, cells)


def _unit(levels: FloatMatrix) -> float:
    """Return what to measure in: the smallest level, unless the largest is beyond all comparison with it."""
    smallest = float(levels.min(where=levels > 0, initial=np.inf))
    return max(smallest, float(levels.max()) / WIDEST_SCALE) if np.isfinite(smallest) else 1.0


def _intruders(problem: Problem, places: Any) -> tuple[tuple[Rows, ...], tuple[Rows, ...], tuple[bool, ...]]:
    """Return what intruders know of a part, are spared in it, and whether they are only kept from exact values.

    Who knows nothing of the part is the outsider. Those who know the same, and are kept at the same levels, are one:
    spared are the primaries that all of them are.
    """
    spared: dict[tuple[tuple[int, ...], bool], set[int]] = {}
    for number, known in enumerate(problem.intruders):
        cells = tuple(np.unique(places[known][places[known] >= 0]).tolist())
        who = cells, bool(problem.only_exact) and problem.only_exact[number]
        open_to = set(places[problem.open_to(number)].tolist()) - {-1, *cells}
        spared[who] = spared.get(who, open_to) & open_to
    insiders = sorted(who for who in spared if who[0])
    return (
        (NOBODY_KNOWS, *(np.array(cells, dtype=np.int64) for cells, _ in insiders)),
        (NOBODY_KNOWS, *(np.array(sorted(spared[who]), dtype=np.int64) for who in insiders)),
        (False, *(is_exact for _, is_exact in insiders)),
    )
