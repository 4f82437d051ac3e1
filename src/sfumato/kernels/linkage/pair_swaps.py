"""Correct marginals of matchings by belief propagation for pairs of rows that may have changed places.

Along a cycle of rows and columns, belief propagation leaves only the likelier of two matchings (see
`belief_propagation`). The shortest cycles matter most: two rows, each with the column that is likeliest for it, and the
same two with these exchanged. Given all other rows, the second is as many times as likely as

    R = f_ib f_ja / (f_ia f_jb),

so that row i has column a with probability 1 / (1 + the sum of R over all j) at most.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

LIKELY = 0.5  # a marginal from which a row counts as having its column


@compiled
def allow_swaps(
    rows: Integers,
    candidates: Integers,
    weights: Floats,
    row_counts: Integers,
    column_counts: Integers,
    owners: Integers,
    marginals: Floats,
) -> None:
    """Lower the likeliest marginal of each row to what swaps with another row leave of it.

    Parameters
    ----------
    rows
        The rows of a component.
    candidates, weights, row_counts, column_counts
        As in `matching_marginals`, the weights as shares of the best in their row.
    owners
        Scratch, one entry for each column.
    marginals
        The marginals of the rows, shape (n, k), an output. Both rows of a swap lose and get as much, so that the sum of
        a column stays.
    """
    best = np.empty(len(rows), dtype=np.int64)
    for number, row in enumerate(rows):
        best[number] = marginals[row].argmax()
        for place in range(candidates.shape[1]):
            if candidates[row, place] >= 0:
                owners[candidates[row, place]] = -1
    for number, row in enumerate(rows):
        column = candidates[row, best[number]]
        rival = owners[column] if column >= 0 else -1
        held = marginals[row, best[number]]
        is_single = row_counts[row] == 1 and column >= 0 and column_counts[column] == 1
        if is_single and held > max(LIKELY, marginals[rows[rival], best[rival]] if rival >= 0 else 0.0):
            owners[column] = number
    missing, left = np.zeros((len(rows), candidates.shape[1])), np.ones(len(rows))
    for number in range(len(rows)):
        for place in range(candidates.shape[1]):
            missing[number, place] = _ratio(number, place, rows, candidates, weights, best, owners)
        left[number] = 1.0 / (1.0 + missing[number].sum())
    room = np.zeros(len(rows))
    for number, row in enumerate(rows):
        for place in range(candidates.shape[1]):
            if missing[number, place] > 0.0:
                other = owners[candidates[row, place]]
                swapped = missing[number, place] * min(left[number], left[other])
                back = _place_of(candidates[rows[other]], candidates[row, best[number]])
                known = min(marginals[row, place], marginals[rows[other], back])
                missing[number, place] = max(swapped - known, 0.0)
        total, spare = missing[number].sum(), marginals[row, best[number]] - left[number]
        room[number] = min(1.0, max(spare, 0.0) / total) if total > 0.0 else 0.0
    for number, row in enumerate(rows):
        for place in range(candidates.shape[1]):
            if missing[number, place] > 0.0:
                moved = missing[number, place] * min(room[number], room[owners[candidates[row, place]]])
                marginals[row, place] += moved
                marginals[row, best[number]] -= moved


@compiled
def _ratio(
    number: int, place: int, rows: Integers, candidates: Integers, weights: Floats, best: Integers, owners: Integers
) -> float:
    """Return how much likelier two rows are with their columns exchanged, 1 at most; 0 where they cannot."""
    row = rows[number]
    own = candidates[row, best[number]]
    if own < 0 or owners[own] != number or place == best[number] or weights[row, place] <= 0.0:
        return 0.0
    other = owners[candidates[row, place]]
    if other < 0:
        return 0.0
    partner = rows[other]
    back = _place_of(candidates[partner], own)
    if back < 0:
        return 0.0
    kept = weights[row, best[number]] * weights[partner, best[other]]
    return float(min(weights[row, place] * weights[partner, back] / kept, 1.0))


@compiled
def _place_of(candidates: Integers, column: int) -> int:
    """Return where a column stands among the candidates of a row; -1 where it is none."""
    for place in range(len(candidates)):
        if candidates[place] == column:
            return place
    return -1
