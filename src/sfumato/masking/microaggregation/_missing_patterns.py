"""Who is grouped with whom when values are missing.

Records are grouped with those that have values in the same columns. When fewer than `k` records share such a
pattern, each of them joins the nearest group of records that have all the values it has. So every published mean is
one of at least `k` values, and every record equals, in the values it has, at least `k - 1` others.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.missing_patterns import rows_by_pattern


class Pattern(NamedTuple):
    """The records that have values in the same columns.

    Parameters
    ----------
    rows
        The records.
    present
        Tells for each column whether these records have a value in it.
    groups
        The numbers of the groups that they make or, when they are too few, of those that they may join.
    """

    rows: Rows
    present: Booleans
    groups: CodeColumn


PatternGrouping = Callable[[Rows, Booleans], CodeColumn]
Distances = Callable[[FloatMatrix, FloatColumn, Booleans], FloatColumn]


def groups_by_pattern(
    absent: Booleans, k: int, grouping: PatternGrouping, who: str
) -> tuple[CodeColumn, list[Pattern]]:
    """Return the group number of each record, -1 where it has no group yet, and the patterns that are to join others.

    Parameters
    ----------
    absent
        Tells for each record and column whether the value is missing, shape (n, d).
    k
        The smallest number of records in a group.
    grouping
        Gives the group number, from 0, of each of some rows that have values in the given columns.
    who
        The name of the method, for messages.
    """
    groups = np.full(len(absent), -1, dtype=np.int64)
    settled: list[Pattern] = []
    rare: list[Pattern] = []
    count = 0
    for rows in rows_by_pattern(absent):
        present = ~absent[rows[0]]
        if present.any() and rows.size < k:
            rare.append(Pattern(rows, present, np.empty(0, dtype=np.int64)))
        elif present.any():
            groups[rows] = count + grouping(rows, present)
            made = np.arange(count, groups[rows].max() + 1)
            settled.append(Pattern(rows, present, made))
            count += made.size
    if rare and not settled:
        raise DataError(_too_few_message(who, len(absent), k))
    return groups, _with_joinable_groups(rare, settled, k, who) if rare else []


def join_nearest_groups(
    points: FloatMatrix, groups: CodeColumn, rare: list[Pattern], centres: FloatMatrix, distances: Distances
) -> CodeColumn:
    """Return the groups with each record of a rare pattern put into the nearest of the groups that it may join.

    Parameters
    ----------
    points, groups
        The records, shape (n, d), and the group number of each, -1 for those of rare patterns.
    rare
        The rare patterns and the groups that each may join.
    centres
        What stands for each group, shape (groups, d).
    distances
        Gives the distance of some centres from a record over the given columns.
    """
    joined = groups.copy()
    for pattern in rare:
        fitting = centres[pattern.groups]
        for row in pattern.rows:
            joined[row] = pattern.groups[np.argmin(distances(fitting, points[row], pattern.present))]
    return joined


def _with_joinable_groups(rare: list[Pattern], settled: list[Pattern], k: int, who: str) -> list[Pattern]:
    """Return the rare patterns, each with the groups of all records that have its columns."""
    present = np.array([pattern.present for pattern in settled])
    fitting = [np.flatnonzero(present[:, pattern.present].all(axis=1)) for pattern in rare]
    for pattern, found in zip(rare, fitting, strict=True):
        if not found.size:
            raise DataError(_no_group_message(who, int(pattern.present.sum()), k))
    return [
        pattern._replace(groups=np.concatenate([settled[number].groups for number in found]))
        for pattern, found in zip(rare, fitting, strict=True)
    ]


def _too_few_message(who: str, records: int, k: int) -> str:
    return (
        f"{who}.k must be at most the number of records; got {k} for {records} in the file (or in a stratum, where "
        f"there are any), or for fewer with values in the same columns: take a smaller k, join strata, or deal with "
        f"the missing values first"
    )


def _no_group_message(who: str, columns: int, k: int) -> str:
    return (
        f"{who}.columns: a record has values in {columns} of the columns, and fewer than k = {k} "
        f"records have values in all of those: mask fewer columns together, or deal with the missing values first"
    )
