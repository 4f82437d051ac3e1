"""Change values one by one while a weighted sum of information loss and disclosure risk falls and no risk rises.

A change is priced by what it alters: only the records that it touches are linked again, only ranks between the old and
the new value are counted again, and the moments are sums.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.improvement.hill_climbing import Cells, Originals, is_allowed, nearest_original, value_in_file
from sfumato.kernels.improvement.link_shares import link_share
from sfumato.kernels.improvement.moment_losses import OriginalMoments, moment_losses
from sfumato.kernels.improvement.rank_counts import Ranks, count_gained
from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variation
from sfumato.numerics.arrays import Floats, Integers

VARIATIONS, KNOWN, LINKS, HELD, SCORE = range(5)  # the places in `figures`
LEAST = 1e-9  # what the weighted sum must fall by: less is rounding


class ScoreTargets(NamedTuple):
    """What is to fall, and what must not rise.

    Parameters
    ----------
    loss_weight, linkage_weight, interval_weight
        The weights of IL, DLD and ID, all as shares.
    max_links, max_held
        The sum of the link shares, and the number of intervals with their original value, that may not be exceeded.
    seeks_nearest
        Whether masked records are compared with their nearest originals, which change as they do.
    """

    loss_weight: float
    linkage_weight: float
    interval_weight: float
    max_links: float
    max_held: float
    seeks_nearest: bool


class ScoreClimbState(NamedTuple):
    """How far the climb has come; all of it changes in place.

    Parameters
    ----------
    values, points
        The masked values as they are in the file, and standardised, shape (m, d).
    right
        The row of the original that each masked record is compared with, shape (m,).
    variations
        The mean variation of each record against that one, shape (m,).
    sums, products
        Of the standardised values, shape (d,), and of each two columns, shape (d, d).
    links
        The chance that the right original is linked when the first 1, 2, ... columns are known, shape (m, k).
    nearer
        An original that was found nearer than the right one, by the same columns, shape (m, k).
    ranks
        The masked values among each other.
    figures
        The sum of the variations and how many are known, the sum of `links`, how many intervals hold their original
        value, and the weighted sum, shape (5,).
    """

    values: Floats
    points: Floats
    right: Integers
    variations: Floats
    sums: Floats
    products: Floats
    links: Floats
    nearer: Integers
    ranks: Ranks
    figures: Floats


@compiled
def climb_score(
    moments: OriginalMoments,
    originals: Originals,
    cells: Cells,
    targets: ScoreTargets,
    state: ScoreClimbState,
    places: Integers,
    shifts: Floats,
) -> int:
    """Try one change after another and keep those that lower the weighted sum and raise no risk.

    Parameters
    ----------
    moments, originals
        The original file.
    cells
        What may change.
    targets
        What decides.
    state
        Input and output.
    places, shifts
        For each try the cell, and how far its value is to move in standard deviations.

    Returns
    -------
    How many changes were kept.
    """
    kept = 0
    for step in range(places.size):
        cell = places[step]
        column, rows = cells.columns[cell], cells.rows[cells.starts[cell] : cells.starts[cell + 1]]
        before = state.values[rows[0], column]
        after = value_in_file(cells, originals, column, state.points[rows[0], column] + shifts[step])
        if after == before or not is_allowed(cells, column, after):
            continue
        _put(originals, state, rows, column, after)
        if _is_kept(moments, originals, targets, state, rows, column, after):
            kept += 1
        else:
            _put(originals, state, rows, column, before)
    return kept


@compiled
def weighted_sum(moments: OriginalMoments, targets: ScoreTargets, state: ScoreClimbState, figures: Floats) -> float:
    """Return the weighted sum of IL, DLD and ID as shares, with the moments of the state and these figures."""
    m, d = state.values.shape
    parts = moment_losses(moments, state.sums, state.products, m)
    loss = (figures[VARIATIONS] / max(figures[KNOWN], 1.0) + parts[0] + parts[1] + parts[2] + parts[3]) / 5
    linkage = figures[LINKS] / state.links.size
    disclosure = figures[HELD] / (m * d * state.ranks.holding[0])
    return float(targets.loss_weight * loss + targets.linkage_weight * linkage + targets.interval_weight * disclosure)


@compiled
def _put(originals: Originals, state: ScoreClimbState, rows: Integers, column: int, value: float) -> None:
    """Put a value into some rows; sums and products follow."""
    point = (value - originals.means[column]) / originals.deviations[column]
    for row in rows:
        change = point - state.points[row, column]
        state.sums[column] += change
        state.products[column, column] += change * (point + state.points[row, column])
        for other in range(state.sums.size):
            if other != column:
                state.products[column, other] += change * state.points[row, other]
                state.products[other, column] = state.products[column, other]
        state.values[row, column], state.points[row, column] = value, point


@compiled
def _is_kept(
    moments: OriginalMoments,
    originals: Originals,
    targets: ScoreTargets,
    state: ScoreClimbState,
    rows: Integers,
    column: int,
    after: float,
) -> bool:
    """Tell whether a change that was put in is kept; if so, the rest of the state follows."""
    right, variations = state.right[rows], np.empty(rows.size)
    figures = state.figures.copy()
    for place in range(rows.size):
        row = rows[place]
        if targets.seeks_nearest:
            right[place] = nearest_original(originals, state.points, row, right[place])
        variations[place] = record_variation(originals.compared, right[place], state.values, row)
        _exchange(figures, state.variations[row], variations[place])
        figures[LINKS] -= state.links[row].sum()
    sought = originals.compared[right].T
    figures[HELD] += count_gained(state.ranks, column, rows, after, sought, False)
    most = state.figures[SCORE] - LEAST
    # without the links of these records the sum is as low as it can become
    if figures[HELD] > targets.max_held or weighted_sum(moments, targets, state, figures) > most:
        return False
    links = state.links[rows]
    for place in range(rows.size):
        row = rows[place]
        first = 0 if right[place] != state.right[row] else column
        for known in range(first + 1, links.shape[1] + 1):
            links[place, known - 1] = link_share(
                originals.points, state.points, row, right[place], known, state.nearer[row]
            )
    figures[LINKS] += links.sum()
    figures[SCORE] = weighted_sum(moments, targets, state, figures)
    if figures[LINKS] > targets.max_links or figures[SCORE] > most:
        return False
    count_gained(state.ranks, column, rows, after, sought, True)
    state.right[rows], state.variations[rows], state.figures[:] = right, variations, figures
    for place in range(rows.size):
        state.links[rows[place]] = links[place]
    return True


@compiled
def _exchange(figures: Floats, before: float, after: float) -> None:
    """Put one variation in place of another in the figures (output)."""
    if before != UNKNOWN:
        figures[VARIATIONS] -= before
        figures[KNOWN] -= 1
    if after != UNKNOWN:
        figures[VARIATIONS] += after
        figures[KNOWN] += 1
