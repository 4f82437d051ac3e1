"""The persons who fit each of some records by what these show of the keys, one pair after the other."""

from typing import NamedTuple

import numpy as np

from sfumato.keys.person_classes import PersonClasses
from sfumato.numerics.arrays import Booleans, CodeColumn, Rows
from sfumato.numerics.ranking import stable_order

MAX_FITTING = 100  # persons for a record: of one whom more fit hardly any column leaves fewer than k


class FittingPairs(NamedTuple):
    """Pairs of a record and a person who fits it, record by record.

    Parameters
    ----------
    records, persons
        The record and the person of each pair.
    starts
        Where the pairs of each record start.
    of_persons
        Whose each record of the file is, where some persons have several.
    """

    records: Rows
    persons: Rows
    starts: CodeColumn
    of_persons: CodeColumn | None = None

    @property
    def fitting(self) -> CodeColumn:
        """How many persons fit each record."""
        return np.diff(np.append(self.starts, self.records.size))

    @property
    def is_true(self) -> Booleans:
        """Which pairs belong together."""
        whose = self.of_persons
        return np.asarray(self.records == self.persons if whose is None else whose[self.records] == whose[self.persons])

    def first(self, records: int) -> "FittingPairs":
        """Return the pairs of the first records."""
        end = self.starts[records] if records < self.starts.size else self.records.size
        return FittingPairs(self.records[:end], self.persons[:end], self.starts[:records], self.of_persons)


def fitting_pairs(classes: PersonClasses, rows: Rows, k: int, of_persons: CodeColumn | None = None) -> FittingPairs:
    """Return the pairs of some records, of those that k persons fit and not too many; each person once."""
    persons, first = classes.persons
    records, found = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for places, kept in classes.by_pattern(rows):
        fitting = classes.fitting(rows[places], kept)
        sizes = (first[1:] - first[:-1])[fitting.members]
        total = np.add.reduceat(np.append(sizes, 0), fitting.starts[:-1]) if fitting.starts.size > 1 else sizes
        of_record = total[fitting.groups]
        is_chosen = (of_record >= k) & (of_record <= MAX_FITTING)
        for place in np.flatnonzero(is_chosen):
            group = fitting.groups[place]
            held = fitting.members[fitting.starts[group] : fitting.starts[group + 1]]
            found += [persons[first[one] : first[one + 1]] for one in held]
            records.append(np.full(int(of_record[place]), rows[places[place]]))
    record, person = np.concatenate(records), np.concatenate(found)
    order = stable_order(record)  # not by patterns: the first records stand for all
    record, person = record[order], person[order]
    if of_persons is not None:
        order = np.lexsort((record != person, of_persons[person], record))
        pair = np.stack([record, of_persons[person]])[:, order]
        order = order[np.append(True, (pair[:, 1:] != pair[:, :-1]).any(axis=0))] if order.size else order
        record, person = record[order], person[order]
        enough = np.bincount(record) >= k  # of other records too few persons are left before anything is learnt
        record, person = record[enough[record]], person[enough[record]]
    starts = np.flatnonzero(np.append(True, record[1:] != record[:-1])) if record.size else record
    return FittingPairs(record, person, starts, of_persons)
