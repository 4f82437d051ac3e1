"""Learn how masking moves each column by itself: the displacements of ranks, and the transitions of categories."""

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.pairs import Pairs
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Displacements, Transitions

MAX_BINS, MAX_STEPS = 60, 200  # of original places and of displacements
PAIRS_PER_BIN, PAIRS_PER_STEP = 1000, 300
STEPS_PER_DEVIATION, MAX_VALUE_STEPS = 6, 1500  # of displacements of values
FROM_ALL = 30.0  # pairs for which those of all places count in each
BACKGROUND = 1e-4  # of the pairs, spread evenly: what was not seen is rare, not impossible


def displacements(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return one coordinate for each column: how its values move, by where they come from."""
    found = []
    for place, is_number in enumerate(pairs.is_number):
        before, after = pairs.original[:, place], pairs.after[:, place]
        if is_number:
            start, end = pairs.ranks[place]
            table = displacement_table(start[pairs.rows], end)
            ranks = pairs.scales[place].ranks(masked[:, place])
            found.append(Coordinate(start[rows], ranks, Displacements(table), is_exact=False))
        else:
            codes = int(np.nanmax(np.concatenate([before, after, masked[:, place], [0.0]]))) + 1
            matrix = transition_matrix(before[pairs.rows], after, codes)
            found.append(Coordinate(before[rows], masked[:, place], Transitions(matrix), is_exact=False))
    return tuple(found)


def value_displacements(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return the same by values in place of ranks, for scales on which values are moved about equally far."""
    found: list[Coordinate] = []
    for place, is_number in enumerate(pairs.is_number):
        some = np.array([place])
        if not is_number:
            found += displacements(pairs.columns(some), rows, masked[:, some])
            continue
        before, after = pairs.original[:, place], pairs.after[:, place]
        start, moved = before[pairs.rows], (after - before[pairs.rows])
        there = ~np.isnan(moved)
        every = np.concatenate([before, after])
        low, high = np.nanmin(every, initial=np.inf), np.nanmax(every, initial=-np.inf)
        length = high - low
        if not there.any() or not length > 0.0:
            continue
        deviation = float(np.sqrt((moved[there] ** 2).mean()))
        half = int(np.clip(np.ceil(STEPS_PER_DEVIATION * length / max(deviation, 1e-300)), 10, MAX_VALUE_STEPS))
        table = value_table((start[there] - low) / length, moved[there] / length, half)
        found.append(
            Coordinate(
                (before[rows] - low) / length, (masked[:, place] - low) / length, Displacements(table), is_exact=False
            )
        )
    return tuple(found)


def value_table(start: FloatColumn, moved: FloatColumn, half: int) -> FloatMatrix:
    """Return the log density of displacements by where a value comes from, drawn to that of all where few tell."""
    from scipy.ndimage import gaussian_filter

    bins = int(np.clip(len(start) // PAIRS_PER_BIN, 1, MAX_BINS))
    level = np.minimum((start * bins).astype(np.int64), bins - 1)
    step = np.clip(np.rint(moved * half).astype(np.int64), -half, half) + half
    counts = np.bincount(level * (2 * half + 1) + step, minlength=bins * (2 * half + 1)).astype(np.float64)
    smooth = gaussian_filter(counts.reshape(bins, -1), (0.7 if bins > 1 else 0.0, 1.0), mode="nearest")
    pooled = smooth.sum(axis=0) / max(smooth.sum(), 1e-300)
    smooth += FROM_ALL * ((1 - BACKGROUND) * pooled + BACKGROUND / smooth.shape[1])
    return np.asarray(np.log(smooth / smooth.sum(axis=1, keepdims=True)), dtype=np.float64)


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
