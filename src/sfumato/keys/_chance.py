"""How likely it is that some of the records lie together, or apart from others, where they were drawn at random."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.functions.gamma_ratios import log_factorials


def log_chance_of_none(total: CodeColumn | int, members: CodeColumn, others: CodeColumn) -> FloatColumn:
    """Return the logarithm of the chance that none of some `others` is among the members drawn from all records.

    It is C(total - others, members) / C(total, members); the total may be another for each place.

    Examples
    --------
    >>> np.exp(log_chance_of_none(4, np.array([1, 2]), np.array([2, 2]))).round(3)
    array([0.5  , 0.167])
    """
    return np.asarray(_log_choose(total - others, members) - _log_choose(total, members))


def log_chance_within(total: int, members: CodeColumn, span: CodeColumn) -> FloatColumn:
    """Return the logarithm of the chance that all members lie among `span` neighbours, in the order of all records.

    With s = span, m = members and n = total it is ((n - s + 1) C(s, m) - (n - s) C(s - 1, m)) / C(n, m): the members
    are in one of n - s + 1 windows, and those in two that follow one another are counted once. As C(s - 1, m) is
    C(s, m) (s - m) / s, that is C(s, m) (1 + (n - s) m / s) / C(n, m).

    Examples
    --------
    >>> np.exp(log_chance_within(4, np.array([2, 2, 1]), np.array([2, 3, 1]))).round(3)
    array([0.5  , 0.833, 1.   ])
    """
    windows = 1 + (total - span) * members / np.maximum(span, 1)
    return np.asarray(_log_choose(span, members) + np.log(windows) - _log_choose(total, members))


def log_chance_of_few(total: int, members: CodeColumn, span: CodeColumn, sets: CodeColumn, count: int) -> FloatColumn:
    """Return the logarithm of a bound on the chance that members have so few categories, or such rare ones.

    With m members in s of g categories, which n_s of all n records have, it is g C(g, s) C(n_s, m) / C(n, m): chance
    falls so low in each of the C(g, s) sets at most one time in so many, for each of the g sizes.

    Examples
    --------
    >>> np.exp(log_chance_of_few(1000, np.array([4, 4]), np.array([10, 800]), np.array([1, 1]), 9)).round(7)
    array([4.00000000e-07, 3.31277401e+01])
    """
    sizes = np.log(max(count, 1)) + _log_choose(count, sets)
    return np.asarray(sizes + _log_choose(span, members) - _log_choose(total, members))


def _log_choose(total: CodeColumn | int, chosen: CodeColumn) -> FloatColumn:
    """Return the logarithm of a binomial coefficient; that of 0 where more are chosen than there are."""
    rest = np.asarray(total) - chosen
    full = log_factorials(np.asarray(total)) - log_factorials(chosen) - log_factorials(np.maximum(rest, 0))
    return np.where(rest < 0, -np.inf, full)
