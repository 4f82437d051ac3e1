"""What a method draws once for a whole file, estimated from that file itself.

Coefficients of a regression that were drawn, or fitted to a sample, are the same for all records. With those of the
original file part of the records can be linked, by all columns; the linked pairs tell the coefficients of this file,
and with these more are linked (Dempster, Laird and Rubin 1977).
"""

from dataclasses import replace

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatMatrix, Rows

ROUNDS = 25
PAIRS, MIN_RECORDS, MAX_RECORDS = 1_000_000, 100, 800  # pairs that are compared, and records among them
WIDE_ROUNDS, KEPT = 6, 64  # rounds in which all originals are compared, and the likely ones of each record after these
SETTLED = 1e-4  # of the probabilities of a record: less is not worth another round


def has_shared_draws(likelihood: Likelihood) -> bool:
    """Tell whether a joint density has draws that all records of a file share."""
    return any(one.joint is not None and one.joint.has_shared_draws for one in likelihood)


def with_shared_draws(likelihood: Likelihood, blocks: tuple[CodeColumn, CodeColumn]) -> Likelihood:
    """Return the likelihood with joint densities refitted to the file, where any can be.

    Parameters
    ----------
    likelihood
        All coordinates of the originals and of the masked records.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    """
    if not has_shared_draws(likelihood):
        return likelihood
    originals, masked = (len(numbers) for numbers in blocks)
    count = min(MAX_RECORDS, PAIRS // max(originals, 1), masked)
    if count < min(MIN_RECORDS, masked):
        return likelihood
    records = np.sort(np.random.default_rng(0).permutation(masked)[:count])
    before, after = places(likelihood, originals, masked)
    after = after[records]
    candidates = np.where(blocks[1][records][:, None] == blocks[0], np.arange(originals), -1)
    is_shared = np.array([one.joint is not None and one.joint.has_shared_draws for one in likelihood])
    others = tuple(one for one in likelihood if one.joint is None or not one.joint.has_shared_draws)
    known = log_likelihoods(others, before[:, ~is_shared], after[:, ~is_shared], candidates)
    shared = tuple(one for one in likelihood if one.joint is not None and one.joint.has_shared_draws)
    before, after = before[:, is_shared], after[:, is_shared]
    last = np.zeros(0)
    for number in range(ROUNDS):
        scores = np.where(candidates < 0, -np.inf, known + log_likelihoods(shared, before, after, candidates))
        weights = np.exp(scores - np.maximum(np.logaddexp.reduce(scores, axis=1), -1e300)[:, None])
        shared = _refitted(shared, before, after, candidates, weights)
        if last.shape == weights.shape and np.abs(weights - last).sum(axis=1).mean() < SETTLED:
            break
        last = weights
        if number + 1 == WIDE_ROUNDS and candidates.shape[1] > KEPT:
            kept = np.argpartition(-scores, KEPT - 1, axis=1)[:, :KEPT]
            candidates, known = (np.take_along_axis(part, kept, axis=1) for part in (candidates, known))
    found = iter(shared)
    return tuple(next(found) if is_one else one for is_one, one in zip(is_shared, likelihood, strict=True))


def fitted_to_truth(likelihood: Likelihood, rows: Rows) -> Likelihood:
    """Return the likelihood with joint densities refitted to the true pairs, by which files can be held together."""
    before, after = places(likelihood, len(likelihood[0].before), len(rows))
    for _ in range(ROUNDS):
        likelihood = _refitted(likelihood, before, after, rows[:, None], np.ones((len(rows), 1)))
    return likelihood


def _refitted(
    likelihood: Likelihood, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix, weights: FloatMatrix
) -> Likelihood:
    joints = {id(one.joint): one.joint for one in likelihood if one.joint is not None}
    fitted = {}
    for name, joint in joints.items():
        members = [place for place, one in enumerate(likelihood) if one.joint is joint]
        fitted[name] = joint.refitted(before[:, members], after[:, members], candidates, weights)
    return tuple(one if one.joint is None else replace(one, joint=fitted[id(one.joint)]) for one in likelihood)
