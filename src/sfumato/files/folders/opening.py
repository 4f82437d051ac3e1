"""Open Parquet or text files, a folder of parts or a glob as records that are read by ranges."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import FileError, SchemaError, UnknownColumnError
from sfumato.files.folders.converted_parts import ConvertedParts, convert_parts
from sfumato.files.folders.folder import Folder
from sfumato.files.folders.part_files import SUFFIX, Files, folder_path, is_text, part_files, schema_beside
from sfumato.files.folders.stacked_files import StackedFiles, read_rows
from sfumato.files.format import Content
from sfumato.files.library_errors import translate_read_errors
from sfumato.files.read_options import ReadOptions
from sfumato.files.reading import describe_content
from sfumato.files.sidecar import load_schema, sidecar_of

if TYPE_CHECKING:
    import polars as pl


def open_folder(path: Files, options: ReadOptions, place: Path | None = None) -> Folder:
    """Open Parquet or text files as one file of records that need not fit into memory.

    Parameters
    ----------
    path
        A Parquet or text file, a folder or a glob of such files, or several names. Parts follow each other in the order
        of their names, or as they are named; all must have the same columns of the same types.
    options
        The schema must describe every column, since a guess from some of the rows might be wrong for the others: given
        here, or found beside the file or folder as `people.schema.yaml`.
    place
        The folder in which copies of text files are kept for as long as the records are read.
    """
    files = part_files(path)
    known = replace(options, schema=_given_schema(path, options))
    converted = _convert_text(files, known, place)
    read = files if converted is None else converted.files
    columns = _same_columns(read)
    schema = options.describe(_complete_schema(path, known, columns))
    _check_text(schema, columns)
    sizes = tuple(_count_rows(file) for file in read)
    if not sum(sizes):
        raise FileError(f"{path} holds no record, so that there is nothing to do")
    return Folder(schema, StackedFiles(read, sizes), converted=converted)


def read_first_rows(path: Files, options: ReadOptions, rows: int) -> Microdata:
    """Read the first rows of each part, at most so many in all; what no schema says of the columns is guessed."""
    import polars as pl

    files = part_files(path)
    converted = _convert_text(files, replace(options, schema=_given_schema(path, options)), None)
    files = files if converted is None else converted.files
    _same_columns(files)
    sizes = [_count_rows(file) for file in files]
    each = max(sizes) if sum(sizes) <= rows else max(rows // len(files), 1)
    frame = pl.concat([read_rows(file, None, 0, min(each, size)) for file, size in zip(files, sizes, strict=True)])
    return describe_content(Content(frame), options, folder_path(path))


def _convert_text(files: tuple[Path, ...], options: ReadOptions, place: Path | None) -> ConvertedParts | None:
    return convert_parts(files, options, place) if is_text(files[0]) else None


def columns_of(path: Files) -> tuple[str, ...]:
    """Return the names of the columns of a folder, a glob or a file."""
    return tuple(_same_columns(part_files(path)))


def _same_columns(files: tuple[Path, ...]) -> "dict[str, pl.DataType]":
    """Return the columns and their types, which must be the same in all files."""
    first = _columns(files[0])
    for file in files[1:]:
        other = _columns(file)
        if list(other) != list(first):
            raise FileError(_other_columns(file.name, list(other), files[0].name, list(first)))
        differing = [name for name in first if first[name] != other[name]]
        if differing:
            raise FileError(
                f"column '{differing[0]}' has the type {other[differing[0]]} in {file.name} and "
                f"{first[differing[0]]} in {files[0].name}; write all parts with the same types"
            )
    return first


def _other_columns(part: str, names: list[str], first_part: str, expected: list[str]) -> str:
    """Return in words how the columns of a part differ from those of the first."""
    lacking, more = (
        [name for name in one if name not in other] for one, other in ((expected, names), (names, expected))
    )
    if lacking:
        differs = f"{part} lacks the column '{lacking[0]}', which {first_part} has"
    elif more:
        differs = f"{part} has the column '{more[0]}', which {first_part} lacks"
    else:
        here, there = next(pair for pair in zip(names, expected, strict=True) if pair[0] != pair[1])
        differs = f"{part} has the columns in another order than {first_part}: '{here}' where that has '{there}'"
    return f"{differs}; write all parts with the same columns in the same order"


def count_rows(path: Files) -> int | None:
    """Return how many records Parquet files hold; None for text, which would have to be read."""
    files = part_files(path)
    return None if is_text(files[0]) else sum(_count_rows(file) for file in files)


def _columns(file: Path) -> "dict[str, pl.DataType]":
    import polars as pl

    with translate_read_errors(file, "a Parquet file"):
        return dict(pl.read_parquet_schema(file))


def _count_rows(file: Path) -> int:
    import polars as pl

    table = pl.scan_parquet(file, glob=False, hive_partitioning=False)
    return int(table.select(pl.len()).collect().item())


def _given_schema(path: Files, options: ReadOptions) -> Schema | None:
    """Return the schema of the options, or the one that stands beside the file or folder."""
    given = options.schema
    if given is None:
        named = folder_path(path)
        beside = sidecar_of(named) if named.suffix == SUFFIX or is_text(named) else schema_beside(named)
        given = beside if beside.is_file() else None
    return load_schema(given.expanduser()) if isinstance(given, Path) else given


def _complete_schema(path: Files, options: ReadOptions, columns: "dict[str, pl.DataType]") -> Schema:
    """Return what is known of the columns, in their order; refuse what describes too few or too many."""
    path, schema = folder_path(path), options.schema
    if not isinstance(schema, Schema):
        raise SchemaError(
            f"{path} needs a schema that describes every column, since a guess from some of the rows might be wrong "
            f"for the others: write one with `sfumato init` and correct it, or give one as the option schema"
        )
    foreign = [name for name in schema.names if name not in columns]
    if foreign:
        raise UnknownColumnError(f"the schema describes a column that {path} lacks: '{foreign[0]}'")
    undescribed = [name for name in columns if name not in schema]
    if undescribed:
        raise SchemaError(
            f"the schema does not describe these columns of {path}: {', '.join(undescribed)}; it must describe all, "
            f"since a guess from some of the rows might be wrong for the others"
        )
    return Schema(variables=tuple(schema[name] for name in columns))


def _check_text(schema: Schema, columns: "dict[str, pl.DataType]") -> None:
    """Refuse text that stands for numbers, and for dates whose format is not said."""
    import polars as pl

    for name, dtype in columns.items():
        variable = schema[name]
        if dtype != pl.String:
            continue
        if variable.kind is Kind.CONTINUOUS:
            raise SchemaError(f"column '{name}' holds text, but is to be continuous; make it numbers, or nominal")
        if variable.kind is Kind.DATE and not variable.date_format:
            raise SchemaError(f"column '{name}' holds dates as text: write its date_format in the schema")
