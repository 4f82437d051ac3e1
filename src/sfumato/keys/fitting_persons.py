"""How many persons may be behind each released record, for somebody who knows their keys and what goes with what."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.kernels.keys.counting import Classes, classes_of
from sfumato.kernels.keys.fitting_persons import count_fitting
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, fill_between
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, Rows


@dataclass(frozen=True, eq=False)
class FittingPersons:
    """Released records, the persons they may be about, and what other columns rule out.

    Parameters
    ----------
    shown
        What each record shows of the keys, as codes (keys x records), a gap as -1. It fits everybody.
    known
        What each person would show if nothing were suppressed (keys x records).
    is_unknown
        Of which persons that is not known: they may fit everything.
    ruled
        What other columns rule out.
    """

    shown: CodeMatrix
    known: CodeMatrix
    is_unknown: Booleans
    ruled: tuple[RuledOut, ...]

    @classmethod
    def of(cls, keys: Sequence[ReleasedKey], ruled: Sequence[RuledOut]) -> Self:
        """Return what keys and other columns say."""
        expected = [expected_codes(key) for key in keys]
        return cls(
            np.array([key.after for key in keys]),
            np.array([codes for codes, _ in expected]),
            np.logical_or.reduce([unknown for _, unknown in expected]),
            tuple(ruled),
        )

    def counts(self, rows: Rows, k: int) -> CodeColumn:
        """Return for some records how many persons fit them and are not ruled out, k where there are as many."""
        found = np.full(rows.size, k)
        patterns = classes_of((self.shown[:, rows] >= 0).astype(np.int64)) if rows.size else Classes(rows, 0)
        for pattern in range(patterns.count):
            places = np.flatnonzero(patterns.numbers == pattern)
            found[places] = self.counts_without(rows[places], self.shown[:, rows[places[0]]] >= 0, k)
        return found

    def counts_without(self, rows: Rows, kept: Booleans, k: int) -> CodeColumn:
        """Return how many persons fit some records by the keys that are kept, which all of these show; k if enough."""
        free = min(k, int(np.count_nonzero(self.is_unknown)))
        if free == k or not rows.size:
            return np.full(rows.size, k)
        numbers = np.zeros(rows.size + self.is_unknown.size, dtype=np.int64)
        if kept.any():
            numbers = classes_of(np.concatenate([self.shown[kept][:, rows], self.known[kept]], axis=1)).numbers
        asking, held = numbers[: rows.size], numbers[rows.size :]
        persons = np.flatnonzero(np.isin(held, asking, kind="table") & ~self.is_unknown)
        sizes = np.bincount(held[persons], minlength=int(numbers.max()) + 1)
        return free + count_fitting(
            asking,
            persons[np.argsort(held[persons], kind="stable")],
            np.concatenate([[0], np.cumsum(sizes)]),
            np.array([one.kinds[rows] for one in self.ruled], dtype=np.int64).reshape(-1, rows.size),
            self._categories,
            np.concatenate([np.empty(0, dtype=np.bool_), *(one.allowed.ravel() for one in self.ruled)]),
            np.cumsum([0, *(one.allowed.size for one in self.ruled)])[:-1],
            np.array([one.allowed.shape[1] for one in self.ruled], dtype=np.int64),
            k - free,
        )

    @cached_property
    def _categories(self) -> CodeMatrix:
        """The category of each person in the key that each of the columns is about (columns x records)."""
        return np.array([one.categories for one in self.ruled], dtype=np.int64).reshape(-1, self.is_unknown.size)

    def with_key(self, codes: CodeColumn) -> Self:
        """Return the same with one more key that is known of every record, and of every person."""
        return replace(self, shown=np.vstack([self.shown, codes]), known=np.vstack([self.known, codes]))

    def ruled_by(self, ruled: Sequence[RuledOut]) -> Self:
        """Return the same records and persons with what other columns rule out."""
        return replace(self, ruled=tuple(ruled))

    def exposed(self, k: int) -> tuple[Rows, CodeColumn]:
        """Return the records that fewer than k persons fit because of what columns rule out, and how many do."""
        is_helped = np.zeros(self.shown.shape[1], dtype=np.bool_)
        for one in self.ruled:
            is_helped |= ~np.asarray(one.allowed.all(axis=1))[one.kinds]
        rows = np.flatnonzero(is_helped)
        fitting = self.counts(rows, k)
        rows, fitting = rows[fitting < k], fitting[fitting < k]
        by_keys = self.ruled_by(()).counts(rows, k) >= k
        return rows[by_keys], fitting[by_keys]


def expected_codes(key: ReleasedKey) -> tuple[CodeColumn, Booleans]:
    """Return what each person would show of a key if nothing were suppressed, and of whom that is not known.

    Where a category became several, as with swapping, it is what the person shows, and not known behind a gap.
    """
    gap = int(key.before.max(initial=-1)) + 1
    category = np.where(key.before < 0, gap, key.before)
    highest = np.full(gap + 1, -1)
    np.maximum.at(highest, category, key.after)
    if ((key.after >= 0) & (key.after != highest[category])).any():
        return key.after, key.after < 0
    highest[:-1] = fill_between(highest[:-1]) if key.is_ordered else highest[:-1]
    own = int(key.after.max(initial=-1)) + 1 + np.arange(gap + 1)  # of a category that nobody shows: it fits gaps only
    return np.where(highest < 0, own, highest)[category], np.zeros(category.size, dtype=np.bool_)
