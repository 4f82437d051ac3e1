"""Reports for those who decide on a release: what to show as values, apart from how it is shown."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.reports.risk_figures import RiskFigure
from sfumato.reports.risk_report import RiskReport, risk_report

if TYPE_CHECKING:
    from sfumato.reports.release import ReleaseReport, report

__all__ = [
    "ReleaseReport",
    "RiskFigure",
    "RiskReport",
    "report",
    "risk_report",
]


def __getattr__(name: str) -> Any:
    """Load the report on a release when it is first used, with all measures; the risk of one file needs few of them."""
    if name not in ("ReleaseReport", "report"):
        raise AttributeError(f"module 'sfumato.reports' has no attribute '{name}'")
    return getattr(import_module("sfumato.reports.release"), name)
