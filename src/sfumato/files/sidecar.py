"""The schema beside a file: `people.schema.yaml` goes with `people.csv`, for what the file itself has no room for."""

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.documents import load_file
from sfumato.errors import DocumentError, FileError
from sfumato.files.format import Format
from sfumato.files.formats import suffix_of
from sfumato.files.frames import blanks_as_missing, with_orders
from sfumato.files.labels import labelled_schema
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl


def sidecar_of(path: Path) -> Path:
    """Return where the schema of a file stands.

    Examples
    --------
    >>> sidecar_of(Path("people.csv.gz")).name
    'people.schema.yaml'
    """
    stem = path.name[: len(path.name) - len(suffix_of(path))]
    return path.with_name(f"{stem}.schema.yaml")


def load_schema(path: Path) -> Schema:
    """Read a schema from its YAML file."""
    try:
        return load_file(path, Schema, "schema")
    except DocumentError as error:
        raise DocumentError(error.problems, f"schema {path}") from None


def needs_sidecar(schema: Schema, frame: "pl.DataFrame", form: Format, options: WriteOptions) -> bool:
    """Tell whether reading the file alone would give another schema than this one."""
    returned = blanks_as_missing(form.stored_frame(frame, options))
    return with_orders(labelled_schema(returned, form.stored_labels(schema)), returned) != schema


def check_replaceable(sidecar: Path, schema: Schema) -> None:
    """Refuse to replace a schema that describes columns which the data do not have: it belongs to another file."""
    foreign = [name for name in load_schema(sidecar).names if name not in schema]
    if foreign:
        raise FileError(
            f"{sidecar} describes columns that the data do not have ({', '.join(map(repr, foreign))}): "
            f"it belongs to another file; choose another name for the output, or remove that one"
        )
