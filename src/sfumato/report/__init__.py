"""Reports for those who decide on a release: what to show as values, apart from how it is shown."""

from sfumato.report.risk_limits import RiskLimit, read_risk_limits
from sfumato.report.risk_report import RiskFigure, RiskReport, risk_report

__all__ = ["RiskFigure", "RiskLimit", "RiskReport", "read_risk_limits", "risk_report"]
