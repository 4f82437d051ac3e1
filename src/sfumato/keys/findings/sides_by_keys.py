"""How many records fit each person by the keys, and how many persons fit each record: two counts that differ."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.fitting_persons import FittingPersons, is_recoded
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.person_classes import FittingClasses, PersonClasses
from sfumato.numerics.arrays import CodeColumn


class SidesByKeys(NamedTuple):
    """What somebody counts who knows keys as they were before any was taken out, and reads those that are released.

    Parameters
    ----------
    records
        For each person how many records fit.
    persons
        For each record how many persons fit.
    """

    records: CodeColumn
    persons: CodeColumn

    @property
    def fewest_records(self) -> int:
        """How many records fit the person whom fewest do."""
        return int(self.records.min())

    @property
    def fewest_persons(self) -> int:
        """How many persons fit the record that fewest do."""
        return int(self.persons.min())


def sides_by_keys(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> SidesByKeys | None:
    """Return both counts; None where a key was exchanged, so that nobody knows what a person would show.

    Parameters
    ----------
    original, masked
        The file as it was, in any order, and as it is released.
    names
        The keys that are released.
    """
    classes = classes_by_keys(original, masked, names)
    return None if classes is None else count_sides(classes)


def classes_by_keys(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> PersonClasses | None:
    """Return records and persons by the keys; None where a key was exchanged, as in `sides_by_keys`."""
    keys = released_keys(masked, names, original, original.rows_of(masked.row_ids))
    if not keys or not masked.n or not all(map(is_recoded, keys)):
        return None
    return FittingPersons.of(keys, ()).classes


def count_sides(classes: PersonClasses) -> SidesByKeys:
    """Return both counts by the keys alone, each different look and each different set of keys counted once.

    Examples
    --------
    >>> shown, known = np.array([[0, 0, -1, 1]]), np.array([[0, 0, 1, 1]])
    >>> found = count_sides(PersonClasses(shown, known, np.zeros(4, dtype=np.bool_), (known[0],)))
    >>> found.records.tolist(), found.persons.tolist()
    ([3, 3, 2, 2], [2, 2, 4, 2])
    """
    looks, look_starts = classes.records
    people, class_starts = classes.persons
    of_look, of_class = np.diff(look_starts), np.diff(class_starts)
    records = np.zeros(of_class.size, dtype=np.int64)
    for some, kept in classes.looks_by_pattern():
        fitting = classes.fitting_looks(people[class_starts[:-1]], some, kept)
        records += _members_together(fitting, of_look)
    persons = np.zeros(of_look.size, dtype=np.int64)
    first = looks[look_starts[:-1]]
    for places, kept in classes.by_pattern(first):
        persons[places] = _members_together(classes.fitting(first[places], kept), of_class)
    of_person, of_record = np.empty(people.size, dtype=np.int64), np.empty(looks.size, dtype=np.int64)
    of_person[people] = np.repeat(records, of_class)
    of_record[looks] = np.repeat(persons, of_look)
    return SidesByKeys(of_person, of_record)


def _members_together(fitting: FittingClasses, sizes: CodeColumn) -> CodeColumn:
    """Return for each that is asked how many stand behind the members of its group."""
    ends = np.concatenate([[0], np.cumsum(sizes[fitting.members])])[fitting.starts]
    return np.asarray(np.diff(ends)[fitting.groups])
