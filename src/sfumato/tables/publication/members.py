"""The tables of a publication, made of records; each says which cells it shares with others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Category
from sfumato.data.eager_tables import as_table
from sfumato.errors import DataError, did_you_mean
from sfumato.numerics.arrays import Rows
from sfumato.tables.cells.groupings import Groupings
from sfumato.tables.cells.records import Columns
from sfumato.tables.cells.table import Table
from sfumato.tables.publication.equation import Equation, check_variables
from sfumato.tables.publication.requests import (
    Difference,
    TableRequest,
    Union,
    differences,
    hidden_variables,
    unions,
)
from sfumato.tables.publication.selection import Selection, as_trees, describe, restrict, select
from sfumato.tables.publication.table_definition import TableDefinition

if TYPE_CHECKING:
    import polars as pl

LEFT_OUT = "without"  # the key of what is left out, among the codes that all cells of a table have


@dataclass(frozen=True, eq=False)
class Member:
    """A table of a publication.

    Parameters
    ----------
    name
        What it is called.
    table
        Its cells.
    fixed
        The codes that all its cells have beyond their own: of a dimension, what its total stands for.
    is_published
        Whether it is published, or can only be worked out from others by subtraction.
    title
        What readers are told that it shows.
    """

    name: str
    table: Table
    fixed: Mapping[str, Category] = field(default_factory=dict)
    is_published: bool = True
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordColumns:
    """How records are added up, in all tables of a publication: see `Table.from_records`."""

    weight: str | None = None
    holding: str | None = None
    shadow: str | None = None
    request: str | None = None
    key: str | None = None
    keep: int = 3
    total: Category = "Total"
    missing: Category | None = None
    zeros: bool | Any = False


def tabulate_members(
    data: Any,
    definitions: Mapping[str, TableDefinition],
    hierarchies: Mapping[str, Groupings],
    equations: Sequence[Equation],
    columns: RecordColumns,
) -> tuple[list[Member], list[Difference | Union]]:
    """Return the tables of some definitions, and hidden ones that readers could work out from them.

    Parameters
    ----------
    data
        The records, a dataframe.
    definitions
        The tables by their names.
    hierarchies
        Those of the variables that have some.
    equations
        Which variables add up to which.
    columns
        How records are added up.
    """
    frame = as_table(data).to_polars()
    check_variables(equations, frame.columns, "the records have no column")
    asked = [_request(name, entry, frame, hierarchies) for name, entry in definitions.items()]
    asked_too = hidden_variables(asked, equations)
    rests, found = differences([*asked, *asked_too])
    members = [
        _tabulate(request, frame, hierarchies, columns, definitions[request.name].title if request.is_published else "")
        for request in (*asked, *asked_too, *rests)
    ]
    there = [member for member in members if member is not None]
    known = {member.name for member in there}
    ties: list[Difference | Union] = [each for each in found if each.rest in known]
    return there, [*ties, *unions([*asked, *asked_too])]


def _request(
    name: str, definition: TableDefinition, frame: "pl.DataFrame", hierarchies: Mapping[str, Groupings]
) -> TableRequest:
    where: dict[str, Selection] = {}
    used = [*definition.dimensions, *definition.where, *([] if definition.value is None else [definition.value])]
    for variable in used:
        if variable not in frame.columns:
            near = did_you_mean(variable, frame.columns)
            raise DataError(f"table '{name}': the records have no column '{variable}'{near}")
    for variable, codes in definition.where.items():
        present = frame[variable].drop_nulls().unique(maintain_order=True).to_list()
        choice = select(variable, codes, present, as_trees(hierarchies.get(variable)), name)
        if choice is not None:
            where[variable] = choice
    return TableRequest(name, definition.dimensions, definition.value, where)


def _tabulate(
    request: TableRequest,
    frame: "pl.DataFrame",
    hierarchies: Mapping[str, Groupings],
    columns: RecordColumns,
    title: str,
) -> Member | None:
    """Return the table of a request; nothing where a hidden one has no records."""
    rows = np.flatnonzero(_is_in(request, frame))
    if not rows.size and not request.is_published:
        return None
    if not rows.size:
        raise DataError(
            f"table '{request.name}': its filter {describe(request.where)} selects no record; take the table out, or "
            "correct the filter"
        )
    chosen = frame[rows]
    zeros = columns.zeros
    if not isinstance(zeros, bool):
        possible = as_table(zeros).to_polars()
        zeros = possible.filter(_is_in(request, possible)).select(request.by)
    by = {name: _groupings(name, request, hierarchies.get(name), columns.total) for name in request.by}
    table = Table.from_records(
        chosen,
        by,
        request.value,
        weight=columns.weight,
        holding=columns.holding,
        shadow=columns.shadow if request.value is not None else None,
        request=columns.request,
        key=columns.key,
        keep=columns.keep,
        total=columns.total,
        missing=columns.missing,
        zeros=zeros,
    )
    fixed: dict[str, Category] = {name: choice.name for name, choice in request.where.items()}
    if request.without:
        fixed[LEFT_OUT] = describe(request.without)
    numbers = rows if columns.holding is None else _holding_numbers(frame, chosen, columns.holding)
    return Member(request.name, _number_holders(table, numbers), fixed, request.is_published, title)


def _is_in(request: TableRequest, frame: "pl.DataFrame") -> Any:
    """Return for each record whether a table is of it."""
    chosen = np.ones(frame.height, dtype=np.bool_)
    for variable, choice in request.where.items():
        chosen &= _has(frame, variable, choice)
    if request.without:
        left_out = np.ones(frame.height, dtype=np.bool_)
        for variable, choice in request.without.items():
            left_out &= _has(frame, variable, choice)
        chosen &= ~left_out
    return chosen


def _has(frame: "pl.DataFrame", variable: str, choice: Selection) -> Any:
    return frame[variable].is_in(list(choice.leaves)).fill_null(value=False).to_numpy()


def _groupings(name: str, request: TableRequest, groupings: Groupings, total: Category) -> Groupings:
    return groupings if name not in request.where else restrict(groupings, request.where[name], total)


def _holding_numbers(frame: "pl.DataFrame", chosen: "pl.DataFrame", holding: str) -> Rows:
    """Return the number that each holding of some records has among those of all."""
    _, every = Columns(frame).codes(holding)
    _, here = Columns(chosen).codes(holding)
    place = {code: number for number, code in enumerate(every)}
    return np.array([place[code] for code in here], dtype=np.int64)


def _number_holders(table: Table, numbers: Rows) -> Table:
    """Return a table whose contributors have the numbers that they have in all tables."""
    if table.contributions is None:
        return table
    holders = table.contributions.holders
    known = np.where(holders < 0, holders, numbers[np.maximum(holders, 0)])
    return replace(table, contributions=replace(table.contributions, holders=known))
