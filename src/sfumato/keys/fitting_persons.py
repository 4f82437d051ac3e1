"""How many persons may be behind each released record, for somebody who knows their keys and what goes with what."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.kernels.keys.counting import Classes, classes_of
from sfumato.kernels.keys.fitting_persons import count_fitting, count_fitting_records, suppress_for_persons
from sfumato.keys.person_classes import PersonClasses, side_by_side
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, fill_between
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, Rows, SmallIntegers

COMPARED_AT_A_TIME = 8  # columns that are compared at once, in so many times the memory of one


@dataclass(frozen=True, eq=False)
class FittingPersons:
    """Released records, the persons they may be about, and what other columns rule out.

    Parameters
    ----------
    classes
        The records and the persons, by their keys.
    ruled
        What other columns rule out.
    """

    classes: PersonClasses
    ruled: tuple[RuledOut, ...]

    @classmethod
    def of(cls, keys: Sequence[ReleasedKey], ruled: Sequence[RuledOut]) -> Self:
        """Return what keys and other columns say."""
        expected = [expected_codes(key) for key in keys]
        classes = PersonClasses(
            np.array([key.after for key in keys]),
            np.array([codes for codes, _ in expected]),
            np.logical_or.reduce([unknown for _, unknown in expected]),
            tuple(key.categories[0] for key in keys),
        )
        return cls(classes, tuple(ruled))

    def counts(self, rows: Rows, k: int) -> CodeColumn:
        """Return for some records how many persons fit them and are not ruled out, k where there are as many."""
        found = np.full(rows.size, k)
        for places, kept in self.classes.by_pattern(rows):
            found[places] = self.counts_without(rows[places], kept, k)
        return found

    def counts_without(self, rows: Rows, kept: Booleans, k: int) -> CodeColumn:
        """Return how many persons fit some records by the keys that are kept, which all of these show; k if enough."""
        free = min(k, int(np.count_nonzero(self.classes.is_unknown)))
        if free == k or not rows.size:
            return np.full(rows.size, k)
        fitting, (persons, starts) = self.classes.fitting(rows, kept), self.classes.persons
        kinds, (categories, about), allowed, left = self._rules
        return free + count_fitting(
            rows,
            fitting.groups,
            fitting.starts,
            fitting.members,
            self.classes.held,
            starts,
            persons,
            categories,
            kinds,
            about,
            *allowed,
            *left,
            *self._open_kinds,
            k - free,
        )

    def record_counts(self, k: int) -> CodeColumn:
        """Return for each person how many records fit and are not ruled out, k where there are as many.

        A person of whom it is not known what they would show may fit every record, and counts as k.
        """
        known = np.flatnonzero(~self.classes.is_unknown)
        records, starts = self.classes.records
        kinds, (categories, about), allowed, _ = self._rules
        alike = _equal_persons(self.classes.class_of_person, categories, np.unique(about[1]), known)
        persons, kinds_by_look = known[alike.first_rows()], kinds[records]
        counts, waiting = np.zeros(alike.count, dtype=np.int64), np.arange(alike.count)
        for looks, kept in self.classes.looks_by_pattern():
            if not waiting.size:
                break
            fitting = self.classes.fitting_looks(persons[waiting], looks, kept)
            counts[waiting] += count_fitting_records(
                persons[waiting],
                fitting.groups,
                fitting.starts,
                fitting.members,
                starts,
                categories,
                kinds_by_look,
                about,
                *allowed,
                k,
            )
            waiting = waiting[counts[waiting] < k]
        found = np.full(self.classes.is_unknown.size, k)
        found[known] = np.minimum(counts, k)[alike.numbers]
        return found

    def cells_for_persons(self, importance: FloatColumn, k: int) -> Booleans:
        """Return the cells to suppress (records x keys) so that k records fit each person, where k can.

        The records that come nearest lose the values that a person has not, of all that nothing else rules out.
        `importance` says what a cell of each key costs.
        """
        persons = np.flatnonzero(self.record_counts(k) < k)
        shown, known = side_by_side(self.classes.shown), side_by_side(self.classes.known)
        kinds, (categories, about), allowed, _ = self._rules
        suppress_for_persons(shown, persons, known, categories, kinds, about, *allowed, importance, k)
        return np.asarray((shown < 0) & (self.classes.shown.T >= 0))

    @cached_property
    def _rules(
        self,
    ) -> tuple[
        SmallIntegers, tuple[SmallIntegers, CodeMatrix], tuple[Booleans, CodeMatrix], tuple[Booleans, CodeMatrix]
    ]:
        """The kinds of values (records x columns), categories and what columns are about, and what is left by them.

        Columns of the same kinds, and categories of the same two keys, are held once.
        """
        different = {id(one.categories): one.categories for one in self.ruled}  # that they are kept keeps their numbers
        key_of = {number: self.classes.key_of(column) for number, column in different.items()}
        others = [number for number, key in key_of.items() if key is None]
        place_of = {number: len(self.classes.categories) + place for place, number in enumerate(others)}
        categories = self.classes.categories_with([different[number] for number in others])
        kinds = {one.kinds_digest: one.kinds for one in self.ruled}
        place_of_kinds = {digest: place for place, digest in enumerate(kinds)}
        constant = self.classes.held.shape[1] - 1
        keys = [key_of[id(one.categories)] for one in self.ruled]
        about = [
            (constant if key is None else key, place_of.get(id(one.categories), key), place_of_kinds[one.kinds_digest])
            for one, key in zip(self.ruled, keys, strict=True)
        ]
        left = [self.classes.left_of_shown(key, one.allowed) for key, one in zip(keys, self.ruled, strict=True)]
        return (
            side_by_side([*kinds.values()], self.classes.is_unknown.size),
            (categories, np.array(about, dtype=np.int64).reshape(-1, 3).T.copy()),
            _end_to_end([one.allowed for one in self.ruled]),
            _end_to_end(left),
        )

    @cached_property
    def _open_kinds(self) -> tuple[Booleans, CodeColumn]:
        """Which kinds of values leave all categories, column after column, and where each column starts."""
        is_open = [one.allowed.all(axis=1) for one in self.ruled]
        starts = np.cumsum([0, *(one.size for one in is_open)])[:-1]
        return np.concatenate([np.empty(0, dtype=np.bool_), *is_open]), starts

    def with_key(self, codes: CodeColumn, is_open: Booleans | None = None) -> Self:
        """Return the same with one more key that is known of every record, and of every person.

        Records that are open show nothing of it, and may be anybody's.
        """
        shown = codes if is_open is None else np.where(is_open, -1, codes)
        shown, known = np.vstack([self.classes.shown, shown]), np.vstack([self.classes.known, codes])
        return type(self)(PersonClasses(shown, known, self.classes.is_unknown, self.classes.categories), self.ruled)

    def ruled_by(self, ruled: Sequence[RuledOut]) -> Self:
        """Return the same records and persons with what other columns rule out."""
        return type(self)(self.classes, tuple(ruled))

    @cached_property
    def is_helped(self) -> Booleans:
        """Whether a column rules out anything of each record."""
        is_helped = np.zeros(self.classes.shown.shape[1], dtype=np.bool_)
        for one in self.ruled:
            is_helped |= ~np.asarray(one.allowed.all(axis=1))[one.kinds]
        return is_helped

    def exposed(self, k: int) -> tuple[Rows, CodeColumn]:
        """Return the records that fewer than k persons fit because of what columns rule out, and how many do."""
        rows = np.flatnonzero(self.is_helped)
        fitting = self.counts(rows, k)
        rows, fitting = rows[fitting < k], fitting[fitting < k]
        by_keys = self.ruled_by(()).counts(rows, k) >= k
        return rows[by_keys], fitting[by_keys]


def _equal_persons(classes: CodeColumn, categories: SmallIntegers, told: CodeColumn, known: Rows) -> Classes:
    """Return the classes of persons who have the same keys and the same in what columns are about: what fits is equal.

    Columns are compared some at a time, as there may be many.
    """
    equal = classes_of(classes[known][None])
    for start in range(0, told.size, COMPARED_AT_A_TIME):
        some = told[start : start + COMPARED_AT_A_TIME]
        rows = categories if known.size == len(categories) else categories[known]
        equal = classes_of(np.vstack([equal.numbers, rows[:, some].T]))
    return equal


def _end_to_end(tables: Sequence[Booleans]) -> tuple[Booleans, CodeMatrix]:
    """Return tables one after the other in one column, and where each starts there and how wide it is."""
    starts = np.cumsum([0, *(table.size for table in tables)])[:-1]
    widths = np.array([table.shape[1] for table in tables], dtype=np.int64)
    flat = np.concatenate([np.empty(0, dtype=np.bool_), *(table.ravel() for table in tables)])
    return flat, np.column_stack([starts, widths])


def expected_codes(key: ReleasedKey) -> tuple[CodeColumn, Booleans]:
    """Return what each person would show of a key if nothing were suppressed, and of whom that is not known.

    Where a category became several, as with swapping, it is what the person shows, and not known behind a gap.
    """
    category, highest = _released_as(key)
    if not is_recoded(key):
        return key.after, key.after < 0
    gap = highest.size - 1
    highest[:-1] = fill_between(highest[:-1]) if key.is_ordered else highest[:-1]
    own = int(key.after.max(initial=-1)) + 1 + np.arange(gap + 1)  # of a category that nobody shows: it fits gaps only
    return np.where(highest < 0, own, highest)[category], np.zeros(category.size, dtype=np.bool_)


def is_recoded(key: ReleasedKey) -> bool:
    """Tell whether each category of a key became one, so that it is known what every person would show."""
    category, highest = _released_as(key)
    return bool(((key.after < 0) | (key.after == highest[category])).all())


def _released_as(key: ReleasedKey) -> tuple[CodeColumn, CodeColumn]:
    """Return the category of each person, a gap as the last, and the highest code that each category became."""
    gap = int(key.before.max(initial=-1)) + 1
    category = np.where(key.before < 0, gap, key.before)
    highest = np.full(gap + 1, -1)
    np.maximum.at(highest, category, key.after)
    return category, highest
