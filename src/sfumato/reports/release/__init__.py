"""The release report: what a review board signs, as values first, then as a page and as JSON that can be checked."""

from sfumato.reports.release.build import report
from sfumato.reports.release.release_report import ReleaseReport

__all__ = ["ReleaseReport", "report"]
