"""Learn what becomes of each person by running the recipe: the distribution of that person's own masked values.

What a method does to a value may hang on more than the value: on strata that later steps hide, on who else is near, on
other columns. Over many runs all of that shows in what becomes of the same person. A few runs are drawn towards
what becomes of all values like it, as far as leaving out one run at a time shows that this foretells the run left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.displacements import displacements, transition_matrix, value_displacements
from sfumato.intruder.learnt.pairs import Pairs
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions

MAX_CELLS = 750_000  # originals x bins of a column: in larger files all values tell enough of each
MIN_RUNS = 4  # of each person on average, below which nothing is learnt of anybody alone
MAX_TRIED = 5000  # values, each left out of what is learnt of its person
BINS, MAX_VALUES = 150, 400  # of masked values; so many different ones have a bin each
LIKE_ALL = (0.5, 2.0, 8.0, 32.0, 128.0)  # runs for which those of all values like it count
NARROWER = (0.0, 0.3, 0.6, 1.0)  # than what suits a normal distribution, by which own values are smoothed
WIDTHS = np.array([0.0, 0.4, 0.7, 1.0, 1.5, 2.2, 3.3, 5.0, 7.5, 11.0, 17.0, 25.0])  # in bins
RARE = 1e-4  # of the probability, spread by how often each bin is seen at all


def own_runs(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return one coordinate for each column: what becomes of each original, by what became of it in other runs."""
    found = []
    for place in range(len(pairs.is_number)):
        bins = _Bins.of(pairs, place)
        matrix = _own_shares(pairs, place, bins)[rows]
        codes = np.arange(len(rows), dtype=np.float64), bins.codes(masked[:, place]).astype(np.float64)
        found.append(Coordinate(*codes, Transitions(matrix), is_exact=False))
    return tuple(found)


def has_own_runs(pairs: Pairs) -> bool:
    """Tell whether there are runs enough of each person, and not too many persons."""
    count = len(pairs.original)
    is_enough = len(pairs.rows) >= MIN_RUNS * count
    return is_enough and all(count * _Bins.of(pairs, place).count <= MAX_CELLS for place in range(len(pairs.is_number)))


@dataclass(frozen=True, eq=False)
class _Bins:
    """Bins of masked values: the last is for what is missing."""

    edges: FloatColumn
    is_category: bool
    count: int

    @classmethod
    def of(cls, pairs: Pairs, place: int) -> "_Bins":
        after = pairs.after[:, place]
        if not pairs.is_number[place]:
            codes = int(np.nanmax(np.concatenate([pairs.original[:, place], after, [0.0]]))) + 1
            return cls(np.empty(0), True, codes + 1)
        values = np.unique(after[~np.isnan(after)])
        if len(values) > MAX_VALUES:
            values = np.unique(np.nanquantile(after, np.linspace(0, 1, BINS + 1)[1:]))
            return cls(values, False, len(values) + 1)
        return cls((values[1:] + values[:-1]) / 2, False, len(values) + 1)

    def codes(self, column: FloatColumn) -> CodeColumn:
        """Return the bin of each value."""
        last = self.count - 1
        if self.is_category:
            found = np.minimum(np.nan_to_num(column), last - 1).astype(np.int64)
        else:
            found = np.minimum(np.searchsorted(self.edges, column), max(last - 1, 0))
        return np.where(np.isnan(column), last, found)


def _own_shares(pairs: Pairs, place: int, bins: _Bins) -> FloatMatrix:
    """Return how probable each bin is for each original (originals x bins)."""
    codes = bins.codes(pairs.after[:, place])
    count = len(pairs.original)
    counts = np.bincount(pairs.rows * bins.count + codes, minlength=count * bins.count)
    own = counts.reshape(count, bins.count).astype(np.float64)
    by_value = max(
        _shares_by_value(pairs, place, bins, codes),
        key=lambda shares: float(np.log(shares[pairs.rows, codes]).sum()),
    )
    runs = own.sum(axis=1, keepdims=True)
    tried = np.random.default_rng(0).permutation(len(codes))[:MAX_TRIED]
    rows, cells = pairs.rows[tried], codes[tried]
    best, shares = -np.inf, by_value
    for smooth, centre in _smoothed(own, bins):
        others = smooth[rows, cells] - centre[rows]
        for like_all in LIKE_ALL:
            left = others + like_all * by_value[rows, cells]
            merit = float(np.log(np.maximum(left, 1e-12) / (runs[rows, 0] - 1 + like_all)).mean())
            if merit > best:
                best, shares = merit, (smooth + like_all * by_value) / (runs + like_all)
    return shares


