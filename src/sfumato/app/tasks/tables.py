"""What is asked of tables: which cells are unsafe, what hides them, what else could be done, and to write them."""

from pathlib import Path
from typing import Any

from sfumato.app.tasks.inputs import Inputs
from sfumato.jobs.progress import OnProgress
from sfumato.jobs.tables.table_compare import table_compare
from sfumato.jobs.tables.table_protect import TableProtectResult, table_protect
from sfumato.table_specification.release_files import review_tables
from sfumato.tables.rendering.crosstab import CellView, Crosstab

TABLES, SPECIFICATION, RELEASED = "tables", "table.yaml", "released"
ALTERNATIVES = (
    "optimal_suppression",
    {"controlled_rounding": {"base": 5}},
    {"cell_key_perturbation": {"max_deviation": 3, "variance": 2}},
)
MAX_EXPLAINED = 400  # cells of a table in which each is explained: each takes linear programmes of its own


def table(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Protect a table, audit it, and show it with the reason for each cell; nothing is written to be published."""
    found = table_protect(_write_specification(inputs, arguments), on_progress=on_progress)
    names = list(found.crosstabs)
    explains = sum(one.size for one in found.protected.tables) <= MAX_EXPLAINED
    laid = review_tables(names, found.protected, with_reasons=True) if explains else found.crosstabs
    return {**_plain(found), "tables": {name: _plain_table(one) for name, one in laid.items()}}


def alternatives(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Protect a table in other ways, too, and measure what each comes to."""
    chosen = arguments["specification"]
    ways = [*chosen.get("protections", ()), *ALTERNATIVES]
    several = {"specification": {**chosen, "protections": _different(ways)}}
    return table_compare(_write_specification(inputs, several, "alternatives.yaml"), on_progress=on_progress).to_dict()


def table_release(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Protect a table and write what may be published, and apart from it what stays inside."""
    folder = inputs.make_folder(TABLES) / RELEASED
    found = table_protect(_write_specification(inputs, arguments), folder, on_progress=on_progress)
    return {**_plain(found), "files": [str(file.relative_to(inputs.folder)) for file in found.files]}


def _write_specification(inputs: Inputs, arguments: dict[str, Any], name: str = SPECIFICATION) -> Path:
    """Write the specification as `table protect` reads it; it holds the project's seed, which the page never shows."""
    content = {**arguments["specification"], "seed": inputs.seed}
    return inputs.write_document(inputs.make_folder(TABLES), name, content)


def _plain(found: TableProtectResult) -> dict[str, Any]:
    return {
        "is_safe": found.facts["is_safe"],
        "sentences": list(found.sentences),
        "notices": list(found.notices),
        "primaries": found.facts["primaries"],
        "secondaries": found.facts["secondaries"],
    }


def _plain_table(laid: Crosstab) -> dict[str, Any]:
    return {
        "title": laid.title,
        "down": list(laid.down),
        "across": laid.across,
        "columns": [_plain_label(label) for label in laid.columns],
        "rows": [[_plain_label(label) for label in row] for row in laid.rows],
        "cells": [[_plain_cell(cell) for cell in row] for row in laid.cells],
    }


def _plain_label(label: Any) -> dict[str, Any]:
    return {"text": label.text, "level": label.level}


def _plain_cell(cell: CellView | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    status = "" if cell.status is None else cell.status.value
    return {"text": cell.text, "status": status, "is_suppressed": cell.is_suppressed, "hint": cell.hint}


def _different(ways: list[Any]) -> list[Any]:
    """Return ways to protect without those that were named before."""
    names = [way if isinstance(way, str) else next(iter(way)) for way in ways]
    return [way for number, way in enumerate(ways) if names[number] not in names[:number]]
