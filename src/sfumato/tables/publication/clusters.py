"""Clusters: tables of a publication that share cells, or that sums tie together; each is protected as one problem."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.cells.linked_tables import (
    EQUALITY_TOLERANCE,
    Identity,
    LinkedTables,
    cell_identities,
    stack_relations,
)
from sfumato.tables.publication.equation import Equation
from sfumato.tables.publication.members import Member
from sfumato.tables.publication.requests import Difference, Union

COUNT = "count"
MAX_NAMED = 3  # cells in a message
HOLDS_WITHIN = 1e-6  # share of the largest value by which an equation may be off


@dataclass(frozen=True, eq=False)
class Cluster:
    """Tables that are protected as one.

    Parameters
    ----------
    members
        The tables, hidden ones included.
    linked
        Their cells, those that they share counted once, and all relations.
    """

    members: tuple[Member, ...]
    linked: LinkedTables

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the published tables."""
        return tuple(member.name for member in self.members if member.is_published)


@dataclass(frozen=True, eq=False)
class PlacedCells:
    """The cells of all tables of a publication, each counted once.

    Parameters
    ----------
    cells
        For each table the numbers of its cells.
    size
        How many different cells there are.
    sums
        What ties cells of different tables: their numbers and signs.
    """

    cells: tuple[Rows, ...]
    size: int
    sums: tuple[tuple[Rows, FloatColumn], ...]


def place_cells(
    members: Sequence[Member], equations: Sequence[Equation] = (), ties: Sequence[Difference | Union] = ()
) -> PlacedCells:
    """Return which cells of tables are the same, and what ties different ones beyond the tables' own sums."""
    number: dict[tuple[str, Identity], int] = {}
    cells = []
    for member in members:
        own = cell_identities(member.table, member.fixed)
        variable = member.table.value_name or COUNT
        cells.append(np.array([number.setdefault((variable, one), len(number)) for one in own], dtype=np.int64))
    sums = [*_equation_sums(number, equations)]
    place = {member.name: position for position, member in enumerate(members)}
    for tie in ties:
        if isinstance(tie, Difference):
            sums += _difference_sums(members, cells, place[tie.whole], place[tie.part], place[tie.rest])
        else:
            sums += _union_sums(number, members[place[tie.part]], members[place[tie.whole]], tie)
    return PlacedCells(tuple(cells), len(number), tuple(sums))


def find_clusters(
    members: Sequence[Member], equations: Sequence[Equation] = (), ties: Sequence[Difference | Union] = ()
) -> tuple[Cluster, ...]:
    """Return the clusters, in the order of their first tables.

    Parameters
    ----------
    members
        The tables.
    equations
        Which variables add up to which.
    ties
        Which tables are what is left of one without another, and which are sums of cells of another.
    """
    placed = place_cells(members, equations, ties)
    values = _common_values(members, placed)
    _check_equations(members, placed, values, equations)
    labels = _components(placed)
    found = []
    for label in dict.fromkeys(labels.tolist()):
        places = np.flatnonzero(labels == label).tolist()
        found.append(_cluster([members[place] for place in places], [placed.cells[place] for place in places], placed))
    return tuple(found)


def parts_of_others(members: Sequence[Member], placed: PlacedCells) -> dict[str, str]:
    """Return the published tables all of whose cells are in another published one, and which."""
    found: dict[str, str] = {}
    sets = {member.name: set(cells.tolist()) for member, cells in zip(members, placed.cells, strict=True)}
    published = [member.name for member in members if member.is_published]
    for name in published:
        others = [other for other in published if other != name and other not in found and sets[name] <= sets[other]]
        if others:
            found[name] = others[0]
    return found


