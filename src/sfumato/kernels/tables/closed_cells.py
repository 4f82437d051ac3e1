"""Cells of a table that can move with one of them: in each of their relations others are among them."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

FRESH = 3.0  # what a relation that no chosen cell is in yet counts, beside the logarithm of what a cell costs
MIN_ROOM = 1e-9  # of the amount: cells with less room cost no more than with so much


@compiled
def closed_cells(
    line_starts: Integers,
    line_cells: Integers,
    cell_starts: Integers,
    cell_lines: Integers,
    costs: Floats,
    floor: float,
    rooms: Floats,
    amount: float,
    start: int,
    width: int,
    most: int,
    is_chosen: Booleans,
    counts: Integers,
) -> Integers:
    """Return up to `most` cells, `start` first, of which each has `width` others in each of its relations.

    A cell moves only with another one in each of its relations, and that one with others in turn. All cells within a
    few steps are very many in tables of several dimensions; here of each relation those are chosen that are cheap,
    have room for the amount, and are in relations that hold chosen cells already, so that soon nothing is lacking.

    Parameters
    ----------
    line_starts, line_cells
        The cells of each relation, one after the other: line i has those from `line_starts[i]` to the next.
    cell_starts, cell_lines
        The relations of each cell, alike.
    costs, floor
        What moving each cell costs, infinite where it stands still; and what is added to each cost.
    rooms, amount
        How far each cell can move, and how far it should: with less room it costs as many times more.
    start, width, most
        The first cell, how many others each relation shall have, and how many cells to return at most.
    is_chosen, counts
        Work space, false for each cell and 0 for each relation, and so again in the end.
    """
    chosen = [np.int64(start)]
    is_chosen[start] = True
    lines = [cell_lines[entry] for entry in range(cell_starts[start], cell_starts[start + 1])]
    for line in lines:
        counts[line] = 1
    seen = 0
    while seen < len(lines) and len(chosen) < most:
        line = lines[seen]
        seen += 1
        first, lacking = line_starts[line], width + 1 - counts[line]
        if lacking <= 0:
            continue
        keys = np.full(line_starts[line + 1] - first, np.inf)
        for place in range(keys.size):
            cell = line_cells[first + place]
            if is_chosen[cell] or costs[cell] == np.inf:
                continue
            fresh = 0
            for entry in range(cell_starts[cell], cell_starts[cell + 1]):
                fresh += counts[cell_lines[entry]] == 0
            share = max(1.0, amount / max(rooms[cell], MIN_ROOM * amount))
            keys[place] = FRESH * fresh + np.log((costs[cell] + floor) * share)
        for _ in range(lacking):
            best = np.argmin(keys)
            if keys[best] == np.inf:
                break
            keys[best] = np.inf
            cell = line_cells[first + best]
            is_chosen[cell] = True
            chosen.append(cell)
            for entry in range(cell_starts[cell], cell_starts[cell + 1]):
                if counts[cell_lines[entry]] == 0:
                    lines.append(cell_lines[entry])
                counts[cell_lines[entry]] += 1
    for line in lines:
        counts[line] = 0
    for cell in chosen:
        is_chosen[cell] = False
    return np.array(chosen)
