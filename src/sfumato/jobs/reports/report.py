"""Write the report on a release that a review board decides by: one page, and the same figures as JSON."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.files.folders import is_folder_name
from sfumato.files.sidecar import sidecar_of
from sfumato.jobs._file_pair import FilePair, read_control, read_pair
from sfumato.jobs._study_folder import read_trade_off
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.reports._files_beside import differing_standards
from sfumato.jobs.reports._other_releases import other_releases
from sfumato.jobs.reports._report_files import HOW_TO_CHECK, check_page
from sfumato.jobs.reports.report_request import PATHS, ReportRequest, plain_request
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.parameters.limits import Limits, read_limits
from sfumato.recipe import Manifest, Recipe, manifest_path
from sfumato.recipe.improvement_manifest import load_manifest
from sfumato.recipe.manifest import relative_path
from sfumato.reports.release.build import build_report, read_edition, read_standards
from sfumato.reports.release.chapters.provenance import ORIGINAL, RELEASED, Provenance, known_versions, recipe_facts
from sfumato.reports.release.question import HIPAA_THRESHOLD, Edition, ReleaseQuestion, Standard
from sfumato.reports.release.release_report import ReleaseReport, ReportFile
from sfumato.storage.atomic import write_text
from sfumato.storage.digests import file_sha256, text_sha256

PAGE = "page"
VERIFIED_BY_MANIFEST = (
    "Whether the release comes from the original by its recipe is shown by the command sfumato verify {manifest}, "
    "which runs the recipe again with its seed. This report did not do so."
)


@dataclass(frozen=True, kw_only=True)
class ReportResult(JobResult):
    """The report, and the files that hold it."""

    report: ReleaseReport
    page: Path
    figures: Path

    def to_dict(self) -> dict[str, Any]:
        """Return the report."""
        return self.report.to_dict()

    def __str__(self) -> str:
        return str(self.report)


def report(
    original: str | Path,
    released: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    recipe: str | Path | None = None,
    manifest: str | Path | None = None,
    control: str | Path | None = None,
    limits: Limits = (),
    k: int | None = None,
    standards: tuple[Standard | str, ...] = (),
    threshold: float = HIPAA_THRESHOLD,
    same_order: bool = False,
    edition: Edition | str = Edition.INTERNAL,
    author: str = "",
    title: str = "",
    study: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> ReportResult:
    """Write the report on a release as a page, and its figures as JSON beside it.

    Parameters
    ----------
    original, released, options, recipe, manifest, control, limits, k, standards, threshold, same_order
        As in `ReportRequest`.
    edition, author, title, study
        As in `ReportRequest`.
    output
        The page; the JSON has the same name and the suffix .json.
    on_progress
        Called with each stage.
    """
    request = ReportRequest(
        original=Path(original).expanduser(),
        released=Path(released).expanduser(),
        options=options,
        recipe=_path(recipe),
        manifest=_path(manifest),
        control=_path(control),
        limits=limits,
        k=k,
        standards=read_standards(standards),
        threshold=threshold,
        same_order=same_order,
        edition=read_edition(edition),
        author=author,
        title=title,
        study=_path(study),
        date=datetime.now(UTC).date().isoformat(),
    )
    page = Path(output).expanduser()
    check_page(page, [*(getattr(request, name) for name in PATHS), request.schema])
    if request.edition is Edition.INTERNAL and request.original.is_file() and request.released.is_file():
        others = other_releases([file_sha256(request.original)], request.released, page.parent)
        request = replace(request, other_releases=others)
    made = make_report(request, page.parent, on_progress)
    on_progress(Stage("writing"))
    found = write_report(made, page)
    return replace(found, notices=(*found.notices, *differing_standards(made, page)))


def write_report(made: ReleaseReport, page: Path) -> ReportResult:
    """Write a report as a page and its figures as JSON, with the checksum of the page among its files."""
    html = made.to_html()
    complete = replace(made, files=(*made.files, ReportFile(PAGE, page.name, text_sha256(html))))
    figures = page.with_suffix(".json")
    write_text(page, html)
    write_text(figures, complete.to_json())
    whom = "not for publication" if made.edition is Edition.INTERNAL else "for everybody"
    notices = [f"{page}: the report, {whom}", f"{figures}: its figures, by which it can be checked"]
    if made.meets_limits is False:
        notices.append("Not within limits: see the verdict.")
    ending = JobEnding.NOT_MET if made.meets_limits is False or made.shows_leak else JobEnding.DONE
    return ReportResult(report=complete, page=page, figures=figures, notices=tuple(notices), ending=ending)


Result = TypeVar("Result", bound=JobResult)


def add_report(result: Result, original: Path, released: Path, page: Path, **asked: Any) -> Result:
    """Return the result of a job that made a release, after writing the report on it; `asked` as in `report`."""
    found = report(original, released, page, **asked)
    ending = found.ending if result.ending is JobEnding.DONE else result.ending
    return replace(result, notices=(*result.notices, *found.notices), ending=ending)


def refuse_folder(file: Path) -> None:
    """Refuse several files, of which no report can be made."""
    if is_folder_name(file):
        raise FileError(f"{file} is several files; a report is for a file that fits into memory: report on a sample")


def make_report(request: ReportRequest, folder: Path, on_progress: OnProgress = ignore_progress) -> ReleaseReport:
    """Return the report that a request asks for; paths in it are seen from a folder."""
    for file in (request.original, request.released):
        refuse_folder(file)
    limits = read_limits(request.limits)
    given = None if request.recipe is None else Recipe.load(request.recipe)
    on_progress(Stage("reading"))
    pair = read_pair(request.original, request.released, request.options, request.manifest)
    control = None if request.control is None else read_control(pair, request.control)
    manifest, made = _manifest(request, pair)
    recipe = given if given is not None else made
    on_progress(Stage("measuring"))
    question = ReleaseQuestion(
        original=pair.original if control is None else pair.members,
        released=pair.masked,
        methods=pair.parts if given is None else given.parts,
        control=control,
        limits=limits,
        k=request.k,
        standards=request.standards,
        threshold=request.threshold,
        same_order=request.same_order,
        trade_off=None if request.study is None else read_trade_off(request.study),
        how_matched=pair.how_matched,
        whole=None if control is None or pair.sampled_ids is None else pair.original,
        is_release=True,
        is_shuffled=None if made is None else not made.keep_order,
    )
    yaml, steps = recipe_facts(recipe)
    known = Provenance(
        date=request.date,
        author=request.author,
        files=_files(request, manifest, folder),
        recipe_yaml=yaml,
        steps=steps,
        made="" if manifest is None else _made(manifest),
        how_to_check=_how_to_check(manifest),
        other_releases=request.other_releases,
        versions=known_versions(),
    )
    title = request.title or f"Release report of {request.released.name}"
    return build_report(question, request.edition, known, title, plain_request(request, folder))


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given).expanduser()


def _manifest(request: ReportRequest, pair: FilePair) -> tuple[Path | None, Recipe | None]:
    """Return the manifest that matched the files, and the recipe that it tells, where there is one."""
    path = request.manifest or manifest_path(request.released)
    if not pair.parts or not path.is_file():
        return None, None
    recorded = load_manifest(path)
    return path, Recipe.from_yaml(recorded.recipe.yaml) if isinstance(recorded, Manifest) else None


def _made(manifest: Path) -> str:
    recorded = load_manifest(manifest)
    return f"{recorded.started.date().isoformat()}, by sfumato {recorded.sfumato}"


def _files(request: ReportRequest, manifest: Path | None, folder: Path) -> tuple[ReportFile, ...]:
    """Return all files that the report rests on, with their checksums."""
    schema = request.schema or sidecar_of(request.original)
    named = {
        ORIGINAL: request.original,
        RELEASED: request.released,
        "recipe": request.recipe,
        "manifest": manifest,
        "schema": schema if schema.is_file() else None,
        "schema of the released file": sidecar if (sidecar := sidecar_of(request.released)).is_file() else None,
        "control": request.control,
        "study": None if request.study is None else request.study / "study.json",
    }
    return tuple(
        ReportFile(role, relative_path(path, folder), file_sha256(path))
        for role, path in named.items()
        if path is not None
    )


def _how_to_check(manifest: Path | None) -> tuple[str, ...]:
    verified = () if manifest is None else (VERIFIED_BY_MANIFEST.format(manifest=manifest.name),)
    return (HOW_TO_CHECK, *verified)
