"""Reports for those who decide on a release: what to show as values, apart from how it is shown."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.reports.risk_figures import RiskFigure
from sfumato.reports.risk_report import RiskReport, risk_report

if TYPE_CHECKING:
    from sfumato.reports.release import ReleaseReport, report
    from sfumato.reports.synthetic_report import SyntheticReport, synthetic_report

__all__ = [
    "ReleaseReport",
    "RiskFigure",
    "RiskReport",
    "SyntheticReport",
    "report",
    "risk_report",
    "synthetic_report",
]

_PLACE_OF = dict.fromkeys(("ReleaseReport", "report"), "release")
_PLACE_OF |= dict.fromkeys(("SyntheticReport", "synthetic_report"), "synthetic_report")


def __getattr__(name: str) -> Any:
    """Load a report on two files when it is first used, with all measures; the risk of one file needs few of them."""
    if name not in _PLACE_OF:
        raise AttributeError(f"module 'sfumato.reports' has no attribute '{name}'")
    return getattr(import_module(f"sfumato.reports.{_PLACE_OF[name]}"), name)
