"""A project: a folder that holds all that the workbench knows of one file, action by action.

project.json    which file, with its SHA-256, and the seed
remarks.json    what was in doubt of each column when the project began
journal.jsonl   every state that was reached, and every undo and redo; lines are only ever added
schema.yaml     the schema and the recipe, seed included, of the present state, as the command line reads them
recipe.yaml
results/        what was computed, each under the digest of all that it was computed from
studies/        what was compared and searched, one folder each, as `compare` and `search` write them
tables/         the specification of tables, and what was written of them
synthetic/      synthetic files, with their recipe and manifest
release/        what was written to be released, and the manifest, which stays
report/         the report on the release, which stays, too
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple, Self

from sfumato.data import Schema
from sfumato.errors import FileError
from sfumato.recipe import Recipe
from sfumato.recipe.seeds import draw_seed
from sfumato.storage.atomic import private_text, write_text
from sfumato.storage.digests import file_sha256, text_sha256
from sfumato.storage.private_folders import ONLY_OWNER, lock_folder

SUFFIX = ".sfumato"
FACTS, REMARKS, JOURNAL, RESULTS, RELEASE = "project.json", "remarks.json", "journal.jsonl", "results", "release"
SCHEMA, RECIPE = "schema.yaml", "recipe.yaml"
OF_RECIPE = frozenset(
    {"masked_risk", "measure", "release", "verify", "report"}
)  # verbs whose results depend on the recipe; those of others do not
WRITING = frozenset({"release", "table_release", "synthesise"})  # verbs that write over what they wrote before
FOLLOWING = {"release": ("verify", "report")}  # verbs that tell of what another wrote
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


class State(NamedTuple):
    """What a project is after an action.

    Parameters
    ----------
    action
        What was done.
    schema_yaml, recipe_yaml
        The schema, and the recipe, which is empty before a step.
    settings
        What else was chosen, ready for JSON, by topic: limits of a search, a specification of tables, hierarchies.
    """

    action: str
    schema_yaml: str
    recipe_yaml: str = ""
    settings: Mapping[str, Any] = NO_SETTINGS

    @property
    def schema(self) -> Schema:
        """The schema of the file."""
        return _read_schema(self.schema_yaml)

    @property
    def recipe(self) -> Recipe | None:
        """The recipe without its seed, or None before the first step."""
        return _read_recipe(self.recipe_yaml) if self.recipe_yaml else None


@dataclass
class Project:
    """A project that is open: nobody else has it open, and every action is on disk before it is shown.

    Parameters
    ----------
    folder
        Where it is kept.
    file, digest
        The file that is to be released, and its SHA-256 when the project began.
    seed
        Where the draws of all its recipes begin; drawn from the system, kept in the folder, never shown.
    states, position
        Every state that can be gone back to, and which of them is the present one.
    """

    folder: Path
    file: Path
    digest: str
    seed: int = field(repr=False)
    states: list[State] = field(default_factory=list, repr=False)
    position: int = -1
    _lock: IO[str] | None = field(default=None, repr=False)

    @classmethod
    def create(cls, folder: Path, file: Path, schema: Schema) -> Self:
        """Begin a project for a file, in a folder that is not there yet."""
        try:
            folder.mkdir(mode=ONLY_OWNER, parents=True)
        except FileExistsError:
            raise FileError(f"{folder} is there already; open it, or choose another folder") from None
        except OSError as error:
            raise FileError(f"{folder} cannot be made: {error.strerror}; choose another folder") from None
        (folder / RESULTS).mkdir(mode=ONLY_OWNER)
        project = cls(folder, file.resolve(), file_sha256(file), draw_seed(), _lock=lock_folder(folder))
        facts = {"file": str(project.file), "sha256": project.digest, "seed": project.seed}
        write_text(folder / FACTS, json.dumps(facts, indent=1))
        project.reach(State(f"opened {file.name}", schema.to_yaml()))
        return project

    @classmethod
    def open(cls, folder: Path, *, checks_file: bool = True) -> Self:
        """Open a project as it was left, whatever ended it; a file that has changed since then is refused.

        The whole file is read to see that; whoever knows already that it is as it was need not do so again.
        """
        try:
            facts = json.loads((folder / FACTS).read_text("utf-8"))
            project = cls(folder, Path(facts["file"]), facts["sha256"], facts["seed"])
        except (OSError, ValueError, KeyError):
            raise FileError(f"{folder} is no project, or is damaged; begin a new one in another folder") from None
        project._lock = lock_folder(folder)
        try:
            if checks_file:
                project._check_file()
            project._read_journal()
            project._save()
        except FileError:
            project.close()
            raise
        return project

    def close(self) -> None:
        """Let others open the project."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def state(self) -> State:
        """What the project is now."""
        return self.states[self.position]

    @property
    def recipe(self) -> Recipe | None:
        """The recipe with the project's seed, as it is run; one that names a seed keeps that."""
        recipe = self.state.recipe
        return recipe if recipe is None or recipe.seed is not None else recipe.replace(seed=self.seed)

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo."""
        return self.position > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to do again."""
        return self.position + 1 < len(self.states)

    def reach(self, state: State) -> None:
        """Take an action: what was undone before it can then no longer be done again."""
        if self.states and state[1:] == self.state[1:]:
            return
        self._append({"at": self.position + 1, **state._asdict(), "settings": dict(state.settings)})
        del self.states[self.position + 1 :]
        self.states.append(state)
        self.position += 1
        self._save()

    def undo(self) -> None:
        """Go back by one action."""
        if self.can_undo:
            self._move(self.position - 1)

    def redo(self) -> None:
        """Do again what was undone."""
        if self.can_redo:
            self._move(self.position + 1)

    def result_path(self, verb: str, arguments: Mapping[str, Any]) -> Path:
        """Return where the result of a verb is kept for the present state: under the digest of all it depends on."""
        parts = (
            self.digest,
            self.state.schema_yaml,
            self.state.recipe_yaml if verb in OF_RECIPE else "",
            verb,
            json.dumps(arguments, sort_keys=True),
        )
        digest = text_sha256("\0".join(parts))
        return self.folder / RESULTS / f"{verb}-{digest}.json"

    def result(self, verb: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """Return what a verb gave for the present state, or None where it was not computed."""
        return _read_result(self.result_path(verb, arguments or {}))

    def _move(self, position: int) -> None:
        self._append({"position": position})
        self.position = position
        self._save()

    def _save(self) -> None:
        """Write the schema and the recipe as files; the journal has them already, should this be the end."""
        recipe = self.recipe
        _write_changed(self.folder / SCHEMA, self.state.schema_yaml)
        _write_changed(self.folder / RECIPE, "" if recipe is None else recipe.to_yaml())

    def _append(self, entry: Mapping[str, Any]) -> None:
        try:
            with os.fdopen(
                os.open(self.folder / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a"
            ) as journal:
                journal.write(f"{json.dumps(entry)}\n")
                journal.flush()
                os.fsync(journal.fileno())
        except OSError as error:
            raise FileError(f"{self.folder} cannot be written: {error.strerror}; the action was not taken") from None

    def _check_file(self) -> None:
        if not self.file.exists():
            raise FileError(f"{self.file} is gone; put it back, or begin a new project for another file")
        if file_sha256(self.file) != self.digest:
            raise FileError(f"{self.file} has changed since the project began; begin a new one for it")

    def _read_journal(self) -> None:
        try:
            for line in _complete_lines(self.folder / JOURNAL):
                self._replay(line)
        except (OSError, ValueError, KeyError, TypeError):
            raise FileError(f"{self.folder / JOURNAL} is damaged; begin a new project in another folder") from None
        if not self.states:
            raise FileError(f"{self.folder} holds no action; remove it, and begin again")

    def _replay(self, line: str) -> None:
        entry = json.loads(line)
        if "position" in entry:
            self.position = entry["position"]
            return
        self.position = entry.pop("at")
        del self.states[self.position :]
        self.states.append(State(**entry))


def release_name(file: Path) -> str:
    """Return what the masked form of a file is called in the folder of releases."""
    return f"masked{file.suffix}"


def project_folder(file: Path) -> Path:
    """Return the folder of a file's project where none is named: beside it."""
    return file.with_name(f"{file.name}{SUFFIX}")


def _complete_lines(journal: Path) -> list[str]:
    """Return the lines of a journal; half a line that a killed process left is cut off, as its action was not shown."""
    content = journal.read_bytes()
    complete = content[: content.rfind(b"\n") + 1]
    if len(complete) < len(content):
        os.truncate(journal, len(complete))
    return complete.decode("utf-8").splitlines()


def _write_changed(path: Path, text: str) -> None:
    """Write a text that only its owner can read, unless it is there as it is; no file where there is no text."""
    if not text:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_text("utf-8") != text:
        private_text(path, text)


def _read_result(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=32)
def _read_schema(text: str) -> Schema:
    return Schema.from_yaml(text)


@lru_cache(maxsize=32)
def _read_recipe(text: str) -> Recipe:
    return Recipe.from_yaml(text)
