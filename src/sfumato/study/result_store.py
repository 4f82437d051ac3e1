"""Store what is done: a small file per finished run, so that a study goes on where it was stopped."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.errors import FileError
from sfumato.storage.atomic import write_text
from sfumato.storage.digests import text_sha256
from sfumato.study.figures import Outcome
from sfumato.study.fingerprint import fingerprint
from sfumato.study.run_plan import Run

FOLDER = "runs"
SEED_FILE = "seed.txt"
FORMAT = 2  # goes up when a kept file means something else


@dataclass(frozen=True)
class ResultStore:
    """A folder of finished runs of any studies, each in a file that is named by all that its figures depend on.

    These are the recipe with its seed, the data, the measures, whether outliers were measured separately, and the
    version of Sfumato. A file is written whole or not at all, and holds figures, never a record.

    Parameters
    ----------
    folder
        Where the files are.
    common
        What all runs of one study share: the digest of its data and measures.
    """

    folder: Path
    common: str

    @classmethod
    def open(cls, keep: Path, data: Microdata, measures: Sequence[Measure] | None, *, outliers: bool) -> "ResultStore":
        """Return the runs that are kept below a folder, which is made if need be, as far as they are of these data."""
        folder = keep / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(f"the folder {folder} cannot be made: {error.strerror}; choose another") from None
        asked = None if measures is None else [[one.name(), one.model_dump(mode="json")] for one in measures]
        shared = {"sfumato": version("sfumato"), "data": fingerprint(data), "measures": asked, "outliers": outliers}
        return cls(folder, text_sha256(json.dumps(shared, sort_keys=True)))

    def seed(self, drawn: int) -> int:
        """Return the seed of the studies here that were given none: the one that is kept, else `drawn`, kept now."""
        path = self.folder / SEED_FILE
        try:
            return int(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            write_text(path, f"{drawn}\n")
            return drawn

    def load(self, run: Run) -> Outcome | None:
        """Return what came of a run, or none when it is not here or its file was spoilt."""
        try:
            content = json.loads(self._path(run).read_text(encoding="utf-8"))
            return _read_outcome(content)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def save(self, run: Run, outcome: Outcome) -> None:
        """Write what came of a run; one that failed is not kept, so that it is tried again."""
        if outcome.error is not None:
            return
        content = {
            "format": FORMAT,
            "candidate": run.candidate,
            "replication": run.replication,
            "values": dict(outcome.values),
            "titles": dict(outcome.titles),
        }
        write_text(self._path(run), json.dumps(content, indent=1, ensure_ascii=False) + "\n")

    def _path(self, run: Run) -> Path:
        return self.folder / f"{text_sha256(self.common + run.recipe.to_yaml())}.json"


def count_results(keep: Path) -> int:
    """Return how many runs, of whatever studies, are kept below a folder."""
    return sum(1 for _ in (keep / FOLDER).glob("*.json"))


def _read_outcome(content: Any) -> Outcome | None:
    if content["format"] != FORMAT:
        return None
    values = {str(symbol): float(value) for symbol, value in content["values"].items()}
    return Outcome(values, {str(symbol): str(title) for symbol, title in content["titles"].items()})
