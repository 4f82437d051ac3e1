"""Check a release report: whether its files are what they were, and give every figure again."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import SfumatoError, VerificationError
from sfumato.jobs.folders.checks import Check
from sfumato.jobs.progress import OnProgress, ignore_progress
from sfumato.jobs.reports import report as report_job
from sfumato.jobs.reports import table_report
from sfumato.jobs.reports.report_request import read_request
from sfumato.jobs.result import JobEnding
from sfumato.jobs.tables.table_protect import table_protect
from sfumato.jobs.verify import VerifyResult
from sfumato.reports.release.chapters.provenance import ORIGINAL, RELEASED
from sfumato.reports.release.compare_reports import report_differences
from sfumato.reports.release.release_report import FORMAT, KIND, ReleaseReport, content_json, content_sha256
from sfumato.storage.digests import file_sha256

GIVEN = {ORIGINAL: "original", RELEASED: "released"}


def check_report(
    file: str | Path,
    *,
    original: str | Path | None = None,
    released: str | Path | None = None,
    recipe: str | Path | None = None,
    manifest: str | Path | None = None,
    control: str | Path | None = None,
    study: str | Path | None = None,
    schema: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> VerifyResult:
    """Check that a report is as it was written, that its files are, and that they give every figure again.

    Parameters
    ----------
    file
        The JSON of the report.
    original, released, recipe, manifest, control, study, schema
        The files, where they are not where the report says, or it does not say: the public edition names only the
        released one. Of tables, `original` is their specification.
    on_progress
        Called with each stage.

    Raises
    ------
    VerificationError
        When something cannot be checked: the report is no report, or a file is absent.
    """
    path = Path(file)
    stored = _load(path)
    folder = path.resolve().parent
    files = {"original": original, "released": released, "recipe": recipe, "manifest": manifest, "control": control}
    given = {name: _path(one) for name, one in {**files, "study": study, "schema": schema}.items()}
    checks = [_digest_check(path, stored)]
    checks += [_file_check(one, folder, given) for one in stored["files"] if isinstance(one, dict)]
    failed = [check for check in checks[1:] if not check.passed and check.name != report_job.PAGE]
    if failed:
        why = f"the {failed[0].name} is not what the report is about"
        checks.append(Check("figures", False, f"the figures were not computed anew: {why}"))
    else:
        checks += _figure_checks(stored, folder, given, on_progress)
    result = VerifyResult(checks=tuple(checks))
    return result if result.passed else replace(result, ending=JobEnding.FAILED)


def _path(file: str | Path | None) -> Path | None:
    return None if file is None else Path(file).expanduser()


def _load(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise VerificationError(f"the report {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise VerificationError(f"{path} is no report, or was damaged: it is not JSON") from None
    needed = {"files": list, "figures": list, "sections": list, "request": dict}
    is_report = isinstance(content, dict) and content.get("kind") == KIND and content.get("format") == FORMAT
    if not is_report or any(not isinstance(content.get(name), kind) for name, kind in needed.items()):
        raise VerificationError(f"{path} is no report of this version; give the JSON that was written beside the page")
    if not content["request"]:
        raise VerificationError(f"{path} was made from data in memory: there are no files that it could be checked by")
    return content


def _digest_check(path: Path, stored: Mapping[str, Any]) -> Check:
    if content_sha256(stored) == stored.get("sha256"):
        # the last digits of a number may change without changing the number
        if path.read_text(encoding="utf-8") != content_json(stored):
            return Check("report", False, f"the text of the report {path.name} is not as it was written")
        return Check("report", True, f"the report {path.name} has its recorded SHA-256")
    return Check("report", False, f"the report {path.name} does not have its recorded SHA-256: it was changed")


def _file_check(recorded: Mapping[str, str], folder: Path, given: Mapping[str, Path | None]) -> Check:
    role, digest = str(recorded.get("role")), recorded.get("sha256")
    path = given.get(GIVEN.get(role, role)) or folder / str(recorded.get("file"))
    if not path.is_file():
        return Check(role, False, f"the {role} {path} is not there")
    if file_sha256(path) == digest:
        return Check(role, True, f"the {role} {path.name} has its recorded SHA-256")
    return Check(
        role, False, f"the {role} {path.name} does not have its recorded SHA-256: it is another, or was changed"
    )


def _figure_checks(
    stored: Mapping[str, Any], folder: Path, given: Mapping[str, Path | None], on_progress: OnProgress
) -> list[Check]:
    """Make the report again and compare it, figure by figure."""
    try:
        again = MAKERS[stored["request"]["verb"]](dict(stored["request"]), folder, dict(given), on_progress)
        differences = report_differences(stored, again.to_dict())
    except (SfumatoError, KeyError, TypeError, ValueError, AttributeError) as error:
        what = str(error) if isinstance(error, SfumatoError) else "a part of the report cannot be understood"
        return [Check("figures", False, f"the figures cannot be computed anew: {what}")]
    if not differences:
        return [Check("figures", True, f"all {len(stored['figures'])} figures come out the same from the files")]
    other = _other_versions(stored, again)
    return [Check("figures", False, f"{one}{other}") for one in differences]


def _other_versions(stored: Mapping[str, Any], again: ReleaseReport) -> str:
    """Return which versions differ from those that made the report, where some do."""
    before = stored.get("versions", {})
    other = [f"{name} {before.get(name)}" for name, now in again.versions.items() if before.get(name) != now]
    return f" (it was made with {', '.join(other)})" if other else ""


def _again(
    request: dict[str, Any], folder: Path, given: dict[str, Path | None], on_progress: OnProgress
) -> ReleaseReport:
    return report_job.make_report(read_request(request, folder, given), folder, on_progress)


def _table_again(
    request: dict[str, Any], folder: Path, given: dict[str, Path | None], on_progress: OnProgress
) -> ReleaseReport:
    asked = table_report.read_request(request, folder, given.get("original"))
    found = table_protect(
        asked.specification,
        options=asked.options,
        protection=asked.protection,
        time_limit=asked.time_limit,
        previous=asked.previous,
        last_period=asked.last_period,
        on_progress=on_progress,
    )
    return table_report.report_on_tables(asked, found, folder)


MAKERS: dict[str, Callable[..., ReleaseReport]] = {"report": _again, "table report": _table_again}
"""What makes a report again, by the verb that it was made by."""
