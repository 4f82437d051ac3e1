"""Of how many persons and households groups of equal records are: k of them may be of one family, or of one patient."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_count
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.findings.found_households import known_numbers
from sfumato.keys.households import agreement_in_households
from sfumato.keys.persons import persons_of
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.ranking import dense_numbers

PERSONS, HOUSEHOLDS = "persons", "households"
_OF_SEVERAL = (
    "; where these are made by another number already, make larger groups (a larger k, with the same limit on k), or "
    "leave out the columns that members by this number have alike"
)


class GroupsOfUnits(NamedTuple):
    """Groups of records that are equal in all columns, by the persons or households that these are of.

    Parameters
    ----------
    what, column
        Persons or households, and the column that tells them.
    fewest
        Of how many the smallest group is.
    records, alone
        How many records are in groups of fewer than k, and in groups of one.
    """

    what: str
    column: str
    fewest: int
    records: int
    alone: int


def groups_of_units(original: Microdata, masked: Microdata, k: int) -> tuple[GroupsOfUnits, ...]:
    """Return of how many persons, and of how many households, groups of equal records are, where that is known.

    Households count where a column is released in which members agree: of a group of one family it is theirs. Where
    a file holds several numbers of such units, as of a household and an employer, each counts by itself. All are told
    by the original, as records that were made equal tell nothing.
    """
    groups = classes_of(np.array([masked.numbers(name) for name in masked.schema.names])).numbers
    return tuple(_count(groups, units, k, what, column) for what, column, units in _units_of(original, masked))


def groups_remark(found: GroupsOfUnits, k: int) -> str:
    """Return in words how many records are in groups of too few."""
    one, is_home = found.what.removesuffix("s"), found.what == HOUSEHOLDS
    learnt = (
        "what its members have alike, as a region, a rent or a weight, is told of it there"
        if is_home
        else "what these have in common is told of it there"
    )
    return (
        f"by {found.column}, {format_count(found.records, 'record')} are in groups of equal records that are of fewer "
        f"than {k} {found.what}, {found.alone:,} in groups of one {one}: {learnt}, whatever k is told elsewhere; give "
        f"the number of each {one} the role {'household' if is_home else 'identifier'} before whole records are "
        f"protected, or name it as the household of the step that makes them equal (record_microaggregation), which "
        f"then makes groups of {k} {found.what}{_OF_SEVERAL if is_home else ''}"
    )


def _units_of(original: Microdata, masked: Microdata) -> Iterator[tuple[str, str, CodeColumn]]:
    rows = original.rows_of(masked.row_ids)
    found = persons_of(original)
    if found is not None and found.has_several:
        yield PERSONS, found.column, found.number[rows]
    for names, units in known_numbers(masked, original):
        released = tuple(name for name in masked.schema.names if name in original.schema and name not in names)
        if agreement_in_households(original, released, names):
            yield HOUSEHOLDS, " and ".join(names), units


def _count(groups: CodeColumn, units: CodeColumn, k: int, what: str, column: str) -> GroupsOfUnits:
    units = dense_numbers(units)
    held = np.unique(groups * (int(units.max()) + 1) + units) // (int(units.max()) + 1)
    counts, sizes = np.bincount(held), np.bincount(groups)
    return GroupsOfUnits(what, column, int(counts.min()), int(sizes[counts < k].sum()), int(sizes[counts == 1].sum()))
