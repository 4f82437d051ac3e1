"""Where the tables of a specification come from: records or cells, and the columns that are their dimensions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sfumato.documents import kind_of
from sfumato.documents.document import Document, KeyPath
from sfumato.documents.loader import Problem
from sfumato.table_plan.file_names import file_name, sharing_files

TAU_ARGUS = ".tab"
EXAMPLE_BY = "[region, sector]"
EXAMPLE_TABLES = "{by_region: [sector, region], by_size: [sector, size]}"


def read_sources(document: Document, folder: Path, name: str, problems: list[Problem]) -> dict[str, Any]:
    """Return tables, files and zeros; what is wrong with them is added to `problems`."""
    content = document.value
    if content.get("data") is None and content.get("cells") is None:
        problems.append(Problem(1, "a specification needs 'data' (a file of records) or 'cells' (a file of cells)"))
    if content.get("data") is not None and content.get("cells") is not None:
        problems.append(Problem(document.line(("cells",)), "'data' is for records and 'cells' for cells; keep one"))
    if content.get("tables") is not None and content.get("by") is not None:
        problems.append(Problem(document.line(("tables",)), "'by' is for one table and 'tables' for several; keep one"))
    tables = _tables(document, name, problems)
    found: dict[str, Any] = {"tables": tables, "cells": _cells(document, folder, tables, problems)}
    for key, field in (("data", "data"), ("schema", "schema_file")):
        if content.get(key) is not None:
            found[field] = _path(document, (key,), content[key], folder, problems)
    zeros = content.get("zeros", False)
    found["zeros"] = zeros if isinstance(zeros, bool) else _path(document, ("zeros",), zeros, folder, problems)
    return found


def _tables(document: Document, name: str, problems: list[Problem]) -> dict[str, tuple[str, ...]]:
    several, by, cells = (document.value.get(key) for key in ("tables", "by", "cells"))
    if several is None and by is None and isinstance(cells, str) and Path(cells).suffix.lower() == TAU_ARGUS:
        return {name: ()}  # its metadata name the dimensions
    if several is None:
        return {name: _names(document, ("by",), by, EXAMPLE_BY, problems)}
    if not isinstance(several, Mapping) or not several:
        sentence = f"'tables' must name tables with their dimensions, as in '{EXAMPLE_TABLES}'; got {kind_of(several)}"
        problems.append(Problem(document.line(("tables",)), sentence))
        return {}
    keys = {str(table): table for table in several}
    for table, other in sharing_files(keys):
        sentence = (
            f"table '{table}' would be written to the files of table '{other}', {file_name(other)}.csv and so on; "
            "rename one of them"
        )
        problems.append(Problem(document.line(("tables", keys[table])), sentence))
    return {
        str(table): _names(document, ("tables", table), names, EXAMPLE_BY, problems) for table, names in several.items()
    }


def _names(document: Document, path: KeyPath, names: Any, example: str, problems: list[Problem]) -> tuple[str, ...]:
    """Return names of columns; one alone may stand without brackets."""
    listed = [names] if isinstance(names, str) else names
    if isinstance(listed, Sequence) and listed and all(isinstance(name, str) for name in listed):
        return tuple(listed)
    what = f"'{path[-1]}'" if path[0] != "tables" else f"table '{path[-1]}'"
    sentence = f"{what} must list the columns that are its dimensions, as in '{example}'; got {kind_of(names)}"
    problems.append(Problem(document.line(path), sentence))
    return ()


def _cells(document: Document, folder: Path, tables: Mapping[str, Any], problems: list[Problem]) -> dict[str, Path]:
    given = document.value.get("cells")
    if given is None:
        return {}
    if isinstance(given, Mapping) and set(map(str, given)) == set(tables):
        return {str(table): _path(document, ("cells", table), file, folder, problems) for table, file in given.items()}
    if isinstance(given, str) and len(tables) == 1:
        return {table: _path(document, ("cells",), given, folder, problems) for table in tables}
    wanted = ", ".join(f"{table}: FILE" for table in tables) or "TABLE: FILE"
    sentence = f"'cells' must name a file for each table, as in '{{{wanted}}}'; got {kind_of(given)}"
    problems.append(Problem(document.line(("cells",)), sentence))
    return {}


def _path(document: Document, path: KeyPath, given: Any, folder: Path, problems: list[Problem]) -> Path:
    if not isinstance(given, str) or not given:
        problems.append(Problem(document.line(path), f"'{path[-1]}' must be the name of a file; got {kind_of(given)}"))
        return folder
    found = folder / Path(given).expanduser()
    if not found.is_file():
        problems.append(
            Problem(
                document.line(path),
                f"'{path[-1]}': there is no file {found}; paths begin at the specification's folder",
            )
        )
    return found
