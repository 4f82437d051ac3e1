"""Change values one by one while the moments of a file come nearer to those of another, and its IL1 to a target.

The loop of Algorithm 1 of Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002). What a change does is added up from the
changed values alone: no step looks at the rest of the file. Moments and distances are of standardised values.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.kd_tree import Floats, Integers, Tree
from sfumato.kernels.tree_search import find_first, find_near

TIE = 1e-9  # distances that differ by less than this part are equal, and the lowest row is then the nearest
NEGLIGIBLE = 1e-100  # numbers below this count as 0
UNKNOWN = -1.0  # the variation of a record in which original and masked values are all 0


class Terms(NamedTuple):
    """The moments: sums over records of products of standardised values, each divided by a number of records.

    Parameters
    ----------
    factors
        The columns multiplied in each term, shape (t, m); -1 where there are fewer than m.
    starts, members
        The terms in which column j is a factor: `members[starts[j]:starts[j + 1]]`.
    counts
        The number of records in each sum, shape (t,).
    targets
        The moments to come near to, shape (t,).
    """

    factors: Integers
    starts: Integers
    members: Integers
    counts: Floats
    targets: Floats


class Originals(NamedTuple):
    """The original records that masked ones are held against.

    Parameters
    ----------
    points, tree
        Their standardised values, shape (n, d), and the tree of these.
    values
        The values that IL1 compares, shape (n, d).
    means, deviations
        What values are standardised by, shape (d,).
    compares_raw
        Whether IL1 compares the values as they are in the file, and not the standardised ones.
    """

    points: Floats
    tree: Tree
    values: Floats
    means: Floats
    deviations: Floats
    compares_raw: bool


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


class Standing(NamedTuple):
    """How far the climb has come; all of it changes in place.

    Parameters
    ----------
    values, points
        The masked values as they are in the file, and standardised, shape (n, d).
    nearest
        The row of the nearest original record, shape (n,).
    variations
        The mean variation of each record against that one, shape (n,); -1 where there is nothing to compare.
    sums
        The sum of each term, shape (t,).
    figures
        E, the sum of the variations, and the number of records that have one, shape (3,).
    """

    values: Floats
    points: Floats
    nearest: Integers
    variations: Floats
    sums: Floats
    figures: Floats


@compiled
def climb(
    terms: Terms,
    originals: Originals,
    cells: Cells,
    standing: Standing,
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
    standing
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
    longest = 1
    for cell in range(cells.columns.size):
        longest = max(longest, cells.starts[cell + 1] - cells.starts[cell])
    changes = np.empty(terms.factors.shape[0])
    nearest, variations = np.empty(longest, dtype=np.int64), np.empty(longest)
    for step in range(places.size):
        if standing.figures[0] < goal:
            return step, kept
        cell = places[step]
        column, rows = cells.columns[cell], cells.rows[cells.starts[cell] : cells.starts[cell + 1]]
        before, point_before = standing.values[rows[0], column], standing.points[rows[0], column]
        after = _moved(cells, originals, column, point_before + shifts[step])
        if after == before or not _is_allowed(cells, column, after):
            continue
        point = (after - originals.means[column]) / originals.deviations[column]
        error = _error_after(terms, standing, rows, column, point, changes)
        if error >= standing.figures[0]:
            continue
        for row in rows:
            standing.values[row, column], standing.points[row, column] = after, point
        total, known = standing.figures[1], standing.figures[2]
        for place in range(rows.size):
            row = rows[place]
            nearest[place] = nearest_original(originals, standing.points, row, standing.nearest[row])
            variations[place] = compared(originals, standing, row, nearest[place])
            total, known = _exchanged(total, known, standing.variations[row], variations[place])
        if not _is_nearer(standing.figures, total, known, target, tolerance):
            for row in rows:
                standing.values[row, column], standing.points[row, column] = before, point_before
            continue
        standing.nearest[rows], standing.variations[rows] = nearest[: rows.size], variations[: rows.size]
        for position in range(terms.starts[column], terms.starts[column + 1]):
            standing.sums[terms.members[position]] += changes[position - terms.starts[column]]
        standing.figures[0], standing.figures[1], standing.figures[2] = error, total, known
        kept += 1
    return places.size, kept


@compiled
def _moved(cells: Cells, originals: Originals, column: int, point: float) -> float:
    """Return the value in the file of a standardised one."""
    value = originals.means[column] + originals.deviations[column] * point
    return float(np.rint(value)) if cells.is_whole[column] else value


@compiled
def _is_allowed(cells: Cells, column: int, value: float) -> bool:
    """Tell whether a value is inside the range of its column and outside all gaps."""
    if value < cells.lows[column] or value > cells.highs[column]:
        return False
    for gap in range(cells.gaps.shape[0]):
        if cells.gaps[gap, 0] == column and cells.gaps[gap, 1] <= value <= cells.gaps[gap, 2]:
            return False
    return True


@compiled
def _error_after(
    terms: Terms, standing: Standing, rows: Integers, column: int, point: float, changes: Floats
) -> float:
    """Return E as it would be with a standardised value in some rows; `changes` (output) are those of the sums."""
    error = standing.figures[0]
    for position in range(terms.starts[column], terms.starts[column + 1]):
        term = terms.members[position]
        change = 0.0
        for row in rows:
            change += _product(terms, term, standing.points, row, column, point) - _product(
                terms, term, standing.points, row, column, standing.points[row, column]
            )
        changes[position - terms.starts[column]] = change
        away = standing.sums[term] / terms.counts[term] - terms.targets[term]
        shift = change / terms.counts[term]
        error += shift * (2 * away + shift)
    return error


@compiled
def _product(terms: Terms, term: int, points: Floats, row: int, column: int, point: float) -> float:
    """Return the product of a term in one record, with `point` in place of the value of `column`."""
    product = 1.0
    for place in range(terms.factors.shape[1]):
        factor = terms.factors[term, place]
        if factor >= 0:
            product *= point if factor == column else points[row, factor]
    return product


@compiled
def nearest_original(originals: Originals, points: Floats, row: int, guess: int) -> int:
    """Return the row of the original nearest to a masked record, the lowest of equally near ones; a guess saves time."""
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
def compared(originals: Originals, standing: Standing, row: int, nearest: int) -> float:
    """Return the mean variation of a masked record against an original one: sum |x' - x| / |x| over the columns.

    Where x is 0 the divisor is |x'|; where both are 0 the value is left out. -1 where none is left.
    """
    total, known = 0.0, 0
    for j in range(originals.values.shape[1]):
        original = originals.values[nearest, j]
        masked = standing.values[row, j] if originals.compares_raw else standing.points[row, j]
        scale = abs(original) if abs(original) > NEGLIGIBLE else abs(masked)
        if scale > NEGLIGIBLE:
            total += abs(masked - original) / scale
            known += 1
    return total / known if known else UNKNOWN


@compiled
def _exchanged(total: float, known: float, before: float, after: float) -> tuple[float, float]:
    """Return the sum and number of variations with one in place of another."""
    if before != UNKNOWN:
        total, known = total - before, known - 1
    if after != UNKNOWN:
        total, known = total + after, known + 1
    return total, known


@compiled
def _is_nearer(figures: Floats, total: float, known: float, target: float, tolerance: float) -> bool:
    """Tell whether IL1 is near its target or comes nearer to it: rule (h) of the algorithm."""
    away = abs(total / max(known, 1.0) - target)
    return away <= tolerance * target or away < abs(figures[1] / max(figures[2], 1.0) - target)
