"""Learn from shadows how a recipe moves records, and hold that against the masked file."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import coded_matrices
from sfumato.intruder.density_fit import DOUBT, are_alike, is_one_of
from sfumato.intruder.learnt.displacements import displacements, value_displacements
from sfumato.intruder.learnt.learning import Learnt, MaskedFile, learn
from sfumato.intruder.learnt.own_densities import adapted, helps
from sfumato.intruder.learnt.own_points import FIRST_RUNS, PROMISING, RUNS, OwnPoints, own_points, suit_own_points
from sfumato.intruder.learnt.own_points import WORTH_IT as CLEARLY_BETTER
from sfumato.intruder.learnt.own_runs import own_runs
from sfumato.intruder.learnt.residuals import MAX_REGRESSION
from sfumato.intruder.pair_scores import true_log_densities
from sfumato.intruder.shadow_masking import FRESH, Runs, Shadow
from sfumato.numerics.arrays import FloatColumn, Rows

LEARNT_PAIRS = 60_000  # the intruder masks small files again and again, until there are so many
MAX_SHADOWS = 60
FIRST_SHADOWS = 6
GROWTH = 4
UNSURE = 0.1  # of the mean log posterior, below which nearly all is found already
WORTH_IT = 0.05  # of the mean log posterior, gained by so many times more shadows


@dataclass(frozen=True, eq=False)
class _Lesson:
    """What was learnt from shadows, and whether each file tells more of itself."""

    learnt: Learnt
    shadows: list[Shadow]
    is_own: bool
    own_points: OwnPoints | None = None


@dataclass(frozen=True, eq=False)
class ShadowLearning:
    """What an intruder learns of some columns by masking the original with seeds of their own.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    names
        The columns.
    """

    runs: Runs
    names: tuple[str, ...]

    def likelihood(self, file: Microdata) -> Likelihood:
        """Return the likelihood of a file that the recipe made."""
        lesson = self.lesson
        before = [self.runs.original, *(shadow.data for shadow in lesson.shadows)]  # categories keep their codes
        matrix = coded_matrices([*before, file], self.names)[0][-1]
        if lesson.own_points is not None:
            return lesson.own_points.likelihood(matrix)
        found = lesson.learnt.likelihood(matrix)
        return adapted(found) if lesson.is_own else found

    @cached_property
    def lesson(self) -> _Lesson:
        """What was learnt; a second file is not learnt for again."""
        return self.runs.keep(("learnt", self.names), self.learn)

    def learn(self) -> _Lesson:
        """Return what shadows teach, the first held out; more of them are made as long as they help."""
        shadows = [self.runs.shadow(number) for number in range(2)]
        most = int(np.clip(-(-LEARNT_PAIRS // max(shadows[0].data.n, 1)), 1, MAX_SHADOWS)) + 1
        most = min(most, FIRST_SHADOWS) if any(step.is_search for step in self.runs.steps) else most
        merit, only = -np.inf, None
        shadows += [self.runs.shadow(number) for number in range(len(shadows), min(FIRST_SHADOWS, most))]
        while True:
            files = [self.runs.original, *(shadow.data for shadow in shadows)]
            (original, held_out, *others), numbers = coded_matrices(files, self.names)
            runs = [MaskedFile(shadow.rows, file) for shadow, file in zip(shadows, (held_out, *others), strict=True)]
            learnt = learn(original, runs[1:], runs[0], numbers, only)
            is_table = learnt.learner in (displacements, value_displacements, own_runs)
            is_enough = not is_table and len(learnt.pairs.rows) >= MAX_REGRESSION
            if is_enough or len(shadows) >= most or learnt.merit < merit + WORTH_IT:
                break
            merit, only = learnt.merit, learnt.learner
            more = min(GROWTH * len(shadows), most)
            shadows = [*shadows, *(self.runs.shadow(number) for number in range(len(shadows), more))]
        own = self.own_points(learnt)
        if own is not None:
            return _Lesson(learnt, shadows, False, own)
        tried = [learnt.likelihood(file) for file in (held_out, others[0])]
        return _Lesson(learnt, shadows, helps(tried, [shadow.rows for shadow in shadows[:2]]))

    def own_points(self, learnt: Learnt) -> OwnPoints | None:
        """Return what becomes of each record as a whole, where that is clearly better than what was learnt."""
        is_joint = learnt.learner not in (displacements, value_displacements) and learnt.merit < -UNSURE
        if not is_joint or any(step.is_search for step in self.runs.steps) or not suit_own_points(learnt.pairs):
            return None
        few = self.own_points_of(FIRST_RUNS)
        if few is None or few[1] < learnt.merit - PROMISING:
            return None
        many = self.own_points_of(RUNS)
        return many[0] if many is not None and many[1] > learnt.merit + CLEARLY_BETTER else None

    def own_points_of(self, count: int) -> tuple[OwnPoints, float] | None:
        """Return what became of each record as a whole in so many shadows, the first held out, and its merit."""
        shadows = [self.runs.shadow(number) for number in range(count + 1)]
        held_out, *files = (MaskedFile(shadow.rows, shadow.data.matrix(self.names)) for shadow in shadows)
        return own_points(self.runs.original.n, files, held_out)

    def fits(self, found: Likelihood, rows: Rows) -> bool:
        """Tell whether true pairs are as likely by a likelihood of theirs as those that the recipe makes are."""
        true_pairs = true_log_densities(found, rows)
        if are_alike(true_pairs, self.true_densities(self.lesson.shadows[0]), DOUBT):
            return True
        return is_one_of(
            true_pairs, lambda number: self.true_densities(self.runs.like(rows, FRESH + number, self.names))
        )

    def true_densities(self, shadow: Shadow) -> FloatColumn:
        """Return the log densities of the true pairs of a shadow."""
        return true_log_densities(self.likelihood(shadow.data), shadow.rows)
