"""A release report as plain text: the verdict, the limits and the main figures."""

from sfumato.display import Column, Table, text_column, wrap_text
from sfumato.reports.release.release_report import ReleaseReport
from sfumato.reports.release.sections import Emphasis, FigureTable, Prose


def render_text(report: ReleaseReport) -> str:
    """Return the verdict, and each figure that a section explains."""
    figures = {figure.path: figure for figure in report.figures}
    lines = [report.title, ""]
    for section in report.sections:
        lines += [
            wrap_text(part.text)
            for part in section.parts
            if isinstance(part, Prose) and part.emphasis is not Emphasis.PLAIN
        ]
        tables = [part for part in section.parts if isinstance(part, FigureTable)]
        rows = tuple(
            (row.label, figures[row.explained].text) for part in tables for row in part.rows if row.explained in figures
        )
        if rows:
            lines += ["", Table((text_column(), Column()), rows, title=section.title).to_text()]
    return "\n".join(lines)
