"""The risk of a file: who stands out by its keys."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.contracts import FileRisk
from sfumato.data import Microdata, role
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.display import as_sentences
from sfumato.errors import DataError, ParameterError
from sfumato.files import ReadOptions, read_with
from sfumato.files.folders import Folder, is_folder_name, open_folder
from sfumato.files.output_checks import check_free
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.keys.classes import keys_shown
from sfumato.parameters.limits import Limits
from sfumato.reports import RiskReport, risk_report
from sfumato.reports.further_risks import check_further_risks
from sfumato.reports.limit_notices import limit_notices
from sfumato.storage.atomic import write_text


@dataclass(frozen=True, kw_only=True)
class RiskResult(JobResult):
    """The report on a file, and the page that shows it."""

    report: RiskReport
    page: Path | None

    def to_dict(self) -> dict[str, Any]:
        """Return the report."""
        return self.report.to_dict()

    def __str__(self) -> str:
        return str(self.report)


def risk(
    file: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    k: int = 3,
    population_size: float | None = None,
    combinations: Any = (),
    limits: Limits = (),
    measures: str | Path | None = None,
    page: str | Path | None = None,
    threads: int | None = None,
    resources: Resources = Resources(),
    on_progress: OnProgress = ignore_progress,
) -> RiskResult:
    """Tell who stands out by the keys of a file, which categories drive that, and whether it is within limits.

    Parameters
    ----------
    file, options
        The file, and how it is to be read; its keys, weight and household have these roles in the schema, or are
        named here. A folder of Parquet parts or a glob need not fit into memory, nor a Parquet file where `resources`
        are given.
    k, population_size, combinations, limits
        As in `sfumato.risk_report`.
    measures
        The YAML file with measures of one file to take beside these figures, as for `assess`; for files that fit into
        memory.
    page
        Where to write the report as an HTML page.
    threads, resources
        What a run over a file larger than memory may use; the result does not depend on it.
    on_progress
        Called with each stage.
    """
    file, page = Path(file), None if page is None else Path(page)
    check_free("page", page, [file, options.schema if isinstance(options.schema, Path) else None])
    further = () if measures is None else read_measures(measures)
    on_progress(Stage("reading"))
    is_folder = is_folder_name(file) or resources != Resources()
    if further and is_folder:
        raise ParameterError(["risk.measures is for a file that fits into memory; measure a part of the folder"])
    data = open_folder(file, options, resources.spill) if is_folder else read_with(file, options)
    check_keys(file, data)
    keys = data.schema.select(role("key"))
    has_values = tuple(name for name in keys if data.summary.observed(name))
    shown = (has_values if isinstance(data, Folder) else keys_shown(data, keys)) or keys
    if isinstance(data, Folder):
        from sfumato.jobs.folders.risk_folder import risk_of_folder  # with all that masks folders

        report = risk_of_folder(
            data,
            shown,
            k=k,
            population_size=population_size,
            combinations=combinations,
            limits=limits,
            resources=resources,
            workers=resources.workers(threads, data),
            on_progress=on_progress,
        )
    else:
        on_progress(Stage("looking for those who stand out"))
        report = risk_report(
            data,
            columns=shown,
            k=k,
            population_size=population_size,
            combinations=combinations,
            limits=limits,
            measures=further,
        )
    empty = tuple(f"{name}: no record has a value; the key was left out." for name in keys if name not in shown)
    notices = (*empty, *as_sentences(suspicion_problems(data, keys)), *limit_notices(report.limits))
    if page is not None:
        write_text(page, report.to_html(f"Risk of {file.name}"))
        notices = (f"{page}: the same as a page", *notices)
    return RiskResult(
        report=report, page=page, notices=notices, ending=JobEnding.DONE if report.meets_limits else JobEnding.NOT_MET
    )


def read_measures(file: str | Path) -> tuple[FileRisk, ...]:
    """Return the measures of one file that a file of measures names; scores, and measures of two, are refused."""
    from sfumato.assessment.plan import AssessmentPlan  # it loads methods, which a report without it does not need

    plan = AssessmentPlan.load(file)
    if plan.scores is not None:
        raise ParameterError(["scores weigh risk and loss of a masked file, and here is one file; use assess for them"])
    return check_further_risks(plan.measures)


def check_keys(file: Path, data: Microdata | Folder) -> None:
    """Refuse a file without key variables."""
    if not data.schema.select(role("key")):
        raise DataError(
            f"{file.name}: no column has the role key; name the columns that others may know of a person as keys "
            f"(the option key), or give them that role in a schema file, which "
            f"init writes for a start"
        )
