"""Open a Parquet file, a folder of Parquet parts or a glob as records that are read by ranges."""

from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import FileError, SchemaError, UnknownColumnError
from sfumato.files.folders.folder import Folder
from sfumato.files.folders.stacked_files import StackedFiles, read_rows
from sfumato.files.format import Content
from sfumato.files.library_errors import translate_read_errors
from sfumato.files.read_options import ReadOptions
from sfumato.files.reading import describe_content
from sfumato.files.sidecar import load_schema, sidecar_of

if TYPE_CHECKING:
    import polars as pl

SUFFIX = ".parquet"


def is_folder_name(path: str | Path) -> bool:
    """Tell whether a name is that of a folder or a glob, not of one file.

    Examples
    --------
    >>> is_folder_name("people/*.parquet"), is_folder_name("people.parquet")
    (True, False)
    """
    return Path(path).is_dir() or (has_magic(str(path)) and not Path(path).exists())


def open_folder(path: str | Path, options: ReadOptions) -> Folder:
    """Open Parquet files as one file of records that need not fit into memory.

    Parameters
    ----------
    path
        A Parquet file, a folder of Parquet files, or a glob. Parts follow each other in the order of their names; all
        must have the same columns of the same types.
    options
        The schema must describe every column, since a guess from some of the rows might be wrong for the others: given
        here, or found beside the file or folder as `people.schema.yaml`.
    """
    files = part_files(path)
    columns = _same_columns(files)
    schema = options.describe(_complete_schema(Path(path), options, columns))
    _check_text(schema, columns)
    sizes = tuple(_count_rows(file) for file in files)
    if not sum(sizes):
        raise FileError(f"{path} holds no record, so that there is nothing to do")
    return Folder(schema, StackedFiles(files, sizes))


def read_first_rows(path: str | Path, options: ReadOptions, rows: int) -> Microdata:
    """Read the first rows of each part, at most so many in all; what no schema says of the columns is guessed."""
    import polars as pl

    files = part_files(path)
    _same_columns(files)
    sizes = [_count_rows(file) for file in files]
    each = max(sizes) if sum(sizes) <= rows else max(rows // len(files), 1)
    frame = pl.concat([read_rows(file, None, 0, min(each, size)) for file, size in zip(files, sizes, strict=True)])
    return describe_content(Content(frame), options, Path(path))


def schema_beside(folder: Path) -> Path:
    """Return where the schema of a folder of parts stands.

    Examples
    --------
    >>> schema_beside(Path("data/people")).name
    'people.schema.yaml'
    """
    return folder.with_name(f"{folder.name}.schema.yaml")


def part_files(path: str | Path) -> tuple[Path, ...]:
    """Return the Parquet files that a name stands for, in the order of their names."""
    given = Path(path).expanduser()
    if given.is_file():
        found = [given]
    elif given.is_dir():
        found = sorted(each for each in given.iterdir() if each.suffix == SUFFIX and not each.name.startswith("."))
    else:
        found = sorted(Path(given.anchor).glob(str(given.relative_to(given.anchor))))
    wrong = [each.name for each in found if each.suffix != SUFFIX]
    if wrong:
        raise FileError(f"{wrong[0]} is no Parquet file; files larger than memory must be Parquet: convert it first")
    if not found:
        raise FileError(f"{path} has no file that ends in {SUFFIX}; name a folder of Parquet parts, or a glob")
    return tuple(each.resolve() for each in found)


def columns_of(path: str | Path) -> tuple[str, ...]:
    """Return the names of the columns of a folder, a glob or a file."""
    return tuple(_same_columns(part_files(path)))


def _same_columns(files: tuple[Path, ...]) -> "dict[str, pl.DataType]":
    """Return the columns and their types, which must be the same in all files."""
    first = _columns(files[0])
    for file in files[1:]:
        other = _columns(file)
        if list(other) != list(first):
            raise FileError(
                f"{file.name} has other columns than {files[0].name}, or in another order; write all with the same"
            )
        differing = [name for name in first if first[name] != other[name]]
        if differing:
            raise FileError(
                f"column '{differing[0]}' has the type {other[differing[0]]} in {file.name} and "
                f"{first[differing[0]]} in {files[0].name}; write all parts with the same types"
            )
    return first


def _columns(file: Path) -> "dict[str, pl.DataType]":
    import polars as pl

    with translate_read_errors(file, "a Parquet file"):
        return dict(pl.read_parquet_schema(file))


def _count_rows(file: Path) -> int:
    import polars as pl

    table = pl.scan_parquet(file, glob=False, hive_partitioning=False)
    return int(table.select(pl.len()).collect().item())


def _complete_schema(path: Path, options: ReadOptions, columns: "dict[str, pl.DataType]") -> Schema:
    """Return what is known of the columns, in their order; refuse what describes too few or too many."""
    given = options.schema
    if given is None:
        beside = sidecar_of(path) if path.suffix == SUFFIX else schema_beside(path)
        given = beside if beside.is_file() else None
    if given is None:
        raise SchemaError(
            f"{path} needs a schema that describes every column, since a guess from some of the rows might be wrong "
            f"for the others: write one with `sfumato init` and correct it, or give one as the option schema"
        )
    schema = load_schema(given.expanduser()) if isinstance(given, Path) else given
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
