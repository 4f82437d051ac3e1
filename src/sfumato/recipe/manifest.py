"""The manifest beside a masked file: what was masked, how, with what seed, and what came out."""

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from pydantic import AwareDatetime, Field

from sfumato.contracts import Improver, MaskingMethod
from sfumato.data import Schema
from sfumato.documents import Record, dump
from sfumato.errors import FileError, ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.plugins import origin_of
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.recipe import Recipe
from sfumato.storage.atomic import replace_file
from sfumato.storage.digests import text_sha256

CONFIDENTIAL = (
    "This manifest holds the seed of the random draws and the key to the order: whoever has it and the masked file "
    "could undo noise or swapping, and put the records back into their order. Keep it with the original data and do "
    "not publish it."
)
CONFIDENTIAL_OF_SYNTHESIS = (
    "This manifest holds the seed of the random draws: whoever has it and knows nearly all of the original records can "
    "make the synthetic file again, with a certain person and without, and so learn whether that person was among the "
    "original ones. Keep it with the original data and do not publish it."
)
LIBRARIES = ("numpy", "numba", "polars")


class PartFacts(Record):
    """A part of a folder as it was: its name, its SHA-256 and its size in records."""

    file: str
    sha256: str
    rows: int


class FileFacts(Record):
    """A file as it was: its place seen from the manifest's folder, its SHA-256, and its size in records and columns.

    Of a folder of parts there are the facts of each part; `sha256` is then that of their SHA-256, line by line, and
    `rows_sha256` of an output that over its rows, whatever the sizes of the parts. `named` parts were named one by one:
    others may lie beside them.
    """

    file: str
    sha256: str
    rows: int
    columns: int
    parts: tuple[PartFacts, ...] | None = None
    rows_sha256: str | None = None
    named: bool | None = None

    @classmethod
    def of_parts(
        cls,
        file: str,
        parts: tuple[PartFacts, ...],
        columns: int,
        rows_sha256: str | None = None,
        *,
        named: bool | None = None,
    ) -> Self:
        """Return what a manifest says of a folder."""
        return cls(
            file=file,
            sha256=text_sha256("\n".join(part.sha256 for part in parts)),
            rows=sum(part.rows for part in parts),
            columns=columns,
            parts=parts,
            rows_sha256=rows_sha256,
            named=named,
        )


class RecipeFacts(Record):
    """A recipe as it was: its file, if it came from one, and its YAML line by line with the SHA-256 of that text."""

    file: str | None = None
    sha256: str
    text: tuple[str, ...]

    @classmethod
    def of(cls, recipe: Recipe, file: str | None) -> Self:
        """Return what a manifest says of a recipe."""
        text = recipe.to_yaml()
        return cls(file=file, sha256=text_sha256(text), text=split_lines(text))

    @property
    def yaml(self) -> str:
        """The recipe as one text."""
        return join_lines(self.text)


