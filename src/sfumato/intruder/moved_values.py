"""Whether values were moved about as far as the recipe moves them, column by column.

A density may hold true pairs for as likely as those that the recipe makes although values went half as far: within half
a window of ranks, all is as likely as within the whole.
"""

from collections.abc import Callable

import numpy as np

from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.density_fit import STANDARD_ERRORS, is_within_spread
from sfumato.intruder.shadow_masking import Shadow
from sfumato.numerics.arrays import FloatColumn, Rows

FRESH, FRESH_COUNT = 3000, 7  # the number of the first shadow that is made where in doubt, and how many
MIN_MOVED = 50  # values from which the distance can be told


def are_moved_alike(
    original: Microdata, masked: Microdata, rows: Rows, names: tuple[str, ...], shadow: Callable[[int], Shadow]
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
    """
    first = shadow(0)
    doubtful = []
    for name in names:
        found, expected = distances(original, [(masked, rows), (first.data, first.rows)], name)
        if min(len(found), len(expected)) >= MIN_MOVED and not _are_alike(found, expected):
            doubtful.append(name)
    if not doubtful:
        return True
    fresh = [shadow(FRESH + number) for number in range(FRESH_COUNT)]
    files = [(masked, rows), *((one.data, one.rows) for one in fresh)]
    for name in doubtful:
        found, *others = distances(original, files, name)
        if not is_within_spread(float(found.mean()), [float(one.mean()) for one in others]):
            return False
    return True


def distances(original: Microdata, files: list[tuple[Microdata, Rows]], name: str) -> list[FloatColumn]:
    """Return how far each value of a column was moved in several files; of a category, whether it was changed."""
    (before, *after), is_number = coded_columns([original, *(file for file, _ in files)], name)
    found = []
    for column, (_, rows) in zip(after, files, strict=True):
        moved = column - before[rows]
        known = moved[np.isfinite(moved)]
        found.append(np.abs(known) if is_number else (known != 0).astype(np.float64))
    return found


def _are_alike(found: FloatColumn, expected: FloatColumn) -> bool:
    error = np.sqrt(found.var() / len(found) + expected.var() / len(expected))
    return bool(abs(found.mean() - expected.mean()) <= STANDARD_ERRORS * error)