def _cluster(members: Sequence[Member], cells: Sequence[Rows], placed: PlacedCells) -> Cluster:
    numbers, local = np.unique(np.concatenate(cells), return_inverse=True)
    ends = np.cumsum([own.size for own in cells])[:-1]
    own = tuple(np.split(local.astype(np.int64), ends))
    tables = tuple(member.table for member in members)
    values, names = np.zeros(numbers.size), [""] * numbers.size
    unpublished = np.ones(numbers.size, dtype=np.bool_)
    several = len({table.value_name for table in tables}) > 1
    for member, places in zip(members, own, strict=True):
        values[places] = member.table.values
        unpublished[places] &= not member.is_published
        for place, name in zip(places.tolist(), _cell_names(member, several=several), strict=True):
            names[place] = names[place] or name
    relations = _with_sums(stack_relations(tables, own, numbers.size), numbers, placed)
    called = tuple(member.name for member in members)
    hidden = unpublished if unpublished.any() else None
    linked = LinkedTables(tables, own, values, relations, tuple(names), hidden, called)
    return Cluster(tuple(members), linked)


def _cell_names(member: Member, *, several: bool) -> list[str]:
    beside = [f"{name}={code}" for name, code in member.fixed.items() if name not in member.table.names]
    shown = [*beside, *([f"{member.table.value_name or COUNT}"] if several else [])]
    more = f" ({', '.join(shown)})" if shown else ""
    return [f"{name}{more}" for name in member.table.cell_names]


def _with_sums(relations: Any, numbers: Rows, placed: PlacedCells) -> Any:
    """Return relations with those that tie different tables of a cluster below them."""
    from scipy.sparse import coo_array, csr_array, vstack

    inside = [(places, signs) for cells, signs in placed.sums if (places := _find(numbers, cells)) is not None]
    if not inside:
        return relations
    rows = np.repeat(np.arange(len(inside)), [places.size for places, _ in inside])
    entries = np.concatenate([signs for _, signs in inside]), (rows, np.concatenate([places for places, _ in inside]))
    return csr_array(vstack([relations, coo_array(entries, shape=(len(inside), numbers.size))]))


def _find(numbers: Rows, cells: Rows) -> Rows | None:
    places = np.minimum(np.searchsorted(numbers, cells), numbers.size - 1)
    return places if (numbers[places] == cells).all() else None


