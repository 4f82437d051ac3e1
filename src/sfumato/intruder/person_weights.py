"""Which released record is a person's: the posterior turned round, from masked records to persons."""

import numpy as np

from sfumato.intruder.posterior import Posterior
from sfumato.kernels.linkage.weighted_guesses import WeightedClasses

NEGLIGIBLE = 1e-9  # a probability that is no more than rounding, or what was cut off, may make


def person_weights(posterior: Posterior) -> WeightedClasses:
    """Return for each class of originals the classes of masked records that may be theirs.

    A weight is the posterior probability that one masked record of the class is one original of the other class, where
    no two masked records are the same person. The weights of a person, each times the records of its class, add up to
    the probability that the person has a record among the candidates at all; given that the person has one, divide by
    their sum. A probability below one in a billion is none.
    """
    is_likely = (posterior.candidates >= 0) & (posterior.one_to_one > NEGLIGIBLE)
    originals = posterior.candidates[is_likely]
    masked = np.repeat(np.arange(len(is_likely)), is_likely.sum(axis=1))
    weights = posterior.one_to_one[is_likely] / posterior.original_counts[originals]
    order = np.argsort(originals, kind="stable")
    starts = np.searchsorted(originals[order], np.arange(len(posterior.original_counts) + 1))
    return WeightedClasses(starts, masked[order], weights[order])
