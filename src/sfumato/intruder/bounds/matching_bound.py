"""How many records anybody can link of a file that was masked record by record: a bound by a walk from the truth.

Of all rules, whatever they look at, the one that links each masked record to its likeliest original, given the whole
file, is right most often: it is right as often as the largest posterior of each record says. A walk through matchings
that begins at the true one is stationary, so that the share of the time in which a record holds an original estimates
that posterior without bias; and the mean of the largest of such shares is no smaller than the largest of their means.
So what the walk says is on average at least what the best of all rules links, however short the walk is.

In a large file not all pairs can be listed. Somebody who is told of which records the true pair is listed, and which
originals these are, links no less than others. To them the file falls into two that have nothing to do with each other:
in one all true pairs are listed, and a walk through it bounds what they link of it. In the other none is, and it is
treated in the same way: fewer records, so that the likeliest pairs that are not excluded reach further.
"""

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from sfumato.intruder.bounds.candidate_pairs import MAX_PAIRS, Pairs, has_impossible_truth, misfits
from sfumato.intruder.bounds.household_bound import household_bound
from sfumato.intruder.households import HouseholdMembers
from sfumato.intruder.pair_model import Model
from sfumato.intruder.posterior import Posterior
from sfumato.kernels.linkage.matching_walk import FREE, TAKEN, walk_matchings
from sfumato.numerics.arrays import Booleans, CodeColumn, Rows, SmallFloats

STEPS, SWEEPS = 2_000_000, (600, 10_000)  # steps of a walk, and how often each record has its turn
STEPS_AT_A_TIME = 100_000
MAX_RECORDS = 200_000
LEVELS = 8  # of records whose true pair is not listed; those of the last count as linked
MORE = 32  # candidates of a record for each time that some were listed before, and are excluded
LITTLE = 1e-3  # of the posterior of a record
STREAM = 0xB0D


def matching_bound(
    model: Model,
    rows: Rows,
    households: HouseholdMembers | None = None,
    *,
    may_leave: bool = False,
    posterior: Posterior | None = None,
) -> float | None:
    """Return the share of records that nobody links more than, on average; nothing for very large files.

    Nothing, too, where a true pair is impossible, or true pairs are clearly likelier or less likely than those of the
    walk: the likelihood is then not that of the masking.

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
        That of the model, where it is known: its pairs will do.
    """
    if len(rows) > MAX_RECORDS or has_impossible_truth(model, rows):
        return None
    if households is not None:
        return household_bound(model, rows, households)
    rng = np.random.default_rng([STREAM, crc32(rows.tobytes())])  # other draws for another truth
    linked, left, listed = 0.0, np.arange(len(rows)), list[ListedPairs]()
    while left.size and len(listed) < LEVELS:
        is_open = may_leave and not listed
        originals = np.arange(len(model.original_blocks)) if is_open else np.sort(rows[left])
        pairs = _pairs_of(model, originals, left, listed, posterior)
        held = _places_among(originals, rows[left])
        places = pairs.places_of(pairs.originals.numbers[held])
        visits, available, sweeps = walk(pairs, held, places, rng, may_leave=is_open)
        if misfits(pairs, places, visits, sweeps):
            return None
        linked += float((visits / np.append(np.maximum(available, 1), 1)[pairs.candidates]).max(axis=1).sum()) / sweeps
        listed.append(ListedPairs(pairs, originals, left))
        left = left[places < 0]
    return float(min((linked + left.size) / len(rows), 1.0))