class StoredManifest(Record):
    """What is stored as a JSON file beside a released file."""

    def save(self, path: str | Path) -> None:
        """Write the manifest as a JSON file that only its owner can read, whole or not at all."""
        with replace_file(Path(path), is_private=True) as unfinished:
            self.write_to(unfinished)

    def write_to(self, unfinished: Path) -> None:
        """Write the manifest as JSON into a file that is being made."""
        content = json.dumps(self.model_dump(mode="json", exclude_none=True), indent=2, ensure_ascii=False)
        unfinished.write_text(content + "\n", encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a manifest from its JSON file."""
        try:
            return cls(**json_object(path))
        except ParameterError as error:
            raise FileError(f"{path} is not a manifest of this version: {'; '.join(error.problems)}") from None


class Manifest(StoredManifest):
    """All that is needed to make a masked file again, and to prove that it was made so.

    Parameters
    ----------
    confidential
        Why the manifest must not be published.
    sfumato, versions
        The version of Sfumato, and those of Python and of the libraries that computed.
    plugins
        The methods, and the improver, that are not Sfumato's own, each with the package and version it came from.
    started, seconds
        When the run began, in UTC, and how long it took.
    input, output
        The file that was masked and the file that came out.
    read_options, input_schema
        What the reader was told beyond the file's name; the schema, given or found beside the file, as lines of YAML.
    recipe
        The recipe as it was given.
    seed
        The seed of the run: the recipe's own, or the one drawn for it.
    release_key
        Where the draws of the order of the records and of the numbers of households begin; drawn for this file.
    write_options
        How the output is written, what was taken over from the input included.
    unchanged
        The columns that came out as they went in, whether the recipe names them or not.
    unchanged_percent
        Of each column in which some values changed: how many of its values came out as they went in, in percent.
    remarks
        What the steps say of their results.
    all_records
        Whether every record of the input is in the output once: the key then tells which is which. Otherwise the
        recipe must be run again for that.
    improvement
        What came of improving the masked records, where the recipe asks for it.
    facts
        The facts of an earlier file by which the steps masked this one; None where they took its own.
    """

    confidential: str = CONFIDENTIAL
    sfumato: str
    versions: dict[str, str]
    plugins: dict[str, str] = Field(default_factory=dict)
    started: AwareDatetime
    seconds: float
    input: FileFacts
    read_options: ReadOptions = ReadOptions()
    input_schema: tuple[str, ...] = ()
    recipe: RecipeFacts
    seed: int = Field(ge=0, repr=False)
    release_key: int = Field(ge=0, repr=False)
    output: FileFacts
    write_options: WriteOptions = WriteOptions()
    unchanged: tuple[str, ...] = ()
    unchanged_percent: dict[str, float] = Field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    all_records: bool
    facts: dict[str, Any] | None = None
    improvement: ImprovementFacts | None = None

    def repeatable(self) -> Recipe:
        """Return the recipe with the seed of the run."""
        return Recipe.from_yaml(self.recipe.yaml).replace(seed=self.seed)

    def schema_given(self) -> Schema:
        """Return the schema that the reader was given; one without variables when there was none."""
        return schema_of(self.input_schema)


def json_object(path: str | Path) -> dict[str, Any]:
    """Return what the JSON file of a manifest holds."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(f"the manifest {path} cannot be read: {error.strerror}") from None
    except ValueError:
        beside = manifest_path(path)
        meant = f"; its manifest is {beside}" if beside.is_file() else ""
        raise FileError(f"{path} is not a manifest: it is not JSON{meant}") from None
    if not isinstance(content, dict):
        raise FileError(f"{path} is not a manifest: it must hold a JSON object")
    return content


def manifest_path(output: str | Path) -> Path:
    """Return where the manifest of a masked file is kept: beside it.

    Examples
    --------
    >>> manifest_path("release/people.csv").name
    'people.csv.manifest.json'
    """
    output = Path(output)
    return output.with_name(f"{output.name}.manifest.json")


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that compute."""
    return {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}


def plugins_of(*records: MaskingMethod | Improver) -> dict[str, str]:
    """Return the names of the records that are not Sfumato's own, with the package and version of each."""
    return {type(record).name(): origin for record in records if (origin := origin_of(type(record)))}


def relative_path(file: str | Path, folder: Path) -> str:
    """Return the path of a file as seen from a folder, or its full path when they share no root."""
    full = Path(file).resolve()
    try:
        return Path(os.path.relpath(full, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return full.as_posix()


def split_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text that ends with a newline."""
    return tuple(text.removesuffix("\n").split("\n"))


def join_lines(lines: tuple[str, ...]) -> str:
    """Return the text that `split_lines` took apart."""
    return "\n".join(lines) + "\n"


def schema_lines(schema: Schema) -> tuple[str, ...]:
    """Return a schema as lines of YAML; none for one without variables."""
    return split_lines(dump(schema)) if schema.variables else ()


def schema_of(lines: tuple[str, ...]) -> Schema:
    """Return the schema that `schema_lines` wrote."""
    return Schema.from_yaml(join_lines(lines)) if lines else Schema(variables=())
