"""Read which cells of a table are suppressed: from a file that Sfumato wrote, or from another tool's."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.display import format_count
from sfumato.errors import DataError, did_you_mean
from sfumato.files import read
from sfumato.files.frames import as_polars
from sfumato.numerics.arrays import Booleans, CodeColumn
from sfumato.table_specification.codes import convert_codes
from sfumato.tables import CellStatus
from sfumato.tables.cells.linked_tables import LinkedTables
from sfumato.tables.cells.table import Table
from sfumato.tables.tau_argus.reader import ArgusStatus, statuses_of

if TYPE_CHECKING:
    import polars as pl

Codes = tuple[str, ...]  # of one cell, in the order of the dimensions

STATUS, FLAG = "status", "suppressed"
VALUE_TOLERANCE = 1e-6  # of a value: what a file may be off by
ROUNDED_SHARE = 1e-6  # of the largest value: by what each value with decimals may be off in a sum
ARGUS_SUPPRESSED = (ArgusStatus.UNSAFE, ArgusStatus.SECONDARY)


def read_pattern(paths: Sequence[Path], linked: LinkedTables) -> Booleans:
    """Return which cells of linked tables are suppressed; a cell that one of the files suppresses is.

    Each file has a column for each dimension and a row for each cell. What is suppressed is marked in a column `status`
    (words of Sfumato, or letters or numbers of tau-Argus), by a column `suppressed` of truth values, or
    else by the value's column: where it is empty.

    Parameters
    ----------
    paths
        One file for each table, in their order.
    linked
        The tables.
    """
    if len(paths) != len(linked.tables):
        raise DataError(
            f"a pattern is needed for each table, in their order; there are {len(linked.tables)} tables and "
            f"{len(paths)} files: give one for each table"
        )
    suppressed = np.zeros(linked.size, dtype=np.bool_)
    for path, table, cells in zip(paths, linked.tables, linked.cells, strict=True):
        suppressed[cells[_suppressed_cells(path, table)]] = True
    return suppressed


def read_previous(paths: Sequence[Path], linked: LinkedTables) -> Booleans:
    """Return which cells every earlier release suppressed wherever it had them: what one file published is known.

    Parameters
    ----------
    paths
        For each release one file for each table, in their order, as for `read_pattern`.
    linked
        The tables. Where a file holds their values too, they must be the same.
    """
    count = len(linked.tables)
    if len(paths) % count:
        raise DataError(
            f"an earlier release needs a file for each table, in their order; there are {count} tables and "
            f"{len(paths)} files: give one for each table, for each release"
        )
    is_known = np.zeros(linked.size, dtype=np.bool_)
    for number, path in enumerate(paths):
        table, frame = linked.tables[number % count], as_polars(read(path))
        places, flags = _places(path, frame, table)
        is_shown = ~flags & (places >= 0)
        _check_values(path, frame.filter(is_shown), table, places[is_shown])
        is_known[linked.cells[number % count][places[is_shown]]] = True
    return ~is_known


def read_last_period(path: Path, table: Table) -> Booleans:
    """Return which cells of a table the release of the period before suppressed; cells that it did not have are not.

    Parameters
    ----------
    path
        Its file, as for `read_pattern`. Cells without records now are passed over.
    table
        The table of this period, whose codes must be those of the file.
    """
    frame = as_polars(read(path))
    _check_dimensions(path, frame, table)
    coded = convert_codes(frame, table.names)
    for dimension in table.dimensions:
        known = {str(code) for code in dimension.codes}
        gone = [code for code in coded[dimension.name].unique(maintain_order=True).to_list() if code not in known]
        if gone:
            raise DataError(
                f"{path}: the hierarchy has changed between the periods: dimension '{dimension.name}' has no code "
                f"{gone[0]!r} now ({format_count(len(gone), 'code')} of the file in all); recode what is gone in the "
                "file, or take its rows out"
            )
    known_cells, rows, flags = _known_cells(table), coded.select(table.names).rows(), _flags(path, frame, table)
    _check_sums(path, frame, table, rows, flags)
    suppressed = np.zeros(table.size, dtype=np.bool_)
    for row, is_suppressed in zip(rows, flags.tolist(), strict=True):
        if row in known_cells:
            suppressed[known_cells[row]] |= is_suppressed
    return suppressed


def _check_sums(path: Path, frame: "pl.DataFrame", table: Table, rows: Sequence[Codes], flags: Booleans) -> None:
    """Refuse a file in which what is under a total is not what is under it now, though the codes are the same.

    That shows where a total and its parts are published, and do not add up.
    """
    import polars as pl

    value = table.value_name or "count"
    if value not in frame.columns:
        return
    values = frame.select(pl.when(pl.lit(pl.Series(~flags))).then(pl.col(value).cast(pl.Float64, strict=False)))
    shown = {row: given for row, (given,) in zip(rows, values.rows(), strict=True) if given is not None}
    largest = max(map(abs, shown.values()), default=0.0)
    off = 0.5 if all(given.is_integer() for given in shown.values()) else ROUNDED_SHARE * largest
    for name, total, parts in _published_sums(table, shown):
        if abs(shown[total] - sum(shown[part] for part in parts)) > off * (1 + len(parts)):
            codes = ", ".join(part[table.names.index(name)] for part in parts)
            raise DataError(
                f"{path}: the hierarchy has changed between the periods: there {_cell_name(table, total)} is "
                f"something else than the sum of {codes}, which it is now; take the rows of what has changed out of "
                f"the file, or keep the hierarchy. If its values are only rounded, leave the column '{value}' out"
            )


def _published_sums(table: Table, shown: Mapping[Codes, float]) -> Iterator[tuple[str, Codes, list[Codes]]]:
    """Yield the sums all of whose cells are shown: over which dimension, the total and the parts."""
    for axis, dimension in enumerate(table.dimensions):
        codes = [str(code) for code in dimension.codes]
        for total, places in dimension.sums:
            for row in (row for row in shown if row[axis] == codes[total]):
                parts = [(*row[:axis], codes[place], *row[axis + 1 :]) for place in places]
                if all(part in shown for part in parts):
                    yield dimension.name, row, parts


def _check_values(path: Path, published: "pl.DataFrame", table: Table, cells: CodeColumn) -> None:
    """Refuse published values that are not those of the table."""
    import polars as pl

    value = table.value_name or "count"
    if value not in published.columns:
        return
    given = published[value].cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    true = table.values[cells]
    off = int((np.abs(given - true) > VALUE_TOLERANCE * np.maximum(np.abs(true), 1.0)).sum())
    if off:
        raise DataError(
            f"{path}: {off} published cells have other values than the table of the specification: this is not an "
            f"earlier release of the same table. If its values are only rounded, leave the column '{value}' out"
        )


def _suppressed_cells(path: Path, table: Table) -> CodeColumn:
    places, flags = _places(path, as_polars(read(path)), table)
    return places[flags & (places >= 0)]


def _places(path: Path, frame: "pl.DataFrame", table: Table) -> tuple[CodeColumn, Booleans]:
    """Return for each row of a file its cell, and whether it is suppressed."""
    _check_dimensions(path, frame, table)
    rows = convert_codes(frame, table.names).select(table.names).rows()
    flags = _flags(path, frame, table)
    return _cells(path, table, rows, flags), flags


def _check_dimensions(path: Path, frame: "pl.DataFrame", table: Table) -> None:
    lacking = [name for name in table.names if name not in frame.columns]
    if lacking:
        near = did_you_mean(lacking[0], frame.columns)
        raise DataError(f"{path}: there is no column '{lacking[0]}' for the codes of that dimension{near}")


def _known_cells(table: Table) -> dict[tuple[str, ...], int]:
    """Return each cell by its codes as text."""
    return {
        tuple(str(dimension.codes[place]) for dimension, place in zip(table.dimensions, row, strict=True)): cell
        for cell, row in enumerate(table.codes.tolist())
    }


def _cells(path: Path, table: Table, rows: Sequence[tuple[str, ...]], flags: Booleans) -> CodeColumn:
    """Return the cell of each row, of which there must be one; -1 where a row is of no cell, and suppresses nothing."""
    known = _known_cells(table)
    places = np.array([known.get(row, -1) for row in rows], dtype=np.int64)
    strange = np.flatnonzero((places < 0) & flags)
    if strange.size:
        raise DataError(
            f"{path}: {strange.size} of the suppressed cells do not exist in the table, "
            f"{_cell_name(table, rows[strange[0]])} among them: no record is in it. If they can have records, say "
            f"'zeros: true' in the specification"
        )
    lacking = np.setdiff1d(np.arange(table.size), places)
    if lacking.size:
        raise DataError(_without_row(path, table, rows, places, lacking))
    twice = np.flatnonzero(np.bincount(places[places >= 0]) > 1)
    if twice.size:
        raise DataError(f"{path}: {table.cell_names[twice[0]]} has several rows; keep one")
    return places


def _without_row(
    path: Path, table: Table, rows: Sequence[tuple[str, ...]], places: CodeColumn, lacking: CodeColumn
) -> str:
    """Return what to say of cells that have no row, and of the rows that may have been meant for them."""
    said = f"{path}: there is no row for {format_count(lacking.size, 'cell')}, {table.cell_names[lacking[0]]} first"
    strange = np.flatnonzero(places < 0)
    if not strange.size:
        return f"{said}; add a row for each, published or suppressed"
    return (
        f"{said}; add a row for each, or correct the codes of the {format_count(strange.size, 'row')} that the table "
        f"has no cell for, {_cell_name(table, rows[strange[0]])} first"
    )


def _flags(path: Path, frame: "pl.DataFrame", table: Table) -> Booleans:
    import polars as pl

    if STATUS in frame.columns:
        return _from_words(path, [str(word).strip() for word in frame[STATUS].to_list()])
    if FLAG in frame.columns:
        column = frame[FLAG]
        flags = column if column.dtype == pl.Boolean else column.cast(pl.Float64, strict=False) != 0
        if flags.null_count():
            raise DataError(f"{path}: column '{FLAG}' must be true or false, or 1 or 0, in every row")
        return np.asarray(flags.to_numpy(), dtype=np.bool_)
    value = table.value_name or "count"
    if value in frame.columns:
        return np.asarray(frame[value].is_null().to_numpy(), dtype=np.bool_)
    raise DataError(
        f"{path}: no column says which cells are suppressed; it needs one of {STATUS}, {FLAG}, "
        f"or {value}, empty where suppressed"
    )


def _from_words(path: Path, words: Sequence[str]) -> Booleans:
    ours = {status.value for status in CellStatus}
    if set(words) <= ours:
        return np.array([word != CellStatus.PUBLISHED for word in words], dtype=np.bool_)
    try:
        return np.array([status in ARGUS_SUPPRESSED for status in statuses_of(words)], dtype=np.bool_)
    except DataError as error:
        raise DataError(f"{path}, column '{STATUS}': {error}; or words: {', '.join(CellStatus)}") from None


def _cell_name(table: Table, codes: Sequence[str]) -> str:
    return ", ".join(f"{name}={code}" for name, code in zip(table.names, codes, strict=True))
