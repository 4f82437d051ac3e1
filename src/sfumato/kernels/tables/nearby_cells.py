"""Cells of a table around one of them, and the relations that tie them together."""

from heapq import heappop, heappush

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers, SmallIntegers


@compiled
def nearest_cells(
    line_starts: Integers,
    line_cells: Integers,
    cell_starts: Integers,
    cell_lines: Integers,
    costs: Floats,
    unit: float,
    start: int,
    farthest: float,
    most: int,
    is_out: Booleans,
    is_line_out: Booleans,
) -> Integers:
    """Return up to `most` cells, `start` first, by how little it costs to come to them.

    Parameters
    ----------
    line_starts, line_cells
        The cells of each relation, one after the other: line i has those from `line_starts[i]` to the next.
    cell_starts, cell_lines
        The relations of each cell, alike.
    costs
        What stepping on each cell costs; one steps between cells of one relation. Infinite where nobody may step.
    unit
        With 0 costs count as they are. Otherwise a step counts 1 + log(1 + cost / unit), so that few steps count more
        than cheap ones.
    start, farthest, most
        The first cell, how much coming to a cell may cost, and how many cells to return at most.
    is_out, is_line_out
        Work space, all false, and so again in the end: for each cell and for each relation.
    """
    found = np.empty(most, np.int64)
    lines = [np.int64(0) for _ in range(0)]
    seen = [np.int64(start)]
    heap = [(0.0, np.int64(start))]
    is_out[start] = True
    count = 0
    while heap and count < most:
        distance, cell = heappop(heap)
        found[count] = cell
        count += 1
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            line = cell_lines[entry]
            if is_line_out[line]:
                continue
            is_line_out[line] = True
            lines.append(line)
            for place in range(line_starts[line], line_starts[line + 1]):
                near = line_cells[place]
                if is_out[near] or costs[near] == np.inf:
                    continue
                step = costs[near] if unit == 0.0 else 1.0 + np.log1p(costs[near] / unit)
                if distance + step <= farthest:  # relations come by distance: the first way to a cell is the shortest
                    is_out[near] = True
                    seen.append(near)
                    heappush(heap, (distance + step, near))
    for line in lines:
        is_line_out[line] = False
    for cell in seen:
        is_out[cell] = False
    return found[:count]


@compiled
def tied_cells(
    line_starts: Integers,
    line_cells: Integers,
    cell_starts: Integers,
    cell_lines: Integers,
    signs: Floats,
    costs: Floats,
    cells: Integers,
    with_outside: bool,
    counts: Integers,
    places: Integers,
) -> tuple[Integers, SmallIntegers, SmallIntegers, Floats, int]:
    """Return those of some cells that can move if all others stand still, and the matrix of their relations.

    A cell that is alone in a relation cannot move; without it others may be alone.

    Parameters
    ----------
    line_starts, line_cells, cell_starts, cell_lines, costs
        As in `nearest_cells`.
    signs
        The coefficient of each entry of `cell_lines`.
    cells
        The cells.
    with_outside
        Whether the cells outside move as they like instead: relations that hold some of them then say nothing. Cells
        of infinite cost never move.
    counts, places
        Work space: 0 for each relation and -1 for each cell, and so again in the end.

    Returns
    -------
    cells, starts, rows, signs, lines
        The cells that can move; where each begins in `rows` and `signs`, its relations (renumbered) and
        coefficients; and how many relations there are.
    """
    for cell in cells:
        places[cell] = 0
    for cell in cells:
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            counts[cell_lines[entry]] += 1
    if with_outside:
        for cell in cells:
            for entry in range(cell_starts[cell], cell_starts[cell + 1]):
                line = cell_lines[entry]
                if counts[line] > 0:
                    for place in range(line_starts[line], line_starts[line + 1]):
                        other = line_cells[place]
                        if places[other] < 0 and costs[other] < np.inf:
                            counts[line] = -1
                            break
    _drop_lone(line_starts, line_cells, cell_starts, cell_lines, cells, counts, places)
    kept = np.array([cell for cell in cells if places[cell] == 0], dtype=np.int64)
    starts = np.zeros(kept.size + 1, np.int32)
    size = 0
    for cell in kept:
        size += cell_starts[cell + 1] - cell_starts[cell]
    rows, coefficients = np.empty(size, np.int32), np.empty(size, np.float64)
    lines, filled = 0, 0
    for number, cell in enumerate(kept):
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            line = cell_lines[entry]
            if counts[line] == -1:
                continue
            if counts[line] > 0:
                counts[line] = -2 - lines
                lines += 1
            rows[filled], coefficients[filled] = -2 - counts[line], signs[entry]
            filled += 1
        starts[number + 1] = filled
    for cell in cells:
        places[cell] = -1
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            counts[cell_lines[entry]] = 0
    return kept, starts, rows[:filled], coefficients[:filled], lines


@compiled
def _drop_lone(
    line_starts: Integers,
    line_cells: Integers,
    cell_starts: Integers,
    cell_lines: Integers,
    cells: Integers,
    counts: Integers,
    places: Integers,
) -> None:
    """Mark with 1 in `places` the cells that are alone in a relation once others are dropped; `counts` follow."""
    waiting = list(cells)
    while waiting:
        cell = waiting.pop()
        if places[cell] != 0:
            continue
        is_lone = False
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            is_lone |= counts[cell_lines[entry]] == 1
        if not is_lone:
            continue
        places[cell] = 1
        for entry in range(cell_starts[cell], cell_starts[cell + 1]):
            line = cell_lines[entry]
            if counts[line] > 0:
                counts[line] -= 1
            if counts[line] == 1:
                for place in range(line_starts[line], line_starts[line + 1]):
                    if places[line_cells[place]] == 0:
                        waiting.append(line_cells[place])
