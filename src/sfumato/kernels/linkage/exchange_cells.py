"""Pairs of records, and the cells of columns in which values were exchanged: what messages are sent between."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import Floats, Integers


class CandidatePairs(NamedTuple):
    """Pairs of a masked record and an original that may be the same person, by masked record and by original.

    Parameters
    ----------
    starts
        Where the pairs of each masked record start, with the end, shape (m + 1,).
    originals, records
        The original and the masked record of each pair, shape (p,).
    original_starts, by_original
        Where the pairs of each original start in `by_original`, with the end, shapes (n + 1,) and (p,).
    """

    starts: Integers
    originals: Integers
    records: Integers
    original_starts: Integers
    by_original: Integers


class ExchangedCells(NamedTuple):
    """Whose value each masked record may show in a column, and who may have exchanged values.

    Parameters
    ----------
    values
        The number of the value of each masked record, -1 for none, shape (m,).
    starts
        Where the owners of each value start, with the end, shape (v + 1,).
    owners, weights
        Owners as places in `order`, rising for each value, and the chance that the value of one record is theirs.
    order
        The originals that have a value, such that the owners of a value lie near each other.
    ranks, levels
        Where the value of each original stands, from 0 to 1, and its row in `chances`; -1 where it has none.
    chances
        The chance of an exchange with a partner so far up or down, by level, shape (levels, 2 h + 1): in steps of 1/h.
    totals
        For each original the sum of the chances over all partners, shape (n,).
    groups
        Only originals of one group exchange values, shape (n,).
    stays
        The chance that a value stays where it is.
    unshown
        How far no masked record shows the value of each original, beside the mean, shape (n,): what those show who are
        left out.
    """

    values: Integers
    starts: Integers
    owners: Integers
    weights: Floats
    order: Integers
    ranks: Floats
    levels: Integers
    chances: Floats
    totals: Floats
    groups: Integers
    stays: float
    unshown: Floats


class Showing(NamedTuple):
    """The masked records that show each value: those of value v are `records[starts[v] : starts[v + 1]]`."""

    starts: Integers
    records: Integers


def pairs_of(starts: Integers, originals: Integers, count: int) -> CandidatePairs:
    """Return pairs that are given by masked record with those of each of `count` originals."""
    records = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    by_original = np.argsort(originals, kind="stable")
    original_starts = np.searchsorted(originals[by_original], np.arange(count + 1))
    return CandidatePairs(starts, originals, records, original_starts, by_original)
