"""Whether a density fits two files: true pairs are about as likely as those that the recipe brings about.

Most methods mask each record by itself, so that standard errors tell how far the means of two files may lie apart.
Others draw once for many records, as when a distribution is fitted: then only several files tell.
"""

from collections.abc import Sequence

import numpy as np

from sfumato.numerics.arrays import FloatColumn

STANDARD_ERRORS = 6.0


def are_alike(found: FloatColumn, expected: FloatColumn) -> bool:
    """Tell whether log densities are about those that the recipe itself brings about."""
    gap = abs(expected.mean() - found.mean())
    error = np.sqrt(expected.var() / len(expected) + found.var() / len(found))
    return bool(gap <= max(STANDARD_ERRORS * error, 0.1))


def is_within_spread(found: float, means: Sequence[float]) -> bool:
    """Tell whether the mean of a file lies about as far from those of others as these do from each other.

    Examples
    --------
    >>> is_within_spread(-3.9, [-3.2, -3.6, -3.4]), is_within_spread(-9.0, [-3.2, -3.6, -3.4])
    (True, False)
    """
    spread = np.std(means, ddof=1) * np.sqrt(1 + 1 / len(means))
    return bool(abs(found - np.mean(means)) <= STANDARD_ERRORS * spread)
