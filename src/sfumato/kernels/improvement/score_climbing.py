"""Change values one by one while a weighted sum of information loss and disclosure risk falls and no risk rises.

What a change does is added up: only the records that it touches are linked anew, only ranks between the old and the new
value are counted anew, and the moments are sums.
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


class Aims(NamedTuple):
    """What is to fall, and what must not rise.

    Parameters
    ----------
    loss_weight, linkage_weight, interval_weight
        The weights of IL, DLD and ID, all as shares.
    most_links, most_held
        The sum of the link shares, and the number of intervals with their original value, that may not be exceeded.
    seeks_nearest
        Whether masked records are held against their nearest originals, which change as they do.
    """

    loss_weight: float
    linkage_weight: float
    interval_weight: float
    most_links: float
    most_held: float
    seeks_nearest: bool


class Footing(NamedTuple):
    """How far the climb has come; all of it changes in place.

    Parameters
    ----------
    values, points
        The masked values as they are in the file, and standardised, shape (m, d).
    right
        The row of the original that each masked record is held against, shape (m,).
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
    aims: Aims,
    footing: Footing,
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
    aims
        What decides.
    footing
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
        before = footing.values[rows[0], column]
        after = value_in_file(cells, originals, column, footing.points[rows[0], column] + shifts[step])
        if after == before or not is_allowed(cells, column, after):
            continue
        _put(originals, footing, rows, column, after)
        if _is_kept(moments, originals, aims, footing, rows, column, after):
            kept += 1
        else:
            _put(originals, footing, rows, column, before)
    return kept


@compiled
def weighted_sum(moments: OriginalMoments, aims: Aims, footing: Footing, figures: Floats) -> float:
    """Return the weighted sum of IL, DLD and ID as shares, with the moments of the footing and these figures."""
    m, d = footing.values.shape
    parts = moment_losses(moments, footing.sums, footing.products, m)
    loss = (figures[VARIATIONS] / max(figures[KNOWN], 1.0) + parts[0] + parts[1] + parts[2] + parts[3]) / 5
    linkage = figures[LINKS] / footing.links.size
    disclosure = figures[HELD] / (m * d * footing.ranks.holding[0])
    return float(aims.loss_weight * loss + aims.linkage_weight * linkage + aims.interval_weight * disclosure)


@compiled
def _put(originals: Originals, footing: Footing, rows: Integers, column: int, value: float) -> None:
    """Put a value into some rows; sums and products follow."""
    point = (value - originals.means[column]) / originals.deviations[column]
    for row in rows:
        change = point - footing.points[row, column]
        footing.sums[column] += change
        footing.products[column, column] += change * (point + footing.points[row, column])
        for other in range(footing.sums.size):
            if other != column:
                footing.products[column, other] += change * footing.points[row, other]
                footing.products[other, column] = footing.products[column, other]
        footing.values[row, column], footing.points[row, column] = value, point


@compiled
def _is_kept(
    moments: OriginalMoments,
    originals: Originals,
    aims: Aims,
    footing: Footing,
    rows: Integers,
    column: int,
    after: float,
) -> bool:
    """Tell whether a change that was put in is kept; if so, the rest of the footing follows."""
    right, variations = footing.right[rows], np.empty(rows.size)
    figures = footing.figures.copy()
    for place in range(rows.size):
        row = rows[place]
        if aims.seeks_nearest:
            right[place] = nearest_original(originals, footing.points, row, right[place])
        variations[place] = record_variation(originals.compared, right[place], footing.values, row)
        _exchange(figures, footing.variations[row], variations[place])
        figures[LINKS] -= footing.links[row].sum()
    sought = originals.compared[right].T
    figures[HELD] += count_gained(footing.ranks, column, rows, after, sought, False)
    most = footing.figures[SCORE] - LEAST
    # without the links of these records the sum is as low as it can become
    if figures[HELD] > aims.most_held or weighted_sum(moments, aims, footing, figures) > most:
        return False
    links = footing.links[rows]
    for place in range(rows.size):
        row = rows[place]
        first = 0 if right[place] != footing.right[row] else column
        for known in range(first + 1, links.shape[1] + 1):
            links[place, known - 1] = link_share(
                originals.points, footing.points, row, right[place], known, footing.nearer[row]
            )
    figures[LINKS] += links.sum()
    figures[SCORE] = weighted_sum(moments, aims, footing, figures)
    if figures[LINKS] > aims.most_links or figures[SCORE] > most:
        return False
    count_gained(footing.ranks, column, rows, after, sought, True)
    footing.right[rows], footing.variations[rows], footing.figures[:] = right, variations, figures
    for place in range(rows.size):
        footing.links[rows[place]] = links[place]
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
