"""From tables, a rule and what is given to the problem that a pattern has to solve."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from sfumato.data import Category
from sfumato.errors import DataError, ParameterError, SchemaError, SfumatoError, did_you_mean
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.tables.cells.linked_tables import LinkedTables
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.problem.given_cell import GivenCell, Status, cells_where, default_level
from sfumato.tables.problem.insiders import Insiders, find_intruders
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.rule import Sensitivity

MAX_NAMED = 5  # cells that a message names
UPPER_BOUND_FACTOR = 1.5  # intruders know every cell to lie below so many times the largest value


class Cost(StrEnum):
    """What suppressing a cell costs."""

    VALUE = "value"
    """Its absolute value, so that small cells are suppressed first."""
    FREQUENCY = "frequency"
    """Its units, so that cells of few are suppressed first."""
    UNITY = "unity"
    """1, so that as few cells as possible are suppressed."""

    @classmethod
    def parse(cls, given: "Cost | str") -> "Cost":
        """Return the cost of a word."""
        if given not in list(cls):
            near = did_you_mean(str(given), cls)
            raise ParameterError([f"cost must be one of {', '.join(cls)}; got {given!r}{near}"])
        return cls(given)


def build_problem(
    linked: LinkedTables,
    sensitivities: Sequence[Sensitivity],
    *,
    given_cells: Sequence[GivenCell] = (),
    cost: Cost = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    known: Sequence[Sequence[Mapping[str, Category]]] = (),
) -> Problem:
    """Return the problem of protecting tables.

    Parameters
    ----------
    linked
        The tables.
    sensitivities
        For each table which of its cells are unsafe. A cell of several tables is unsafe when it is in one of them.
    given_cells
        What is decided of some cells beforehand; later ones go before earlier ones.
    cost
        What suppressing a cell costs.
    insiders
        Whether units that are alone in a cell are intruders too, and what they are kept from.
    known_within
        By how many percent of its value every intruder knows each cell beforehand. When not given, intruders know no
        more than that values are 0 or above (if all of them are) and below 1.5 times the largest.
    known
        For each further intruder the cells that they know, told like `where` of a `GivenCell`.
    """
    unsafe, levels = _unsafe(linked, sensitivities)
    costs = _costs(linked, cost)
    must_suppress, must_publish = np.zeros(linked.size, dtype=np.bool_), np.zeros(linked.size, dtype=np.bool_)
    for entry in given_cells:
        cells = cells_of(linked, entry.where, entry.table)
        if entry.cost is not None:
            costs[cells] = entry.cost
        if entry.status is None:
            continue
        if entry.status is Status.PUBLISH and unsafe[cells].any():
            raise _unsafe_published(linked, cells[unsafe[cells]])
        unsafe[cells] = entry.status is Status.PROTECT
        must_suppress[cells] = entry.status is Status.SUPPRESS
        must_publish[cells] = entry.status is Status.PUBLISH
        least = default_level(linked.values[cells]) if entry.protection_level is None else entry.protection_level
        levels[cells] = np.maximum(levels[cells], least) if entry.protection_level is None else least
    if linked.unpublished is not None:
        must_suppress |= linked.unpublished
        must_publish &= ~linked.unpublished
    lower, upper = _bounds(linked.values, known_within)
    primaries = np.flatnonzero(unsafe)
    wanted = levels[primaries]
    room = linked.values[primaries] - lower[primaries]
    intruders = find_intruders(linked, primaries, Insiders.parse(insiders), [_known(linked, cells) for cells in known])
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
        must_suppress=must_suppress | unsafe,
        must_publish=must_publish,
        intruders=intruders.known,
        names=linked.names,
        spared=intruders.spared,
        only_exact=intruders.only_exact,
        keys=_keys(linked),
        largest=_largest(linked),
    )


def _keys(linked: LinkedTables) -> CodeColumn | None:
    """Return the key of each cell, the same in all tables that have it; nothing where a table has none."""
    keys = np.zeros(linked.size, dtype=np.int64)
    for table, cells in zip(linked.tables, linked.cells, strict=True):
        if table.keys is None:
            return None
        keys[cells] = table.keys
    return keys


def _largest(linked: LinkedTables) -> FloatColumn | None:
    """Return the largest contribution to each cell; nothing where a table does not say."""
    amounts = [
        table.contributions.amounts[:, 0]
        for table in linked.tables
        if table.contributions is not None and table.contributions.kept
    ]
    return _over(linked, amounts) if len(amounts) == len(linked.tables) else None


def _unsafe_published(linked: LinkedTables, cells: Rows) -> DataError:
    names = list_names([linked.names[cell] for cell in cells.tolist()], MAX_NAMED)
    return DataError(
        f"{linked.title_of(int(cells[0]))}: status publish is given to cells that are unsafe: {names}; leave these "
        "out, or give them status safe before, and say as `reason` why they harm nobody"
    )


def _unsafe(linked: LinkedTables, sensitivities: Sequence[Sensitivity]) -> tuple[Booleans, FloatColumn]:
    unsafe = _over(linked, [found.unsafe.astype(np.float64) for found in sensitivities]) > 0
    return unsafe, _over(linked, [found.levels for found in sensitivities])


def _costs(linked: LinkedTables, cost: Cost) -> FloatColumn:
    """Return what suppressing each cell costs; only frequencies need the counts, which given cells may lack."""
    if cost is Cost.VALUE:
        return np.abs(linked.values)
    if cost is Cost.UNITY:
        return np.ones(linked.size)
    if any(np.isnan(table.counts).any() for table in linked.tables):
        raise DataError(
            "cost frequency: the table does not say how many units its cells have; name the column that does as `count`"
        )
    return _over(linked, [table.counts for table in linked.tables])


def _over(linked: LinkedTables, of_tables: Sequence[FloatColumn]) -> FloatColumn:
    """Return what the tables say of their cells, the largest where several say something."""
    largest = np.zeros(linked.size)
    for cells, said in zip(linked.cells, of_tables, strict=True):
        np.maximum.at(largest, cells, said)
    return largest


def _known(linked: LinkedTables, cells: Sequence[Mapping[str, Category]]) -> Rows:
    return np.unique(np.concatenate([NOBODY_KNOWS, *(cells_of(linked, where) for where in cells)]))


def cells_of(linked: LinkedTables, where: Mapping[str, Category], only: str | None = None) -> Rows:
    """Return the cells that have some codes, in all tables that have such cells or in one; there must be one."""
    if only is not None and not linked.table_names:
        raise DataError(f"cells of table '{only}' are given, and tables have names only in publications; leave it out")
    found, refused = [], list[SfumatoError]()
    names = linked.table_names or (None,) * len(linked.tables)
    for name, table, cells in zip(names, linked.tables, linked.cells, strict=True):
        if only in (None, name) and set(where) <= set(table.names):
            try:
                found.append(cells[cells_where(table, where)])
            except (DataError, SchemaError) as error:  # another table may have them
                refused.append(error)
    if refused and not found:
        raise refused[0]
    if not found:
        known = ", ".join(sorted({name for table in linked.tables for name in table.names}))
        raise DataError(f"cells are given by {', '.join(where)}; the dimensions are {known}")
    return np.unique(np.concatenate(found))


def _bounds(values: FloatColumn, known_within: float | None) -> tuple[FloatColumn, FloatColumn]:
    """Return between what every intruder knows each cell to lie: by signs and size, and by what is known beforehand."""
    farthest = UPPER_BOUND_FACTOR * float(np.abs(values).max(initial=0.0))
    lower = np.zeros(values.size) if (values >= 0).all() else np.full(values.size, -farthest)
    upper = np.full(values.size, farthest)
    if known_within is None:
        return lower, upper
    if not 0 < known_within < np.inf:
        raise ParameterError([f"known_within must be a percentage above 0; got {known_within!r}"])
    reach = known_within / 100 * np.abs(values)
    return np.maximum(values - reach, lower), np.minimum(values + reach, upper)
