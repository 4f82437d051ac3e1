"""How many records anybody can link where the release tells who lives with whom: households walk as wholes."""

from zlib import crc32

import numpy as np

from sfumato.intruder.bounds.candidate_pairs import Pairs, misfits
from sfumato.intruder.households import HouseholdMembers
from sfumato.intruder.pair_model import Model
from sfumato.kernels.linkage.household_walk import walk_households
from sfumato.numerics.arrays import FloatMatrix, Rows

STEPS, SWEEPS = 600_000, (20, 4000)  # steps of a walk, and how often each record has its turn
STEPS_AT_A_TIME = 100_000
STREAM = 0xB0D


def household_bound(model: Model, rows: Rows, households: HouseholdMembers) -> float | None:
    """Return the share of records that nobody links more than, on average, as `matching_bound` does.

    Records whose true pair is not listed stay where they are, and count as linked.
    """
    originals = np.arange(len(model.original_blocks))
    pairs = Pairs.of(model, originals, np.arange(len(rows)), are_single=True)
    places = pairs.places_of(pairs.originals.numbers[rows])
    visits, sweeps = _walk(pairs, rows, households)
    if misfits(pairs, places, visits, sweeps):
        return None
    linked = visits.max(axis=1).sum() / sweeps + np.count_nonzero(places < 0)
    return float(min(linked / len(rows), 1.0))


def _walk(pairs: Pairs, rows: Rows, households: HouseholdMembers) -> tuple[FloatMatrix, int]:
    """Return how often masked records held each candidate, and after how many turns."""
    count, columns = len(rows), pairs.originals.numbers
    held, holders = rows.copy(), np.full(len(columns), -1, dtype=np.int64)
    holders[rows] = np.arange(count)
    visits, shares = np.zeros(pairs.candidates.shape), pairs.shares(pairs.originals.counts)
    candidates = np.where(pairs.is_none, -1, pairs.candidates).astype(np.int64)
    sweeps = int(np.clip(STEPS // count, *SWEEPS))
    rng = np.random.default_rng([STREAM, crc32(rows.tobytes())])  # other draws for another truth
    done = 0
    while done < sweeps:
        some = min(max(STEPS_AT_A_TIME // count, 1), sweeps - done)
        walk_households(
            candidates,
            pairs.log_weights.astype(np.float64),
            shares,
            pairs.masked.numbers,
            columns,
            np.argsort(columns, kind="stable"),
            np.concatenate([[0], np.cumsum(pairs.originals.counts)]),
            households.numbers,
            households.members,
            np.append(households.starts, count),
            held,
            holders,
            rng.random((some, count, 4)),
            visits,
        )
        done += some
    return visits, sweeps
