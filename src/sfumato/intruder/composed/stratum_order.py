"""The order of values within strata that are masked too: nobody sees who was in which, and yet it can be told.

Values that were drawn anew within a stratum keep the order of its members. A released record that belongs to it has as
many members below it as its original has. Where the stratum is masked later, the intruder knows which originals were
its members, but not which records; where it was masked before, which records were, but not which originals; and of a
sample whose strata are masked later, neither which records nor which of the members were drawn. How
probable a pair is hangs on who belongs to the stratum: as the other columns say at first, then by the originals that
records are linked to by all columns, one to one, and so on, as in expectation-maximisation (Dempster, Laird and Rubin
1977).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, columns_present
from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes
from sfumato.intruder.composed.rank_chances import Ranks
from sfumato.intruder.composed.sample_order import MAX_PAIRS, keeps_order
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shadow_masking import Runs, Shadow
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE, Transitions

MAX_STRATA = 30
ROUNDS = 30
CANDIDATES = 200  # of each masked record
KEPT = 0.2  # of what was thought before of who is in which stratum
DOUBT = 0.01  # that it is wrong
UNLIKELY = 1e-4  # a truth is not counted as less probable


@dataclass(frozen=True, eq=False)
class StratumOrder:
    """Columns that keep the order of the originals within strata.

    Parameters
    ----------
    runs
        The original, the recipe, and what was found out by running it.
    names
        The columns.
    strata
        The columns whose equal values make a stratum.
    are_released
        Whether the strata are those of the masked records, not those of the originals.
    """

    runs: Runs
    names: tuple[str, ...]
    strata: tuple[str, ...]
    are_released: bool

    @property
    def masked_by(self) -> str:
        """Return which step masks the strata, in words."""
        return "an earlier step" if self.are_released else "a later step"

    def numbers(self, masked: Microdata) -> CodeColumn:
        """Return the stratum of each masked record as it is released, or else of each original."""
        return combination_codes([masked if self.are_released else self.runs.original], self.strata)[0]

    def holds(self, masked: Microdata, rows: Rows) -> bool:
        """Tell whether a file keeps the order in each stratum; `rows` are the originals of its records."""
        if not len(rows):
            return False
        strata = self.numbers(masked) if self.are_released else self.numbers(masked)[rows]
        if strata.max() >= MAX_STRATA:
            return False
        parts = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
        return all(keeps_order(self.runs.original, masked.take_rows(part), self.names, rows[part]) for part in parts)

    def added_to(self, model: Model, masked: Microdata) -> Model:
        """Return a model of the other columns with these."""
        return model.with_coordinates(self.likelihood(model, masked))

    def likelihood(self, others: Model, masked: Microdata) -> Likelihood:
        """Return the coordinates of the columns of a file, given the model of all other columns."""
        known, numbers = all_log_likelihoods(others), self.numbers(masked)
        members = [np.flatnonzero(numbers == stratum) for stratum in range(int(numbers.max()) + 1)]
        belongs, drawn = self.belonging(known, numbers)
        files = [(self.runs.original.values(name), masked.values(name)) for name in self.names]
        pairs = files if self.are_released else [(after, before) for before, after in files]
        ranks = [[Ranks.of(unsure, sure[some]) for some in members] for unsure, sure in pairs]
        first: list[FloatMatrix] = []
        laws: list[FloatMatrix] = []
        for number in range(ROUNDS):
            found = [self.laws(column, members, (belongs, drawn), known.shape) for column in ranks]
            first = first or found
            laws = [
                np.logaddexp(law + np.log1p(-DOUBT), start + np.log(DOUBT))
                for law, start in zip(found, first, strict=True)
            ]
            if number < ROUNDS - 1:
                linked = self.belonging(known + np.sum(laws, axis=0), numbers)
                belongs, drawn = (
                    KEPT * old + (1 - KEPT) * new for old, new in zip((belongs, drawn), linked, strict=True)
                )
        records, rows = (np.arange(size, dtype=np.float64) for size in known.shape)
        return tuple(Coordinate(rows, records, Transitions(np.exp(law).T.copy()), is_exact=False) for law in laws)

    def laws(
        self,
        ranks: Sequence[Ranks],
        members: Sequence[Rows],
        chances: tuple[FloatMatrix, FloatColumn],
        shape: tuple[int, int],
    ) -> FloatMatrix:
        """Return the log chance of each masked record for each original, by its rank in the stratum of that file.

        The chances are that records of the other file belong to each stratum, and that each original was drawn.
        """
        logs, (belongs, drawn) = np.zeros(shape), chances
        is_sample = shape[0] < shape[1] and not self.are_released
        for stratum, (some, column) in enumerate(zip(members, ranks, strict=True)):
            if not len(some):
                continue
            present = drawn[some] if is_sample else None
            found = column.log_chances(belongs[:, stratum], present)  # members x those who may belong
            if self.are_released:
                logs[some] = found
            else:
                logs[:, some] = found.T
        return logs

    def belonging(self, logs: FloatMatrix, numbers: CodeColumn) -> tuple[FloatMatrix, FloatColumn]:
        """Return how probable it is of each record of the other file that it is of each stratum, one to one.

        Beside it stands how probable it is of each original that it is in the file.
        """
        records, originals, chances = _pairs_one_to_one(logs)
        unsure, sure = (originals, records) if self.are_released else (records, originals)
        found = np.zeros((logs.shape[1 if self.are_released else 0], int(numbers.max()) + 1))
        np.add.at(found, (unsure, numbers[sure]), chances)
        drawn = np.minimum(np.bincount(originals, chances, minlength=logs.shape[1]), 1.0)
        return np.asarray(np.clip(found, 0.0, 1.0), dtype=np.float64), drawn


def stratum_order(
    runs: Runs,
    masked: Microdata,
    names: Sequence[str],
    touching: Mapping[str, Sequence[int]],
    shadows: Sequence[Shadow],
) -> StratumOrder | None:
    """Return the columns that keep their order within strata which another step masks; nothing where none do.

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
    if masked.n * runs.original.n > MAX_PAIRS:
        return None
    for number, step in enumerate(runs.steps):
        strata = columns_present(getattr(step, "within", ()), runs.original)
        if not strata or not set(strata) <= set(touching):
            continue
        others = [touched for name in strata for touched in touching[name]]
        if not others or min(others) <= number <= max(others):
            continue
        columns = columns_present(step.columns, runs.original)
        order = StratumOrder(runs, (), tuple(strata), max(others) < number)
        ordered = tuple(
            name
            for name in names
            if name in columns
            and all(replace(order, names=(name,)).holds(shadow.data, shadow.rows) for shadow in shadows)
        )
        if ordered:
            return replace(order, names=ordered)
    return None


