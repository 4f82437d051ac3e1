"""The intruders who are in the table themselves: which cells they know, and what they must be kept from."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from sfumato.errors import ParameterError, did_you_mean
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables.cells.contributions import NOBODY
from sfumato.tables.cells.linked_tables import LinkedTables
from sfumato.tables.problem.problem import NOBODY_KNOWS

EQUALITY_TOLERANCE = 1e-9  # of a value: two that differ by no more are equal


class Insiders(StrEnum):
    """What units are kept from that are alone in a cell, and hence know its value."""

    NONE = "none"
    """From nothing: nobody but outsiders is thought of."""
    NEIGHBOURS = "neighbours"
    """From working out exactly an unsafe cell of a sum that their own cell is in: what singleton protection asks."""
    ALL = "all"
    """From every unsafe cell but their own, by its levels."""

    @classmethod
    def parse(cls, given: "Insiders | bool | str") -> "Insiders":
        """Return the choice of a word, or by true for all and false for none."""
        if isinstance(given, bool):
            return cls.ALL if given else cls.NONE
        if given not in list(cls):
            known = ", ".join(cls)
            raise ParameterError(
                [f"insiders must be one of {known}, true or false; got {given!r}{did_you_mean(str(given), cls)}"]
            )
        return cls(given)


@dataclass(frozen=True, eq=False)
class Intruders:
    """The outsider and others, with what the problem says of each.

    Parameters
    ----------
    known, spared, only_exact
        As `intruders`, `spared` and `only_exact` of a `Problem`.
    """

    known: tuple[Rows, ...]
    spared: tuple[Rows, ...] = ()
    only_exact: tuple[bool, ...] = ()


def find_intruders(
    linked: LinkedTables, primaries: Rows, insiders: Insiders, known_cells: Sequence[Rows] = ()
) -> Intruders:
    """Return the outsider, the insiders that are asked for, and others who know some cells.

    Parameters
    ----------
    linked
        The tables.
    primaries
        The cells that must be protected.
    insiders
        What units that are alone in a cell are kept from.
    known_cells
        For each further intruder the cells that they know; they are kept from all primaries.
    """
    if insiders is not Insiders.NEIGHBOURS:
        alone = singletons(linked) if insiders is Insiders.ALL else ()
        return Intruders((NOBODY_KNOWS, *distinct([*alone, *known_cells], primaries)))
    near, others = neighbours(linked, primaries), distinct(known_cells, primaries)
    return Intruders(
        (NOBODY_KNOWS, *near.known, *others),
        (NOBODY_KNOWS, *near.spared, *(NOBODY_KNOWS for _ in others)),
        (False, *near.only_exact, *(False for _ in others)),
    )


def singletons(linked: LinkedTables) -> tuple[Rows, ...]:
    """Return for each unit that is alone in some cell the cells in which it is alone, and whose values it hence knows.

    A unit is identified by its number among the contributions. Where that is not kept, as in tables of counts and of
    given cells, each cell of one unit is taken to be of a unit of its own: a cell and a total that has nobody else are
    known to the same one.
    """
    return tuple(cells for cells, _ in _units(linked))


def neighbours(linked: LinkedTables, primaries: Rows) -> Intruders:
    """Return the insiders who share a sum with a primary of others; they are only kept from its exact value.

    Where it is not known who a unit is, two cells of one unit each, of equal value and in one sum, are taken to be the
    same unit's own.
    """
    units = _units(linked)
    is_near = _share_sums(linked.relations, [cells for cells, _ in units], primaries)
    alone = np.isin(primaries, np.concatenate([NOBODY_KNOWS, *(cells for cells, _ in units)]))
    spared: dict[tuple[int, ...], set[int]] = {}
    for (cells, is_told), near in zip(units, is_near, strict=True):
        is_own = np.isin(primaries, cells)
        if not is_told:
            value = linked.values[cells[0]]
            is_own |= alone & (np.abs(linked.values[primaries] - value) <= EQUALITY_TOLERANCE * abs(value))
        if (near & ~is_own).any():
            others = set(primaries[~near | is_own].tolist()) - set(cells.tolist())
            who = tuple(cells.tolist())
            spared[who] = spared.get(who, others) & others
    known = distinct([np.array(who, dtype=np.int64) for who in spared], primaries)
    return Intruders(
        known,
        tuple(np.array(sorted(spared[tuple(cells.tolist())]), dtype=np.int64) for cells in known),
        (True,) * len(known),
    )


def distinct(intruders: Sequence[Rows], primaries: Rows) -> tuple[Rows, ...]:
    """Return intruders without those from whom everything is kept that must be if it is kept from another one.

    The other knows all that they know, and no further primary: from a primary that they know nobody is kept.

    Parameters
    ----------
    intruders
        For each the cells that they know.
    primaries
        The cells that must be protected.
    """
    asked = frozenset(primaries.tolist())
    sets = sorted({frozenset(cells.tolist()) for cells in intruders}, key=lambda cells: (-len(cells), sorted(cells)))
    kept: list[frozenset[int]] = []
    for cells in sets:
        if not any(cells <= larger and not (larger - cells) & asked for larger in kept):
            kept.append(cells)
    return tuple(np.array(sorted(cells), dtype=np.int64) for cells in kept)


def _units(linked: LinkedTables) -> list[tuple[Rows, bool]]:
    """Return for each unit that is alone in some cell these cells, and whether it is known who the unit is."""
    known: dict[tuple[bool, int], set[int]] = {}
    for table, cells in zip(linked.tables, linked.cells, strict=True):
        alone = np.flatnonzero(table.counts == 1)
        holders = (
            table.contributions.holders[alone, 0] if table.contributions is not None else np.full(alone.size, NOBODY)
        )
        for cell, holder in zip(cells[alone].tolist(), holders.tolist(), strict=True):
            is_told = holder != NOBODY
            known.setdefault((is_told, holder if is_told else cell), set()).add(cell)
    return [(np.array(sorted(cells), dtype=np.int64), is_told) for (is_told, _), cells in known.items()]


def _share_sums(relations: Any, units: Sequence[Rows], primaries: Rows) -> Booleans:
    """Return units by primaries: whether a primary is in a relation with any of the unit's cells."""
    from scipy.sparse import csr_array

    starts = np.cumsum([0, *(cells.size for cells in units)])
    cells = np.concatenate([NOBODY_KNOWS, *units])
    own = csr_array((np.ones(cells.size), cells, starts), shape=(len(units), relations.shape[1]))
    ties = abs(relations)
    shared: Booleans = (own @ ties.T @ ties[:, primaries]).toarray() > 0
    return shared
