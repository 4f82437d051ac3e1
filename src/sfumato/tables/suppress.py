"""Suppress: hide the unsafe cells of tables, and as little else as keeps every attacker from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Category
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.cells.linked_tables import LinkedTables, link
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.build_problem import Cost, build_problem
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Pattern, Progress
from sfumato.tables.sensitivity._given import Given
from sfumato.tables.sensitivity._sensitivity import AnyOf, Rule, Sensitivity
from sfumato.tables.suppression._unavoidable_disclosure import with_what_insiders_learn_anyway
from sfumato.tables.suppression.suppressors import Automatic, Suppressor

if TYPE_CHECKING:
    import polars as pl

    from sfumato.tables.audit.explain import Explanation
    from sfumato.tables.audit.findings import Audit

LEARNT_ANYWAY = {
    Insiders.ALL: "{} a unit that is alone in a cell can tell too much of an unsafe cell whatever is hidden, as it "
    "knows its own part; it is kept from all other unsafe cells",
    Insiders.NEIGHBOURS: "{} a unit that is alone in a cell can work out an unsafe cell of one of its sums whatever is "
    "hidden, as it knows its own part; it is kept from all others of its sums",
}


class CellStatus(StrEnum):
    """What became of a cell."""

    PUBLISHED = "published"
    PRIMARY = "primary"
    """Hidden because a rule, or what was given, calls it unsafe."""
    SECONDARY = "secondary"
    """Hidden because others could be worked out from it."""
    HIDDEN = "hidden"
    """Hidden because it was given so."""


@dataclass(frozen=True, eq=False)
class Suppression:
    """Tables with cells hidden, and everything needed to prove it safe.

    Parameters
    ----------
    linked
        The tables, with the cells that they share counted once.
    sensitivities
        For each table which cells the rules call unsafe.
    problem
        What had to be achieved.
    pattern
        Which cells are hidden.
    remarks
        Sentences to be read with the result.
    """

    linked: LinkedTables
    sensitivities: tuple[Sensitivity, ...]
    problem: Problem = field(repr=False)
    pattern: Pattern
    remarks: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables as they were before."""
        return self.linked.tables

    @property
    def secondaries(self) -> int:
        """How many cells are hidden beyond those that had to be."""
        return int((self.pattern.suppressed & ~self.problem.hidden).sum())

    def suppressed(self, table: int = 0) -> Booleans:
        """Return which cells of a table are hidden."""
        return self.pattern.suppressed[self.linked.cells[table]]

    def statuses(self, table: int = 0) -> list[CellStatus]:
        """Return what became of each cell of a table."""
        primary = np.zeros(self.problem.size, dtype=np.bool_)
        primary[self.problem.primaries] = True
        status = np.select(
            [primary, self.problem.hidden, self.pattern.suppressed],
            [CellStatus.PRIMARY, CellStatus.HIDDEN, CellStatus.SECONDARY],
            CellStatus.PUBLISHED,
        )
        return [CellStatus(word) for word in status[self.linked.cells[table]].tolist()]

    def to_frame(self, table: int = 0) -> "pl.DataFrame":
        """Return the cells of a table: codes, value and count (null where hidden), and status.

        The status tells primaries from secondaries and is for those who made the table: leave it out of what is
        published, as it tells which counts are small.
        """
        import polars as pl

        of_table = self.tables[table]
        content = [name for name in of_table.to_frame().columns if name not in of_table.names]
        hidden = pl.Series("_hidden", self.suppressed(table))
        frame = of_table.to_frame().with_columns(pl.when(~hidden).then(pl.col(name)).alias(name) for name in content)
        return frame.with_columns(pl.Series("status", [str(status) for status in self.statuses(table)]))

    def cell(self, table: int = 0, /, **codes: Category) -> int:
        """Return the number of a cell among the cells of all tables."""
        return int(self.linked.cells[table][self.tables[table].cell(**codes)])

    def audit(self, *, intervals: str = "primaries", on_progress: Callable[[int, int], None] | None = None) -> "Audit":
        """Work out what every attacker can learn from what is published: see `sfumato.tables.audit.audit`.

        Parameters
        ----------
        intervals
            Of which cells the whole interval is wanted: `every` hidden one, the `primaries`, or the `unprotected` ones
            among them.
        on_progress
            Called with the number of attacks that are done, and of all.
        """
        from sfumato.tables.audit.audit import audit

        return audit(self.problem, self.pattern.suppressed, intervals=intervals, on_progress=on_progress)

    def explain(self, table: int = 0, /, **codes: Category) -> "Explanation":
        """Say why a cell is hidden, and what publishing it would reveal: see `sfumato.tables.audit.explain`."""
        from sfumato.tables.audit.explain import explain

        return explain(self.problem, self.pattern.suppressed, self.cell(table, **codes))


