"""Queries that a single synthetic record satisfies: what an intruder takes for a description of one person."""

from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from sfumato.kernels.linkage.isolated_records import RecordIndex, matching_records
from sfumato.numerics.arrays import Booleans, CodeColumn, Integers, Rows
from sfumato.risk.synthetic._coded_files import SYNTHETIC, CodedFiles

ATTEMPTS = 500  # for each query wanted; where so few descriptions are of one record, fewer are made
BATCH = 8192
ROUNDS = 4  # of all descriptions that there are, after which nearly each was drawn


class Matches(NamedTuple):
    """How many records of a file satisfy each query, and the row of one."""

    counts: Integers
    rows: Rows

    @property
    def is_single(self) -> Booleans:
        """Whether just one record does."""
        return np.asarray(self.counts == 1, dtype=np.bool_)

    @property
    def persons(self) -> int:
        """How many different records are singled out."""
        return np.unique(self.rows[self.is_single]).size


@dataclass(frozen=True, eq=False)
class Queries:
    """Conditions on columns, that a code lies between two bounds.

    Parameters
    ----------
    columns
        Which columns each query asks about, queries x conditions.
    low, high
        The bounds, in codes.
    """

    columns: Integers
    low: Integers
    high: Integers

    def __len__(self) -> int:
        return len(self.columns)

    def take(self, rows: Rows | Booleans) -> "Queries":
        """Return some of the queries."""
        return Queries(self.columns[rows], self.low[rows], self.high[rows])

    def matches(self, records: RecordIndex, most: int = 2) -> Matches:
        """Return how many records satisfy each query, counted up to `most`."""
        low, high = self.low.astype(np.float64), self.high.astype(np.float64)
        return Matches(*matching_records(records, self.columns, low, high, most))


def univariate_queries(files: CodedFiles) -> Queries:
    """Return all queries on one column: values that one synthetic record has, the lowest and the highest of numbers."""
    found = []
    for place, column in enumerate(files.columns):
        codes, counts = np.unique(column.codes[SYNTHETIC], return_counts=True)
        alone = codes[counts == 1]
        found.append((np.full(alone.size, place), alone, alone))
        observed = counts[codes >= 0]
        if column.is_number and observed.size:
            ends = codes[codes >= 0][[0, -1]]
            bounds = np.array([[0, ends[0]], [ends[1], column.different.size - 1]])[observed[[0, -1]] == 1]
            found.append((np.full(len(bounds), place), bounds[:, 0], bounds[:, 1]))
    return Queries(*(np.concatenate([part[i] for part in found])[:, None] for i in range(3)))


def multivariate_queries(files: CodedFiles, attacks: int, key_count: int, rng: np.random.Generator) -> Queries:
    """Return queries on some columns of a synthetic record that no other satisfies.

    A number must be at least that of the record if this is above the median, else at most; other values must be equal.
    """
    codes = files.codes(SYNTHETIC)
    codes = codes[np.lexsort(codes.T)]  # the order of the file decides nothing
    records = RecordIndex.of(codes)
    tops = np.array([_upper_half(column.codes[SYNTHETIC]) for column in files.columns])
    is_number = np.array([column.is_number for column in files.columns])
    highest = np.array([column.different.size - 1 for column in files.columns])
    made = np.empty((0, 3 * key_count), dtype=np.int64)
    possible = len(codes) * comb(codes.shape[1], key_count)
    size = min(BATCH, 2 * possible)
    for _ in range(0, min(ATTEMPTS * attacks, ROUNDS * possible), size):
        rows = rng.integers(len(codes), size=size)
        columns = np.sort(np.argsort(rng.random((size, codes.shape[1])), axis=1)[:, :key_count], axis=1)
        low = high = codes[rows[:, None], columns]
        is_range = is_number[columns] & (low >= 0)
        is_top = low >= tops[columns]
        low, high = np.where(is_range & ~is_top, 0, low), np.where(is_range & is_top, highest[columns], high)
        batch = Queries(columns, low, high)
        single = batch.take(batch.matches(records).is_single)
        made = _unique_rows(np.vstack([made, np.hstack([single.columns, single.low, single.high])]))
        if len(made) >= attacks:
            break
    return Queries(*np.split(made[:attacks], 3, axis=1))


def _upper_half(codes: CodeColumn) -> int:
    """Return the lowest code above the median of those that are not missing."""
    known = codes[codes >= 0]
    return int(np.floor(np.median(known))) + 1 if known.size else 0


def _unique_rows(rows: Integers) -> Integers:
    """Return different rows in the order in which they first came."""
    _, first = np.unique(rows, axis=0, return_index=True)
    return np.asarray(rows[np.sort(first)])
