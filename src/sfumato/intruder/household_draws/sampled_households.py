"""Whole households that were sampled, where the release does not say who lives together.

The intruder knows who lived together: somebody is in the release only if the others of the household are. So what the
release tells of the others speaks for or against each link.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_PAIRS = 2_000_000  # that are compared
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

    @property
    def is_small(self) -> bool:
        """Whether all pairs can be compared."""
        return 0 < len(self.blocks[0]) * len(self.blocks[1]) <= MAX_PAIRS

    def likelihood_of_presence(self) -> Likelihood:
        """Return the likelihood with how probable it is that each original was sampled, as its household tells."""
        originals, masked = (len(numbers) for numbers in self.blocks)
        share = min(masked / originals, 1 - LEAST)
        found = self.likelihood
        for _ in range(ROUNDS):
            # the mean ratio of the density of a record given an original to that of any: what its presence changes
            factors = np.log(np.maximum(self._ratios(found).mean(axis=0), LEAST))
            together = self._of_others(factors)
            odds = together - np.logaddexp(np.log1p(-share), np.log(share) + together)
            prior = np.maximum(np.exp(odds - odds.max()), SMALLEST)
            every = np.arange(originals, dtype=np.float64)
            known = Coordinate(every, np.zeros(masked), Transitions(prior[:, None]), is_exact=False)
            found = (*self.likelihood, known)
        return found

    def _ratios(self, likelihood: Likelihood) -> FloatMatrix:
        """Return the density of each masked record given each original, beside its mean over all."""
        originals, masked = (len(numbers) for numbers in self.blocks)
        before, after = places(likelihood, originals, masked)
        scores = log_likelihoods(likelihood, before, after, np.tile(np.arange(originals), (masked, 1)))
        scores = np.where(self.blocks[1][:, None] == self.blocks[0], scores, IMPOSSIBLE)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(shares / shares.mean(axis=1, keepdims=True), dtype=np.float64)

    def _of_others(self, told: FloatColumn) -> FloatColumn:
        """Return the sum over the other members of the household of each original."""
        sums = np.bincount(self.households.number, told, self.households.count)
        return np.asarray(sums[self.households.number] - told, dtype=np.float64)