def _components(placed: PlacedCells) -> Rows:
    """Return for each table the number of its cluster."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    tables = len(placed.cells)
    rows = [np.full(cells.size, table) for table, cells in enumerate(placed.cells)]
    rows += [np.full(cells.size, tables + number) for number, (cells, _) in enumerate(placed.sums)]
    columns = [*placed.cells, *(cells for cells, _ in placed.sums)]
    first = tables + len(placed.sums)
    row, column = np.concatenate(rows), np.concatenate(columns) + first
    size = first + placed.size
    _, labels = connected_components(coo_array((np.ones(row.size), (row, column)), shape=(size, size)), directed=False)
    return np.asarray(labels[:tables], dtype=np.int64)


def _common_values(members: Sequence[Member], placed: PlacedCells) -> FloatColumn:
    """Return the value of each cell, or say which two tables disagree about one."""
    values, owner = np.full(placed.size, np.nan), np.zeros(placed.size, dtype=np.int64)
    largest = max(float(np.abs(member.table.values).max(initial=0.0)) for member in members)
    for place, (member, cells) in enumerate(zip(members, placed.cells, strict=True)):
        apart = np.flatnonzero(np.abs(member.table.values - values[cells]) > EQUALITY_TOLERANCE * largest)
        if apart.size:
            other = members[owner[cells[apart[0]]]].name
            first = _innermost(member, apart[owner[cells[apart]] == owner[cells[apart[0]]]])
            raise DataError(
                f"tables '{other}' and '{member.name}' contradict each other: they have different values in "
                f"{_name_first(member, first)}{_among(apart.size)}; make both from the same records, or give what "
                "differs another name"
            )
        is_new = np.isnan(values[cells])
        values[cells] = np.where(is_new, member.table.values, values[cells])
        owner[cells[is_new]] = place
    return values


def _check_equations(
    members: Sequence[Member], placed: PlacedCells, values: FloatColumn, equations: Sequence[Equation]
) -> None:
    """Refuse equations that do not hold, and name the first cells where one does not."""
    if not placed.sums:
        return
    largest = float(np.abs(values).max(initial=0.0))
    wrong = [cells for cells, signs in placed.sums if abs(float(values[cells] @ signs)) > HOLDS_WITHIN * largest]
    if wrong:
        totals = np.array([cells[-1] for cells in wrong])  # the total stands last
        place = next(place for place, cells in enumerate(placed.cells) if np.isin(totals, cells).any())
        member = members[place]
        variable = member.table.value_name or COUNT
        equation = next((each for each in equations if each.total == variable), None)
        broken = f"the parts of {variable} do not add up to it" if equation is None else f"{equation} does not hold"
        cells = _innermost(member, np.flatnonzero(np.isin(placed.cells[place], totals)))
        raise DataError(
            f"table '{member.name}': {broken} in {_name_first(member, cells)}{_among(len(wrong))}; correct the values "
            "there, of the total or of its parts, or take the equation out"
        )


def _name_first(member: Member, cells: Rows) -> str:
    return "; ".join(member.table.cell_names[cell] for cell in cells[:MAX_NAMED].tolist())


def _among(count: int) -> str:
    """Return what to say where cells are wrong, which the totals over a wrong one are, too."""
    return "" if count == 1 else f" ({count} cells in all, totals over them among them)"


def _innermost(member: Member, cells: Rows) -> Rows:
    """Return cells of a table in an order in which those come first that stand for the fewest leaves."""
    table = member.table
    leaves = [[covered.size for covered in dimension.covered] for dimension in table.dimensions]
    sizes = [np.prod([of[code] for of, code in zip(leaves, row, strict=True)]) for row in table.codes[cells].tolist()]
    return cells[np.argsort(sizes, kind="stable")]


def _equation_sums(
    number: dict[tuple[str, Identity], int], equations: Sequence[Equation]
) -> list[tuple[Rows, FloatColumn]]:
    """Return the sums over variables, wherever the total and all parts are cells; the total stands last."""
    found = []
    for equation in equations:
        signs = np.array([1.0] * len(equation.parts) + [-1.0])
        for variable, identity in list(number):
            if variable != equation.total:
                continue
            cells = [number.get((part, identity)) for part in (*equation.parts, equation.total)]
            if None not in cells:
                found.append((np.array(cells, dtype=np.int64), signs))
    return found


def _difference_sums(
    members: Sequence[Member], cells: Sequence[Rows], whole: int, part: int, rest: int
) -> list[tuple[Rows, FloatColumn]]:
    """Return whole = part + rest for each cell that all three have; where the part has no cell, it is 0 there."""
    shared = set(members[part].table.names) & set(members[rest].table.names)
    of_part, of_rest, of_whole = (
        dict(zip(_own_codes(members[place]), cells[place].tolist(), strict=True)) for place in (part, rest, whole)
    )
    found = []
    for codes, total in of_whole.items():
        shares = [of[codes] for of in (of_part, of_rest) if codes in of]
        if shares and {name for name, _ in codes} <= shared:
            found.append((np.array([*shares, total], dtype=np.int64), np.array([1.0] * len(shares) + [-1.0])))
    return found


def _union_sums(
    number: dict[tuple[str, Identity], int], part: Member, whole: Member, tie: Union
) -> list[tuple[Rows, FloatColumn]]:
    """Return each cell of a table as the sum of those of another one that have several codes in its place."""
    variable, inside = part.table.value_name or COUNT, {*whole.table.names, *whole.fixed}
    filtered = {(name, part.fixed[name]) for name in tie.codes}
    tops = {(name, code) for name, code in part.fixed.items() if name in part.table.names}
    combined = [frozenset(zip(tie.codes, codes, strict=True)) for codes in product(*tie.codes.values())]
    found = []
    for identity in cell_identities(part.table, part.fixed):
        codes = identity - filtered
        if codes & tops or not {name for name, _ in codes} <= inside:
            continue
        shares = [number[key] for more in combined if (key := (variable, codes | more)) in number]
        if shares:
            cells = np.array([*shares, number[variable, identity]], dtype=np.int64)
            found.append((cells, np.array([1.0] * len(shares) + [-1.0])))
    return found


def _own_codes(member: Member) -> list[Identity]:
    """Return the codes of each cell without those that a filter fixes."""
    known = set(member.fixed.items())
    return [identity - known for identity in cell_identities(member.table, member.fixed)]
