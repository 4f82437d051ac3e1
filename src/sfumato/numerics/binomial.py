"""Shares and how far they can be trusted."""

from math import log, log1p

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.functions.gamma_ratios import log_factorials


def binomial_interval(right: float, n: int) -> tuple[float, float]:
    """Return the ends, in percent, of the exact 95 % confidence interval of a share that `right` of `n` records show.

    Examples
    --------
    >>> [round(end, 2) for end in binomial_interval(0, 100)]  # the upper end is near 3 / n
    [0.0, 3.62]
    """
    from scipy.special import betaincinv

    low = float(betaincinv(right, n - right + 1, 0.025)) if right > 0 else 0.0
    high = float(betaincinv(right + 1, n - right, 0.975)) if right < n else 1.0
    return 100 * low, 100 * high


def binomial_tail(right: int, n: int, share: float) -> float:
    """Return the probability of at least `right` successes, one or more, in `n` trials of one probability, `share`.

    Examples
    --------
    >>> round(binomial_tail(2, 3, 0.5), 12)
    0.5
    """
    if not 0 < share < 1:
        return float(share >= 1)
    counts = np.arange(right, n + 1)
    chosen = log_factorials(np.array(n)) - log_factorials(counts) - log_factorials(n - counts)
    return min(float(np.exp(chosen + counts * log(share) + (n - counts) * log1p(-share)).sum()), 1.0)


def error_of_mean(per_record: FloatColumn, sampled: float) -> float:
    """Return the standard error of the mean of a random sample of percentages, which is a share of all records.

    One more record with 100 is counted: where a sample holds only a few of those that are found, or none, it would
    seem sure that there are no others.

    Parameters
    ----------
    per_record
        The percentages of the sample; NaN where a record has none.
    sampled
        The share of all records that were drawn, 0..1; the more of them, the less is left to chance.

    Examples
    --------
    >>> round(error_of_mean(np.array([0.0, 100.0] * 200), 0.0), 2), error_of_mean(np.array([0.0, 100.0]), 1.0)
    (2.5, 0.0)
    """
    known = np.append(per_record[~np.isnan(per_record)], 100.0)
    return float(np.std(known, ddof=1) * np.sqrt((1 - sampled) / (known.size - 1))) if known.size > 1 else 0.0
