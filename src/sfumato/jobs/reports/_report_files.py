"""What reports on files and on tables share: the page that is written, and how their files were read."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.files.output_checks import check_free
from sfumato.recipe.manifest import relative_path

HOW_TO_CHECK = (
    "Computed anew from the files, and held against this report, by the command sfumato report with the option check "
    "and the name of the JSON file beside this page."
)


def check_page(page: Path, taken: Sequence[Path | None]) -> None:
    """Refuse a page that is no HTML file, cannot be written, or would take the place of another file; its JSON too."""
    if page.suffix.lower() not in (".html", ".htm"):
        raise FileError(f"the page of a report is an HTML file; got '{page.name}': name it report.html, say")
    for path in (page, page.with_suffix(".json")):
        check_free("report", path, taken)


def plain_options(options: ReadOptions, folder: Path) -> dict[str, Any]:
    """Return how files were read as plain values; the path of a schema is seen from a folder."""
    plain: dict[str, Any] = {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in fields(options)
        if field.name != "schema" and (value := getattr(options, field.name)) != field.default
    }
    return plain | ({"schema": relative_path(options.schema, folder)} if isinstance(options.schema, Path) else {})


def read_plain_options(plain: dict[str, Any], folder: Path) -> ReadOptions:
    """Return the options that `plain_options` wrote."""
    given: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in plain.items()}
    if "schema" in given:
        given["schema"] = folder / given["schema"]
    return ReadOptions(**given)