def _smoothed(own: FloatMatrix, bins: _Bins) -> Iterator[tuple[FloatMatrix, FloatColumn]]:
    """Yield counts smoothed more or less, and what one value then adds to its own bin."""
    from scipy.ndimage import gaussian_filter1d

    if bins.is_category or bins.count < 3:
        yield own, np.ones(len(own))
        return
    values, places = own[:, :-1], np.arange(bins.count - 1)
    runs = np.maximum(values.sum(axis=1), 1.0)
    means = values @ places / runs
    deviations = np.sqrt(np.maximum(values @ places**2 / runs - means**2, 0.0))
    for narrower in NARROWER:
        wanted = narrower * 1.06 * deviations * runs**-0.2
        level = np.searchsorted((WIDTHS[1:] + WIDTHS[:-1]) / 2, wanted)
        smooth, centre = own.copy(), np.ones(len(own))
        for number in np.unique(level[level > 0]).tolist():
            some = level == number
            smooth[some, :-1] = gaussian_filter1d(values[some], WIDTHS[number], axis=1, mode="nearest")
            centre[some] = min(1.0, 1 / (WIDTHS[number] * np.sqrt(2 * np.pi)))
        yield smooth, centre


def _shares_by_value(pairs: Pairs, place: int, bins: _Bins, codes: CodeColumn) -> Iterator[FloatMatrix]:
    """Yield how probable each bin is by the own value alone (originals x bins), by ranks and by values."""
    before, after = pairs.original[:, place], pairs.after[:, place]
    counts = np.bincount(codes, minlength=bins.count)
    overall = (counts + 1.0) / (len(codes) + bins.count)
    if bins.is_category:
        own = np.where(np.isnan(before), bins.count - 1, before)
        matrix = transition_matrix(own[pairs.rows], codes.astype(np.float64), bins.count)
        yield (1 - RARE) * matrix[own.astype(np.int64)] + RARE * overall
        return
    centres = np.bincount(codes, np.nan_to_num(after), bins.count)[:-1] / np.maximum(counts[:-1], 1)
    gaps = _share_missing(before, after, pairs.rows)[:, None]
    alone = pairs.columns(np.array([place]))
    for learner, widths in ((displacements, overall[:-1]), (value_displacements, _widths(centres))):
        for one in learner(alone, np.arange(len(before)), centres[:, None]):
            logs = one.density.log_density(one.before[:, None], one.after[None, :]) + np.log(widths)
            shares = np.exp(logs - logs.max(axis=1, keepdims=True))
            found = np.column_stack([(1 - gaps) * shares / shares.sum(axis=1, keepdims=True), gaps])
            yield (1 - RARE) * found + RARE * overall


def _widths(centres: FloatColumn) -> FloatColumn:
    """Return how wide the bins about rising centres are."""
    if len(centres) < 2:
        return np.ones(len(centres))
    steps = np.diff(centres)
    return np.asarray(np.maximum((np.append(steps, steps[-1]) + np.insert(steps, 0, steps[0])) / 2, 1e-300))


def _share_missing(before: FloatColumn, after: FloatColumn, rows: Rows) -> FloatColumn:
    """Return how often what becomes of each original is missing, of those who lack a value and of the others."""
    lacking, gone = np.isnan(before), np.isnan(after)
    shares = [
        (gone[lacking[rows] == is_one].sum() + 0.01) / ((lacking[rows] == is_one).sum() + 0.02) for is_one in (0, 1)
    ]
    return np.asarray(np.where(lacking, shares[1], shares[0]), dtype=np.float64)
