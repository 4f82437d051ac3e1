"""Other reports on the same release that lie beside a page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sfumato.jobs.reports._other_releases import files_beside
from sfumato.reports.release.chapters.provenance import RELEASED
from sfumato.reports.release.question import Standard
from sfumato.reports.release.release_report import KIND, ReleaseReport

MAX_BYTES = 20_000_000  # of a report


def differing_standards(made: ReleaseReport, page: Path) -> Iterator[str]:
    """Yield a warning for each other edition on the same release that answers other questions of the law."""
    digest = _released_digest([vars(one) for one in made.files])
    own = {*made.request.get("standards", ())}
    for path in files_beside(page, page.parent, "*.json"):
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
