"""The order of values within strata that a later step masks: nobody sees who was in which, and yet it can be told.

Values that were drawn anew within a stratum keep the order of its members. A released record that belongs to it has as
many members below it as its original has. How probable that is hangs on who belongs to the stratum: as the release says
at first, then by the originals that records are linked to by all columns, one to one, and so on, as in
expectation-maximisation (Dempster, Laird and Rubin 1977).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, columns_present
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.composed.rank_chances import Ranks
from sfumato.intruder.composed.sample_order import MAX_PAIRS, keeps_order
from sfumato.intruder.learnt.learning import mean_log_posterior
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shadow_masking import Runs, Shadow
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import CodeColumn, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_STRATA = 30
ROUNDS = 12
CANDIDATES = 200  # of each masked record
KEPT = 0.2  # of what was thought before of who is in which stratum
DOUBT = 0.01  # that it is wrong


@dataclass(frozen=True, eq=False)
class StratumOrder:
    """Columns that keep the order of the originals within strata.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    names
        The columns.
    numbers
        The stratum of each original.
    """

    runs: Runs
    names: tuple[str, ...]
    numbers: CodeColumn

    def holds(self, masked: Microdata, rows: Rows) -> bool:
        """Tell whether a file keeps the order in each stratum; `rows` are the originals of its records."""
        if len(rows) != self.runs.original.n or not len(rows):
            return False
        strata = self.numbers[rows]
        parts = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
        return all(keeps_order(self.runs.original, masked.take_rows(part), self.names, rows[part]) for part in parts)

    def added_to(self, model: Model, masked: Microdata) -> Model:
        """Return a model of the other columns with these."""
        return model.with_coordinates(self.likelihood(model, masked))

    def likelihood(self, others: Model, masked: Microdata) -> Likelihood:
        """Return the coordinates of the columns of a file, given the model of all other columns."""
        known, count = all_log_likelihoods(others), masked.n
        members = [np.flatnonzero(self.numbers == stratum) for stratum in range(int(self.numbers.max()) + 1)]
        belongs = _belonging(known, self.numbers)
        files = [(self.runs.original.values(name), masked.values(name)) for name in self.names]
        ranks = [[Ranks.of(after, before[some]) for some in members] for before, after in files]
        first: list[FloatMatrix] = []
        laws: list[FloatMatrix] = []
        for number in range(ROUNDS):
            found = [_laws(column, members, belongs, known.shape) for column in ranks]
            first = first or found
            laws = [
                np.logaddexp(law + np.log1p(-DOUBT), start + np.log(DOUBT))
                for law, start in zip(found, first, strict=True)
            ]
            if number < ROUNDS - 1:
                linked = _belonging(known + np.sum(laws, axis=0), self.numbers)
                belongs = KEPT * belongs + (1 - KEPT) * linked
        rows, records = np.arange(len(self.numbers), dtype=np.float64), np.arange(count, dtype=np.float64)
        return tuple(Coordinate(rows, records, Transitions(np.exp(law).T.copy()), is_exact=False) for law in laws)


def stratum_order(
    runs: Runs,
    masked: Microdata,
    names: Sequence[str],
    touching: Mapping[str, Sequence[int]],
    shadows: Sequence[Shadow],
) -> StratumOrder | None:
    """Return the columns that keep their order within strata which a later step masks; nothing where none do.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    masked
        The release.
    names
        The columns whose masking is learnt.
    touching
        For each column that the intruder knows the numbers of the steps that change it.
    shadows
        Files that the intruder masked.
    """
    if masked.n != runs.original.n or masked.n**2 > MAX_PAIRS:
        return None
    for number, step in enumerate(runs.steps):
        strata = columns_present(getattr(step, "within", ()), runs.original)
        if not strata or not set(strata) <= set(touching):
            continue
        later = [touched for name in strata for touched in touching[name]]
        (numbers,) = combination_codes([runs.original], strata)
        if not later or min(later) <= number or numbers.max(initial=0) >= MAX_STRATA:
            continue
        columns = columns_present(step.columns, runs.original)
        ordered = tuple(
            name
            for name in names
            if name in columns
            and all(StratumOrder(runs, (name,), numbers).holds(shadow.data, shadow.rows) for shadow in shadows)
        )
        if ordered:
            return StratumOrder(runs, ordered, numbers)
    return None


def truth_merit(model: Model, rows: Rows) -> float:
    """Return the mean log posterior of the truth of a file that the intruder masked, row by row."""
    logs = all_log_likelihoods(model)
    return mean_log_posterior(logs - logs.max(axis=1, keepdims=True), rows)


def all_log_likelihoods(model: Model) -> FloatMatrix:
    """Return how likely each masked record (rows) is to come from each original (columns)."""
    originals, masked = len(model.original_blocks), len(model.masked_blocks)
    every = np.tile(np.arange(originals), (masked, 1))
    logs = log_likelihoods(model.likelihood, *places(model.likelihood, originals, masked), every)
    return np.where(model.masked_blocks[:, None] == model.original_blocks, logs, IMPOSSIBLE)


def _laws(ranks: Sequence[Ranks], members: Sequence[Rows], belongs: FloatMatrix, shape: tuple[int, ...]) -> FloatMatrix:
    """Return the log chance of each masked record for each original, by its rank in the stratum of the original."""
    logs = np.zeros(shape)
    for stratum, (some, column) in enumerate(zip(members, ranks, strict=True)):
        logs[:, some] = column.log_chances(belongs[:, stratum]).T
    return logs


def _belonging(logs: FloatMatrix, numbers: CodeColumn) -> FloatMatrix:
    """Return how probable it is of each masked record that it is of each stratum, one to one (records x strata)."""
    count = min(CANDIDATES, logs.shape[1])
    candidates = np.argpartition(-logs, count - 1, axis=1)[:, :count]
    weights = np.take_along_axis(logs, candidates, axis=1)
    ones = [np.ones(size, dtype=np.int64) for size in logs.shape]
    is_possible = weights > IMPOSSIBLE / 2
    chances, _ = matching_marginals(np.where(is_possible, candidates, -1), weights, ones[0], ones[1])
    found = np.zeros((len(logs), int(numbers.max()) + 1))
    records, slots = np.nonzero(is_possible)
    np.add.at(found, (records, numbers[candidates[records, slots]]), chances[records, slots])
    return np.asarray(np.clip(found, 0.0, 1.0), dtype=np.float64)