def truth_merit(model: Model, rows: Rows) -> float:
    """Return the mean log probability, one to one, of the truth of a file that the intruder masked."""
    records, originals, chances = _pairs_one_to_one(all_log_likelihoods(model))
    is_true = originals == rows[records]
    found = np.zeros(len(rows))
    found[records[is_true]] = chances[is_true]
    return float(np.log(np.maximum(found, UNLIKELY)).mean())


def all_log_likelihoods(model: Model) -> FloatMatrix:
    """Return how likely each masked record (rows) is to come from each original (columns)."""
    originals, masked = len(model.original_blocks), len(model.masked_blocks)
    every = np.tile(np.arange(originals), (masked, 1))
    logs = log_likelihoods(model.likelihood, *places(model.likelihood, originals, masked), every)
    return np.where(model.masked_blocks[:, None] == model.original_blocks, logs, IMPOSSIBLE)


def _pairs_one_to_one(logs: FloatMatrix) -> tuple[Rows, Rows, FloatColumn]:
    """Return masked records and originals that may belong together, and how probable it is that they do, one to one."""
    count = min(CANDIDATES, logs.shape[1])
    candidates = np.argpartition(-logs, count - 1, axis=1)[:, :count]
    weights = np.take_along_axis(logs, candidates, axis=1)
    ones = [np.ones(size, dtype=np.int64) for size in logs.shape]
    is_possible = weights > IMPOSSIBLE / 2
    chances, _ = matching_marginals(np.where(is_possible, candidates, -1), weights, ones[0], ones[1])
    records, slots = np.nonzero(is_possible)
    return records, candidates[records, slots], chances[records, slots]
