"""What lies beside a report: other releases of the same original, by their manifests, and other reports on the release.

Only the folders of the released file and of the page are looked at.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.recipe import Manifest
from sfumato.recipe.improvement_manifest import load_manifest
from sfumato.reports.release.chapters.provenance import RELEASED
from sfumato.reports.release.question import Standard
from sfumato.reports.release.release_report import KIND, ReleaseReport
from sfumato.storage.digests import file_sha256

MANIFESTS = "*.manifest.json"
MAX_FILES = 200  # of a kind in a folder: more are not read
MAX_BYTES = 20_000_000  # of a report


def other_releases(original: Path, released: Path, folder: Path) -> tuple[str, ...]:
    """Return the files that manifests name as made from the same original, each with its date, but the one released."""
    digest = file_sha256(original)
    found: dict[Path, str] = {}
    for path in _beside(released, folder, MANIFESTS):
        try:
            recorded = load_manifest(path)
        except SfumatoError:
            continue
        if not isinstance(recorded, Manifest) or recorded.input.sha256 != digest:
            continue
        made = path.parent / recorded.output.file
        if made.resolve() != released.resolve():
            found[made.resolve()] = f"{made.name} ({recorded.started.date().isoformat()})"
    return tuple(sorted(found.values()))


def differing_standards(made: ReleaseReport, page: Path) -> Iterator[str]:
    """Yield a warning for each other edition on the same release that answers other questions of the law."""
    digest = _released_digest([vars(one) for one in made.files])
    own = {*made.request.get("standards", ())}
    for path in _beside(page, page.parent, "*.json"):
        stored = {} if path == page.with_suffix(".json") else _load_report(path)
        if not digest or stored.get("edition") in (None, str(made.edition)):
            continue
        if _released_digest(stored.get("files", [])) != digest:
            continue
        theirs = {str(one) for one in stored.get("request", {}).get("standards", ())}
        whose = f"{path.name}, the {stored['edition']} edition on the same release,"
        if more := _named(own - theirs):
            yield f"Warning: this report answers the questions of {more}, and {whose} was not asked them."
        if more := _named(theirs - own):
            yield f"Warning: {whose} answers the questions of {more}, and this report was not asked them."


def _beside(file: Path, folder: Path, pattern: str) -> list[Path]:
    folders = {file.resolve().parent, folder.resolve()}
    return [path for one in sorted(folders) if one.is_dir() for path in sorted(one.glob(pattern))[:MAX_FILES]]


def _load_report(path: Path) -> dict[str, Any]:
    """Return what a release report holds; nothing where a file is none, or cannot be read."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8")) if path.stat().st_size <= MAX_BYTES else {}
    except (OSError, ValueError):
        return {}
    is_report = isinstance(stored, dict) and stored.get("kind") == KIND
    return stored if is_report and isinstance(stored.get("request"), dict) else {}


def _released_digest(files: Any) -> str:
    """Return the checksum of the released file."""
    listed = files if isinstance(files, list) else []
    found = (one.get("sha256", "") for one in listed if isinstance(one, dict) and one.get("role") == RELEASED)
    return str(next(found, ""))


def _named(standards: set[str]) -> str:
    return ", ".join(str(one) for one in Standard if str(one) in standards)