def suppress(
    tables: Table | Sequence[Table],
    rule: Rule | AnyOf,
    *,
    given: Sequence[Given] = (),
    cost: Cost | str = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    known: Sequence[Sequence[Mapping[str, Category]]] = (),
    method: Suppressor | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Suppression:
    """Hide the unsafe cells of one or several linked tables, and what else must be hidden to keep attackers from them.

    Parameters
    ----------
    tables
        One table, or several of the same variable, which are then protected together.
    rule
        What makes a cell unsafe: `p_percent(10) | min_units(3)`.
    given
        What is decided of some cells beforehand.
    cost
        What hiding a cell costs: its `value`, its `frequency` or `unity`.
    insiders
        From what to keep units that are alone in a cell, and hence know its value: `all` other unsafe cells, by their
        levels; `neighbours`, that is, the exact values of unsafe cells in the sums that their own cell is in; or
        `none`. True means all, and False none.
    known_within
        By how many percent every attacker knows each cell beforehand; nothing but signs and a wide bound by default.
    known
        Further attackers, such as readers of an earlier release or contributors who tell each other: for each the cells
        that they know exactly, told by codes as in `where` of a `Given`. They are kept from all other unsafe cells.
    method
        How the pattern is found: `Optimal()`, `Heuristic()`, or by default `Automatic()`.
    on_progress
        Called as the search goes on.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import Table, min_units, suppress
    >>> people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    >>> protected = suppress(Table.from_records(people, ["town", "sick"]), min_units(3))
    >>> protected.to_frame().filter(pl.col("count").is_null()).height
    4
    """
    watched = Insiders.meant(insiders)
    linked = link([tables] if isinstance(tables, Table) else tables)
    sensitivities = tuple(rule.find(table) for table in linked.tables)
    problem = build_problem(
        linked,
        sensitivities,
        given=given,
        cost=Cost.meant(cost),
        insiders=watched,
        known_within=known_within,
        known=known,
    )
    problem, learnt = with_what_insiders_learn_anyway(problem)
    if problem.hidden.all():
        raise DataError(
            f"{rule}: all {problem.size} cells are unsafe, so that nothing would be published; make groups larger"
        )
    pattern = (method or Automatic()).protect(problem, on_progress)
    remarks = (*overruled_remarks(linked, sensitivities, problem), *learnt_remarks(watched, learnt))
    return Suppression(linked, sensitivities, problem, pattern, remarks)


def overruled_remarks(linked: LinkedTables, sensitivities: Sequence[Sensitivity], problem: Problem) -> tuple[str, ...]:
    """Return what to say of cells that the rules call unsafe and that are open, as they were given as safe."""
    unsafe = np.zeros(problem.size, dtype=np.bool_)
    for cells, found in zip(linked.cells, sensitivities, strict=True):
        unsafe[cells] |= found.unsafe
    count = int(np.count_nonzero(unsafe & ~problem.hidden))
    cells_are = (
        "1 cell that the rules call unsafe is" if count == 1 else f"{count} cells that the rules call unsafe are"
    )
    return (f"{cells_are} taken for safe, as given",) if count else ()


def learnt_remarks(insiders: Insiders, learnt: int) -> tuple[str, ...]:
    """Return what to say of unsafe cells that insiders learn whatever is hidden, given how often they do."""
    return (LEARNT_ANYWAY[insiders].format("once" if learnt == 1 else f"{learnt} times"),) if learnt else ()
