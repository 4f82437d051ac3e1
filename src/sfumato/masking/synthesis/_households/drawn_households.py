"""Synthetic households: what all members share, and what each has of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._households.members import starts_of
from sfumato.masking.synthesis._observed_columns import DrawnColumn
from sfumato.masking.synthesis._sequential.chain import DrawnRecords
from sfumato.numerics.arrays import Rows


@dataclass(frozen=True, eq=False)
class DrawnHouseholds:
    """Synthetic households, one after the other.

    Parameters
    ----------
    sizes
        How many members each has.
    shared
        The columns that are the same for a whole household, one cell a household.
    own
        The columns of the members, household by household.
    """

    sizes: Rows
    shared: DrawnRecords
    own: DrawnRecords

    @property
    def households(self) -> Rows:
        """The household of each member, from 0."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    def records(self) -> DrawnRecords:
        """Return all columns, member by member."""
        return {name: _take(column, self.households) for name, column in self.shared.items()} | self.own

    def take(self, chosen: Rows) -> "DrawnHouseholds":
        """Return some of the households, in the order in which they are asked for."""
        sizes = self.sizes[chosen]
        members = np.repeat(starts_of(self.sizes)[chosen] - starts_of(sizes), sizes) + np.arange(sizes.sum())
        shared = {name: _take(column, chosen) for name, column in self.shared.items()}
        own = {name: _take(column, members) for name, column in self.own.items()}
        return DrawnHouseholds(sizes, shared, own)

    def replace(self, places: Rows, others: "DrawnHouseholds") -> "DrawnHouseholds":
        """Return the households with others in some places."""
        order = np.arange(self.sizes.size)
        order[places] = self.sizes.size + np.arange(places.size)
        return join_households([self, others]).take(order)


def join_households(parts: Sequence[DrawnHouseholds]) -> DrawnHouseholds:
    """Return the households of several parts, one part after the other."""
    return DrawnHouseholds(
        np.concatenate([part.sizes for part in parts]),
        {name: _join([part.shared[name] for part in parts]) for name in parts[0].shared},
        {name: _join([part.own[name] for part in parts]) for name in parts[0].own},
    )


def _take(column: DrawnColumn, rows: Rows) -> DrawnColumn:
    return DrawnColumn(column.donors[rows], column.numbers[rows])


def _join(columns: Sequence[DrawnColumn]) -> DrawnColumn:
    return DrawnColumn(*(np.concatenate([getattr(one, name) for one in columns]) for name in ("donors", "numbers")))
