"""From tables, a rule and what is given to the problem that a pattern has to solve."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from sfumato.data import FloatColumn, Mask, Rows
from sfumato.errors import DataError
from sfumato.tables.cells.linking import LinkedTables
from sfumato.tables.insiders import Insiders, attackers_among
from sfumato.tables.problem import Problem
from sfumato.tables.unsafe.given import Given, Status, default_level
from sfumato.tables.unsafe.sensitivity import Sensitivity

FARTHEST = 1.5  # attackers know every cell to lie below so many times the largest value


class Cost(StrEnum):
    """What hiding a cell costs."""

    VALUE = "value"
    """Its absolute value, so that small cells are hidden first."""
    FREQUENCY = "frequency"
    """Its units, so that cells of few are hidden first."""
    UNITY = "unity"
    """1, so that as few cells as possible are hidden."""


def state(
    linked: LinkedTables,
    sensitivities: Sequence[Sensitivity],
    *,
    given: Sequence[Given] = (),
    cost: Cost = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    known_cells: Sequence[Rows] = (),
) -> Problem:
    """Return the problem of protecting tables.

    Parameters
    ----------
    linked
        The tables.
    sensitivities
        For each table which of its cells are unsafe. A cell of several tables is unsafe when it is in one of them.
    given
        What is decided of some cells beforehand; later ones go before earlier ones.
    cost
        What hiding a cell costs.
    insiders
        Whether units that are alone in a cell are attackers too, and what they are kept from.
    known_within
        By how many percent of its value every attacker knows each cell beforehand. When not given, attackers know no
        more than that values are 0 or above (if all of them are) and below 1.5 times the largest.
    known_cells
        For each further attacker, a coalition for instance, the cells that they know.
    """
    unsafe, levels = _unsafe(linked, sensitivities)
    counts = _over(linked, [table.counts for table in linked.tables])
    if cost is Cost.FREQUENCY and np.isnan(counts).any():
        raise DataError("cost frequency: the table does not say how many units its cells have; give it count=COLUMN")
    costs = {Cost.VALUE: np.abs(linked.values), Cost.FREQUENCY: counts, Cost.UNITY: np.ones(linked.size)}[cost].copy()
    hidden, published = np.zeros(linked.size, dtype=np.bool_), np.zeros(linked.size, dtype=np.bool_)
    for entry in given:
        cells = _meant(linked, entry)
        if entry.cost is not None:
            costs[cells] = entry.cost
        if entry.status is None:
            continue
        unsafe[cells] = entry.status is Status.PROTECT
        hidden[cells] = entry.status is Status.HIDE
        published[cells] = entry.status is Status.PUBLISH
        levels[cells] = default_level(linked.values[cells]) if entry.level is None else entry.level
    lower, upper = _bounds(linked.values, known_within)
    primaries = np.flatnonzero(unsafe)
    wanted = levels[primaries]
    room = linked.values[primaries] - lower[primaries]
    attackers = attackers_among(linked, primaries, Insiders.meant(insiders), known_cells)
    return Problem(
        values=linked.values,
        relations=linked.relations,
        lower=lower,
        upper=upper,
        costs=costs,
        primaries=primaries,
        upper_levels=wanted,
        lower_levels=np.minimum(wanted, room),
        sliding_levels=np.zeros(primaries.size),
        hidden=hidden | unsafe,
        published=published,
        attackers=attackers.known,
        names=linked.names,
        spared=attackers.spared,
        only_exact=attackers.only_exact,
    )


def _unsafe(linked: LinkedTables, sensitivities: Sequence[Sensitivity]) -> tuple[Mask, FloatColumn]:
    unsafe = _over(linked, [found.unsafe.astype(np.float64) for found in sensitivities]) > 0
    return unsafe, _over(linked, [found.levels for found in sensitivities])


def _over(linked: LinkedTables, of_tables: Sequence[FloatColumn]) -> FloatColumn:
    """Return what the tables say of their cells, the largest where several say something."""
    largest = np.zeros(linked.size)
    for cells, said in zip(linked.cells, of_tables, strict=True):
        np.maximum.at(largest, cells, said)
    return largest


def _meant(linked: LinkedTables, entry: Given) -> Rows:
    """Return the cells that an entry means, in all tables that have its dimensions."""
    found = [
        cells[entry.cells(table)]
        for table, cells in zip(linked.tables, linked.cells, strict=True)
        if entry.concerns(table)
    ]
    if not found:
        known = ", ".join(sorted({name for table in linked.tables for name in table.names}))
        raise DataError(f"a status is given by {', '.join(entry.where)}; the dimensions are {known}")
    return np.unique(np.concatenate(found))


def _bounds(values: FloatColumn, known_within: float | None) -> tuple[FloatColumn, FloatColumn]:
    if known_within is not None:
        reach = known_within / 100 * np.abs(values)
        return values - reach, values + reach
    farthest = FARTHEST * float(np.abs(values).max(initial=0.0))
    lower = np.zeros(values.size) if (values >= 0).all() else np.full(values.size, -farthest)
    return lower, np.full(values.size, farthest)
