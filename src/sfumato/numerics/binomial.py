"""Shares and how far they can be trusted."""


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
    >>> binomial_tail(2, 3, 0.5)
    0.5
    """
    from scipy.special import betainc  # `scipy.stats` takes most of a second to load

    return float(betainc(right, n - right + 1, share))
