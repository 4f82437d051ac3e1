"""Protect tables: find what is unsafe, and let a protection decide what is published."""

from collections.abc import Mapping, Sequence

import numpy as np

from sfumato.data import Category
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables._earlier_release import check_previous, suppress_with_previous
from sfumato.tables._empty_places import empty_place_remarks
from sfumato.tables._last_period import MAX_DEARER, suppress_as_before
from sfumato.tables.cells.linked_tables import LinkedTables, link
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.cells.table import Table
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.build_problem import Cost, build_problem, cells_of
from sfumato.tables.problem.given_cell import GivenCell, Status
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protected_tables import ProtectedTables, UnsafeTables
from sfumato.tables.protection import Ending, OnProgress, ProtectedCells, Protection
from sfumato.tables.rule import NO_RULE, AnyOf, Rule, Sensitivity
from sfumato.tables.suppression._unavoidable_disclosure import spare_unavoidable
from sfumato.tables.suppression.automatic_suppression import AutomaticSuppression

MAX_NAMED = 3  # cells in a message
LEARNT_ANYWAY = {
    Insiders.ALL: "{} a unit that is alone in a cell learns too much about an unsafe cell whatever is suppressed, "
    "because it knows its own part; it is kept from all other unsafe cells",
    Insiders.NEIGHBOURS: "{} a unit that is alone in a cell can work out an unsafe cell in one of its sums whatever is "
    "suppressed, because it knows its own part; it is kept from all others in its sums",
}


def protect(
    tables: Table | Sequence[Table],
    protection: Protection | None = None,
    *,
    rule: Rule | AnyOf | None = None,
    given_cells: Sequence[GivenCell] = (),
    cost: Cost | str = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    known: Sequence[Sequence[Mapping[str, Category]]] = (),
    previous: Booleans | None = None,
    last_period: Booleans | None = None,
    max_dearer: float = MAX_DEARER,
    seed: int | None = None,
    on_progress: OnProgress = None,
) -> ProtectedTables:
    """Protect one or several linked tables: suppress or change cells so that no intruder comes too near to unsafe ones.

    Parameters
    ----------
    tables
        One table, or several of the same variable, which are then protected together.
    protection
        One of `PROTECTIONS`; `AutomaticSuppression()` when not given.
    rule
        What makes a cell unsafe: `PPercent(p=10) | MinUnits(units=3)`. Protections that change every cell need none.
    given, cost, insiders, known_within, known
        As in `find_unsafe`.
    previous
        For each cell whether an earlier release of the same tables suppressed it, as `earlier.pattern.suppressed` says
        it: who has both releases knows what either of them publishes, and is kept from the unsafe cells too.
    last_period
        For each cell whether the release of the period before suppressed it: such cells are suppressed again as far
        as they protect something and it does not get too dear. For protections that suppress cells.
    max_dearer
        With `last_period`: by how many percent the pattern may cost more than a fresh one.
    seed
        Where draws begin, for protections that draw; from the system when not given.
    on_progress
        Called as a search goes on.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import MinUnits, Table
    >>> people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    >>> protected = protect(Table.from_records(people, ["town", "sick"]), rule=MinUnits(units=3))
    >>> protected.to_frame().filter(pl.col("count").is_null()).height
    4
    """
    unsafe = find_unsafe(
        tables, rule, given_cells=given_cells, cost=cost, insiders=insiders, known_within=known_within, known=known
    )
    return apply_protection(
        protection or AutomaticSuppression(),
        unsafe,
        previous=previous,
        last_period=last_period,
        max_dearer=max_dearer,
        seed=seed,
        on_progress=on_progress,
    )


