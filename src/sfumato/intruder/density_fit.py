"""Whether a density fits two files: true pairs are about as likely as those that the recipe brings about.

Most methods mask each record by itself, so that standard errors tell how far the means of two files may lie apart.
Others draw once for many records, as when a distribution is fitted: then only several files tell.
"""

from collections.abc import Callable, Sequence

import numpy as np

from sfumato.numerics.arrays import FloatColumn

STANDARD_ERRORS = 6.0
CHANCE = 2.7  # one draw in a million lies so far off, in units of the distribution of Kolmogorov
LITTLE = 0.1  # that a density may be off in shape, as learnt ones are
DIGITS = 6
TINY = 1e-9  # a spread that is none but by rounding
MIN_ROUNDED = 20  # values that are not all multiples of some number by chance
RUNS = (7, 28)  # of the recipe that a file is held against: few, and many where these leave a doubt
LEVEL = 1e-5  # of one question whether a file is like runs of its recipe: some dozens are asked of a file
MIN_RUNS = 3  # that tell how much runs differ
DOUBT = 4.0  # standard errors from few runs, beyond which many are made


def are_alike(found: FloatColumn, expected: FloatColumn, errors: float = STANDARD_ERRORS) -> bool:
    """Tell whether log densities are about those that the recipe itself brings about, up to some standard errors.

    Fewer are right where several runs are asked next, which tell by how much files differ.
    """
    gap = abs(expected.mean() - found.mean())
    error = np.sqrt(expected.var() / len(expected) + found.var() / len(found))
    return bool(gap <= max(errors * error, 0.1)) and has_same_shape(found, expected)


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


def is_within_spread(found: float, others: Sequence[float]) -> bool:
    """Tell whether a figure of a file lies about as far from those of runs as these do from each other.

    Of a file that the recipe made, all but one in 100,000 figures do (`LEVEL`), by the distribution of Student's t of
    one more draw.

    Examples
    --------
    >>> runs = [-3.2, -3.6, -3.4, -3.3, -3.5, -3.4, -3.2]
    >>> is_within_spread(-3.9, runs), is_within_spread(-9.0, runs)
    (True, False)
    """
    from scipy.special import stdtrit  # slow to load

    return errors_apart(found, others) <= float(stdtrit(len(others) - 1, 1 - LEVEL / 2))


def errors_apart(found: float, others: Sequence[float]) -> float:
    """Return how far a figure lies from the mean of others, in standard errors of one more draw."""
    apart, spread = abs(found - float(np.mean(others))), float(np.std(others, ddof=1)) * np.sqrt(1 + 1 / len(others))
    return float(apart / max(spread, TINY))


def is_one_of(found: FloatColumn, run: Callable[[int], FloatColumn | None]) -> bool:
    """Tell whether log densities of a file differ from those of runs about as much as these do from each other.

    Parameters
    ----------
    found
        The log densities of the true pairs of the file.
    run
        Returns those of the run of a number, from 0; None where they cannot be told.
    """
    others: list[FloatColumn] = []
    for done, count in zip((0, *RUNS), RUNS, strict=False):
        others += [one for one in map(run, range(done, count)) if one is not None]
        if len(others) < MIN_RUNS:
            return False
        figures = [(float(found.mean()), [float(one.mean()) for one in others])]
        gap, gaps = _gaps(found, others)
        figures += [(gap, gaps)] if gap > LITTLE else []
        if max(errors_apart(*figure) for figure in figures) <= DOUBT:
            return True
    return all(is_within_spread(*figure) for figure in figures)


def _gaps(found: FloatColumn, others: Sequence[FloatColumn]) -> tuple[float, list[float]]:
    """Return by how much the shape of a sample differs from that of all others, and each of these from the rest."""
    gaps = []
    for number, one in enumerate(others):
        rest = [other for place, other in enumerate(others) if place != number]
        gaps.append(largest_gap(one, np.concatenate(rest)))
    return largest_gap(found, np.concatenate(others)), gaps


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
