"""Learn how masking moves each column by itself: the displacements of ranks, and the transitions of categories."""

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.pairs import Pairs
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Displacements, Transitions

MAX_BINS, MAX_STEPS = 60, 200  # of original places and of displacements
PAIRS_PER_BIN, PAIRS_PER_STEP = 1000, 300
BACKGROUND = 1e-4  # of the pairs, spread evenly: what was not seen is rare, not impossible


def displacements(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return one coordinate for each column: how its values move, by where they come from."""
    found = []
    for place, is_number in enumerate(pairs.is_number):
        before, after = pairs.original[:, place], pairs.after[:, place]
        if is_number:
            scale = pairs.scales[place]
            ranks = scale.ranks(before)
            table = displacement_table(ranks[pairs.rows], scale.ranks(after))
            found.append(Coordinate(ranks[rows], scale.ranks(masked[:, place]), Displacements(table), is_exact=False))
        else:
            codes = int(np.nanmax(np.concatenate([before, after, masked[:, place], [0.0]]))) + 1
            matrix = transition_matrix(before[pairs.rows], after, codes)
            found.append(Coordinate(before[rows], masked[:, place], Transitions(matrix), is_exact=False))
    return tuple(found)


def displacement_table(before: FloatColumn, after: FloatColumn) -> FloatMatrix:
    """Return the log density of displacements by bin of the original place, smoothed; finer with more pairs."""
    from scipy.ndimage import gaussian_filter

    some = ~(np.isnan(before) | np.isnan(after))
    before, after = before[some], after[some]
    bins = int(np.clip(len(before) // PAIRS_PER_BIN, 1, MAX_BINS))
    half = int(np.clip(len(before) // PAIRS_PER_STEP, 10, MAX_STEPS))
    start = np.minimum((before * bins).astype(np.int64), bins - 1)
    moved = np.rint((after - before) * half).astype(np.int64) + half
    counts = np.bincount(start * (2 * half + 1) + moved, minlength=bins * (2 * half + 1)).astype(np.float64)
    smooth = gaussian_filter(counts.reshape(bins, -1), (1.0 if bins > 1 else 0.0, 1.0), mode="nearest")
    smooth += BACKGROUND * max(len(before), 1) / smooth.size
    return np.asarray(np.log(smooth / smooth.sum(axis=1, keepdims=True)), dtype=np.float64)


def transition_matrix(before: FloatColumn, after: FloatColumn, codes: int) -> FloatMatrix:
    """Return how often each code turns into each other, with a little of the overall frequencies added."""
    some = ~(np.isnan(before) | np.isnan(after))
    flat = before[some].astype(np.int64) * codes + after[some].astype(np.int64)
    counts = np.bincount(flat, minlength=codes**2).astype(np.float64).reshape(codes, codes)
    shares = (counts.sum(axis=0) + 1.0) / (counts.sum() + codes)
    counts += shares
    return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)
