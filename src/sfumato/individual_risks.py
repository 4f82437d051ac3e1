"""Individual risk: how surely a record is its person, when the file is a sample and the weights tell of how many."""

import numpy as np

from sfumato.data import CodeColumn, FloatColumn
from sfumato.kernels.reciprocals import mean_reciprocals


def individual_risks(sizes: CodeColumn | FloatColumn, weighted_sizes: FloatColumn) -> FloatColumn:
    """Return the probability that a record is re-identified, from how many share its keys here and in the population.

    An intruder who finds a person's keys in the population takes one of the F persons who have them, and is right once
    in F. F is not known, but how many of them are in the sample, f, and the sum of their weights, which estimates F;
    so each of them is in the sample with probability p = f / sum. Given f, F then is f or more with the negative
    binomial probabilities C(F - 1, f - 1) p^f (1 - p)^(F - f), and the risk is the mean of 1 / F. For one record in the
    sample that is -p / (1 - p) log p; if the sample is the population it is 1 / f.

    All class sizes are computed exactly. Programs of the field take p / (f - 1 + p) from f = 3 on, which is above it by
    less than one percent of the risk where p is small, and differ in the fourth digit of a file's total.

    Parameters
    ----------
    sizes
        The number of records with the keys of each record, itself included: whole numbers from 1.
    weighted_sizes
        The sum of their weights, no less than `sizes`.

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
    risks = np.empty_like(counts)
    mean_reciprocals(counts, shares, risks)
    return risks
