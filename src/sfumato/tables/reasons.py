"""Why each cell of a protected table is hidden, in words that hold no figure of it."""

from collections.abc import Sequence

import numpy as np

from sfumato.tables.explain import what_if_published
from sfumato.tables.findings import Audit
from sfumato.tables.suppression import CellStatus, Suppression

MOST_EXPLAINED = 200  # secondaries: each takes an audit of its own
MOST_HIDDEN = 2_000  # hidden cells that such an audit may have
MOST_NAMED = 3
NOT_EXPLAINED = "hidden to protect unsafe cells"


def reasons(suppression: Suppression, table: int = 0) -> list[str]:
    """Return for each cell of a table why it is hidden; nothing for cells that are published.

    Primaries have the rules that call them unsafe. Secondaries have the primaries that would lose their protection if
    the cell were published; in tables with many hidden cells that would take too long, and is left out.

    Parameters
    ----------
    suppression
        The protected tables.
    table
        Which of them.
    """
    found = suppression.sensitivities[table]
    cells = suppression.linked.cells[table]
    protects = _protected(suppression)
    said = []
    for cell, status in enumerate(suppression.statuses(table)):
        match status:
            case CellStatus.PRIMARY:
                rules = found.reasons(cell)
                said.append(f"unsafe by {', '.join(rules)}" if rules else "to be protected: given, or by another table")
            case CellStatus.SECONDARY:
                said.append(protects.get(int(cells[cell]), NOT_EXPLAINED))
            case CellStatus.HIDDEN:
                said.append("hidden as given")
            case _:
                said.append("")
    return said


def _protected(suppression: Suppression) -> dict[int, str]:
    """Return for each secondary the primaries that it protects, as far as that can be found out in short time."""
    problem, suppressed = suppression.problem, suppression.pattern.suppressed
    secondaries = np.flatnonzero(suppressed & ~problem.hidden).tolist()
    if len(secondaries) > MOST_EXPLAINED or int(suppressed.sum()) > MOST_HIDDEN:
        return {}
    open_anyway = _unprotected(what_if_published(problem, suppressed, []))
    said = {}
    for cell in secondaries:
        lost = sorted(_unprotected(what_if_published(problem, suppressed, [cell])) - open_anyway)
        names = [problem.called(primary) for primary in lost]
        said[cell] = f"protects {_named(names)}" if lost else "protects nobody: it could be published"
    return said


def _unprotected(found: Audit) -> set[int]:
    return set(found.unprotected.tolist())


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return "; ".join(names[:MOST_NAMED]) + more
