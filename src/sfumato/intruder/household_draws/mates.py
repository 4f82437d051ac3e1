"""What the release tells of the other members of a household, whose number it does not tell.

A step draws once for the whole household: an area, a shift. The intruder knows who lived together, so that each member
who may be found somewhere speaks for some draws and against others, and by that for or against what the others may show
(belief propagation between members and the draw of their household).
"""

from typing import NamedTuple

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.likely_originals import possible_originals
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions

MAX_PAIRS, CANDIDATES = 200_000, 32  # that are compared where there are more, and of each record at least
LEAST = 1e-6  # a probability that counts, as chances are learnt
ROUNDS = 3
NEW = 0.7  # of what a round tells; the rest is what was believed before
STRONGEST = 25.0  # what is told of a pair, as a logarithm


class Draws(NamedTuple):
    """What may be drawn for households, and what is shown then.

    Parameters
    ----------
    log_chances
        The logarithm of how probable each draw is (households x draws, or one row for all).
    shown
        What each original shows after each draw, as a number (originals x draws); the draw itself where none is given.
    shown_count
        How many numbers there are.
    """

    log_chances: FloatMatrix
    shown: CodeMatrix | None
    shown_count: int

    def by_draw(self, of_shown: FloatMatrix) -> FloatMatrix:
        """Return for each original and draw what belongs to that which is shown."""
        return of_shown if self.shown is None else np.take_along_axis(of_shown, self.shown, axis=1)

    def by_shown(self, of_draws: FloatMatrix) -> FloatMatrix:
        """Return for each original the sum over the draws after which each thing is shown."""
        if self.shown is None:
            return of_draws
        rows = np.arange(len(self.shown))[:, None] * self.shown_count
        sums = np.bincount((rows + self.shown).ravel(), of_draws.ravel(), len(rows) * self.shown_count)
        return np.asarray(sums.reshape(len(rows), self.shown_count), dtype=np.float64)


def likelihood_by_mates(
    seen: CodeColumn, draws: Draws, households: Households, others: Likelihood, blocks: tuple[CodeColumn, CodeColumn]
) -> Likelihood:
    """Return how likely it is that an original shows something, given what the release tells of its household.

    Parameters
    ----------
    seen
        What each masked record shows.
    draws, households
        What may be drawn for the households of the originals.
    others
        The likelihood by all other columns.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    """
    number, originals, masked = households.number, len(blocks[0]), len(blocks[1])
    prior = np.broadcast_to(draws.log_chances, (households.count, draws.log_chances.shape[1]))[number]
    told = np.log(draws.by_shown(np.exp(prior)) + LEAST)
    most = max(MAX_PAIRS, CANDIDATES * masked)
    candidates, _ = possible_originals((*others, coordinate(np.arange(originals), seen, np.exp(told))), blocks, most)
    is_pair, tried = candidates >= 0, np.maximum(candidates, 0)
    known = log_likelihoods(others, *places(others, originals, masked), candidates)
    cells = (tried * draws.shown_count + seen[:, None])[is_pair]
    ones = [np.ones(count, dtype=np.int64) for count in (masked, originals)]
    for _ in range(ROUNDS):
        believed = told[tried, seen[:, None]]
        pairs, _ = matching_marginals(candidates, known + believed, ones[0], ones[1])
        kept = np.clip(pairs, 1e-12, 1 - 1e-9)
        odds = np.exp(np.clip(np.log(kept) - np.log1p(-kept) - believed, -STRONGEST, STRONGEST))
        found = np.bincount(cells, odds[is_pair], originals * draws.shown_count).reshape(originals, draws.shown_count)
        found += np.exp(-STRONGEST)
        if masked < originals:  # who is not in the release speaks for nothing
            absent = np.clip(1 - np.bincount(tried[is_pair], pairs[is_pair], originals), 0.0, 1 - LEAST)
            found += (absent / (1 - absent) * found.mean(axis=1))[:, None]
        logs = draws.by_draw(np.log(found))
        together = np.zeros((households.count, logs.shape[1]))
        np.add.at(together, number, logs)
        new = prior + together[number] - logs
        new = np.exp(new - new.max(axis=1, keepdims=True))
        new = np.log(draws.by_shown(new / new.sum(axis=1, keepdims=True)) + LEAST)
        told = (1 - NEW) * told + NEW * new
    return (coordinate(np.arange(originals), seen, np.exp(told)),)


def coordinate(rows: Rows, seen: CodeColumn, chances: FloatMatrix) -> Coordinate:
    """Return the coordinate of masked records that show something, with its chances for each of some rows."""
    return Coordinate(rows.astype(np.float64), seen.astype(np.float64), Transitions(chances), is_exact=False)
