"""What is believed of pairs of records where values were exchanged: messages between columns until they settle."""

from collections.abc import Sequence

import numpy as np

from sfumato.kernels.linkage.exchange_cells import CandidatePairs, ExchangedCells, pairs_of
from sfumato.kernels.linkage.exchange_messages import exchange_messages, scale_to_matching
from sfumato.numerics.arrays import FloatColumn

MAX_ROUNDS = 15
UNDAMPED = 3  # rounds in which beliefs spread; later ones go half of the way, so that they do not go to and fro
SETTLED = 0.01  # the mean change of what is believed of a record, in one round
SCALINGS = 5  # of beliefs towards a matching
NO_LONGER = 10.0  # a pair is given up where its logarithm lies so far below the best of its record


def propagate_beliefs(
    pairs: CandidatePairs, scores: FloatColumn, columns: Sequence[ExchangedCells], originals: int
) -> tuple[CandidatePairs, FloatColumn]:
    """Return the pairs that are left and the logarithm of their weights, all columns together.

    `scores` are the log likelihoods of the pairs in the columns in which nothing was exchanged. A column listens to
    all the others, not to itself.
    """
    messages = [np.zeros(len(scores)) for _ in columns]
    before = np.zeros(len(scores))
    for number in range(MAX_ROUNDS):
        total = scores + np.sum(messages, axis=0)
        for place, cells in enumerate(columns):
            others = total - messages[place]
            beliefs = scale_to_matching(pairs.starts, pairs.originals, others, originals, SCALINGS)
            sent = exchange_messages(pairs, beliefs, cells)
            messages[place] = sent if number < UNDAMPED else (messages[place] + sent) / 2
            total = others + messages[place]
        beliefs = scale_to_matching(pairs.starts, pairs.originals, total, originals, SCALINGS)
        if np.abs(beliefs - before).sum() < SETTLED * (len(pairs.starts) - 1):
            break
        firsts = pairs.starts[:-1][np.diff(pairs.starts) > 0]
        best = np.repeat(np.maximum.reduceat(total, firsts), np.diff([*firsts, len(total)]))
        kept = total >= best - NO_LONGER
        scores, before = scores[kept], beliefs[kept]
        messages = [message[kept] for message in messages]
        starts = np.concatenate([[0], np.cumsum(kept)])[pairs.starts]
        pairs = pairs_of(starts, pairs.originals[kept], originals)
    return pairs, scores + np.sum(messages, axis=0)
