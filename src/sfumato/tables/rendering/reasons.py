"""Why each cell of a protected table is suppressed, in words that hold no figure of it."""

from collections.abc import Mapping

import numpy as np

from sfumato.tables.audit.explain import explain
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.protected_tables import CellStatus, ProtectedTables

MAX_WORK = 150_000  # secondaries, each of which takes an audit, times suppressed cells
MAX_NAMED = 3
NOT_EXPLAINED = "suppressed to protect unsafe cells"


def reasons(protected: ProtectedTables) -> list[list[str]]:
    """Return for each table why each of its cells is suppressed; nothing for cells that are published.

    Primaries have the rules that call them unsafe. Secondaries have the primaries that would lose their protection if
    the cell were published; in tables with many suppressed cells that would take too long, and is left out.
    """
    protects = _protected_primaries(protected)
    return [_of_table(protected, table, protects) for table in range(len(protected.tables))]


def _of_table(protected: ProtectedTables, table: int, protects: Mapping[int, str]) -> list[str]:
    found, cells = protected.sensitivities[table], protected.linked.cells[table]
    why = []
    for cell, status in enumerate(protected.statuses(table)):
        match status:
            case CellStatus.PRIMARY:
                rules = found.reasons(cell)
                why.append(f"unsafe by {', '.join(rules)}" if rules else "to be protected: given, or by another table")
            case CellStatus.SECONDARY:
                why.append(protects.get(int(cells[cell]), NOT_EXPLAINED))
            case CellStatus.SUPPRESSED:
                why.append("suppressed as given")
            case _:
                why.append("")
    return why


def _protected_primaries(protected: ProtectedTables) -> dict[int, str]:
    """Return for each secondary the primaries that it protects, as far as that can be found out in short time."""
    problem = protected.problem
    suppressed = np.isnan(protected.outcome.publish(problem))
    secondaries = np.flatnonzero(suppressed & ~problem.must_suppress).tolist()
    if len(secondaries) * int(suppressed.sum()) > MAX_WORK:
        return {}
    why = {}
    for cell in secondaries:
        lost = dict.fromkeys(violation.cell for violation in explain(problem, suppressed, cell).protects)
        names = list_names([problem.cell_name(primary) for primary in lost], MAX_NAMED)
        why[cell] = f"protects {names}" if lost else "protects nobody: it could be published"
    return why