def find_unsafe(
    tables: Table | Sequence[Table] | LinkedTables,
    rule: Rule | AnyOf | Sequence[Rule | AnyOf | None] | None,
    *,
    given_cells: Sequence[GivenCell] = (),
    cost: Cost | str = Cost.VALUE,
    insiders: Insiders | bool | str = Insiders.ALL,
    known_within: float | None = None,
    known: Sequence[Sequence[Mapping[str, Category]]] = (),
) -> UnsafeTables:
    """Return which cells of tables are unsafe, and what has to be achieved to protect them.

    Parameters
    ----------
    tables
        One table, or several of the same variable.
    rule
        What makes a cell unsafe; or for each table what does in it.
    given_cells
        What is decided of some cells beforehand.
    cost
        What suppressing a cell costs: its `value`, its `frequency` or `unity`.
    insiders
        From what to keep units that are alone in a cell, and hence know its value: `all` other unsafe cells, by their
        levels; `neighbours`, that is, the exact values of unsafe cells in the sums that their own cell is in; or
        `none`. True means all, and False none.
    known_within
        By how many percent every intruder knows each cell beforehand; nothing but signs and a wide bound by default.
    known
        Further intruders, such as readers of an earlier release or contributors who tell each other: for each the cells
        that they know exactly, named by codes as in `where` of a `GivenCell`. They are kept from all other unsafe
        cells.
    """
    linked = tables if isinstance(tables, LinkedTables) else link([tables] if isinstance(tables, Table) else tables)
    rules = [rule] * len(linked.tables) if isinstance(rule, Rule | AnyOf | None) else rule
    sensitivities = tuple(
        (AnyOf(rules=()) if judging is None else judging).find(table)
        for judging, table in zip(rules, linked.tables, strict=True)
    )
    problem = build_problem(
        linked,
        sensitivities,
        given_cells=given_cells,
        cost=Cost.parse(cost),
        insiders=Insiders.parse(insiders),
        known_within=known_within,
        known=known,
    )
    overruled = _overruled_remarks(linked, sensitivities, problem, given_cells)
    return UnsafeTables(linked, sensitivities, problem, overruled)


def apply_protection(
    protection: Protection,
    unsafe: UnsafeTables,
    *,
    previous: Booleans | None = None,
    last_period: Booleans | None = None,
    max_dearer: float = MAX_DEARER,
    seed: int | None = None,
    on_progress: OnProgress = None,
) -> ProtectedTables:
    """Return what a protection publishes of tables whose unsafe cells are known.

    Parameters
    ----------
    protection
        One of `PROTECTIONS`.
    unsafe
        The tables.
    previous, last_period, max_dearer, seed, on_progress
        As in `protect`.
    """
    if protection.needs_rules and not unsafe.problem.primaries.size and not has_rules(unsafe):
        raise DataError(
            f"{protection.name()}: there is no rule, and no cell is given to be protected, so that nothing is unsafe; "
            "add a rule, such as MinUnits(units=3)"
        )
    problem, remarks, rng = unsafe.problem, unsafe.remarks, np.random.default_rng(seed)
    if previous is not None:
        check_previous(problem, previous)
    if protection.suppresses:
        problem, learnt = spare_unavoidable(problem)
        remarks = (*remarks, *_learnt_remarks(problem, learnt), *_count_remarks(unsafe))
        if problem.must_suppress.all():
            rules = " | ".join(dict.fromkeys(rule for found in unsafe.sensitivities for rule in found.by_rule))
            raise DataError(
                f"{rules}: all {problem.size} cells are unsafe, so that nothing would be published; make groups larger"
            )
    if last_period is not None and (previous is not None or not protection.suppresses):
        raise DataError(
            f"{protection.name()}: last_period is for protections that suppress cells, and for a table that has no "
            "previous release; leave it out"
        )
    outcome: ProtectedCells
    if previous is not None and protection.suppresses:
        outcome, more = suppress_with_previous(protection, problem, previous, rng, on_progress)
    elif last_period is not None:
        outcome, more = suppress_as_before(protection, problem, last_period, max_dearer, rng, on_progress)
    else:
        outcome, more = protection.protect(problem, rng, on_progress), ()
    remarks = (*remarks, *more)
    return ProtectedTables(unsafe.linked, unsafe.sensitivities, problem, remarks, outcome=outcome, previous=previous)