@dataclass(frozen=True, eq=False)
class ListedPairs:
    """Which pairs were listed: those of records whose true pair was not are excluded from then on.

    Parameters
    ----------
    pairs
        The pairs.
    originals, masked
        The records of both files that they are of, rising; a record's class is that of its place here.
    """

    pairs: Pairs
    originals: Rows
    masked: Rows

    def have(self, later: Pairs, originals: Rows, masked: Rows) -> Booleans:
        """Tell which pairs of some of the records were listed here (classes of masked records x candidates)."""
        first = originals[later.originals.first], masked[later.masked.first]
        columns = self.pairs.originals.numbers[_places_among(self.originals, first[0])]
        rows = self.pairs.masked.numbers[_places_among(self.masked, first[1])]
        width = len(self.pairs.originals.counts) + 1
        keys = (np.arange(len(rows)) * width)[:, None] + self.pairs.candidates[
            rows
        ]  # rising along rows and from row to row
        asked = (np.arange(len(rows)) * width)[:, None] + np.append(columns, width - 1)[later.candidates]
        flat = keys.ravel()
        place = np.minimum(np.searchsorted(flat, asked), flat.size - 1)
        return np.asarray(flat[place] == asked, dtype=np.bool_)


def _pairs_of(
    model: Model, originals: Rows, masked: Rows, listed: list[ListedPairs], posterior: Posterior | None
) -> Pairs:
    """Return the pairs of some records, without those that were listed before."""
    is_whole = not listed and len(originals) == len(model.original_blocks)
    if posterior is not None and is_whole and _will_do(posterior):
        return Pairs.of_posterior(posterior)
    pairs = Pairs.of(model, originals, masked, more=len(listed) * MORE)
    for earlier in listed:
        pairs = pairs.without(earlier.have(pairs, originals, masked))
    return pairs


def _will_do(posterior: Posterior) -> bool:
    """Tell whether a posterior has nearly all that counts, or as many pairs as would be listed anyway."""
    is_large = len(posterior.original_classes) * len(posterior.masked_classes) > MAX_PAIRS
    return is_large or posterior.cut.max(initial=0.0) < LITTLE


def _places_among(records: Rows, asked: Rows) -> Rows:
    """Return the places of some records in a rising list that has them."""
    return np.asarray(np.searchsorted(records, asked), dtype=np.int64)


def walk(
    pairs: Pairs, truth: Rows, places: CodeColumn, rng: np.random.Generator, *, may_leave: bool
) -> tuple[SmallFloats, CodeColumn, int]:
    """Walk with the records whose true pair is listed, from there.

    Returns how often the classes of masked records held each candidate, how many originals of each class were there to
    be held, and how often each record had its turn.

    Parameters
    ----------
    pairs
        The pairs that the walk may use.
    truth, places
        The original of each masked record, and its place among the candidates; -1 for none.
    rng
        Draws the steps.
    may_leave
        Whether records may move to originals that nobody holds.
    """
    columns = pairs.originals.numbers
    walking = np.flatnonzero(places >= 0)
    walking = walking[np.argsort(pairs.masked.numbers[walking], kind="stable")]  # near in the file, near in memory
    holders = np.full(len(columns), FREE if may_leave else TAKEN, dtype=np.int64)
    holders[truth] = TAKEN
    held, at = truth[walking], places[walking]
    holders[held] = np.arange(len(walking))
    members = np.flatnonzero(holders != TAKEN)
    members = members[np.argsort(columns[members], kind="stable")]
    available = np.bincount(columns[members], minlength=len(pairs.originals.counts))
    visits = np.zeros(pairs.candidates.shape, dtype=np.float32)
    sweeps = int(np.clip(STEPS // max(len(walking), 1), *SWEEPS))
    shares, starts = pairs.shares(available), np.concatenate([[0], np.cumsum(available)])
    for start in range(0, sweeps, max(STEPS_AT_A_TIME // max(len(walking), 1), 1)):
        some = min(max(STEPS_AT_A_TIME // max(len(walking), 1), 1), sweeps - start)
        walk_matchings(
            pairs.candidates,
            pairs.log_weights,
            shares,
            pairs.masked.numbers[walking],
            columns,
            members,
            starts,
            held,
            at,
            holders,
            rng.random((some, len(walking), 3)),
            visits,
        )
    return visits, available, sweeps
