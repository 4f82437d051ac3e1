"""Whole households that were sampled, where the release does not say who lives together.

The intruder knows who lived together: somebody is in the release only if the others of the household are. So what the
release tells of the others speaks for or against each link.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.likely_originals import possible_originals
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_PAIRS, CANDIDATES = 2_000_000, 32  # that are compared where there are more, and of each record at least
ROUNDS = 3
LEAST = 1e-3  # a probability that counts, as densities are not exact
SMALLEST = 1e-9  # of a prior, beside the largest


@dataclass(frozen=True, eq=False)
class SampledHouseholds:
    """Originals whose households are known, and a sample of these that does not tell them.

    Parameters
    ----------
    likelihood
        The coordinates of the originals and of the masked records.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    households
        Those of the originals.
    """

    likelihood: Likelihood
    blocks: tuple[CodeColumn, CodeColumn]
    households: Households

    def likelihood_of_presence(self) -> Likelihood:
        """Return the likelihood with how probable it is that each original was sampled, as its household tells."""
        originals, masked = (len(numbers) for numbers in self.blocks)
        share = min(masked / originals, 1 - LEAST)
        found = self.likelihood
        for _ in range(ROUNDS):
            # the mean ratio of the density of a record given an original to that of any: what its presence changes
            factors = np.log(np.maximum(self._mean_ratios(found), LEAST))
            together = self._of_others(factors)
            odds = together - np.logaddexp(np.log1p(-share), np.log(share) + together)
            prior = np.maximum(np.exp(odds - odds.max()), SMALLEST)
            every = np.arange(originals, dtype=np.float64)
            known = Coordinate(every, np.zeros(masked), Transitions(prior[:, None]), is_exact=False)
            found = (*self.likelihood, known)
        return found

    def _mean_ratios(self, likelihood: Likelihood) -> FloatColumn:
        """Return the mean over masked records of their density given each original, beside its mean over these."""
        originals, masked = (len(numbers) for numbers in self.blocks)
        most = max(MAX_PAIRS, CANDIDATES * masked)
        candidates, outside = possible_originals(likelihood, self.blocks, most)
        is_pair = candidates >= 0
        scores = log_likelihoods(likelihood, *places(likelihood, originals, masked), candidates)
        scores = np.where(is_pair, scores, -np.inf)
        total = np.maximum(np.logaddexp(np.logaddexp.reduce(scores, axis=1), outside), IMPOSSIBLE)
        shares = np.exp(scores - total[:, None])
        return np.bincount(candidates[is_pair], shares[is_pair], originals) * originals / max(masked, 1)

    def _of_others(self, told: FloatColumn) -> FloatColumn:
        """Return the sum over the other members of the household of each original."""
        sums = np.bincount(self.households.number, told, self.households.count)
        return np.asarray(sums[self.households.number] - told, dtype=np.float64)
