"""Learn from shadows how a recipe moves records, and hold that against the masked file."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Likelihood, paired_rows
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_matrices
from sfumato.intruder.density_fit import are_alike, is_one_of
from sfumato.intruder.displacements import displacements, value_displacements
from sfumato.intruder.learning import Learnt, MaskedFile, learn
from sfumato.intruder.own_densities import adapted, helps
from sfumato.intruder.pair_scores import true_log_densities
from sfumato.intruder.residuals import MAX_REGRESSION
from sfumato.intruder.shadow_masking import Shadow
from sfumato.numerics.arrays import FloatColumn

LEARNT_PAIRS = 60_000  # the intruder masks small files again and again, until there are so many
MAX_SHADOWS = 60
FIRST_SHADOWS = 6
GROWTH = 4
WORTH_IT = 0.05  # of the mean log posterior, gained by so many times more shadows
FRESH, FRESH_COUNT = 2000, 7  # the number of the first shadow from which nothing was learnt, and how many are made


@dataclass(frozen=True, eq=False)
class ShadowLearning:
    """What an intruder learns of some columns by masking the original with seeds of their own.

    Parameters
    ----------
    original, masked
        The two files.
    names
        The columns.
    shadow
        Makes the shadow of a number.
    is_slow
        Whether a shadow takes long, so that no more are made than the first few.
    """

    original: Microdata
    masked: Microdata
    names: tuple[str, ...]
    shadow: Callable[[int], Shadow]
    is_slow: bool = False

    def likelihood(self, shadows: list[Shadow]) -> tuple[Likelihood, bool]:
        """Return the likelihood learnt from shadows, the first held out, and whether it fits the masked file too.

        More shadows than the given ones are made as long as they help.
        """
        most = int(np.clip(-(-LEARNT_PAIRS // max(shadows[0].data.n, 1)), 1, MAX_SHADOWS)) + 1
        most = min(most, FIRST_SHADOWS) if self.is_slow else most
        merit, only = -np.inf, None
        shadows = [*shadows, *(self.shadow(number) for number in range(len(shadows), min(FIRST_SHADOWS, most)))]
        while True:
            files = [self.original, self.masked, *(shadow.data for shadow in shadows)]
            (original, masked, held_out, *others), numbers = coded_matrices(files, self.names)
            runs = [MaskedFile(shadow.rows, file) for shadow, file in zip(shadows, (held_out, *others), strict=True)]
            learnt = learn(original, runs[1:], runs[0], numbers, only)
            is_table = learnt.learner in (displacements, value_displacements)
            is_enough = not is_table and len(learnt.pairs.rows) >= MAX_REGRESSION
            if is_enough or len(shadows) >= most or learnt.merit < merit + WORTH_IT:
                break
            merit, only = learnt.merit, learnt.learner
            more = min(GROWTH * len(shadows), most)
            shadows = [*shadows, *(self.shadow(number) for number in range(len(shadows), more))]
        found, expected = (learnt.likelihood(file) for file in (masked, held_out))
        is_own = helps([expected, learnt.likelihood(others[0])], [shadow.rows for shadow in shadows[:2]])
        if is_own:
            found, expected = adapted(found), adapted(expected)
        true_pairs = true_log_densities(found, paired_rows(self.original, self.masked))
        fits = are_alike(true_pairs, true_log_densities(expected, shadows[0].rows))
        return found, fits or is_one_of(true_pairs, self.fresh_densities(learnt, shadows, is_own=is_own))

    def fresh_densities(self, learnt: Learnt, shadows: list[Shadow], *, is_own: bool) -> list[FloatColumn]:
        """Return the log densities of the true pairs of shadows from which nothing was learnt, by their own or not."""
        fresh = [self.shadow(FRESH + number) for number in range(FRESH_COUNT)]
        files = [self.original, self.masked, *(shadow.data for shadow in (*shadows, *fresh))]
        matrices = coded_matrices(files, self.names)[0][-FRESH_COUNT:]  # categories have the codes that were learnt
        pairs = zip(matrices, fresh, strict=True)
        found = [(learnt.likelihood(file), shadow.rows) for file, shadow in pairs]
        return [true_log_densities(adapted(one) if is_own else one, rows) for one, rows in found]
