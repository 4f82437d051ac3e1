"""Change values one by one while the moments of a file come nearer to those of another, and its IL1 to a target.

The loop of Algorithm 1 of Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002). What a change does is added up from the
changed values alone: no step looks at the rest of the file. Moments and distances are of standardised values.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variation
from sfumato.kernels.neighbours.kd_tree import Tree
from sfumato.kernels.neighbours.tree_search import find_first, find_near
from sfumato.numerics.arrays import Floats, Integers

TIE = 1e-9  # distances that differ by less than this part are equal, and the lowest row is then the nearest


class Terms(NamedTuple):
    """The moments: sums over records of products of standardised values, divided by the number of records.

    Parameters
    ----------
    factors
        The columns multiplied in each term, shape (t, m); -1 where there are fewer than m.
    starts, members
        The terms in which column j is a factor: `members[starts[j]:starts[j + 1]]`.
    targets
        The moments to come near to, shape (t,).
    """

    factors: Integers
    starts: Integers
    members: Integers
    targets: Floats


class Originals(NamedTuple):
    """The original records that masked ones are compared with.

    Parameters
    ----------
    points, tree
        Their standardised values, shape (n, d), and the tree of these.
    compared
        The values that IL1 compares, raw or standardised, shape (n, d).
    means, deviations
        What values are standardised by, shape (d,).
    """

    points: Floats
    tree: Tree
    compared: Floats
    means: Floats
    deviations: Floats


class Cells(NamedTuple):
    """The values that may change, each in one record, or in several records that share it.

    Parameters
    ----------
    columns
        The column of each cell, shape (c,).
    starts, rows
        The records of cell c: `rows[starts[c]:starts[c + 1]]`.
    lows, highs
        The range that the values of a column stay in, shape (d,).
    is_whole
        Whether the values of a column are whole numbers, shape (d,).
    gaps
        Values that nothing may become: column, low and high end of each closed range, shape (g, 3).
    """

    columns: Integers
    starts: Integers
    rows: Integers
    lows: Floats
    highs: Floats
    is_whole: Integers
    gaps: Floats


class MomentClimbState(NamedTuple):
    """How far the climb has come; all of it changes in place.

    Parameters
    ----------
    values, points
        The masked values as they are in the file, and standardised, shape (n, d).
    compared
        The one of these two that IL1 compares: the same array again.
    nearest
        The row of the nearest original record, shape (n,).
    variations
        The mean variation of each record against that one, shape (n,); `UNKNOWN` where there is none.
    sums
        The sum of each term, shape (t,).
    figures
        E, the sum of the variations, the number of records that have one, and that of the terms' records, shape (4,).
    """

    values: Floats
    points: Floats
    compared: Floats
    nearest: Integers
    variations: Floats
    sums: Floats
    figures: Floats


@compiled
def climb(
    terms: Terms,
    originals: Originals,
    cells: Cells,
    state: MomentClimbState,
    target: float,
    tolerance: float,
    goal: float,
    places: Integers,
    shifts: Floats,
) -> tuple[int, int]:
    """Try one change after another, keep those that the rules allow; stop when E is below its goal.

    Parameters
    ----------
    terms, originals, cells
        The moments, the records to compare with, and what may change.
    state
        Input and output.
    target, tolerance
        The IL1 to come near to, as a share, and how far from it, in parts of it, is near enough.
    goal
        The E to come below.
    places, shifts
        For each try the cell, and how far its value is to move in standard deviations.

    Returns
    -------
    How many changes were tried and kept.
    """
    kept = 0
    changes = np.empty(len(terms.factors))
    for step in range(places.size):
        if state.figures[0] < goal:
            return step, kept
        cell = places[step]
        column, rows = cells.columns[cell], cells.rows[cells.starts[cell] : cells.starts[cell + 1]]
        before = state.values[rows[0], column]
        after = value_in_file(cells, originals, column, state.points[rows[0], column] + shifts[step])
        if after == before or not is_allowed(cells, column, after):
            continue
        point = (after - originals.means[column]) / originals.deviations[column]
        error = _error_after(terms, state, rows, column, point, changes)
        # a change that E forbids is undone whatever IL1 says, so its neighbours need not be looked up
        if error < state.figures[0] and _is_kept(originals, state, rows, column, after, point, target, tolerance):
            state.figures[0] = error
            for place in range(terms.starts[column], terms.starts[column + 1]):
                state.sums[terms.members[place]] += changes[place - terms.starts[column]]
            kept += 1
    return places.size, kept


@compiled
def value_in_file(cells: Cells, originals: Originals, column: int, point: float) -> float:
    """Return the value in the file of a standardised one."""
    value = originals.means[column] + originals.deviations[column] * point
    return float(np.rint(value)) if cells.is_whole[column] else value


@compiled
def is_allowed(cells: Cells, column: int, value: float) -> bool:
    """Tell whether a value is inside the range of its column and outside all gaps."""
    if value < cells.lows[column] or value > cells.highs[column]:
        return False
    for gap in range(len(cells.gaps)):
        if cells.gaps[gap, 0] == column and cells.gaps[gap, 1] <= value <= cells.gaps[gap, 2]:
            return False
    return True


@compiled
def _error_after(
    terms: Terms, state: MomentClimbState, rows: Integers, column: int, point: float, changes: Floats
) -> float:
    """Return E as it would be with a standardised value in some rows; `changes` (output) are those of the sums."""
    error, n = state.figures[0], state.figures[3]
    for place in range(terms.starts[column], terms.starts[column + 1]):
        term = terms.members[place]
        change = 0.0
        for row in rows:
            change += _product(terms.factors, term, state.points, row, column, point)
            change -= _product(terms.factors, term, state.points, row, column, state.points[row, column])
        changes[place - terms.starts[column]] = change
        away, shift = state.sums[term] / n - terms.targets[term], change / n
        error += shift * (2 * away + shift)
    return float(error)


@compiled
def _product(factors: Integers, term: int, points: Floats, row: int, column: int, point: float) -> float:
    """Return the product of a term in one record, with `point` in place of the value of `column`."""
    product = 1.0
    for place in range(factors.shape[1]):
        factor = factors[term, place]
        if factor >= 0:
            product *= point if factor == column else points[row, factor]
    return product


@compiled
def _is_kept(
    originals: Originals,
    state: MomentClimbState,
    rows: Integers,
    column: int,
    after: float,
    point: float,
    target: float,
    tolerance: float,
) -> bool:
    """Put a value into some rows and keep it if IL1 is near its target or comes nearer: rule (h) of the algorithm."""
    before, point_before = state.values[rows[0], column], state.points[rows[0], column]
    nearest, variations = np.empty_like(rows), np.empty(rows.size)
    total, known = state.figures[1], state.figures[2]
    for place in range(rows.size):
        row = rows[place]
        state.values[row, column], state.points[row, column] = after, point
        nearest[place] = nearest_original(originals, state.points, row, state.nearest[row])
        variations[place] = record_variation(originals.compared, nearest[place], state.compared, row)
        total, known = _replace_variation(total, known, state.variations[row], variations[place])
    away = abs(total / max(known, 1.0) - target)
    if away > tolerance * target and away >= abs(state.figures[1] / max(state.figures[2], 1.0) - target):
        for row in rows:
            state.values[row, column], state.points[row, column] = before, point_before
        return False
    state.nearest[rows], state.variations[rows] = nearest, variations
    state.figures[1], state.figures[2] = total, known
    return True


@compiled
def nearest_original(originals: Originals, points: Floats, row: int, guess: int) -> int:
    """Return the row of the original nearest to a masked record, the lowest of equally near ones, given a guess."""
    query = points[row : row + 1]
    away = 0.0
    for j in range(query.shape[1]):
        away += (originals.points[guess, j] - query[0, j]) ** 2
    rows, near = np.full((1, 1), guess), np.full((1, 1), away)
    find_near(originals.tree, 2, query, rows, near)
    first, upper = rows[:, 0].copy(), near[:, 0] * (1 + TIE)
    find_first(originals.tree, 2, query, upper, first)
    return int(first[0])


@compiled
def _replace_variation(total: float, known: float, before: float, after: float) -> tuple[float, float]:
    """Return the sum and number of variations with one in place of another."""
    if before != UNKNOWN:
        total, known = total - before, known - 1
    if after != UNKNOWN:
        total, known = total + after, known + 1
    return total, known
