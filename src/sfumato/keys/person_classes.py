"""Released records that show the same, persons with the same keys, and which of the latter fit which of the former."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sfumato.kernels.keys.counting import Classes, classes_of
from sfumato.numerics.arrays import AnyArray, Booleans, CodeColumn, CodeMatrix, Rows, SmallIntegers
from sfumato.numerics.ranking import stable_order

FIRST_LOOK = 50
ROWS_AT_A_TIME = 4096  # put side by side while they are in the cache


class FittingClasses(NamedTuple):
    """Which classes of persons fit some records.

    Parameters
    ----------
    groups
        For each record the group of classes that fit it.
    starts, members
        Where each group starts among the members, the end included, and the classes of one group after the other.
    """

    groups: CodeColumn
    starts: CodeColumn
    members: CodeColumn


@dataclass(frozen=True, eq=False)
class PersonClasses:
    """Released records and the persons they may be about, by their keys.

    Many records show the same, and many persons have the same keys: they are compared once.

    Parameters
    ----------
    shown
        What each record shows of the keys, as codes (keys x records), a gap as -1. It fits everybody.
    known
        What each person would show if nothing were suppressed (keys x records).
    is_unknown
        Of which persons that is not known: they may fit everything.
    categories
        The category that each person has in each key as it was.
    """

    shown: CodeMatrix
    known: CodeMatrix
    is_unknown: Booleans
    categories: tuple[CodeColumn, ...]

    @cached_property
    def persons(self) -> tuple[Rows, CodeColumn]:
        """The persons whose keys are known, class by class, and where each class starts, the end included."""
        numbers = self._held.numbers
        order = np.flatnonzero(~self.is_unknown)[stable_order(numbers)]
        return order, np.concatenate([[0], np.cumsum(self._held.sizes())])

    @cached_property
    def _held(self) -> Classes:
        return classes_of(self.known[:, ~self.is_unknown])

    @cached_property
    def _different_held(self) -> CodeMatrix:
        return self.known[:, np.flatnonzero(~self.is_unknown)[self._held.first_rows()]]

    @cached_property
    def held(self) -> SmallIntegers:
        """What the persons of each class would show of each key (classes x keys); the last column is 0 in all."""
        return side_by_side([*self._different_held, np.zeros(self._held.count, dtype=np.int64)])

    @cached_property
    def categories_of_persons(self) -> SmallIntegers:
        """The category that each person has in each key (persons x keys)."""
        return side_by_side(self.categories)

    def categories_with(self, others: Sequence[CodeColumn | SmallIntegers]) -> SmallIntegers:
        """Return the category that each person has in each key, and in others beside these."""
        return side_by_side([*self.categories, *others]) if others else self.categories_of_persons

    @cached_property
    def _codes_of_category(self) -> list[Booleans]:
        """For each key which codes those of each category would show (categories x codes)."""
        persons = self.persons[0]
        tables = []
        for categories, known in zip(self.categories, self.known, strict=False):
            category, code = categories[persons], known[persons]
            tables.append(np.zeros((int(category.max(initial=0)) + 1, int(code.max(initial=0)) + 1), dtype=np.bool_))
            tables[-1][category, code] = True
        return tables

    def key_of(self, categories: CodeColumn | SmallIntegers) -> int | None:
        """Return which key has these categories; None if none."""
        return next((key for key, other in enumerate(self.categories) if _are_equal(categories, other)), None)

    def left_of_shown(self, key: int | None, allowed: Booleans) -> Booleans:
        """Return whether anything is left of those who would show each code of a key (kinds x codes).

        `allowed` tells which categories are left (kinds x categories). Of what is no key all would show the same.
        """
        if key is None:
            return np.asarray(allowed.any(axis=1))[:, None]
        known = self._left.get((key, id(allowed)))
        if known is None:
            left = _any_of_code(allowed, self._codes_of_category[key])
            known = self._left[key, id(allowed)] = allowed, left  # which also keeps the number from being given again
        return known[1]

    @cached_property
    def _left(self) -> dict[tuple[int, int], tuple[Booleans, Booleans]]:
        """What was found to be left, by key and what is allowed: the same is asked for many sets of columns."""
        return {}

    @cached_property
    def _looks(self) -> Classes:
        return classes_of(self.shown)

    @cached_property
    def _different_looks(self) -> CodeMatrix:
        return self.shown[:, self._looks.first_rows()]

    def by_pattern(self, rows: Rows) -> list[tuple[Rows, Booleans]]:
        """Return the places among some rows of the records that show the same keys, and which keys these are."""
        patterns = classes_of((self._different_looks >= 0).astype(np.int64))
        number = patterns.numbers[self._looks.numbers[rows]]
        order = stable_order(number)
        parts = np.split(order, np.flatnonzero(np.diff(number[order])) + 1) if rows.size else []
        return [(places, self.shown[:, rows[places[0]]] >= 0) for places in parts]

    @cached_property
    def records(self) -> tuple[Rows, CodeColumn]:
        """The records look by look, and where each look starts, the end included."""
        order = stable_order(self._looks.numbers)
        return order, np.concatenate([[0], np.cumsum(self._looks.sizes())])

    def looks_by_pattern(self) -> list[tuple[Rows, Booleans]]:
        """Return the looks that show the same keys, and which keys these are; those of most records first."""
        is_shown = self._different_looks >= 0
        patterns = classes_of(is_shown.astype(np.int64))
        records = np.bincount(patterns.numbers, weights=self._looks.sizes(), minlength=patterns.count)
        looks = [np.flatnonzero(patterns.numbers == number) for number in np.argsort(-records, kind="stable")]
        return [(some, is_shown[:, some[0]]) for some in looks]

    def fitting_looks(self, persons: Rows, looks: Rows, kept: Booleans) -> FittingClasses:
        """Return the looks, of some that show the keys which are kept, that show what some persons would.

        The persons are of those whose keys are known. A person whom no look fits has a group without members.
        """
        held = self.class_of_person[persons]
        asked, place = np.unique(held, return_inverse=True)
        numbers = np.zeros(asked.size + looks.size, dtype=np.int64)
        if kept.any():
            both = [self._different_held[kept][:, asked], self._different_looks[kept][:, looks]]
            numbers = classes_of(np.concatenate(both, axis=1)).numbers
        count, shown = int(numbers[: asked.size].max(initial=-1)) + 1, numbers[asked.size :]
        fitting = np.flatnonzero(shown < count)
        fitting = fitting[stable_order(shown[fitting])]
        sizes = np.bincount(shown[fitting], minlength=count)
        return FittingClasses(numbers[: asked.size][place], np.concatenate([[0], np.cumsum(sizes)]), looks[fitting])

    @cached_property
    def class_of_person(self) -> CodeColumn:
        """The class of each person whose keys are known; -1 for the others."""
        number = np.full(self.is_unknown.size, -1)
        number[~self.is_unknown] = self._held.numbers
        return number

    def fitting(self, rows: Rows, kept: Booleans) -> FittingClasses:
        """Return the classes of persons that have what some records show of the keys that are kept."""
        looks = self._looks.numbers[rows]
        is_asked = np.zeros(self._looks.count, dtype=np.bool_)
        is_asked[looks] = True
        asked = np.flatnonzero(is_asked)
        numbers = np.zeros(asked.size + self._held.count, dtype=np.int64)
        if kept.any():
            both = [self._different_looks[kept][:, asked], self._different_held[kept]]
            numbers = classes_of(np.concatenate(both, axis=1)).numbers
        group_of = np.zeros(self._looks.count, dtype=np.int64)
        group_of[asked] = numbers[: asked.size]
        count = int(numbers[: asked.size].max(initial=-1)) + 1  # groups are numbered as they appear: those asked first
        held = numbers[asked.size :]
        members = np.flatnonzero(held < count)
        members = members[stable_order(held[members])]
        sizes = np.bincount(held[members], minlength=count)
        return FittingClasses(group_of[looks], np.concatenate([[0], np.cumsum(sizes)]), members)


def side_by_side(columns: Sequence[AnyArray] | CodeMatrix, records: int | None = None) -> SmallIntegers:
    """Return columns of integers as a matrix (records x columns) in half the memory, one record after the other."""
    matrix = np.empty((len(columns[0]) if records is None else records, len(columns)), dtype=np.int32)
    for start in range(0, len(matrix), ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        for place, column in enumerate(columns):
            matrix[rows, place] = column[rows]
    return matrix


def _any_of_code(allowed: Booleans, table: Booleans) -> Booleans:
    """Return whether any category is allowed of those that would show each code (kinds x codes).

    `table` tells which codes those of each category would show (categories x codes), one as a rule.
    """
    category, code = np.nonzero(table.T)[::-1]
    left = np.zeros((len(allowed), table.shape[1]), dtype=np.bool_)
    if code.size:
        starts = np.flatnonzero(np.append(True, code[1:] != code[:-1]))
        left[:, code[starts]] = np.logical_or.reduceat(allowed[:, category], starts, axis=1)
    return left


def _are_equal(first: CodeColumn | SmallIntegers, second: CodeColumn) -> bool:
    few = slice(None, FIRST_LOOK)  # which tells most columns apart
    return first is second or (np.array_equal(first[few], second[few]) and np.array_equal(first, second))
