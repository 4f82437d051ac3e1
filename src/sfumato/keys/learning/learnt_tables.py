"""Tables of how often what is known of a person goes with what a record shows, and those that tell most together."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.keys.learning.binned_features import Feature
from sfumato.keys.learning.fitting_pairs import FittingPairs
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Rows

FIRST_LOOK = 1_000  # records, by which most tables are left aside
PROMISING = 4  # tables of a column that are tried on pairs, those that fit it best
MAX_CHOSEN_ON = 300  # records whose pairs decide which tables are used
MAX_STEPS = 8  # tables that are used together
MIN_GAIN = 4.0  # of the logarithm of the likelihood, for a table to be used
PRIOR = 1.0  # records of the whole file that each row of a table begins with
POWERS = (0.25, 0.5, 1.0)  # of what tables say: less where columns say the same


@dataclass(frozen=True, eq=False)
class LearntTable:
    """How much likelier what a record shows is for somebody of whom something is known than for anybody.

    Parameters
    ----------
    person, record
        What is known of persons, and what records show.
    counts
        How many of the records that taught it are in each bin of both (bins of persons x bins of records).
    gain
        By how much the logarithm of the likelihood of the column rises, each record left out of what it is judged by.
    """

    person: Feature
    record: Feature
    counts: CodeMatrix
    gain: float

    @cached_property
    def _shares(self) -> FloatColumn:
        return np.asarray((self.counts.sum(axis=0) + 0.5) / (self.counts.sum() + 0.5 * self.record.bin_count))

    @cached_property
    def _held(self) -> FloatColumn:
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    @cached_property
    def _ratios(self) -> FloatMatrix:
        likely = (self.counts + PRIOR * self._shares) / (self._held[:, None] + PRIOR)
        return np.asarray(np.log(likely / self._shares))

    def scores(self, pairs: FittingPairs, *, is_own: bool) -> FloatColumn:
        """Return what the table says of each pair; without the record itself where that is among those who taught."""
        person, seen = self.person.bins[pairs.persons], self.record.bins[pairs.records]
        scores = self._ratios[person, seen]
        if is_own:
            same = np.flatnonzero(person == self.person.bins[pairs.records])
            row, column = person[same], seen[same]
            likely = (self.counts[row, column] - 1 + PRIOR * self._shares[column]) / (self._held[row] - 1 + PRIOR)
            scores[same] = np.log(likely / self._shares[column])
        return np.asarray(scores)


def learn_tables(people: Sequence[Feature], shown: Sequence[Feature], half: Rows) -> list[LearntTable]:
    """Return for each column the tables that fit it best, as half of the records teach them."""
    few, found = half[:FIRST_LOOK], []
    for record in shown:
        gains = {
            place: gain
            for place, person in enumerate(people)
            if not (person.is_made and record.is_made) and (gain := _gain(_count(person, record, few))) > MIN_GAIN
        }
        best = sorted(gains, key=lambda place: -gains[place])[:PROMISING]
        tables = [_count(people[place], record, half) for place in best]
        found += [LearntTable(people[place], record, one, _gain(one)) for place, one in zip(best, tables, strict=True)]
    return found


def _count(person: Feature, record: Feature, rows: Rows) -> CodeMatrix:
    cells = person.bins[rows] * record.bin_count + record.bins[rows]
    return np.bincount(cells, minlength=person.bin_count * record.bin_count).reshape(person.bin_count, record.bin_count)


def _gain(counts: CodeMatrix) -> float:
    """Return by how much a table raises the logarithm of the likelihood, each record judged by the others."""
    row, column = np.nonzero(counts)
    here, shares = counts[row, column], (counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * counts.shape[1])
    held = counts.sum(axis=1)[row]
    likely = (here - 1 + PRIOR * shares[column]) / (held - 1 + PRIOR)
    return float((here * np.log(likely / shares[column])).sum())


def choose_tables(tables: Sequence[LearntTable], pairs: FittingPairs) -> tuple[list[LearntTable], float]:
    """Return the tables that together tell best which persons belong to records, and the power to raise them to.

    The records of the pairs are among those who taught the tables.
    """
    pairs = pairs.first(MAX_CHOSEN_ON)
    total = np.zeros(pairs.records.size)
    best, chosen = likelihood(total, pairs), list[LearntTable]()
    waiting = {}
    for place, table in enumerate(tables):
        scores = table.scores(pairs, is_own=True)
        if likelihood(scores, pairs) > best + MIN_GAIN:
            waiting[place] = scores
    while waiting and len(chosen) < MAX_STEPS:
        gains = {place: likelihood(total + scores, pairs) for place, scores in waiting.items()}
        place = max(gains, key=gains.__getitem__)
        if gains[place] < best + MIN_GAIN:
            break
        waiting = {one: scores for one, scores in waiting.items() if gains[one] > best + MIN_GAIN}
        total, best = total + waiting.pop(place), gains[place]
        chosen.append(tables[place])
    return chosen, max(POWERS, key=lambda power: likelihood(power * total, pairs))


def likelihood(scores: FloatColumn, pairs: FittingPairs) -> float:
    """Return the logarithm of how likely the right persons are by scores of all who fit.

    Examples
    --------
    >>> pairs = FittingPairs(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 2]))
    >>> float(np.exp(likelihood(np.zeros(4), pairs)).round(6))
    0.25
    """
    highest = np.maximum.reduceat(scores, pairs.starts)
    sums = np.add.reduceat(np.exp(scores - np.repeat(highest, pairs.fitting)), pairs.starts)
    return float(scores[pairs.is_true].sum() - (highest + np.log(sums)).sum())
