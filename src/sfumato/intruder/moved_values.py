"""Whether values were moved about as far as the recipe moves them, and coded as often, column by column.

A density may hold true pairs for as likely as those that the recipe makes although values went half as far: within half
a window of ranks, all is as likely as within the whole. So it may where twice as many values were cut off at a
threshold, as each of these is as likely as it should be.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.density_fit import DOUBT, RUNS, errors_apart, is_within_spread
from sfumato.intruder.shadow_masking import FRESH, Shadow
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

FEW_ERRORS = 2.0  # standard errors of a mean or share beyond which files are made to see how far it may be off
FEW = 2  # records that may be coded more or less by chance
MIN_MOVED = 50  # values from which the distance can be told


def are_moved_alike(
    original: Microdata,
    masked: Microdata,
    rows: Rows,
    names: tuple[str, ...],
    shadow: Callable[[int], Shadow],
    *,
    is_slow: bool = False,
    strata: CodeColumn | None = None,
) -> bool:
    """Tell whether the values of true pairs lie about as far apart on average as those that the recipe brings about.

    Parameters
    ----------
    original, masked
        The two files.
    rows
        The row of the original of each masked record.
    names
        The columns.
    shadow
        Makes the shadow of a number.
    is_slow
        Whether a shadow takes long, so that few are made.
    strata
        The stratum of each original, where some step has a threshold for each: chance decides whose is the highest.
    """
    ends = [Ends(sign, np.zeros(original.n, dtype=np.int64) if strata is None else strata) for sign in (1.0, -1.0)]
    first = shadow(0)
    doubtful: list[tuple[Measure, str]] = []
    measures: list[Measure] = [distances, *ends]
    for measure in measures:
        for name in names:
            found, expected = measure(original, [(masked, rows), (first.data, first.rows)], name)
            if min(len(found), len(expected)) >= MIN_MOVED and not _are_alike(found, expected):
                doubtful.append((measure, name))
    files = [(masked, rows)]
    counts = RUNS[:1] if is_slow else RUNS
    for count in counts:
        if not doubtful:
            break
        fresh = [shadow(FRESH + number) for number in range(len(files) - 1, count)]
        files += [(one.data, one.rows) for one in fresh]
        measured = [(measure, name, measure(original, files, name)) for measure, name in doubtful]
        is_last = count == counts[-1]
        doubtful = [(measure, name) for measure, name, found in measured if not _is_usual(found, is_last=is_last)]
    return not doubtful


def _is_usual(measured: list[FloatColumn], *, is_last: bool) -> bool:
    """Tell whether the mean of the first file is about that of one or another of the rest, up to a record or two.

    Where more files can be made, little doubt is enough to make them.
    """
    found, *others = (float(one.mean()) for one in measured)
    if abs(found - np.mean(others)) <= FEW / len(measured[0]):
        return True
    return is_within_spread(found, others) if is_last else errors_apart(found, others) <= DOUBT


def distances(original: Microdata, files: list[tuple[Microdata, Rows]], name: str) -> list[FloatColumn]:
    """Return how far each value of a column was moved in several files; of a category, whether it was changed."""
    (before, *after), is_number = coded_columns([original, *(file for file, _ in files)], name)
    found = []
    for column, (_, rows) in zip(after, files, strict=True):
        moved = column - before[rows]
        known = moved[np.isfinite(moved)]
        found.append(np.abs(known) if is_number else (known != 0).astype(np.float64))
    return found


@dataclass(frozen=True, eq=False)
class Ends:
    """Which values of a column are the largest (sign 1) or smallest (-1) of the stratum of their original."""

    sign: float
    strata: CodeColumn

    def __call__(self, original: Microdata, files: list[tuple[Microdata, Rows]], name: str) -> list[FloatColumn]:
        """Return that for several files; nobody's where the column is not a number."""
        (_, *after), is_number = coded_columns([original, *(file for file, _ in files)], name)
        if not is_number:
            return [np.zeros(0) for _ in files]
        found = []
        for column, (_, rows) in zip(after, files, strict=True):
            known = np.flatnonzero(np.isfinite(column))
            values, strata = self.sign * column[known], self.strata[rows[known]]
            largest = np.full(int(self.strata.max(initial=0)) + 1, -np.inf)
            np.maximum.at(largest, strata, values)
            found.append((values == largest[strata]).astype(np.float64))
        return found


Measure = Callable[[Microdata, list[tuple[Microdata, Rows]], str], list[FloatColumn]]
"""What is measured of each value of a column in several files."""


def _are_alike(found: FloatColumn, expected: FloatColumn) -> bool:
    error = np.sqrt(found.var() / len(found) + expected.var() / len(expected))
    return bool(abs(found.mean() - expected.mean()) <= FEW_ERRORS * error)
