"""The release report as a value: sections, figures, files, and what is needed to make it again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.display.tabular_result import TabularResult
from sfumato.reports.release.figure import ReportFigure
from sfumato.reports.release.question import Edition
from sfumato.reports.release.sections import Chart, Section
from sfumato.storage.atomic import write_text
from sfumato.storage.digests import text_sha256

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

FORMAT = 2  # of the plain form; goes up when a field changes its meaning or goes away
KIND = "sfumato release report"
INSIDE = (
    "Internal edition: it shows categories and counts of the original and tells how it was protected. It is for those "
    "who decide on the release, and not for publication."
)


OUTSIDE = (
    "Public edition: what it leaves out, and why, stands in a section of its own. The internal edition, for those who "
    "decide on the release, has it."
)


@dataclass(frozen=True)
class ReportFile:
    """A file that the report is about: what it is for, its name, and its SHA-256 where that may be told."""

    role: str
    file: str
    sha256: str = ""


@dataclass(frozen=True)
class ReleaseReport(TabularResult):
    """What a review board needs to decide on a release.

    Parameters
    ----------
    title, edition
        What it is about, and for whom it is.
    date, author
        When it was made, as yyyy-mm-dd, and by whom.
    versions
        The versions of Sfumato, Python and the libraries that computed.
    sections, figures
        What it says, in a board's order, and every figure in it.
    meets_limits, shows_leak
        Whether everything that was demanded is met, and whether an attack found a leak; None where nothing was
        demanded, or no attack had a control.
    files
        The files that it is about.
    request
        What is needed to make it again from these files.
    """

    title: str
    edition: Edition
    date: str
    author: str
    versions: Mapping[str, str]
    sections: tuple[Section, ...] = field(repr=False)
    figures: tuple[ReportFigure, ...] = field(repr=False)
    meets_limits: bool | None = None
    shows_leak: bool | None = None
    files: tuple[ReportFile, ...] = ()
    request: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, path: str) -> ReportFigure:
        """Return a figure by its path, as in `report["risk/keys/k/after"]`."""
        from sfumato.errors import ParameterError, did_you_mean

        known = {one.path: one for one in self.figures}
        if path not in known:
            raise ParameterError([f"ReleaseReport: there is no figure '{path}'{did_you_mean(path, known)}"])
        return known[path]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts and lists, ready for JSON, with the SHA-256 of all of it."""
        content = {
            "kind": KIND,
            "format": FORMAT,
            "title": self.title,
            "edition": str(self.edition),
            "date": self.date,
            "author": self.author,
            "versions": dict(self.versions),
            "meets_limits": self.meets_limits,
            "shows_leak": self.shows_leak,
            "files": [vars(file) for file in self.files],
            "request": dict(self.request),
            "figures": [figure.to_dict() for figure in self.figures],
            "sections": [section.to_dict() for section in self.sections],
        }
        return {**content, "sha256": content_sha256(content)}

    def to_json(self) -> str:
        """Return the report as JSON."""
        return content_json(self.to_dict())

    def to_html(self) -> str:
        """Return the report as an HTML page that stands alone."""
        from sfumato.reports.release.rendering.page import render_report

        return render_report(self)

    def save(self, path: str | Path) -> tuple[Path, Path]:
        """Write the page, and beside it the same figures as JSON; return both paths."""
        page = Path(path)
        beside = page.with_suffix(".json")
        write_text(page, self.to_html())
        write_text(beside, self.to_json())
        return page, beside

    def to_frame(self) -> "polars.DataFrame":
        """Return the figures as a polars dataframe: path, label, value, unit, sentence."""
        import polars

        rows = [(one.path, one.label, one.value, one.unit, one.sentence) for one in self.figures]
        text = polars.String
        schema = {"path": text, "label": text, "value": polars.Float64, "unit": text, "sentence": text}
        return polars.DataFrame(rows, schema=schema, orient="row")

    @property
    def charts(self) -> tuple[str, ...]:
        """The paths of the charts."""
        return tuple(part.path for section in self.sections for part in section.parts if isinstance(part, Chart))

    def figure(self, path: str | None = None) -> "StyledFigure":
        """Return a chart of the report as a matplotlib figure.

        Parameters
        ----------
        path
            Which of `charts`; the first when not given. Of many small pictures it holds those of one sheet of paper.
        """
        from sfumato.errors import DataError, ParameterError, did_you_mean
        from sfumato.reports.release.rendering.charts import draw_whole

        if not self.charts:
            raise DataError("ReleaseReport.figure: this report has no charts")
        if path is not None and path not in self.charts:
            near = did_you_mean(path, self.charts) or f"; there are {', '.join(self.charts)}"
            raise ParameterError([f"ReleaseReport.figure: there is no chart '{path}'{near}"])
        parts = (part for section in self.sections for part in section.parts if isinstance(part, Chart))
        return draw_whole(next(part for part in parts if path in (None, part.path)))

    def __str__(self) -> str:
        from sfumato.reports.release.rendering.text import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from sfumato.reports.release.rendering.page import render_cell

        return render_cell(self)


def content_json(content: Mapping[str, Any]) -> str:
    """Return the text of a report's JSON: the same content has one text only, so that a changed digit shows."""
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def content_sha256(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all that a report says, but for the SHA-256 itself."""
    told = {name: value for name, value in content.items() if name != "sha256"}
    return text_sha256(json.dumps(told, sort_keys=True, ensure_ascii=False, allow_nan=False))
