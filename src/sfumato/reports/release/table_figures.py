"""The figures of a report on tables: what is unsafe, how near somebody comes to it, and what is lost."""

from collections.abc import Iterator

import numpy as np

from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.protected_release import ProtectedRelease
from sfumato.reports.release.published_table import is_whole
from sfumato.reports.release.words.table_words import (
    ACHIEVED,
    CELLS,
    CHANGED,
    NEEDED,
    PUBLISHED,
    SECONDARY,
    SUPPRESSED,
    SUPPRESSED_VALUE,
    TABLE_CELLS,
    TABLE_PUBLISHED,
    UNPROTECTED,
    UNSAFE,
)
from sfumato.tables import ProtectedTables

MAX_BOUNDED = 200  # unsafe cells whose intervals are worked out
FOR_THE_HOUSE = ("utility/secondary", "utility/amount")
"""Figures on what was lost that tell of unpublished cells."""
MadeFigure = tuple[str, float, str, Words, Side]


def table_figures(release: ProtectedRelease) -> tuple[ReportFigure, ...]:
    """Return all figures of a report on tables."""
    protected, problem = release.protected, release.protected.problem
    published = protected.outcome.publish(problem)
    shown = ~np.isnan(published)
    total = float(np.abs(problem.values[shown]).sum())
    change = 100 * float(np.abs(published[shown] - problem.values[shown]).sum()) / total if total else 0.0
    made = [
        ("risk/unsafe/before", problem.primaries.size, "cells", UNSAFE, Side.ORIGINAL),
        ("utility/cells", problem.size, "cells", CELLS, Side.RELEASED),
        ("utility/suppressed", int((~shown).sum()), "cells", SUPPRESSED, Side.RELEASED),
        ("utility/secondary", protected.secondaries, "cells", SECONDARY, Side.RELEASED),
        ("utility/published", 100 * float(shown.mean()), PERCENT, PUBLISHED, Side.RELEASED),
        ("utility/change", change, PERCENT, CHANGED, Side.BOTH),
        ("utility/amount", suppressed_amount(protected), PERCENT, SUPPRESSED_VALUE, Side.BOTH),
        *_widths(release),
    ]
    if release.audit is not None:
        made.append(("risk/unsafe/after", release.audit.failing.size, "cells", UNPROTECTED, Side.RELEASED))
    if len(release.names) > 1:
        for number, name in enumerate(release.names):
            suppressed = protected.suppressed(number)
            path = f"utility/tables/{name}"
            made.append((f"{path}/cells", suppressed.size, "cells", TABLE_CELLS, Side.RELEASED))
            made.append(
                (f"{path}/published", 100 * float((~suppressed).mean()), PERCENT, TABLE_PUBLISHED, Side.RELEASED)
            )
    return tuple(
        make_figure(path, value, unit, words, Origin("table", side, release.names))
        for path, value, unit, words, side in made
    )


def tells_suppressed_amount(release: ProtectedRelease) -> bool:
    """Tell whether readers can work out the suppressed amount: the whole of each table is published, as it is."""
    protected = release.protected
    if not release.protection.suppresses:
        return False
    return all(
        not protected.suppressed(number)[is_whole(table)].any() and bool((table.values >= 0).all())
        for number, table in enumerate(protected.tables)
    )


def suppressed_amount(protected: ProtectedTables) -> float:
    """Return how much of the amounts in cells that are no totals is not published, in percent; of the worst table."""
    shares = []
    for number, table in enumerate(protected.tables):
        relations = table.relations.tocoo()
        is_total = np.zeros(table.size, dtype=np.bool_)
        is_total[relations.col[relations.data < 0]] = True
        amounts = np.abs(table.values) * ~is_total
        shares.append(100 * float(amounts[protected.suppressed(number)].sum()) / max(float(amounts.sum()), 1e-300))
    return max(shares)


def _widths(release: ProtectedRelease) -> Iterator[MadeFigure]:
    """Yield how wide the interval of the unsafe cell that is known best must be, and how wide it is."""
    primaries = release.protected.problem.primaries
    if not release.is_safe or not 0 < primaries.size <= MAX_BOUNDED:
        return
    found = release.protected.audit(intervals="primaries")
    problem = found.problem
    places = {cell: place for place, cell in enumerate(problem.primaries.tolist())}
    rows = [row for row, cell in enumerate(found.cells.tolist()) if cell in places and found.is_whole[row]]
    values = {row: abs(float(problem.values[found.cells[row]])) for row in rows}
    widths = {row: float(found.upper[row] - found.lower[row]) / values[row] for row in rows if values[row] > 0}
    finite = {row: width for row, width in widths.items() if np.isfinite(width)}
    if not finite:
        return
    row = min(finite, key=lambda row: finite[row])
    place = places[int(found.cells[row])]
    above, below, width = problem.levels_for(int(found.intruders[row]), place).tolist()
    needed = max(above + below, width) / values[row]
    yield "risk/interval/needed", 100 * needed, PERCENT, NEEDED, Side.BOTH
    yield "risk/interval/found", 100 * finite[row], PERCENT, ACHIEVED, Side.BOTH
