"""How far apart in age members may be, by what they are to each other: spouses, parents and children."""

from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._households.members import starts_of
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

REFERENCES = (0, 1)  # the positions of those whom others are compared with: the head and the second member
DEVIATIONS = 3.0  # gaps so many deviations off their mean are out of range
TAIL_HOUSEHOLDS = 2  # times the fewest: from so many households on their tail tells more than their deviation


@dataclass(frozen=True, eq=False)
class AgeGaps:
    """The ages of members less those of the head, and of the second member: from where to where, by relations.

    Parameters
    ----------
    relation, age
        The columns.
    relations
        How many relations there are, the missing one first.
    lowest, highest
        For each of the two, the range of gaps by their relation times the number of relations, plus the member's; from
        and to infinity where fewer than `min_leaf` households tell.
    """

    relation: str
    age: str
    relations: int
    lowest: tuple[FloatColumn, ...]
    highest: tuple[FloatColumn, ...]

    @classmethod
    def of(cls, names: tuple[str, str], relation: CodeColumn, age: FloatColumn, sizes: Rows, fewest: int) -> "AgeGaps":
        """Return the ranges that original households have, whatever fewer than `fewest` of them are like.

        Parameters
        ----------
        names
            The columns of relations and ages.
        relation, age
            Relation, from 1 and 0 where missing, and age of each member, household by household, the head first.
        sizes
            The sizes of the households.
        fewest
            How many households a range rests on at least.
        """
        count = int(relation.max(initial=0)) + 1
        found = [_ranges(*gaps, count * count, fewest) for gaps in _gaps(relation, age, sizes, count)]
        ranges = [_or_other_way_round(one, found, count) for one in found]
        return cls(*names, count, tuple(low for low, _ in ranges), tuple(high for _, high in ranges))

    def is_broken(self, relation: CodeColumn, age: FloatColumn, sizes: Rows) -> Booleans:
        """Tell which households have members whose ages do not fit together."""
        broken = np.zeros(sizes.size, dtype=np.bool_)
        for (pair, gap, household), low, high in zip(
            _gaps(relation, age, sizes, self.relations), self.lowest, self.highest, strict=True
        ):
            broken[household[(gap < low[pair]) | (gap > high[pair])]] = True
        return broken


def _gaps(
    relation: CodeColumn, age: FloatColumn, sizes: Rows, relations: int
) -> list[tuple[CodeColumn, FloatColumn, Rows]]:
    """Return for head and second member the pair of relations, the gap and the household of each later member."""
    household = np.repeat(np.arange(sizes.size), sizes)
    positions = np.arange(age.size) - starts_of(sizes)[household]
    found = []
    for place in REFERENCES:
        later = np.flatnonzero(positions > place)
        whom = later - positions[later] + place
        gap = age[later] - age[whom]
        known = ~np.isnan(gap)
        pair = relation[whom] * relations + relation[later]
        found.append((pair[known], gap[known], household[later][known]))
    return found


def _ranges(
    pair: CodeColumn, gap: FloatColumn, household: Rows, pairs: int, fewest: int
) -> tuple[FloatColumn, FloatColumn]:
    """Return the range of each pair of relations, from the smallest and the largest gap of each household."""
    lowest, highest = np.full(pairs, -np.inf), np.full(pairs, np.inf)
    for number in np.unique(pair):
        theirs = pair == number
        homes = np.unique(household[theirs], return_inverse=True)[1]
        count = int(homes.max()) + 1
        if count < fewest:
            continue
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        np.minimum.at(low, homes, gap[theirs])
        np.maximum.at(high, homes, gap[theirs])
        lowest[number] = low.mean() - DEVIATIONS * low.std()
        highest[number] = high.mean() + DEVIATIONS * high.std()
        if count >= TAIL_HOUSEHOLDS * fewest:
            lowest[number] = max(lowest[number], -_end(-low, fewest))
            highest[number] = min(highest[number], _end(high, fewest))
    return lowest, highest


def _or_other_way_round(
    own: tuple[FloatColumn, FloatColumn], found: list[tuple[FloatColumn, FloatColumn]], relations: int
) -> tuple[FloatColumn, FloatColumn]:
    """Return ranges where a pair of relations that too few tell has that of the same pair in the other order, if told.

    What a spouse is to a child, who stands before in some households, a child is to a spouse in others.
    """
    low, high = own
    turned = np.arange(low.size).reshape(relations, relations).T.ravel()
    for other_low, other_high in found:
        is_open = np.isinf(low) & np.isinf(high)
        low, high = np.where(is_open, -other_high[turned], low), np.where(is_open, -other_low[turned], high)
    return low, high


def _end(values: FloatColumn, fewest: int) -> float:
    """Return where values end: beyond the `fewest`-th largest half as far as this is from the one twice as far inside.

    Examples
    --------
    >>> _end(np.array([1.0, 2.0, 3.0, 4.0, 7.0, 900.0]), 2)
    9.0
    """
    rising = np.sort(values)
    return float(1.5 * rising[-fewest] - 0.5 * rising[-2 * fewest])
