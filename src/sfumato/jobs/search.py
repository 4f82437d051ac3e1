"""Search for the best recipe for a file under limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.data import Microdata, Schema, role
from sfumato.files import ReadOptions, read_with
from sfumato.jobs._study_folder import MAP_FORMATS, write_study
from sfumato.jobs._wording import how_to_continue
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.parameters.limits import Limits
from sfumato.storage.atomic import write_text
from sfumato.study import search as study_search
from sfumato.study.search import Search
from sfumato.study.search.rendering import verdict
from sfumato.study.search.results import SearchEnding
from sfumato.study.search.trial_store import JOURNAL

BEST = "best.yaml"


@dataclass(frozen=True, kw_only=True)
class SearchResult(JobResult):
    """What was found, and the folder that holds it."""

    search: Search
    folder: Path | None

    def to_dict(self) -> dict[str, Any]:
        """Return what was found."""
        return self.search.to_dict()

    def __str__(self) -> str:
        best = self.search.best
        if self.folder is not None or best is None:
            return str(self.search)
        return f"{self.search}\n\n# {best.label}\n{best.recipe.to_yaml()}"


def search(
    file: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    space: str | Path | None = None,
    limits: Limits = (),
    minimise: Sequence[str] = (),
    trials: int = 100,
    seed: int | None = None,
    replications: int = 1,
    time_limit: float | None = None,
    workers: int | None = None,
    on_progress: OnProgress = ignore_progress,
) -> SearchResult:
    """Search for the recipe with the lowest loss among those that keep to limits on risk.

    Parameters
    ----------
    file, options
        The file, and how it is to be read.
    output
        The folder for everything that is written, and where the search goes on; nothing is written if None.
    space
        The YAML file with the candidates; the usual ones otherwise.
    limits, minimise, trials, seed, replications, time_limit, workers
        As in `sfumato.search`.
    on_progress
        Called with each stage.
    """
    folder = None if output is None else Path(output)
    continues = folder is not None and (folder / JOURNAL).exists()
    on_progress(Stage("reading"))
    data = read_with(Path(file), options)
    found = study_search.search(
        data,
        space,
        limits=limits,
        minimise=tuple(minimise) or None,
        trials=trials,
        seed=seed,
        replications=replications,
        keep=folder,
        time_limit=time_limit,
        workers=workers,
        progress=False,
        on_progress=lambda done, total: on_progress(Stage("searching", done, total)),
    )
    notices = []
    if found.study.reused:
        notices.append(f"{found.study.reused} of {len(found.study.results)} runs were kept from an earlier time")
    if folder is not None:
        notices.append(_write_search(found, folder, data.schema))
    if seed is None:
        origin = "that of the folder" if continues else "drawn"
        notices.append(f"the seed was {origin}: seed {found.seed} gives the same trials again")
    notices += _weights_left_out(found, data)
    ending = JobEnding.DONE
    if found.ended is SearchEnding.INTERRUPTED:
        ending, done = JobEnding.INTERRUPTED, len(found.tried)
        notices.append(how_to_continue(done, done + found.unfinished, "trials", folder))
    elif found.best is None:
        ending = JobEnding.NOT_MET
        notices.append(verdict(found))
    return SearchResult(search=found, folder=folder, notices=tuple(notices), ending=ending)


def _weights_left_out(found: Search, data: Microdata) -> list[str]:
    """Return that no measure of the search looked at the weights, which recipes release unless a step hides them."""
    seen = {name for measure in found.objective.measures for name in data.select(measure.columns)}
    weights = [name for name in data.select(role("weight")) if name not in seen]
    if not weights:
        return []
    return [
        f"{', '.join(weights)}: no figure of this search looks at the weight, which may tell persons and households "
        f"apart; round it by weight_rounding or drop it, and assess the file before its release"
    ]


def _write_search(found: Search, folder: Path, schema: Schema) -> str:
    """Write the tables, the map, the history and the recipes; return a sentence about it."""
    notice = write_study(found.study, folder, schema, limits=found.objective.limits)
    write_text(folder / "trials.csv", found.to_frame().write_csv())
    figure = found.history()
    for suffix in MAP_FORMATS:
        figure.save(folder / f"history.{suffix}")
    if found.best is None:
        (folder / BEST).unlink(missing_ok=True)  # of an earlier time, with fewer limits
        return notice
    found.best.recipe.without_identifiers(schema).save(folder / BEST)
    return f"{notice}; the best recipe is {folder / BEST}"
