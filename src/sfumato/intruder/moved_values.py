"""Whether values were moved about as far as the recipe moves them, column by column.

A density may hold true pairs for as likely as those that the recipe makes although values went half as far: within half
a window of ranks, all is as likely as within the whole.
"""

from collections.abc import Callable

import numpy as np

from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.density_fit import STANDARD_ERRORS, is_within_spread
from sfumato.intruder.shadow_masking import FRESH, Shadow
from sfumato.numerics.arrays import FloatColumn, Rows

FRESH_COUNTS = (7, 28)  # how many are made, and how many where these leave a doubt: few may by chance be too alike
MIN_MOVED = 50  # values from which the distance can be told


def are_moved_alike(
    original: Microdata,
    masked: Microdata,
    rows: Rows,
    names: tuple[str, ...],
    shadow: Callable[[int], Shadow],
    *,
    is_slow: bool = False,
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
    """
    first = shadow(0)
    doubtful = []
    for name in names:
        found, expected = distances(original, [(masked, rows), (first.data, first.rows)], name)
        if min(len(found), len(expected)) >= MIN_MOVED and not _are_alike(found, expected):
            doubtful.append(name)
    files = [(masked, rows)]
    for count in FRESH_COUNTS[:1] if is_slow else FRESH_COUNTS:
        if not doubtful:
            break
        fresh = [shadow(FRESH + number) for number in range(len(files) - 1, count)]
        files += [(one.data, one.rows) for one in fresh]
        doubtful = [name for name in doubtful if not _is_usual(original, files, name)]
    return not doubtful


def _is_usual(original: Microdata, files: list[tuple[Microdata, Rows]], name: str) -> bool:
    """Tell whether values of the first file were moved as far on average as they are in one or another of the rest."""
    found, *others = distances(original, files, name)
    return is_within_spread(float(found.mean()), [float(one.mean()) for one in others])


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
