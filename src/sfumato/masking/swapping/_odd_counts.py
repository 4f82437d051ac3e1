"""Who is left over where an odd number of values are swapped in pairs: one drawn at random, not the last one."""

from collections.abc import Callable

import numpy as np

from sfumato.numerics.arrays import Rows, SmallIntegers

Pairing = Callable[[Rows], Rows]
"""Pairs some ranks, an even number of them, rising: gives for each the place of its partner among them."""
RunPairing = Callable[[slice], SmallIntegers]
"""The same for a run of ranks."""


def pair_ranks(n: int, pairing: Pairing, rng: np.random.Generator) -> Rows:
    """Return the partner of each of `n` ranks; of an odd number one rank, drawn at random, has itself.

    Pairs are made from the lowest rank up, so that the one left over would else be among the highest: an outlier, whose
    value must not stay as it is.
    """
    ranks = np.arange(n)
    if n % 2 == 0:
        return ranks[pairing(ranks)]
    others = np.delete(ranks, int(rng.random() * n))
    partners = ranks.copy()
    partners[others] = others[pairing(others)]
    return partners


def pair_on_both_sides(n: int, pairing: RunPairing, rng: np.random.Generator) -> SmallIntegers:
    """Return the same where pairs must not be far apart: the ranks below the one left over are paired, and those above.

    It has an even number of ranks on either side, so that nobody else is left over.
    """
    if n % 2 == 0:
        return pairing(slice(n))
    alone = 2 * int(rng.random() * (n // 2 + 1))
    sides = pairing(slice(alone)), np.array([alone], dtype=np.int32), pairing(slice(alone + 1, n)) + np.int32(alone + 1)
    return np.concatenate(sides)
