"""Numbers that are called weights and may be what persons weigh: sampling weights seldom lie so close together."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

MEDIANS = ((30, 280), (2_000, 4_500))  # of adults in kilograms or pounds, of newborn children in grams
MAX_WIDTH = 0.4  # of the median: how far the quarters of such weights lie apart
MEDIANS_OF_BODIES, MAX_OF_BODIES = (3, 300), 500  # of persons of all ages, in a file that tells their height too


def may_be_measured(values: FloatColumn, *, is_beside_height: bool) -> bool:
    """Tell whether positive numbers may be what persons weigh.

    Parameters
    ----------
    values
        The numbers; codes for no answer among them do not matter where they are few.
    is_beside_height
        Whether the file has the height of persons, or what is computed from it, too.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> kilograms, weights = rng.normal(76, 14, 500), rng.lognormal(4.3, 0.8, 500)
    >>> [may_be_measured(numbers, is_beside_height=False) for numbers in (kilograms, 2.2 * kilograms, weights)]
    [True, True, False]
    """
    low, first, median, third, high = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95))
    if is_beside_height and MEDIANS_OF_BODIES[0] <= median <= MEDIANS_OF_BODIES[1] and high <= MAX_OF_BODIES:
        return True
    is_usual = any(least <= median <= most for least, most in MEDIANS)
    return bool(is_usual and third - first <= MAX_WIDTH * median and median <= 2 * low and high <= 2 * median)
