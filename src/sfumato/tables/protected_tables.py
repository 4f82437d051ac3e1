"""Tables with what is unsafe in them, and tables as they are published, with everything needed to prove them safe."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import Category
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables._earlier_release import view_with_previous
from sfumato.tables._empty_places import empty_place_remarks
from sfumato.tables.cells.linked_tables import LinkedTables
from sfumato.tables.cells.notebook_views import render_published, render_rules
from sfumato.tables.cells.table import Table
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import ProtectedCells
from sfumato.tables.rule import Sensitivity

if TYPE_CHECKING:
    import polars as pl

    from sfumato.tables.audit.explain import Explanation
    from sfumato.tables.audit.findings import Audit


class CellStatus(StrEnum):
    """What became of a cell."""

    PUBLISHED = "published"
    PRIMARY = "primary"
    """A rule, or what was given, calls it unsafe; where cells are suppressed, it is."""
    SECONDARY = "secondary"
    """Suppressed because others could be worked out from it."""
    SUPPRESSED = "suppressed"
    """Suppressed because it was given so."""


@dataclass(frozen=True, eq=False, repr=False)
class UnsafeTables(TabularResult):
    """Tables, what is unsafe in them, and what protecting them means.

    Parameters
    ----------
    linked
        The tables, with the cells that they share counted once.
    sensitivities
        For each table which cells the rules call unsafe.
    problem
        What has to be achieved.
    remarks
        Sentences to be read with any result.
    """

    linked: LinkedTables
    sensitivities: tuple[Sensitivity, ...]
    problem: Problem = field(repr=False)
    remarks: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables as they are."""
        return self.linked.tables

    @property
    def shows_empty_places(self) -> bool:
        """Whether unsafe counts are known to be at least 1, as combinations without records are no cells."""
        return bool(self.problem.primaries.size and empty_place_remarks(self.tables))

    def cell(self, table: int = 0, /, **codes: Category) -> int:
        """Return the number of a cell among the cells of all tables."""
        return int(self.linked.cells[table][self.tables[table].cell(**codes)])

    def to_frame(self, table: int = 0) -> "pl.DataFrame":
        """Return the cells of a table, with their true values, and which of them are unsafe."""
        import polars as pl

        unsafe = pl.Series("is_unsafe", self.sensitivities[table].unsafe)
        return self.tables[table].to_frame().with_columns(unsafe)

    def to_dict(self) -> dict[str, Any]:
        """Return the cells of all tables as plain dicts and lists, ready for JSON."""
        tables = [self.to_frame(number).to_dicts() for number in range(len(self.tables))]
        return {"tables": tables, "remarks": list(self.remarks)}

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.tables))
        return f"<{type(self).__name__}: {names}, {self.problem.primaries.size} unsafe>"

    def _repr_html_(self) -> str:
        counts = [
            (repr(table), rule, int(cells.sum()))
            for table, found in zip(self.tables, self.sensitivities, strict=True)
            for rule, cells in found.by_rule.items()
        ]
        return render_rules(repr(self), counts, self.remarks)


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedTables(UnsafeTables):
    """Tables as they are published, and everything needed to prove them safe.

    Parameters
    ----------
    linked
        The tables, with the cells that they share counted once.
    sensitivities
        For each table which cells the rules call unsafe.
    problem
        What had to be achieved.
    remarks
        Sentences to be read with the result.
    outcome
        What the protection made of the cells.
    previous
        For each cell whether an earlier release suppressed it; None where there was none.
    """

    outcome: ProtectedCells = field(kw_only=True)
    previous: Booleans | None = field(default=None, kw_only=True, repr=False)

    @property
    def pattern(self) -> Pattern:
        """Which cells are suppressed, at what cost; only of tables in which cells are suppressed."""
        if not isinstance(self.outcome, Pattern):
            raise DataError("no cell of these tables is suppressed: they have no pattern; look at `outcome`")
        return self.outcome

    @property
    def secondaries(self) -> int:
        """How many cells are suppressed beyond those that had to be."""
        return int((np.isnan(self.outcome.publish(self.problem)) & ~self.problem.must_suppress).sum())

    def values(self, table: int = 0) -> FloatColumn:
        """Return what is published of each cell of a table, NaN where it is suppressed."""
        return self.outcome.publish(self.problem)[self.linked.cells[table]]

    def suppressed(self, table: int = 0) -> Booleans:
        """Return which cells of a table are suppressed."""
        return np.isnan(self.values(table))

    def statuses(self, table: int = 0) -> list[CellStatus]:
        """Return what became of each cell of a table."""
        primary = np.zeros(self.problem.size, dtype=np.bool_)
        primary[self.problem.primaries] = True
        suppressed = np.isnan(self.outcome.publish(self.problem))
        status = np.select(
            [primary, self.problem.must_suppress & suppressed, suppressed],
            [CellStatus.PRIMARY, CellStatus.SUPPRESSED, CellStatus.SECONDARY],
            CellStatus.PUBLISHED,
        )
        return [CellStatus(word) for word in status[self.linked.cells[table]].tolist()]

    def to_frame(self, table: int = 0) -> "pl.DataFrame":
        """Return the cells of a table: codes and what is published.

        Where cells are suppressed, value and count are null there, and a column `status` tells primaries from
        secondaries. It is for those who made the table: leave it out of what is published, as it tells which counts are
        small.
        """
        import polars as pl

        of_table = self.tables[table]
        if not isinstance(self.outcome, Pattern):
            name = of_table.value_name or "count"
            return of_table.to_frame().select(*of_table.names, pl.Series(name, self.values(table)))
        content = [name for name in of_table.to_frame().columns if name not in of_table.names]
        suppressed = pl.Series("_suppressed", self.suppressed(table))
        frame = of_table.to_frame().with_columns(
            pl.when(~suppressed).then(pl.col(name)).alias(name) for name in content
        )
        return frame.with_columns(pl.Series("status", [str(status) for status in self.statuses(table)]))

    def _repr_html_(self) -> str:
        frames = [self.to_frame(number).drop("status", strict=False) for number in range(len(self.tables))]
        held = [len(table.names) for table in self.tables]
        return render_published(frames, held, (f"{self.outcome}.", *self.remarks))

    def audit(self, *, intervals: str = "primaries", on_progress: Callable[[int, int], None] | None = None) -> "Audit":
        """Work out what intruders can learn from what is published: see `sfumato.tables.audit.audit`.

        Where cells are suppressed these are all intruders of the problem; else an outsider who knows the method and its
        parameters. Whoever it is has the earlier release too, where there was one.

        Parameters
        ----------
        intervals
            Of which cells the whole interval is wanted: `every` uncertain one, the `primaries`, or the `unprotected`
            ones among them.
        on_progress
            Called with the number of attacks that are done, and of all.
        """
        from sfumato.tables.audit.audit import audit

        problem, uncertain = self.outcome.intruder_view(self.problem)
        if self.previous is not None:
            problem, uncertain = view_with_previous(problem, uncertain, self.previous)
        return audit(problem, uncertain, intervals=intervals, on_progress=on_progress)

    def explain(self, table: int = 0, /, **codes: Category) -> "Explanation":
        """Say why a cell is suppressed, and what publishing it would reveal: see `sfumato.tables.audit.explain`."""
        from sfumato.tables.audit.explain import explain

        return explain(self.problem, self.pattern.suppressed, self.cell(table, **codes))
