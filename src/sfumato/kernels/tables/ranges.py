"""How far cells can move at most, worked out from one relation after the other."""

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

MAX_CELLS = 12  # of a relation that can move: more of them hardly ever stop one of them
MIN_CHANGE = 1e-3  # of a range: what narrows it by less is not followed further
TOLERANCE = 1e-9  # of what is needed


@compiled
def hold_still(
    line_starts: Integers,
    line_cells: Integers,
    line_signs: Floats,
    cell_starts: Integers,
    cell_lines: Integers,
    cell: int,
    up: Floats,
    down: Floats,
    needed_up: Floats,
    needed_down: Floats,
    max_lines: int,
    is_waiting: Booleans,
    log_cells: Integers,
    log_up: Floats,
    log_down: Floats,
) -> tuple[bool, int]:
    """Narrow the ranges of cells around one that no longer moves, and tell whether all that is needed stays possible.

    What a cell moves, the other cells of each of its relations must make up for. So in sum_i s_i d_i = 0 no s_i d_i can
    exceed what the others can do together. Each range stays at least as wide as the truth: what is called impossible
    is, and what is called possible may not be.

    Parameters
    ----------
    line_starts, line_cells, line_signs
        The cells of each relation one after the other, with their coefficients.
    cell_starts, cell_lines
        The relations of each cell, alike.
    cell
        The cell that no longer moves.
    up, down
        How far each cell can move at most, changed in place; 0 for cells that are published.
    needed_up, needed_down
        How far it must be able to.
    max_lines
        How many relations are looked at.
    is_waiting
        Work space for each relation, all false, and so again in the end.
    log_cells, log_up, log_down
        Work space: each range that was changed, as it was before, in the order of the changes.

    Returns
    -------
    is_possible, changes
        Whether nothing that is needed was found to be impossible, and the length of the log.
    """
    log_cells[0], log_up[0], log_down[0] = cell, up[cell], down[cell]
    changes = 1
    up[cell] = down[cell] = 0.0
    is_possible = needed_up[cell] <= 0.0 and needed_down[cell] <= 0.0
    waiting = [cell_lines[entry] for entry in range(cell_starts[cell], cell_starts[cell + 1])]
    for line in waiting:
        is_waiting[line] = True
    looked_at = 0
    while looked_at < len(waiting) and looked_at < max_lines and is_possible:
        line = waiting[looked_at]
        is_waiting[line] = False
        looked_at += 1
        moving = 0
        for place in range(line_starts[line], line_starts[line + 1]):
            other = line_cells[place]
            moving += up[other] > 0.0 or down[other] > 0.0
        if moving > MAX_CELLS:
            continue
        for place in range(line_starts[line], line_starts[line + 1]):
            narrow = line_cells[place]
            if up[narrow] <= 0.0 and down[narrow] <= 0.0:
                continue
            rise, fall = _what_others_allow(line_starts, line_cells, line_signs, line, place, up, down)
            is_up_less = rise < up[narrow] * (1 - MIN_CHANGE)
            is_down_less = fall < down[narrow] * (1 - MIN_CHANGE)
            if not (is_up_less or is_down_less) or changes == log_cells.size:
                continue
            log_cells[changes], log_up[changes], log_down[changes] = narrow, up[narrow], down[narrow]
            changes += 1
            up[narrow], down[narrow] = min(up[narrow], rise), min(down[narrow], fall)
            if up[narrow] < needed_up[narrow] * (1 - TOLERANCE) or down[narrow] < needed_down[narrow] * (1 - TOLERANCE):
                is_possible = False
                break
            for entry in range(cell_starts[narrow], cell_starts[narrow + 1]):
                if not is_waiting[cell_lines[entry]]:
                    is_waiting[cell_lines[entry]] = True
                    waiting.append(cell_lines[entry])
    for line in waiting[looked_at:]:
        is_waiting[line] = False
    return is_possible, changes


@compiled
def put_back(up: Floats, down: Floats, log_cells: Integers, log_up: Floats, log_down: Floats, changes: int) -> None:
    """Undo the changes of a log; `up` and `down` are changed in place."""
    for change in range(changes - 1, -1, -1):
        up[log_cells[change]], down[log_cells[change]] = log_up[change], log_down[change]


@compiled
def _what_others_allow(
    line_starts: Integers,
    line_cells: Integers,
    line_signs: Floats,
    line: int,
    own: int,
    up: Floats,
    down: Floats,
) -> tuple[float, float]:
    """Return how far the others of a relation let a cell move up and down."""
    rise, fall = 0.0, 0.0
    for place in range(line_starts[line], line_starts[line + 1]):
        if place == own:
            continue
        other, sign = line_cells[place], line_signs[place]
        rise += sign * down[other] if sign > 0.0 else -sign * up[other]
        fall += sign * up[other] if sign > 0.0 else -sign * down[other]
    size = abs(line_signs[own])
    if line_signs[own] < 0.0:
        rise, fall = fall, rise
    return rise / size, fall / size
