"""The order of a sample: values that were drawn anew, or averaged, and still stand in the order of the originals.

An original has the rank r in the sample if just so many of those below it were drawn. How probable that is hangs on who
was drawn: anybody at first, so that of n records drawn from N the one of rank r has the original rank R as often as
r - 1 of the R - 1 lower originals, and n - r of the N - R higher ones, can be chosen. Then records are linked by all
columns, which tells of whom it is likely that they were drawn, and so where the others lie; and so on, as in
expectation-maximisation (Dempster, Laird and Rubin 1977).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import METRIC, Microdata
from sfumato.intruder.composed.rank_chances import Ranks
from sfumato.intruder.learnt.learning import mean_log_posterior
from sfumato.intruder.learnt.shadow_learning import ShadowLearning
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shadow_masking import Runs, Shadow
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_PAIRS = 2_000_000
DISTINCT = 0.1  # of the masked values, at least
ROUNDS = 10
CANDIDATES = 200  # of each masked record
KEPT = 0.2  # of what was thought before of who was drawn
DOUBT = 0.01  # that it is wrong
CLEARLY = 0.25  # of the mean log posterior: what order gains when it is known who was drawn


def keeps_sample_order(original: Microdata, name: str, shadows: Sequence[Shadow]) -> bool:
    """Tell whether files are samples in which a column stands in the order of the originals."""
    if original.schema[name].kind not in METRIC:
        return False
    for shadow in shadows:
        if shadow.data.n >= original.n or original.n * shadow.data.n > MAX_PAIRS:
            return False
        if not keeps_order(original, shadow.data, (name,), shadow.rows):
            return False
    return True


def keeps_order(original: Microdata, masked: Microdata, names: tuple[str, ...], rows: Rows) -> bool:
    """Tell whether numbers of a masked file are mostly different and stand in the order of the originals."""
    for name in names:
        if name not in masked.schema or masked.schema[name].kind not in METRIC:
            return False
        before, after = original.values(name)[rows], masked.values(name)
        seen = ~np.isnan(after)
        if not np.array_equal(seen, ~np.isnan(before)):
            return False
        before, after = before[seen], after[seen]
        if len(np.unique(after)) < max(DISTINCT * len(after), 2):
            return False
        if (np.diff(before[np.lexsort((before, after))]) < 0).any():
            return False
    return True


def tells_by_order(runs: Runs, name: str, shadows: Sequence[Shadow]) -> bool:
    """Tell whether a column of a sample keeps its order, and does not tell clearly more by its values."""
    if not keeps_sample_order(runs.original, name, shadows):
        return False
    by_values = ShadowLearning(runs, (name,)).lesson.learnt.merit
    return order_merit(runs.original, name, shadows[0]) > by_values - CLEARLY


def order_merit(original: Microdata, name: str, shadow: Shadow) -> float:
    """Return the mean log posterior of the truth of a file by the order of one of its columns alone.

    Values that were averaged in small groups tell more than their order does, those that were drawn anew do not.
    """
    before, after = original.values(name), shadow.data.values(name)
    logs = Ranks.of(before, after).log_chances(np.full(original.n, min(shadow.data.n / original.n, 0.5)))
    logs = np.where(np.isnan(after)[:, None] == np.isnan(before), logs, IMPOSSIBLE)  # what is missing stays so
    return mean_log_posterior(logs - logs.max(axis=1, keepdims=True), shadow.rows)


@dataclass(frozen=True, eq=False)
class SampleOrder:
    """Columns of a sample that keep the order of the originals.

    Parameters
    ----------
    before, after
        These columns of the originals and of the masked records.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    """

    before: FloatMatrix
    after: FloatMatrix
    blocks: tuple[CodeColumn, CodeColumn]

    def added_to(self, model: Model) -> Model:
        """Return a model of all other columns with these."""
        return replace(model, likelihood=model.likelihood + self.likelihood(model.likelihood))

    def likelihood(self, others: Likelihood) -> Likelihood:
        """Return the coordinates of the columns, given the likelihood by all other columns."""
        originals, masked = len(self.before), len(self.after)
        every = np.tile(np.arange(originals), (masked, 1))
        known = log_likelihoods(others, *places(others, originals, masked), every)
        known = np.where(self.blocks[1][:, None] == self.blocks[0], known, IMPOSSIBLE)
        columns = [Ranks.of(*pair) for pair in zip(self.before.T, self.after.T, strict=True)]
        drawn = np.full(originals, min(masked / originals, 0.5))
        first = [column.log_chances(drawn) for column in columns]
        laws = first
        for _ in range(ROUNDS):
            drawn = KEPT * drawn + (1 - KEPT) * _drawn(known + np.sum(laws, axis=0))
            laws = [
                np.logaddexp(column.log_chances(drawn) + np.log1p(-DOUBT), law + np.log(DOUBT))
                for column, law in zip(columns, first, strict=True)
            ]
        rows, records = np.arange(originals, dtype=np.float64), np.arange(masked, dtype=np.float64)
        return tuple(Coordinate(rows, records, Transitions(np.exp(law).T.copy()), is_exact=False) for law in laws)


def _drawn(logs: FloatMatrix) -> FloatColumn:
    """Return how probable it is of each original that it is one of the masked records, one to one."""
    count = min(CANDIDATES, logs.shape[1])
    candidates = np.argpartition(-logs, count - 1, axis=1)[:, :count]
    weights = np.take_along_axis(logs, candidates, axis=1)
    is_possible = weights > IMPOSSIBLE / 2
    ones = [np.ones(number, dtype=np.int64) for number in logs.shape]
    chances, _ = matching_marginals(np.where(is_possible, candidates, -1), weights, ones[0], ones[1])
    found = np.bincount(candidates[is_possible], chances[is_possible], minlength=logs.shape[1])
    return np.asarray(np.minimum(found, 1.0), dtype=np.float64)
