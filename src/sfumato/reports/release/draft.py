"""A section while a report is put together: its parts, and the figures that they name."""

from collections.abc import Iterable
from typing import NamedTuple

from sfumato.reports.release.figure import ReportFigure
from sfumato.reports.release.sections import Part, Section


class Draft(NamedTuple):
    """A section and its figures."""

    section: Section
    figures: tuple[ReportFigure, ...]


def draft(key: str, title: str, parts: Iterable[Part], figures: Iterable[ReportFigure] = ()) -> Draft:
    """Return a section with its figures."""
    return Draft(Section(key, title, tuple(parts)), tuple(figures))