def suppress_cells(unsafe: UnsafeTables, suppressed: Booleans, *, previous: Booleans | None = None) -> ProtectedTables:
    """Return tables in which some cells are suppressed, whoever chose them; an audit tells whether that is safe.

    Parameters
    ----------
    unsafe
        The tables.
    suppressed
        For each cell whether it is suppressed.
    previous
        As in `protect`.
    """
    if previous is not None:
        check_previous(unsafe.problem, previous)
    problem, learnt = spare_unavoidable(unsafe.problem)  # no pattern is to blame for that
    remarks = (*unsafe.remarks, *_learnt_remarks(problem, learnt), *_count_remarks(unsafe))
    pattern = Pattern(suppressed, cost=problem.cost(suppressed), bound=0.0, ended=Ending.HEURISTIC)
    return ProtectedTables(unsafe.linked, unsafe.sensitivities, problem, remarks, outcome=pattern, previous=previous)


def _count_remarks(unsafe: UnsafeTables) -> tuple[str, ...]:
    """Return what readers know of counts that are to be protected."""
    return empty_place_remarks(unsafe.tables) if unsafe.problem.primaries.size else ()


def has_rules(unsafe: UnsafeTables) -> bool:
    """Tell whether any rule was asked which cells are unsafe."""
    return any(set(found.by_rule) != {NO_RULE} for found in unsafe.sensitivities)


def _overruled_remarks(
    linked: LinkedTables, sensitivities: Sequence[Sensitivity], problem: Problem, given_cells: Sequence[GivenCell]
) -> tuple[str, ...]:
    """Return what to say of cells that the rules call unsafe and that are open, as they were given as safe.

    Whoever overrules a rule says why: cells of which nobody does are refused.
    """
    unsafe = np.zeros(problem.size, dtype=np.bool_)
    for cells, found in zip(linked.cells, sensitivities, strict=True):
        unsafe[cells] |= found.unsafe
    overruled = unsafe & ~problem.must_suppress
    if not overruled.any():
        return ()
    is_explained, reasons = np.zeros(problem.size, dtype=np.bool_), dict[str, None]()
    for entry in given_cells:
        cells, reason = cells_of(linked, entry.where, entry.table), (entry.reason or "").strip()
        if entry.status is Status.SAFE or (entry.status is not None and reason):
            is_explained[cells] = bool(reason)
        if reason and overruled[cells].any():
            reasons[reason] = None
    if not is_explained[overruled].all():
        raise _unexplained(linked, np.flatnonzero(overruled & ~is_explained))
    count = int(np.count_nonzero(overruled))
    cells_are = (
        "1 cell that the rules call unsafe is" if count == 1 else f"{count} cells that the rules call unsafe are"
    )
    return (f"{cells_are} taken for safe, as given: {'; '.join(reasons)}",)


def _unexplained(linked: LinkedTables, cells: Rows) -> DataError:
    """Return the refusal of unsafe cells that are given as safe, and nobody says why."""
    names = list_names([linked.names[cell] for cell in cells.tolist()], MAX_NAMED)
    return DataError(
        f"{linked.title_of(int(cells[0]))}: status safe is given to cells that the rules call unsafe, and no reason: "
        f"{names}; say as `reason` why they harm nobody, or leave them out"
    )


def _learnt_remarks(problem: Problem, learnt: int) -> tuple[str, ...]:
    """Return what to say of unsafe cells that insiders learn whatever is suppressed, given how often they do."""
    kept_from = Insiders.NEIGHBOURS if any(problem.only_exact) else Insiders.ALL
    return (LEARNT_ANYWAY[kept_from].format("in 1 case" if learnt == 1 else f"in {learnt} cases"),) if learnt else ()
