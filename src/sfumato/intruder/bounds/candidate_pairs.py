"""The pairs of records that a walk through matchings may use, and how likely they are."""

from dataclasses import dataclass

import numpy as np

from sfumato.intruder.likely_originals import likely_originals
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods, true_log_densities
from sfumato.intruder.posterior import Posterior, RecordClasses, places_of
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatMatrix, Rows, SmallFloats, SmallIntegers
from sfumato.numerics.densities import IMPOSSIBLE

MAX_PAIRS, MAX_JOINT_PAIRS = 2_000_000, 400_000  # up to which all are told, and of densities that take long
MIN_CANDIDATES, MIN_JOINT_CANDIDATES = 64, 16  # candidates of each record in larger files
RECORDS_AT_A_TIME = 1 << 16
CLEARLY, MIN_RECORDS = 5.0, 50  # standard errors, and the records from which on they are asked


@dataclass(frozen=True, eq=False)
class Pairs:
    """How likely classes of masked records are to be classes of originals, for those pairs that the walk may use.

    Parameters
    ----------
    originals, masked
        The classes of some records of both files.
    candidates
        For each class of masked records classes of originals, rising, and at the end the number of classes for none.
    log_weights
        Their log likelihoods, in seven digits: in these the walk is exact.
    """

    originals: RecordClasses
    masked: RecordClasses
    candidates: SmallIntegers
    log_weights: SmallFloats

    @classmethod
    def of(cls, model: Model, originals: Rows, masked: Rows, *, are_single: bool = False, more: int = 0) -> "Pairs":
        """Return the pairs of some records of both files: all, or in large files the likeliest.

        Parameters
        ----------
        model
            How likely pairs are.
        originals, masked
            The records.
        are_single
            Whether no two records are taken for equal.
        more
            How many candidates are asked for beyond the usual number.
        """
        places = places_of(model)
        blocks = model.original_blocks[originals], model.masked_blocks[masked]
        before, after = places[0][originals], places[1][masked]
        classes = [
            RecordClasses.of(part, np.column_stack([place, np.arange(len(place))]) if are_single else place)
            for part, place in zip(blocks, (before, after), strict=True)
        ]
        before, after = before[classes[0].first], after[classes[1].first]
        is_joint = any(one.joint is not None for one in model.likelihood)
        most, fewest = (MAX_JOINT_PAIRS, MIN_JOINT_CANDIDATES) if is_joint else (MAX_PAIRS, MIN_CANDIDATES)
        parts = blocks[0][classes[0].first], blocks[1][classes[1].first]
        if len(before) * len(after) <= most:
            candidates = np.where(parts[0] == parts[1][:, None], np.arange(len(before)), -1)
        else:
            count = max(most // len(after), fewest) + more
            candidates, _ = likely_originals(model.likelihood, before, after, parts, classes[0].counts, count)
        scores = log_likelihoods(model.likelihood, before, after, candidates)
        return cls._rising(classes[0], classes[1], candidates, scores)

    @classmethod
    def of_posterior(cls, posterior: Posterior) -> "Pairs":
        """Return the pairs of a posterior of all records."""
        originals, masked = (
            RecordClasses(np.unique(numbers, return_index=True)[1], numbers, np.bincount(numbers))
            for numbers in (posterior.original_classes, posterior.masked_classes)
        )
        return cls._rising(originals, masked, posterior.candidates, posterior.log_likelihoods)

    @classmethod
    def _rising(
        cls, originals: RecordClasses, masked: RecordClasses, candidates: CodeMatrix, scores: FloatMatrix | SmallFloats
    ) -> "Pairs":
        """Return pairs with the candidates of each row in rising order, as few columns as they need."""
        unused = len(originals.counts)
        listed = np.where(candidates < 0, unused, candidates).astype(np.int32)
        order = np.argsort(listed, axis=1, kind="stable")
        listed = np.take_along_axis(listed, order, axis=1)
        weights = np.maximum(np.take_along_axis(scores, order, axis=1), IMPOSSIBLE).astype(np.float32)
        used = max(int((listed < unused).sum(axis=1).max(initial=0)), 1)
        listed = np.ascontiguousarray(listed[:, :used])
        weights = np.where(listed == unused, np.float32(IMPOSSIBLE), weights[:, :used])
        return cls(originals, masked, listed, np.ascontiguousarray(weights))

    @property
    def is_none(self) -> Booleans:
        """Which entries of the candidates stand for none."""
        return np.asarray(self.candidates == len(self.originals.counts), dtype=np.bool_)

    def shares(self, counts: CodeColumn) -> FloatMatrix:
        """Return the likelihoods of each row, as often as each class has originals, summed up along it, out of 1."""
        often = np.append(counts, 0)[self.candidates]
        best = np.where(often > 0, self.log_weights, IMPOSSIBLE).max(axis=1, initial=IMPOSSIBLE, keepdims=True)
        summed = np.cumsum(often * np.exp(np.minimum(self.log_weights - best, 0.0), dtype=np.float64), axis=1)
        return np.asarray(summed / np.maximum(summed[:, -1:], 1e-300), dtype=np.float64)

    def without(self, is_excluded: Booleans) -> "Pairs":
        """Return the pairs without some of them (classes of masked records x candidates)."""
        kept = np.where(is_excluded | self.is_none, -1, self.candidates)
        return self._rising(self.originals, self.masked, kept, self.log_weights)

    def places_of(self, columns: CodeColumn) -> CodeColumn:
        """Return the place of a class of originals among the candidates of each record, -1 where it is none of them."""
        rows = self.masked.numbers
        found = np.full(len(rows), -1, dtype=np.int64)
        for start in range(0, len(rows), RECORDS_AT_A_TIME):
            some = slice(start, start + RECORDS_AT_A_TIME)
            is_it = self.candidates[rows[some]] == columns[some, None]
            found[some] = np.where(is_it.any(axis=1), is_it.argmax(axis=1), -1)
        return found


def misfits(pairs: Pairs, places: CodeColumn, visits: FloatMatrix | SmallFloats, sweeps: int) -> bool:
    """Tell whether true pairs are likelier or less likely than those of a walk, by more than chance makes them.

    They are a draw from the same distribution where the likelihood is that of the masking. Where it is too wide, true
    pairs are likelier; where it is too narrow, or something stays that it takes for noise, less likely.

    Parameters
    ----------
    pairs
        The pairs of the walk.
    places
        The place of each record's original among its candidates; -1 for one that did not walk.
    visits, sweeps
        How often the records of each class held each candidate, and how often each record had its turn.
    """
    walked = np.flatnonzero(places >= 0)
    rows = pairs.masked.numbers[walked]
    records = np.maximum(np.bincount(rows, minlength=len(visits)), 1)
    usual = (visits * np.where(visits > 0, pairs.log_weights, 0.0)).sum(axis=1, dtype=np.float64) / (sweeps * records)
    gains = pairs.log_weights[rows, places[walked]] - usual[rows]
    return bool(len(gains) >= MIN_RECORDS and abs(gains.mean()) > CLEARLY * gains.std() / np.sqrt(len(gains)))


def has_impossible_truth(model: Model, rows: Rows) -> bool:
    """Tell whether some true pair is impossible by a model, which is then not that of the masking."""
    if not np.array_equal(model.original_blocks[rows], model.masked_blocks):
        return True
    return bool((true_log_densities(model.likelihood, rows) <= IMPOSSIBLE / 2).any())
