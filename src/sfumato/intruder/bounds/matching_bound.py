"""How many records anybody can link of a file that was masked record by record: a bound by a walk from the truth.

Of all rules, whatever they look at, the one that links each masked record to its likeliest original, given the whole
file, is right most often: it is right as often as the largest posterior of each record says. A walk through matchings
that begins at the true one is stationary, so that the share of the time in which a record holds an original estimates
that posterior without bias; and the mean of the largest of such shares is no smaller than the largest of their means.
So what the walk says is on average at least what the best of all rules links, however short the walk is.
"""

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from sfumato.intruder.households import HouseholdMembers
from sfumato.intruder.likely_originals import likely_originals
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods
from sfumato.intruder.posterior import Posterior, RecordClasses, places_of
from sfumato.kernels.linkage.matching_walk import walk_matchings
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE

STEPS, SWEEPS = 600_000, (20, 4000)  # steps of a walk, and how often each record has its turn
STEPS_AT_A_TIME = 100_000
MAX_PAIRS, MAX_JOINT_PAIRS = 2_000_000, 400_000  # pairs that are told, and of densities that take long
MAX_RECORDS = 200_000
LITTLE = 1e-3  # of the posterior of a record
CLEARLY, FEWEST = 5.0, 50  # standard errors, and the records from which on they are asked
STREAM = 0xB0D


@dataclass(frozen=True, eq=False)
class Pairs:
    """How likely classes of masked records are to be classes of originals, for those pairs that the walk may use.

    Parameters
    ----------
    originals, masked
        The classes of both files.
    candidates
        For each class of masked records classes of originals, rising, -1 at the end.
    log_weights
        Their log likelihoods.
    """

    originals: RecordClasses
    masked: RecordClasses
    candidates: CodeMatrix
    log_weights: FloatMatrix

    @classmethod
    def of(cls, model: Model, *, are_single: bool) -> "Pairs":
        """Return the pairs of a model; with `are_single`, no two records are taken for equal."""
        before, after = places_of(model)
        originals, masked = (
            RecordClasses.of(blocks, np.column_stack([places, np.arange(len(places))]) if are_single else places)
            for blocks, places in ((model.original_blocks, before), (model.masked_blocks, after))
        )
        before, after = before[originals.first], after[masked.first]
        blocks = model.original_blocks[originals.first], model.masked_blocks[masked.first]
        pairs = MAX_PAIRS if all(one.joint is None for one in model.likelihood) else MAX_JOINT_PAIRS
        candidates = possible_classes(model, before, after, blocks, originals.counts, pairs)
        scores = np.maximum(log_likelihoods(model.likelihood, before, after, candidates), IMPOSSIBLE)
        return cls(originals, masked, candidates, np.where(candidates < 0, IMPOSSIBLE, scores))

    @classmethod
    def of_posterior(cls, posterior: Posterior) -> "Pairs":
        """Return the pairs of a posterior, outside of which there is hardly anything."""
        originals, masked = (
            RecordClasses(np.unique(numbers, return_index=True)[1], numbers, np.bincount(numbers))
            for numbers in (posterior.original_classes, posterior.masked_classes)
        )
        unused = len(originals.counts)
        candidates = np.where(posterior.candidates < 0, unused, posterior.candidates)
        order = np.argsort(candidates, axis=1, kind="stable")
        candidates = np.take_along_axis(candidates, order, axis=1)
        scores = np.maximum(np.take_along_axis(posterior.log_likelihoods, order, axis=1), IMPOSSIBLE)
        is_none = candidates == unused
        return cls(originals, masked, np.where(is_none, -1, candidates), np.where(is_none, IMPOSSIBLE, scores))

    @property
    def shares(self) -> FloatMatrix:
        """The likelihoods of each row, as often as there are originals, summed up along the row, out of 1."""
        weights = np.where(self.candidates < 0, 0.0, self.originals.counts[self.candidates])
        best = self.log_weights.max(axis=1, initial=IMPOSSIBLE, keepdims=True)
        summed = np.cumsum(weights * np.exp(self.log_weights - best), axis=1)
        return np.asarray(summed / np.maximum(summed[:, -1:], 1e-300), dtype=np.float64)


