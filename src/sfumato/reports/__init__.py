"""Reports for those who decide on a release: what to show as values, apart from how it is shown."""

from sfumato.reports.release import ReleaseReport, report
from sfumato.reports.risk_figures import RiskFigure
from sfumato.reports.risk_report import RiskReport, risk_report
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
