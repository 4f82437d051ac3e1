"""What a task is about, and the files that it hands to what the command line calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from sfumato.app.project import RELEASE, SCHEMA, release_name
from sfumato.data import Microdata, Role, Schema, role
from sfumato.errors import DataError, FileError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.reading import read_with_dialect
from sfumato.files.writing import options_like
from sfumato.jobs.protect import as_written
from sfumato.recipe import Recipe
from sfumato.storage.atomic import private_text
from sfumato.storage.private_folders import ONLY_OWNER

UNDRAWN = (Role.IDENTIFIER, Role.HOUSEHOLD)  # their values point at people


@dataclass(frozen=True)
class Inputs:
    """What a task is about: the file, what its columns are, the recipe with its seed, and the project's folder."""

    file: Path
    schema_yaml: str
    recipe: Recipe | None
    seed: int
    folder: Path

    @property
    def options(self) -> ReadOptions:
        """How the file is to be read."""
        return ReadOptions(schema=Schema.from_yaml(self.schema_yaml))

    @property
    def data(self) -> Microdata:
        """The records; they are read once by each process."""
        return _read(self.file, self.schema_yaml)[0]

    @property
    def as_written(self) -> dict[str, Any]:
        """What a protection must know of the file that is released; nothing where that format cannot be written."""
        output = self.file.with_name(release_name(self.file))
        try:
            return as_written(output, options_like(WriteOptions(), _read(self.file, self.schema_yaml)[1], output))
        except FileError:
            return {}

    @property
    def data_with_keys(self) -> Microdata:
        """The records, some columns of which must be keys."""
        if not self.data.select(role("key")):
            raise DataError(
                "no column is a key: give that role, in the screen Data, to the columns that others may know"
            )
        return self.data

    @property
    def given_recipe(self) -> Recipe:
        """The recipe, which must be there."""
        if self.recipe is None:
            raise DataError("there is no step yet: let one be proposed, or add one, in the screen Protect")
        return self.recipe

    @property
    def release_folder(self) -> Path:
        """Where the masked file is written."""
        return self.make_folder(RELEASE)

    def make_folder(self, *names: str) -> Path:
        """Return a folder of the project that only its owner can read; it is made where it is not there."""
        folder = self.folder
        for name in names:
            folder /= name
            folder.mkdir(mode=ONLY_OWNER, exist_ok=True)
        return folder

    def write_document(self, folder: Path, name: str, content: Mapping[str, Any]) -> Path:
        """Write a YAML file that names the project's file and schema, as the command line reads it."""
        private_text(folder / SCHEMA, self.schema_yaml)
        whole = {"data": str(self.file), "schema": SCHEMA, **content}
        private_text(folder / name, yaml.safe_dump(whole, sort_keys=False, allow_unicode=True))
        return folder / name


@lru_cache(maxsize=2)
def _read(file: Path, schema_yaml: str) -> tuple[Microdata, WriteOptions]:
    return read_with_dialect(file, ReadOptions(schema=Schema.from_yaml(schema_yaml)))
