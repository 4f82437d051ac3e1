"""Noise that is scaled by a sample: the intruder estimates who is in it, from the release itself.

With the scale of the whole file some records can be linked. The linked originals are about the sample, and their scale
is nearer to the one that was used; so records are linked again by that, a few times. Runs of the intruder's own, whose
truth they know, tell whether this helps.
"""

import numpy as np

from sfumato.contracts import Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.pair_scores import PAIRS_AT_A_TIME, log_likelihoods, places
from sfumato.numerics.arrays import Rows

ROUNDS = 4
MIN_LINKED = 30  # originals by which noise can be scaled
ALL_PAIRS = 20_000_000  # that are compared; in larger files a sample has about the scale of the whole


def drawn_likelihoods(
    stated: tuple[Likelihood, Likelihood],
    step: MaskingMethod,
    source: Microdata,
    files: tuple[Microdata, Microdata],
    names: tuple[str, ...],
    truth: Rows,
) -> tuple[Likelihood, Likelihood]:
    """Return the likelihood of the masked file and of a shadow, scaled by the records that they seem to come from.

    Parameters
    ----------
    stated
        Both as the method states them for the whole file.
    step, source
        The method, and the file before it as that would be with all records.
    files
        The masked file, and the shadow.
    names
        The columns that the intruder knows.
    truth
        For each record of the shadow the row of the original.
    """
    adds_noise = type(step).noise is not MaskingMethod.noise and not step.strata
    if not adds_noise or source.n * max(file.n for file in files) > ALL_PAIRS:
        return stated
    found = [_estimated(one, step, source, file, names) for one, file in zip(stated, files, strict=True)]
    right = [np.count_nonzero(_links(one, source.n, len(truth)) == truth) for one in (stated[1], found[1])]
    return (found[0], found[1]) if right[1] >= right[0] else stated


def _estimated(
    likelihood: Likelihood, step: MaskingMethod, source: Microdata, file: Microdata, names: tuple[str, ...]
) -> Likelihood:
    """Return the likelihood whose noise is scaled by those originals that records are linked to by it."""
    for _ in range(ROUNDS):
        linked = np.unique(_links(likelihood, source.n, file.n))
        try:
            again = step.likelihood(source.as_block_of(source.take_rows(linked)), file, names)
        except SfumatoError:  # as where a column is constant in these
            again = None
        if again is None or len(linked) < MIN_LINKED:
            return likelihood
        likelihood = again
    return likelihood


def _links(likelihood: Likelihood, originals: int, masked: int) -> Rows:
    """Return the likeliest original of each masked record."""
    before, after = places(likelihood, originals, masked)
    every = np.arange(originals)
    step = max(PAIRS_AT_A_TIME // originals, 1)
    found = [np.empty(0, dtype=np.int64)]
    for start in range(0, masked, step):
        piece = after[start : start + step]
        found.append(log_likelihoods(likelihood, before, piece, np.tile(every, (len(piece), 1))).argmax(axis=1))
    return np.concatenate(found)
