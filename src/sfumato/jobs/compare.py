"""Compare many candidates on one file, as a study file says."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato import study
from sfumato.errors import DataError, ParameterError
from sfumato.files import ReadOptions, read_with
from sfumato.jobs._study_folder import write_study
from sfumato.jobs._wording import how_to_continue
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.parameters.limits import Limit, format_limits
from sfumato.study import Candidate, Study, StudyPlan
from sfumato.study.axes import default_loss, default_risk
from sfumato.study.result_store import count_results


@dataclass(frozen=True, kw_only=True)
class CompareResult(JobResult):
    """The study, the folder that holds it, and the best candidate within the limits, where there are limits."""

    study: Study
    folder: Path | None
    best: Candidate | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the study."""
        return self.study.to_dict()

    def __str__(self) -> str:
        return str(self.study)


def compare(
    study_file: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    workers: int | None = None,
    on_progress: OnProgress = ignore_progress,
) -> CompareResult:
    """Run the study of a file, keep its runs, and write tables, maps and recipes into a folder.

    Parameters
    ----------
    study_file
        The YAML file that names the data, the candidates and how often to run them.
    output
        The folder for everything that is written, and where an interrupted study goes on; nothing is written if None.
    options
        How the data are to be read; their schema goes before that of the study file.
    workers
        How many processes to use, as many as there are cores when not given.
    on_progress
        Called with each stage.
    """
    plan, folder = StudyPlan.load(study_file), None if output is None else Path(output)
    on_progress(Stage("reading"))
    data = read_with(plan.data, replace(options, schema=options.schema or plan.schema_file))
    kept = 0 if folder is None else count_results(folder)
    found = study.compare(
        data,
        plan.candidates,
        replications=plan.replications,
        seed=plan.seed,
        measures=plan.measures,
        scores=plan.scores,
        outliers=plan.outliers,
        keep=folder,
        workers=workers,
        progress=False,
        on_progress=lambda done, total: on_progress(Stage("comparing", done, total)),
    )
    notices = [_reuse(found, kept)] if kept else []
    if all(result.error is not None for result in found.results):
        raise DataError(f"no candidate could be run; the first one: {found.results[0].error}")
    if folder is not None:
        notices.append(write_study(found, folder, data.schema, limits=plan.limits))
    if found.unfinished:
        done = len(found.results)
        notices.append(how_to_continue(done, done + found.unfinished, "runs", folder))
        return CompareResult(study=found, folder=folder, notices=tuple(notices), ending=JobEnding.INTERRUPTED)
    best, verdict = _best(found, plan.limits) if plan.limits else (None, "")
    return CompareResult(
        study=found,
        folder=folder,
        best=best,
        notices=(*notices, *([verdict] if verdict else [])),
        ending=JobEnding.NOT_MET if plan.limits and best is None else JobEnding.DONE,
    )


def _reuse(found: Study, kept: int) -> str:
    """Say how many runs of the folder were of use."""
    if found.reused:
        return f"{found.reused} of {len(found.results) + found.unfinished} runs were kept from an earlier time"
    return (
        f"none of the {kept} runs that the folder keeps could be used: they are of other data, candidates or measures"
    )


def _best(found: Study, limits: Sequence[Limit]) -> tuple[Candidate | None, str]:
    """Return the best candidate that keeps to the limits, if one does, and a sentence about it."""
    usual = ("score", default_loss(found.symbols), default_risk(found.symbols))
    by = next((symbol for symbol in usual if symbol in found.symbols), found.symbols[0])
    try:
        best = found.best(by=by, limits=limits)
    except ParameterError as error:
        if not {limit.figure for limit in limits} <= set(found.symbols):
            raise
        return None, str(error)
    return best, f"best by {by} within {format_limits(limits)}: {best.label}"
