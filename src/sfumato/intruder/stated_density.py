"""Whether a density that a method states serves an intruder as well as one that is learnt by running the method.

A density that is stated wrongly, too wide, moved or flat, makes a method look safe. True pairs do not show it, since it
fits the shadows as well as it fits the file. So a learnt one is tried beside it, on a shadow from which nothing was
learnt.
"""

from dataclasses import replace

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_matrices
from sfumato.intruder.learnt.learning import MaskedFile, learn, log_densities
from sfumato.intruder.shadow_masking import Shadow
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.numerics.densities import IMPOSSIBLE

MAX_ORIGINALS, MAX_TRIED = 1000, 125  # originals that are learnt from, and records on which the two are tried
CLEARLY, STANDARD_ERRORS = 0.1, 4.0  # of the mean log posterior of the truth


def is_outdone(
    stated: Likelihood,
    original: Microdata,
    source: Microdata,
    shadows: list[Shadow],
    names: tuple[str, ...],
    strata: tuple[str, ...],
) -> bool:
    """Tell whether a density learnt from the second shadow finds the truth of the first clearly better.

    A density of several coordinates together is not tried: by each coordinate alone it would come off too badly.

    Parameters
    ----------
    stated
        The stated likelihood of the first shadow.
    original, source, shadows
        The original file, what it is before the step that states the likelihood, and two shadows.
    names
        The columns that it is about.
    strata
        Columns within which these were masked: nobody of another stratum is a rival.
    """
    if any(one.joint is not None for one in stated):
        return False
    chosen = np.sort(np.random.default_rng(0).permutation(original.n)[:MAX_ORIGINALS])
    (before, *matrices), is_number = coded_matrices([original, *(shadow.data for shadow in shadows[:2])], names)
    kept = [np.flatnonzero(np.isin(shadow.rows, chosen)) for shadow in shadows[:2]]
    if min(len(records) for records in kept) < 2:
        return False
    tried = slice(None, None, -(-len(kept[0]) // MAX_TRIED))
    held_out, other = (
        MaskedFile(np.searchsorted(chosen, shadow.rows[records]), matrix[records], part)
        for shadow, records, matrix, part in zip(shadows[:2], kept, matrices, (tried, slice(None)), strict=True)
    )
    learnt = learn(before[chosen], [other], held_out, is_number).likelihood(held_out.matrix)
    codes = np.reshape([original.codes(name)[0] for name in strata], (len(strata), original.n)).astype(np.int64)
    groups, truth = classes_of(codes).numbers[chosen], held_out.rows[tried]
    lacking = np.stack([~source.observed(name)[chosen] for name in names], axis=1)  # also what a step suppressed
    is_rival = (groups[truth][:, None] == groups) & ~(lacking[truth][:, None] != lacking).any(axis=2)
    found = _log_posteriors(learnt, np.arange(len(chosen)), np.arange(len(kept[0]))[tried], is_rival, truth)
    gain = found - _log_posteriors(stated, chosen, kept[0][tried], is_rival, truth)
    return bool(gain.mean() > max(CLEARLY, STANDARD_ERRORS * gain.std() / np.sqrt(len(gain))))


def _log_posteriors(likelihood: Likelihood, rows: Rows, records: Rows, is_rival: Booleans, truth: Rows) -> FloatColumn:
    """Return the log posterior of the true original of some records among some originals."""
    some = tuple(replace(one, before=one.before[rows], after=one.after[records]) for one in likelihood)
    densities = np.where(is_rival, log_densities(some, len(records), len(rows)), IMPOSSIBLE)
    gaps = densities - densities.max(axis=1, keepdims=True)
    return np.asarray(gaps[np.arange(len(truth)), truth] - np.log(np.exp(gaps).sum(axis=1)), dtype=np.float64)
