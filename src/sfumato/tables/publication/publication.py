"""A publication: tables, the clusters that they make up, and what a protection makes of all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sfumato.data import Category
from sfumato.display import format_count
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.audit.findings import Audit
from sfumato.tables.cells.groupings import Groupings
from sfumato.tables.cells.notebook_views import render_counts
from sfumato.tables.cells.table import Table
from sfumato.tables.protected_tables import CellStatus, ProtectedTables
from sfumato.tables.publication.clusters import Cluster, find_clusters, parts_of_others, place_cells
from sfumato.tables.publication.equation import Equation, check_variables
from sfumato.tables.publication.members import Member, RecordColumns, tabulate_members
from sfumato.tables.publication.requests import Difference, Union
from sfumato.tables.publication.table_definition import TableDefinition

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Publication:
    """Tables that are published together.

    Made by `from_records` or `from_tables`; never changed.

    Parameters
    ----------
    members
        The tables, and hidden ones that readers could work out from them by subtraction.
    equations
        Which variables add up to which.
    ties
        Which tables are what is left of others, or sums of them.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"region": [*"NNSS"], "sector": [*"abab"], "size": [*"xxyy"], "sales": [1, 2, 3, 4]})
    >>> definitions = {"one": TableDefinition(by=["region", "sector"]), "two": TableDefinition(by=["region", "size"])}
    >>> publication = Publication.from_records(firms, definitions)
    >>> [cluster.names for cluster in publication.clusters]
    [('one', 'two')]
    """

    members: tuple[Member, ...]
    equations: tuple[Equation, ...] = ()
    ties: tuple[Difference | Union, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        names = [member.name for member in self.members]
        twice = [name for place, name in enumerate(names) if name in names[:place]]
        if twice:
            raise DataError(f"a publication must name each table once; '{twice[0]}' is repeated")
        if not names:
            raise DataError("a publication needs at least one table; got none")

    @classmethod
    def from_records(
        cls,
        data: Any,
        definitions: Mapping[str, TableDefinition],
        *,
        hierarchies: Mapping[str, Groupings] | None = None,
        equations: Sequence[Equation | str] = (),
        columns: RecordColumns | None = None,
    ) -> Self:
        """Add up records to all tables of a publication.

        Parameters
        ----------
        data
            The records: a pandas or polars dataframe, or a pyarrow table.
        definitions
            The tables by their names.
        hierarchies
            For each variable that has some, its hierarchies: the same in all tables.
        equations
            Which variables add up to which: `"turnover = domestic + export"`.
        columns
            Weight, holding and others, as in `Table.from_records`.
        """
        known = tuple(one if isinstance(one, Equation) else Equation.parse(one) for one in equations)
        members, found = tabulate_members(data, definitions, hierarchies or {}, known, columns or RecordColumns())
        return cls(tuple(members), known, tuple(found))

    @classmethod
    def from_tables(
        cls,
        tables: Mapping[str, Table],
        *,
        fixed: Mapping[str, Mapping[str, Category]] | None = None,
        equations: Sequence[Equation | str] = (),
    ) -> Self:
        """Put tables together that are made already.

        Parameters
        ----------
        tables
            The tables by their names.
        fixed
            For a table of a part of the records the codes that all its cells have: `{"north": {"region": "North"}}`.
        equations
            As in `from_records`.
        """
        known = tuple(one if isinstance(one, Equation) else Equation.parse(one) for one in equations)
        values = {table.value_name for table in tables.values() if table.value_name is not None}
        check_variables(known, values, "no table has the values of")
        of_parts = fixed or {}
        return cls(tuple(Member(name, table, of_parts.get(name, {})) for name, table in tables.items()), known)

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        """The tables that must be protected together, each cluster as one problem."""
        return find_clusters(self.members, self.equations, self.ties)

    @cached_property
    def parts(self) -> dict[str, str]:
        """The tables that are wholly contained in another one, and in which."""
        return parts_of_others(self.members, place_cells(self.members))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the published tables."""
        return tuple(member.name for member in self.members if member.is_published)

    def __repr__(self) -> str:
        return f"<Publication: {format_count(len(self.names), 'table')}>"


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedPublication(TabularResult):
    """The tables of a publication as they are published.

    Parameters
    ----------
    publication
        The tables.
    clusters
        For each cluster what the protection made of it.
    """

    publication: Publication
    clusters: tuple[ProtectedTables, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the published tables."""
        return self.publication.names

    def place(self, name: str) -> tuple[ProtectedTables, int]:
        """Return the cluster of a table, and the number of the table in it."""
        for cluster, protected in zip(self.publication.clusters, self.clusters, strict=True):
            for number, member in enumerate(cluster.members):
                if member.name == name and member.is_published:
                    return protected, number
        raise ParameterError([f"the publication has no table '{name}'{did_you_mean(name, self.names)}"])

    def table(self, name: str) -> Table:
        """Return a table as it is."""
        protected, number = self.place(name)
        return protected.tables[number]

    def values(self, name: str) -> FloatColumn:
        """Return what is published of each cell of a table, NaN where it is suppressed."""
        protected, number = self.place(name)
        return protected.values(number)

    def suppressed(self, name: str) -> Booleans:
        """Return which cells of a table are suppressed."""
        return np.isnan(self.values(name))

    def statuses(self, name: str) -> list[CellStatus]:
        """Return what became of each cell of a table."""
        protected, number = self.place(name)
        return protected.statuses(number)

    def to_frame(self, name: str | None = None) -> "pl.DataFrame":
        """Return the cells of a table, the first if not named: codes and what is published, as `ProtectedTables`."""
        protected, number = self.place(name or self.names[0])
        return protected.to_frame(number)

    def to_dict(self) -> dict[str, Any]:
        """Return the cells of all tables by name as plain dicts and lists, ready for JSON."""
        return {"tables": {name: self.to_frame(name).to_dicts() for name in self.names}}

    def __repr__(self) -> str:
        return f"<ProtectedPublication: {format_count(len(self.names), 'table')}, {self.secondaries} secondaries>"

    def _repr_html_(self) -> str:
        suppressed = {name: self.suppressed(name) for name in self.names}
        return render_counts(repr(self), [(name, one.size, int(one.sum())) for name, one in suppressed.items()])

    def audit(self, *, intervals: str = "unprotected") -> tuple[Audit, ...]:
        """Work out for each cluster, with all its tables at once, what intruders can conclude."""
        return tuple(protected.audit(intervals=intervals) for protected in self.clusters)

    @property
    def secondaries(self) -> int:
        """How many published cells are suppressed beyond those that had to be; a cell of several tables counts once."""
        return sum(protected.secondaries for protected in self.clusters)
