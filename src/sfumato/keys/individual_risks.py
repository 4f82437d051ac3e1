"""Individual risk: how surely a record is its person, when the file is a sample and the weights tell of how many."""

import numpy as np

from sfumato.kernels.keys.reciprocals import mean_reciprocals
from sfumato.numerics.arrays import CodeColumn, FloatColumn

MIN_APPROXIMATED = 3  # records of a class from which on its risk is approximated


def individual_risks(
    sizes: CodeColumn | FloatColumn, weighted_sizes: FloatColumn, *, exact: bool = False
) -> FloatColumn:
    """Return the probability that a record is re-identified, from how many share its keys here and in the population.

    An intruder who finds a person's keys in the population takes one of the F persons who have them, and is right once
    in F. F is not known, but how many of them are in the sample, f, and the sum of their weights, which estimates F;
    so each of them is in the sample with probability p = f / sum. Given f, F then is f or more with the negative
    binomial probabilities C(F - 1, f - 1) p^f (1 - p)^(F - f), and the risk is the mean of 1 / F. For one record in the
    sample that is -p / (1 - p) log p; if the sample is the population it is 1 / f.

    From f = 3 on the programs of the field take p / (f - 1 + p), which is never below the mean and above it by at
    most 4 percent (f = 3, p = 0.32), by less than one percent where p is below 0.02; so do we, that figures agree.

    Parameters
    ----------
    sizes
        The number of records with the keys of each record, itself included: whole numbers from 1.
    weighted_sizes
        The sum of their weights, no less than `sizes`.
    exact
        Whether to take the mean itself from f = 3 on too.

    Source
        Benedetti and Franconi (1998), Statistical and technological solutions for controlled data dissemination;
        Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review.

    Examples
    --------
    >>> individual_risks(np.array([1, 2, 5]), np.array([17.0, 110.0, 5.0])).round(6)
    array([0.177076, 0.017144, 0.2     ])
    """
    counts = np.ascontiguousarray(sizes, dtype=np.float64)
    shares = np.minimum(counts / weighted_sizes, 1)  # sums of weights of 1 may fall short of the count by a rounding
    risks = shares / (counts - 1 + shares)
    closed = np.ones(counts.size, dtype=np.bool_) if exact else counts < MIN_APPROXIMATED
    means = np.empty(int(np.count_nonzero(closed)))
    mean_reciprocals(counts[closed], shares[closed], means)
    risks[closed] = means
    return np.asarray(risks, dtype=np.float64)
