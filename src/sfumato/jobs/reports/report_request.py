"""What a release report is asked for, and how that is kept with the report so that it can be made again."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.jobs.reports._report_files import plain_options, read_plain_options
from sfumato.parameters.limits import Limits, read_limits
from sfumato.recipe.manifest import relative_path
from sfumato.reports.release.build import read_edition, read_standards
from sfumato.reports.release.question import HIPAA_THRESHOLD, Edition, Standard

VERB = "report"
PATHS = ("original", "released", "recipe", "manifest", "control", "study")
"""The fields of a request that name files."""

FURTHER = ("recipe", "manifest", "control", "study", "schema")
"""The fields that name files which a report may do without."""


@dataclass(frozen=True, kw_only=True)
class ReportRequest:
    """What a report is asked for.

    Parameters
    ----------
    original, released
        The original file and the file to be released.
    options
        How both are to be read; the schema is that of the original.
    recipe, manifest
        The recipe that made the release, and its manifest: the one beside it when not given, which tells the recipe.
    control
        Records of the same population that the release was not made from.
    limits, k, standards, threshold, same_order
        As in `sfumato.report`.
    edition, author, title
        As in `sfumato.report`.
    study
        The folder of a study that compared alternatives.
    date
        When it is made, as yyyy-mm-dd; today when not given.
    other_releases
        Other releases of the same original, by the manifests beside the files; None where nobody looked.
    """

    original: Path
    released: Path
    options: ReadOptions = ReadOptions()
    recipe: Path | None = None
    manifest: Path | None = None
    control: Path | None = None
    limits: Limits = ()
    k: int | None = None
    standards: tuple[Standard, ...] = ()
    threshold: float = HIPAA_THRESHOLD
    same_order: bool = False
    edition: Edition = Edition.INTERNAL
    author: str = ""
    title: str = ""
    study: Path | None = None
    date: str = ""
    other_releases: tuple[str, ...] | None = None

    @property
    def schema(self) -> Path | None:
        """The file of the schema that was given."""
        return self.options.schema if isinstance(self.options.schema, Path) else None


def plain_request(request: ReportRequest, folder: Path) -> dict[str, Any]:
    """Return a request as plain values; that of the public edition names no file but the released one."""
    is_internal = request.edition is Edition.INTERNAL
    paths = {name: getattr(request, name) for name in (PATHS if is_internal else ("released",))}
    told = request.options if is_internal else replace(request.options, schema=None)
    return {
        "verb": VERB,
        **{name: None if path is None else relative_path(path, folder) for name, path in paths.items()},
        "options": plain_options(told, folder),
        "limits": [str(limit) for limit in read_limits(request.limits)],
        "k": request.k,
        "standards": [str(one) for one in request.standards],
        "threshold": request.threshold,
        "same_order": request.same_order,
        "edition": str(request.edition),
        "author": request.author,
        "title": request.title,
        "date": request.date,
        **(
            {"other_releases": _listed(request.other_releases)} if is_internal else {"further_files": _further(request)}
        ),
    }


def _further(request: ReportRequest) -> list[str]:
    """Return which files were given beside the original and the released one, without their names."""
    return [field for field in FURTHER if getattr(request, field) is not None]


def _listed(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


def read_request(plain: dict[str, Any], folder: Path, given: dict[str, Path | None]) -> ReportRequest:
    """Return the request that a report was made by; files that are given take the place of those that it names."""
    paths = {name: given.get(name) or (None if plain.get(name) is None else folder / plain[name]) for name in PATHS}
    missing = [name for name in ("original", "released") if paths[name] is None]
    if missing:
        raise FileError(f"the report does not name the {missing[0]} file, as it is the public edition: give both files")
    lacking = [field for field in plain.get("further_files", ()) if not given.get(field)]
    if lacking:
        raise FileError(
            f"the report was made with a {lacking[0]}, which it does not name, as it is the public edition: give the "
            f"{lacking[0]} too"
        )
    options = read_plain_options(plain["options"], folder)
    return ReportRequest(
        **paths,  # type: ignore[arg-type]
        options=replace(options, schema=given["schema"]) if given.get("schema") else options,
        limits=tuple(plain["limits"]),
        k=plain["k"],
        standards=read_standards(plain["standards"]),
        threshold=plain["threshold"],
        same_order=plain["same_order"],
        edition=read_edition(plain["edition"]),
        author=plain["author"],
        title=plain["title"],
        date=plain["date"],
        other_releases=None if (others := plain.get("other_releases")) is None else tuple(map(str, others)),
    )
