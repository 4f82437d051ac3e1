"""Assess a masked file: risk, information loss and scores."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato import assessment
from sfumato.assessment import Assessment
from sfumato.assessment.plan import AssessmentPlan
from sfumato.assessment.synthetic_files import SYNTHETIC
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.display import format_count
from sfumato.errors import ParameterError
from sfumato.execution.folders.step import split_ranges
from sfumato.files import ReadOptions
from sfumato.files.folders import is_folder_name
from sfumato.files.output_checks import check_free
from sfumato.jobs._file_pair import read_control, read_pair
from sfumato.jobs._wording import KEPT_BACK, percent_notices, schema_notices
from sfumato.jobs.folders.assess_folder import Question, assess_folders
from sfumato.jobs.folders.pair_folders import FolderPair, in_original_order, open_pair
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.folders.risk_folder import temporary_spill
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.recipe import Recipe
from sfumato.storage.atomic import write_text


@dataclass(frozen=True, kw_only=True)
class AssessResult(JobResult):
    """What was lost, and what an intruder could still learn."""

    assessment: Assessment

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment."""
        return self.assessment.to_dict()

    def __str__(self) -> str:
        return str(self.assessment)


def assess(
    original: str | Path,
    masked: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    recipe: str | Path | None = None,
    manifest: str | Path | None = None,
    measures: str | Path | None = None,
    outliers: bool = True,
    same_order: bool = False,
    control: str | Path | None = None,
    page: str | Path | None = None,
    threads: int | None = None,
    resources: Resources = Resources(),
    on_progress: OnProgress = ignore_progress,
) -> AssessResult:
    """Compare two files; records are matched by the manifest of the masked one, an identifier, or their order.

    Where none of these tells which record is which, the measures that need to know it are withheld; where the recipe
    draws whole records anew, they are not among the usual ones.

    Parameters
    ----------
    original, masked
        The original file and its masked form. Folders of Parquet parts and globs need not fit into memory, nor Parquet
        files where `resources` are given; their records are matched by the manifest or their order.
    options
        How both files are to be read; the schema is that of the original.
    recipe
        The recipe that masked the file: an intruder who knows it tries the attacks that are made for its methods. That
        of the manifest when not given.
    manifest
        The manifest of the masked file, which holds the key to the order of its records; the one beside that file when
        not given.
    measures
        The YAML file with the measures and scores to take; the usual ones otherwise.
    outliers
        Whether the most unusual records are measured by themselves too.
    same_order
        Say that both files are in the same order, where manifest and identifier do not tell and the records do not
        show it.
    control
        A file of the same population that the masked file was not made from, read like the original: attacks that ask
        not which record is which are tried on it too, so that what the file tells about everybody is told from what it
        gives away about those in it. Where the manifest tells that records were kept back before a synthetic file was
        made, as `synthesise` does with a holdout, they are left out of the original then.
    page
        Where to write the assessment as an HTML page.
    threads, resources
        What a run over files larger than memory may use; the result does not depend on it.
    on_progress
        Called with each stage.
    """
    page = None if page is None else Path(page)
    check_free(
        "page", page, [Path(original), Path(masked), options.schema if isinstance(options.schema, Path) else None]
    )
    plan = None if measures is None else AssessmentPlan.load(measures)
    given = None if recipe is None else Recipe.load(recipe)
    on_progress(Stage("reading"))
    if is_folder_name(original) or is_folder_name(masked) or resources != Resources():
        if control is not None:
            raise ParameterError(["assess.control is for files that fit into memory; assess a part of the folder"])
        found = _assess_folders(
            open_pair(
                Path(original),
                Path(masked),
                options,
                None if manifest is None else Path(manifest),
                same_order=same_order,
            ),
            plan,
            given,
            resources,
            threads,
            on_progress,
        )
        return _with_page(found, masked, page)
    pair = read_pair(Path(original), Path(masked), options, None if manifest is None else Path(manifest))
    others = None if control is None else read_control(pair, Path(control))
    members = pair.original if others is None else pair.members
    on_progress(Stage("measuring"))
    found = assessment.assess(
        members,
        pair.masked,
        None if plan is None else plan.measures,
        None if plan is None else plan.scores,
        outliers=outliers,
        methods=pair.parts if given is None else given.parts,
        same_order=same_order,
        control=others,
        is_release=True,
    )
    doubts = [
        *schema_notices(Path(original), options),
        *suspicion_problems(pair.original, pair.original.schema.names),
    ]
    by_manifest = (pair.how_matched,) if pair.how_matched and SYNTHETIC not in found.remarks else ()
    if kept_back := pair.original.n - members.n:
        doubts.append(KEPT_BACK.format(kept_back=format_count(kept_back, "record"), members=f"{members.n:,}"))
    doubts = [*doubts, *percent_notices(() if plan is None else plan.measures or ())]
    return _with_page(replace(found, remarks=(*by_manifest, *found.remarks, *doubts)), masked, page)


def _assess_folders(
    pair: FolderPair,
    plan: AssessmentPlan | None,
    recipe: Recipe | None,
    resources: Resources,
    threads: int | None,
    on_progress: OnProgress,
) -> Assessment:
    """Return the assessment of a masked folder, after bringing it into the order of the original."""
    question = Question(
        None if plan is None else plan.measures,
        None if plan is None else plan.scores,
        pair.parts if recipe is None else recipe.parts,
    )
    workers = resources.workers(threads, pair.original)
    sizes = [resources.sizes(folder, workers) for folder in (pair.original, pair.masked)]
    rows = min(each.rows_per_range for each in sizes) // 2
    files = (*pair.original.files, *pair.masked.files)
    with temporary_spill(resources, workers, files, "measuring", on_progress) as spill:
        masked = in_original_order(pair, spill, split_ranges(pair.masked.n, rows))
        found = assess_folders(
            pair.original, masked, question, spill=spill, rows_per_range=rows, task_bytes=sizes[1].task_bytes
        )
        doubts = suspicion_problems(pair.original, pair.original.schema.names)
    doubts += percent_notices(() if plan is None else plan.measures or ())
    return replace(found, remarks=(pair.sentence, *found.remarks, *doubts))


def _with_page(found: Assessment, masked: str | Path, page: Path | None) -> AssessResult:
    """Return the result, after writing it as a page where one is asked for."""
    if page is not None:
        write_text(page, found.to_html(f"Assessment of {Path(masked).name}"))
    return AssessResult(assessment=found, notices=() if page is None else (f"{page}: the same as a page",))
