"""The schema beside a file: `people.schema.yaml` goes with `people.csv`, for what the file itself has no room for."""

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.documents import load_file
from sfumato.errors import DocumentError, FileError
from sfumato.files.format import Format
from sfumato.files.formats import FORMATS, suffix_of
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


def check_replaceable(sidecar: Path, schema: Schema, target: Path) -> None:
    """Refuse to replace a schema that belongs to another file.

    It does if it describes columns which the data do not have, or says something else of them and there is a file of
    that name in another format: `people.schema.yaml` is for `people.csv` and `people.sav`.
    """
    there = load_schema(sidecar)
    foreign = [name for name in there.names if name not in schema]
    if foreign:
        raise FileError(
            f"{sidecar} describes columns that the data do not have ({', '.join(map(repr, foreign))}): "
            f"it belongs to another file; choose another name for the output, or remove that one"
        )
    if there != schema:
        check_unshared(sidecar, target)


def check_unshared(sidecar: Path, target: Path) -> None:
    """Refuse to replace the schema of another file, which has the same name in another format."""
    stem = sidecar.name.removesuffix(".schema.yaml")
    others = (target.with_name(f"{stem}{suffix}") for suffix in FORMATS if f"{stem}{suffix}" != target.name)
    sharing = next((other.name for other in others if other.is_file()), None)
    if sharing and sidecar.is_file():
        raise FileError(
            f"{sidecar} is the schema of {sharing} too, and would be replaced; choose another name for the output"
        )
