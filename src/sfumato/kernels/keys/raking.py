"""Iterative proportional fitting: scale the cells of a table until all its margins are the wanted ones."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers, SmallIntegers


@compiled
def fit_margins(
    cells: Floats, places: SmallIntegers, wanted: Floats, starts: Integers, tolerance: float, max_rounds: int
) -> tuple[int, float]:
    """Scale `cells` (output) margin by margin; return the rounds that it took and how far the margins are still off.

    Parameters
    ----------
    cells
        Input and output: where to start from, ones without other knowledge, shape (n,).
    places
        For each margin the entry that each cell adds to, numbered over all margins, shape (margins, n).
    wanted
        What the entries should be, those of one margin after another; above 0.
    starts
        Where the entries of each margin start in `wanted`, and where the last ends, shape (margins + 1,).
    tolerance
        The largest difference of an entry at which to stop.
    max_rounds
        After so many rounds over all margins to stop anyway.
    """
    totals = np.empty_like(wanted)
    off = np.inf
    for turn in range(max_rounds):
        off = 0.0
        for margin in range(len(places)):
            place, first, end = places[margin], starts[margin], starts[margin + 1]
            totals[first:end] = 0.0
            for cell in range(cells.size):
                totals[place[cell]] += cells[cell]
            for entry in range(first, end):
                off = max(off, abs(totals[entry] - wanted[entry]))
                totals[entry] = wanted[entry] / totals[entry] if totals[entry] > 0 else 0.0
            for cell in range(cells.size):
                cells[cell] *= totals[place[cell]]
        if off <= tolerance:
            return turn + 1, off
    return max_rounds, off
