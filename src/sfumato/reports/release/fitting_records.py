"""Which released records fit each person by the keys alone, and how often a number read off them is nearly true."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.findings.sides_by_keys import classes_by_keys
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

WITHIN = 10.0  # percent of the true value that a guess may be off, as in the p % rule of tables
MAX_PERSONS = 10_000  # of more persons so many are asked about, evenly from the file


class FittingLooks(NamedTuple):
    """The looks of records that fit persons: what a record shows of its keys is its look.

    Parameters
    ----------
    persons
        The persons who are asked about.
    look_of_record
        The look of each record.
    looks_of_persons
        For each set of keys that some records show the look of it that fits each person, -1 for none.
    """

    persons: Rows
    look_of_record: CodeColumn
    looks_of_persons: tuple[CodeColumn, ...]


def fitting_looks_of(aligned: Microdata, released: Microdata, keys: tuple[str, ...]) -> FittingLooks | None:
    """Return which looks fit each person; None where nobody knows what a person would show."""
    classes = classes_by_keys(aligned, released, keys)
    if classes is None:
        return None
    count = min(released.n, MAX_PERSONS)
    persons = np.arange(count) * released.n // count
    records, starts = classes.records
    look_of_record = np.empty(records.size, dtype=np.int64)
    look_of_record[records] = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    looks = []
    for some, kept in classes.looks_by_pattern():
        fitting = classes.fitting_looks(persons, some, kept)  # of those that show the same keys one at most
        first, is_some = fitting.starts[:-1], np.diff(fitting.starts) > 0
        members = np.append(fitting.members, -1)
        of_group = np.where(is_some, members[np.minimum(first, fitting.members.size)], -1)
        looks.append(of_group[fitting.groups])
    return FittingLooks(persons, look_of_record, tuple(looks))


class ChancesByFit(NamedTuple):
    """The chance that a number drawn from the records that fit a person is near the true one, and by chance."""

    by_fit: FloatColumn
    by_chance: FloatColumn

    def gaining(self, points: float) -> float:
        """Return the share of the persons of whom more is told than by chance, by so many percent points."""
        return float(np.mean(100 * (self.by_fit - self.by_chance) > points))


def chances_by_fit(truth: FloatColumn, shown: FloatColumn, fitting: FittingLooks) -> ChancesByFit:
    """Return the chances that a number drawn from the records that fit is near the true one, person by person.

    Where no record that fits shows a number, it is drawn from all records, as it is by chance.

    Examples
    --------
    >>> looks = FittingLooks(np.arange(3), np.array([0, 0, 1]), (np.array([0, 0, 1]),))
    >>> chances_by_fit(np.array([10.0, 20.0, 30.0]), np.array([10.0, 20.0, 99.0]), looks).by_fit.tolist()
    [0.5, 0.5, 0.0]
    """
    known = ~np.isnan(shown)
    ordered = np.sort(shown[known])
    ranks = np.empty(ordered.size, dtype=np.int64)
    ranks[np.argsort(shown[known], kind="stable")] = np.arange(ordered.size)
    size = ordered.size + 1
    places = np.sort(fitting.look_of_record[known] * size + ranks)
    true = truth[fitting.persons]
    asked = ~np.isnan(true)
    reach = WITHIN / 100 * np.abs(true[asked])
    low = np.searchsorted(ordered, true[asked] - reach, side="left")
    high = np.searchsorted(ordered, true[asked] + reach, side="right")
    near, members = np.zeros(low.size, dtype=np.int64), np.zeros(low.size, dtype=np.int64)
    for look in fitting.looks_of_persons:
        first = np.where(look[asked] < 0, -1, look[asked] * size)
        is_some = first >= 0
        counts = [np.searchsorted(places, first[is_some] + end) for end in (low[is_some], high[is_some], 0, size)]
        near[is_some] += counts[1] - counts[0]
        members[is_some] += counts[3] - counts[2]
    by_chance = (high - low) / max(ordered.size, 1)
    return ChancesByFit(np.where(members > 0, near / np.maximum(members, 1), by_chance), by_chance)
