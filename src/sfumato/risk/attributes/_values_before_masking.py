"""What released confidential values tell of the original ones: the intruder runs them back through the recipe.

Whoever has the recipe knows what it makes of values like those of others: a category that nearly always changes tells
the other one, noise is drawn towards where values lie, a shift is taken back. Runs of the recipe show it; which way to
run values back is the best is tried on a run from which nothing was learnt. The runs are of the original, so that the
intruder knows how values of others are distributed; those of the person itself are left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder import FRESH, Runs, Shadow, steps_by_column
from sfumato.intruder.coded_columns import coded_columns
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.known_means import mean_of_known

DRAWS = 20  # equally probable values in the place of a released one
NEAR = 200  # pairs of others by which a value is run back
MAX_PAIRS, MAX_RUNS = 20_000, 20
MAX_CATEGORIES = 500
EXACT = 0.1  # of the error of other ways, below which what is known of persons may help: a rule, not a likeness
LEVELS = (np.arange(DRAWS) + 0.5) / DRAWS
Guess = Callable[["PairsOfRuns", "PairsOfRuns"], FloatMatrix]
"""Returns for the records of a file equally probable original values (records x draws), by pairs of runs."""


@dataclass(frozen=True, eq=False)
class PairsOfRuns:
    """Released records with the original value of a column.

    Parameters
    ----------
    released
        The column as it is released; of a category its code.
    features
        All numbers that are released of a record and tell of nobody by themselves (records x features).
    known
        The same with those by which persons are known.
    originals
        The original values; of categories their codes.
    rows
        The row of the original of each record.
    """

    released: FloatColumn
    features: FloatMatrix
    known: FloatMatrix
    originals: FloatColumn
    rows: Rows


def values_before_masking(
    runs: Runs, masked: Microdata, rows: Rows, name: str, known: Sequence[str]
) -> tuple[FloatColumn, FloatMatrix] | None:
    """Return the true values of the released records, and equally probable guesses of them (records x draws).

    Categories are codes; what is missing is NaN. Nothing is returned where no step masks the column, or where the
    released values are the best guesses.

    Parameters
    ----------
    runs
        The original and the recipe.
    masked, rows
        The release, and the row of the original of each record.
    name
        The confidential column.
    known
        The columns by which persons are known.
    """
    if not steps_by_column(runs.steps, runs.original, (name,))[name]:
        return None
    count = 1 + int(np.clip(MAX_PAIRS // max(masked.n, 1), 1, MAX_RUNS))
    count = min(count, 2) if any(step.is_search for step in runs.steps) else count
    try:
        shadows = [runs.shadow(FRESH + number) for number in range(count)]
    except SfumatoError:
        return None
    files = [Shadow(masked, rows), *shadows]
    if any(name not in file.data.schema for file in files):
        return None
    (original, *columns), is_number = coded_columns([runs.original, *(file.data for file in files)], name)
    if not is_number and max(np.nanmax(column, initial=0.0) for column in (original, *columns)) >= MAX_CATEGORIES:
        return None
    sets = [_features(runs.original, files, some) for some in ((*known, name), (name,))]
    release, held_out, *others = (
        PairsOfRuns(column, features, more, original[file.rows], file.rows)
        for column, features, more, file in zip(columns, *sets, files, strict=True)
    )
    pool = PairsOfRuns(*(np.concatenate([getattr(one, part) for one in others]) for part in PARTS))
    ways: list[Guess] = [_moved_back, _like_others, _by_rule] if is_number else [_likely_categories]
    errors = [_error(_as_released(held_out), held_out, is_number=is_number)]
    errors += [_error(way(held_out, pool), held_out, is_number=is_number) for way in ways]
    if is_number and errors[-1] > EXACT * min(errors[:-1]):
        errors[-1] = np.inf
    best = int(np.argmin(errors))
    return (release.originals, ways[best - 1](release, pool)) if best else None


PARTS = ("released", "features", "known", "originals", "rows")


def _features(original: Microdata, files: Sequence[Shadow], left_out: Sequence[str]) -> list[FloatMatrix]:
    """Return the numbers that all files show, the last of those left out among them."""
    names = [
        one.name
        for one in original.schema.variables
        if one.name not in left_out[:-1]
        and all(one.name in file.data.schema and file.data.schema[one.name].kind is Kind.CONTINUOUS for file in files)
    ]
    return [file.data.matrix(tuple(names)) if names else np.zeros((file.data.n, 0)) for file in files]


def _as_released(file: PairsOfRuns) -> FloatMatrix:
    return file.released[:, None]


def _error(guesses: FloatMatrix, file: PairsOfRuns, *, is_number: bool) -> float:
    """Return how far the medians of guesses are off on average, or the share of the likeliest that are wrong."""
    if is_number:
        return mean_of_known(np.abs(np.median(guesses, axis=1) - file.originals))
    is_known = ~np.isnan(guesses[:, 0]) & ~np.isnan(file.originals)
    codes, truth = guesses[is_known].astype(np.int64), file.originals[is_known]
    modes = [np.bincount(row).argmax() for row in codes]
    return float(np.mean(np.array(modes) != truth)) if len(modes) else np.inf


def _moved_back(file: PairsOfRuns, pool: PairsOfRuns) -> FloatMatrix:
    """Return values that lie as far from what is expected as those of others do near there."""
    expected, of_pool = _expected(file.features, pool.features, pool)
    return expected[:, None] + _near(file, pool, expected, of_pool, pool.originals - of_pool)


def _by_rule(file: PairsOfRuns, pool: PairsOfRuns) -> FloatMatrix:
    """Return the same by all that is released, also of what is known of persons."""
    expected, of_pool = _expected(file.known, pool.known, pool)
    return expected[:, None] + _near(file, pool, expected, of_pool, pool.originals - of_pool)


def _like_others(file: PairsOfRuns, pool: PairsOfRuns) -> FloatMatrix:
    """Return the original values of others whose released value is near."""
    return _near(file, pool, file.released, pool.released, pool.originals)


def _expected(features: FloatMatrix, of_pool: FloatMatrix, pool: PairsOfRuns) -> tuple[FloatColumn, FloatColumn]:
    """Return what is expected of the original values by linear regression on what is released."""
    known = ~np.isnan(of_pool)
    centres = np.where(known, of_pool, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = [np.where(np.isnan(file), centres, file) - centres for file in (features, of_pool)]
    scales = np.maximum(np.abs(filled[1]).max(axis=0, initial=0.0), 1e-300)
    terms = [np.column_stack([np.ones(len(file)), file / scales]) for file in filled]
    is_told = ~np.isnan(pool.originals) & ~np.isnan(pool.released)
    slopes = np.linalg.lstsq(terms[1][is_told], pool.originals[is_told], rcond=None)[0]
    return terms[0] @ slopes, terms[1] @ slopes


def _near(
    file: PairsOfRuns, pool: PairsOfRuns, places: FloatColumn, of_pool: FloatColumn, values: FloatColumn
) -> FloatMatrix:
    """Return the quantiles of the values of pairs nearby, but for the person's own; NaN where nothing is released."""
    told = np.flatnonzero(~np.isnan(pool.originals) & ~np.isnan(pool.released))
    told = told[np.argsort(of_pool[told], kind="stable")]
    width = min(NEAR, len(told))
    if not width:
        return np.full((len(places), DRAWS), np.nan)
    asked = np.where(np.isnan(file.released), np.nan, places)
    starts = np.clip(np.searchsorted(of_pool[told], asked) - width // 2, 0, len(told) - width)
    nearby = told[starts[:, None] + np.arange(width)]
    found = np.where(pool.rows[nearby] == file.rows[:, None], np.inf, values[nearby])
    found.sort(axis=1)
    counts = np.isfinite(found).sum(axis=1)
    picked = np.minimum((LEVELS * counts[:, None]).astype(np.int64), np.maximum(counts - 1, 0)[:, None])
    quantiles = np.take_along_axis(found, picked, axis=1)
    quantiles[(counts == 0) | np.isnan(file.released)] = np.nan
    return np.asarray(quantiles, dtype=np.float64)


def _likely_categories(file: PairsOfRuns, pool: PairsOfRuns) -> FloatMatrix:
    """Return the categories that became the released one, as often as they did, but for the person's own."""
    is_told = ~np.isnan(pool.originals) & ~np.isnan(pool.released)
    before, after, rows = (part[is_told].astype(np.int64) for part in (pool.originals, pool.released, pool.rows))
    width = int(np.nanmax([np.nanmax(part, initial=0) for part in (file.originals, file.released, before, after)])) + 1
    counts = np.zeros((width, width))
    np.add.at(counts, (after, before), 1.0)
    shown = ~np.isnan(file.released)
    codes = np.where(shown, file.released, 0).astype(np.int64)
    chances = counts[codes]
    own = np.zeros((int(max(pool.rows.max(), file.rows.max())) + 1, width))
    np.add.at(own, (rows, after), 1.0)
    has_value = ~np.isnan(file.originals)
    truth = np.where(has_value, file.originals, 0).astype(np.int64)
    chances[np.arange(len(codes)), truth] -= np.where(has_value, own[file.rows, codes], 0.0)
    totals = chances.sum(axis=1)
    reached = np.cumsum(chances, axis=1) / np.maximum(totals, 1.0)[:, None]
    found = np.column_stack([(reached < level).sum(axis=1) for level in LEVELS]).astype(np.float64)
    found[(totals <= 0) | ~shown] = np.nan
    return np.asarray(found, dtype=np.float64)
