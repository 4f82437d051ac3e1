"""Follow exchanges: where two records exchanged a value, what is true of one pair of records is true of another.

Let masked record m come from original i, and let the value of m in a column be that of original o. Then i got it from
o in exchange for its own, which the masked record k now holds: so k comes from o. One pair thus implies others, and
these imply more; a wrong pair soon implies one that is impossible, or that contradicts another.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.linkage.likelihood_tables import Tables
from sfumato.kernels.linkage.likely_records import log_likelihood
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

MAX_IMPLIED = 40  # pairs that are followed from each; a wrong one seldom gets beyond three


def follow_exchanges(
    owners: Integers,
    carriers: Integers,
    blocks: tuple[Integers, Integers],
    records: Integers,
    candidates: Integers,
    positions: Floats,
    levels: Integers,
    places: Floats,
    tables: Tables,
    least: float,
) -> tuple[Floats, Integers]:
    """Return how likely the pairs are, on average, that each candidate pair implies, and how many these are.

    Parameters
    ----------
    owners
        For each masked record and column the original that had its value, shape (m, c); -1 where several had it.
    carriers
        For each original and column the masked record that has its value, shape (n, c); -1 where several have it.
    blocks
        The block of each original and of each masked record; records of two blocks are not the same person.
    records, candidates
        Masked records, shape (r,), and for each of them the originals to try, shape (r, k); -1 is none.
    positions, levels, places, tables
        The likelihood on grids, as for `likely_records`.
    least
        The log likelihood below which a pair is taken for impossible.

    Returns
    -------
    Mean log likelihoods, shape (r, k), -inf where an implied pair is impossible or contradicts another; and the number
    of implied pairs, the candidate among them.
    """
    means, counts = np.full(candidates.shape, -np.inf), np.zeros(candidates.shape, dtype=np.int64)

    def run(piece: slice) -> None:
        asked, outputs = (records[piece], candidates[piece]), (means[piece], counts[piece])
        _follow_all(*asked, owners, carriers, blocks, positions, levels, places, tables, least, *outputs)

    run_in_threads(run, len(candidates))
    return means, counts


@compiled
def _follow_all(
    records: Integers,
    candidates: Integers,
    owners: Integers,
    carriers: Integers,
    blocks: tuple[Integers, Integers],
    positions: Floats,
    levels: Integers,
    places: Floats,
    tables: Tables,
    least: float,
    means: Floats,
    counts: Integers,
) -> None:
    """Follow the candidates of some masked records; `means` and `counts` are outputs."""
    masked, originals = np.empty(MAX_IMPLIED, dtype=np.int64), np.empty(MAX_IMPLIED, dtype=np.int64)
    for record in range(len(candidates)):
        for place in range(candidates.shape[1]):
            original = candidates[record, place]
            if original < 0 or blocks[0][original] != blocks[1][records[record]]:
                continue
            start = log_likelihood(levels[original], positions[original], places[records[record]], tables)
            if start < least:
                continue
            masked[0], originals[0] = records[record], original
            means[record, place], counts[record, place] = _follow(
                start, masked, originals, owners, carriers, blocks, positions, levels, places, tables, least
            )


@compiled
def _follow(
    start: float,
    masked: Integers,
    originals: Integers,
    owners: Integers,
    carriers: Integers,
    blocks: tuple[Integers, Integers],
    positions: Floats,
    levels: Integers,
    places: Floats,
    tables: Tables,
    least: float,
) -> tuple[float, int]:
    """Follow what the first pair implies, breadth first; `masked` and `originals` hold the pairs."""
    total, count, at = start, 1, 0
    while at < count:
        for c in range(owners.shape[1]):
            owner, carrier = owners[masked[at], c], carriers[originals[at], c]
            if owner < 0 or carrier < 0:
                continue
            is_known = False
            for other in range(count):
                if masked[other] == carrier or originals[other] == owner:
                    if masked[other] != carrier or originals[other] != owner:
                        return -np.inf, count
                    is_known = True
            if is_known or count == MAX_IMPLIED:
                continue
            likelihood = log_likelihood(levels[owner], positions[owner], places[carrier], tables)
            if likelihood < least or blocks[0][owner] != blocks[1][carrier]:
                return -np.inf, count
            masked[count], originals[count] = carrier, owner
            total, count = total + likelihood, count + 1
        at += 1
    return total / count, count
