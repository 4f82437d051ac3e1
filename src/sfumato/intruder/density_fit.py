"""Whether a density fits two files: true pairs are about as likely as those that the recipe brings about.

Most methods mask each record by itself, so that standard errors tell how far the means of two files may lie apart.
Others draw once for many records, as when a distribution is fitted: then only several files tell.
"""

from collections.abc import Sequence

import numpy as np

from sfumato.numerics.arrays import FloatColumn

STANDARD_ERRORS = 6.0
CHANCE = 2.7  # one draw in a million lies so far off, in units of the distribution of Kolmogorov
LITTLE = 0.1  # that a density may be off in shape, as learnt ones are
DIGITS = 6
MIN_ROUNDED = 20  # values that are not all multiples of some number by chance
SPREAD_OF_GAPS = 2.0  # times the largest that the recipe itself brings about


def are_alike(found: FloatColumn, expected: FloatColumn) -> bool:
    """Tell whether log densities are about those that the recipe itself brings about."""
    gap = abs(expected.mean() - found.mean())
    error = np.sqrt(expected.var() / len(expected) + found.var() / len(found))
    return bool(gap <= max(STANDARD_ERRORS * error, 0.1)) and has_same_shape(found, expected)


def has_same_shape(found: FloatColumn, expected: FloatColumn) -> bool:
    """Tell whether the distributions of log densities are about the same, up to where they lie and by chance.

    Another kind of noise with the same covariance may be as likely on average, and is not as likely record by record.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(3, 500))
    >>> has_same_shape(draws[0], draws[1]), has_same_shape(0.3 * draws[2], draws[1])
    (True, False)
    """
    chance = CHANCE * np.sqrt(1 / len(found) + 1 / len(expected))
    return bool(largest_gap(found, expected, LITTLE) <= max(chance, LITTLE))


def largest_gap(found: FloatColumn, expected: FloatColumn, slack: float = 0.0) -> float:
    """Return by how much the shares of two samples below some value differ at most (Kolmogorov and Smirnov).

    With some slack, values that lie less than that apart count as equal: whole numbers have few log densities, and
    where noise is scaled by a sample, all records of one of them are a little more likely than in another file.

    Examples
    --------
    >>> largest_gap(np.array([1.0, 2.0]), np.array([2.0, 3.0]))
    0.5
    >>> largest_gap(np.array([1.0, 2.0]), np.array([1.05, 2.05])), largest_gap(np.ones(2), np.array([1.05, 2.0]), 0.1)
    (0.5, 0.5)
    """
    digits = [np.sort(sample.round(DIGITS)) for sample in (found, expected)]  # equal up to rounding is equal
    every = np.concatenate(digits)
    gaps = []
    for one, other in (digits, digits[::-1]):
        below = np.searchsorted(one, every, side="right") / len(one)
        gaps.append((below - np.searchsorted(other, every + slack, side="right") / len(other)).max())
    return float(max(gaps))


def is_within_spread(found: float, means: Sequence[float]) -> bool:
    """Tell whether the mean of a file lies about as far from those of others as these do from each other.

    Examples
    --------
    >>> is_within_spread(-3.9, [-3.2, -3.6, -3.4]), is_within_spread(-9.0, [-3.2, -3.6, -3.4])
    (True, False)
    """
    spread = np.std(means, ddof=1) * np.sqrt(1 + 1 / len(means))
    return bool(abs(found - np.mean(means)) <= STANDARD_ERRORS * spread)


def is_one_of(found: FloatColumn, others: Sequence[FloatColumn]) -> bool:
    """Tell whether log densities of a file differ from those of others about as much as these do from each other."""
    if not is_within_spread(float(found.mean()), [float(one.mean()) for one in others]):
        return False
    gaps = []
    for number, one in enumerate(others):
        rest = [other for place, other in enumerate(others) if place != number]
        gaps.append(largest_gap(one, np.concatenate(rest)))
    return largest_gap(found, np.concatenate(others)) <= max(SPREAD_OF_GAPS * max(gaps), LITTLE)


def is_rounded_more(found: FloatColumn, expected: FloatColumn, changes: FloatColumn) -> bool:
    """Tell whether all values of a column are multiples of a number of which most of another file's are not.

    Only numbers of at least half the deviation of the changes count: fewer digits that a file was written with hide
    nothing.

    Examples
    --------
    >>> values = np.random.default_rng(0).normal(0, 100, 50)
    >>> is_rounded_more(values.round(-2), values, values), is_rounded_more(values.round(1), values, values)
    (True, False)
    """
    known = [column[np.isfinite(column)] for column in (found, expected, changes)]
    if min(len(column) for column in known) < MIN_ROUNDED:
        return False
    steps = np.diff(np.unique(known[0]))
    base = float(steps.min(initial=np.inf))
    if not np.isfinite(base) or base < known[2].std() / 2:
        return False
    shares = [float(np.isclose(column / base, np.rint(column / base), 0.0, 1e-6).mean()) for column in known[:2]]
    return shares[0] == 1.0 and shares[1] < 0.5
