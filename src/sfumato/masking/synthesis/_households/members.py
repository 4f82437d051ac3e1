"""The households of a file, the members of each in the order in which they are drawn: the head first."""

from dataclasses import dataclass

import numpy as np

from sfumato.keys.households import Households
from sfumato.numerics.arrays import Booleans, CodeColumn, Rows


@dataclass(frozen=True, eq=False)
class Members:
    """Who lives together.

    Parameters
    ----------
    rows
        All rows, household by household, the head of each first.
    sizes
        How many members each household has.
    """

    rows: Rows
    sizes: Rows

    @property
    def starts(self) -> Rows:
        """Where each household begins in `rows`."""
        return starts_of(self.sizes)

    @property
    def heads(self) -> Rows:
        """The row of each head."""
        return self.rows[self.starts]

    @property
    def households(self) -> Rows:
        """The household of each place in `rows`."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)

    @property
    def positions(self) -> Rows:
        """The position of each place in its household, from 0 for the head."""
        return np.arange(self.rows.size) - self.starts[self.households]


def starts_of(sizes: Rows) -> Rows:
    """Return where households of these sizes begin, one after the other."""
    return np.asarray(np.cumsum(sizes) - sizes, dtype=np.int64)


def order_members(households: Households, relation: CodeColumn | None, fewest: int) -> Members:
    """Return the members of each household, by relation where it is known, and else as the file has them.

    Parameters
    ----------
    households
        Who lives with whom.
    relation
        What each person is to the head, as a code; below 0 where it is missing.
    fewest
        So many households must have a relation twice for it to count as one that several members have.
    """
    sizes = np.diff(np.append(households.starts, households.number.size))
    if relation is None:
        return Members(households.order, sizes)
    turn = relation_turns(members_by_relation(relation, households.number, households.count), fewest)
    rank = np.append(turn, turn.size)[relation]  # who lacks a relation comes last
    return Members(np.lexsort((np.arange(rank.size), rank, households.number)), sizes)


def members_by_relation(relation: CodeColumn, households: Rows, count: int) -> Rows:
    """Return how many members of each relation each household has (households x relations)."""
    kinds = int(relation.max(initial=-1)) + 1
    known = relation >= 0
    cells = households[known] * kinds + relation[known]
    return np.bincount(cells, minlength=count * kinds).reshape(count, kinds)


def relation_turns(counts: Rows, fewest: int) -> Rows:
    """Return the turn of each relation: the one that most households have once, others had once, then the rest.

    Examples
    --------
    >>> relation_turns(np.array([[2, 1, 1], [0, 1, 1], [3, 1, 0], [2, 1, 0]]), 2)
    array([2, 0, 1])
    """
    is_head = np.zeros(counts.shape[1], dtype=np.bool_)
    is_head[np.argmax((counts == 1).sum(axis=0))] = True
    is_several: Booleans = (counts > 1).sum(axis=0) >= fewest
    order = np.lexsort((-counts.sum(axis=0), is_several, ~is_head))
    return np.asarray(np.argsort(order), dtype=np.int64)