def possible_classes(
    model: Model,
    before: FloatMatrix,
    after: FloatMatrix,
    blocks: tuple[CodeColumn, CodeColumn],
    counts: CodeColumn,
    pairs: int,
) -> CodeMatrix:
    """Return the classes of originals that each class of masked records may be, rising: all, or the likeliest."""
    if len(before) * len(after) <= pairs:
        found = np.where(blocks[0] == blocks[1][:, None], np.arange(len(before)), -1)
    else:
        found, _ = likely_originals(model.likelihood, before, after, blocks, counts, max(pairs // len(after), 16))
    found = np.sort(np.where(found < 0, len(before), found), axis=1)
    used = max(int((found < len(before)).sum(axis=1).max(initial=0)), 1)
    return np.ascontiguousarray(np.where(found < len(before), found, -1)[:, :used])


def matching_bound(
    model: Model,
    rows: Rows,
    households: HouseholdMembers | None = None,
    *,
    may_leave: bool = False,
    posterior: Posterior | None = None,
) -> float | None:
    """Return the share of records that nobody links more than, on average; nothing for very large files.

    Nothing, too, where the true pairs are clearly likelier than those of the walk: the likelihood is then not that of
    the masking, and says less than the file does.

    Parameters
    ----------
    model
        How likely each pair is: exactly, and independently of all others.
    rows
        The original of each masked record.
    households
        Who lives with whom, where the release tells that: all members are then of one household of the original.
    may_leave
        Whether every set of so many originals was equally likely to be drawn; otherwise who is in the file counts as
        known.
    posterior
        That of the model, where it is known: its pairs will do if they are nearly all that count.
    """
    if len(rows) > MAX_RECORDS:
        return None
    if posterior is not None and households is None and posterior.cut.max(initial=0.0) < LITTLE:
        pairs = Pairs.of_posterior(posterior)
    else:
        pairs = Pairs.of(model, are_single=households is not None)
    visits, unlisted, sweeps = walk(pairs, rows, households, may_leave=may_leave and households is None)
    if is_timid(pairs, rows, visits, sweeps):
        return None
    counts = pairs.originals.counts[pairs.candidates]
    best = np.where(pairs.candidates < 0, 0.0, visits / counts).max(axis=1)
    return float(min((best.sum() / sweeps + unlisted) / len(rows), 1.0))


def is_timid(pairs: Pairs, rows: Rows, visits: FloatMatrix, sweeps: int) -> bool:
    """Tell whether true pairs are likelier than those of a walk by more than chance makes them, record by record."""
    numbers, columns = pairs.masked.numbers, pairs.originals.numbers[rows]
    is_true = pairs.candidates[numbers] == columns[:, None]
    is_listed = is_true.any(axis=1)
    weights = np.where(visits > 0, pairs.log_weights, 0.0)
    walked = (visits * weights).sum(axis=1) / (sweeps * np.bincount(numbers, minlength=len(visits)))
    gains = np.where(is_true, pairs.log_weights[numbers], 0.0).sum(axis=1)[is_listed] - walked[numbers[is_listed]]
    return bool(len(gains) >= FEWEST and gains.mean() > CLEARLY * gains.std() / np.sqrt(len(gains)))


def walk(
    pairs: Pairs, rows: Rows, households: HouseholdMembers | None, *, may_leave: bool
) -> tuple[FloatMatrix, int, int]:
    """Return how often masked records held each candidate, how many hold none, and after how many turns."""
    count, originals = len(rows), len(pairs.originals.numbers)
    homes, starts, inmates = np.arange(count), np.arange(count), np.arange(count)
    if households is not None:
        homes, starts, inmates = households.numbers, households.starts, households.members
    held, holders = rows.copy(), np.full(originals, -1, dtype=np.int64)
    holders[rows] = np.arange(count)
    visits, shares = np.zeros(pairs.candidates.shape), pairs.shares
    columns = pairs.originals.numbers
    sweeps = int(np.clip(STEPS // count, *SWEEPS))
    rng = np.random.default_rng([STREAM, crc32(rows.tobytes())])  # other draws for another truth
    done = 0
    while done < sweeps:
        some = min(max(STEPS_AT_A_TIME // count, 1), sweeps - done)
        walk_matchings(
            pairs.candidates,
            pairs.log_weights,
            shares,
            pairs.masked.numbers,
            columns,
            np.argsort(columns, kind="stable"),
            np.concatenate([[0], np.cumsum(pairs.originals.counts)]),
            homes,
            inmates,
            np.append(starts, count),
            held,
            holders,
            may_leave,
            rng.random((some, count, 4)),
            visits,
        )
        done += some
    is_listed = (pairs.candidates[pairs.masked.numbers] == columns[rows][:, None]).any(axis=1)
    return visits, int(count - np.count_nonzero(is_listed)), sweeps
