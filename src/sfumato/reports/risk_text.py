"""A report on risk as plain text, and the figures in words that text and page share."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfumato.display import (
    Column,
    Table,
    format_count,
    format_number,
    format_percent,
    text_column,
    wrap_text,
)
from sfumato.reports.further_risks import further_table, tables_of_categories

if TYPE_CHECKING:
    from sfumato.reports.risk_figures import RiskFigure
    from sfumato.reports.risk_report import RiskReport

MAX_ROWS = 10  # of each table in a text or on a page


def render_text(report: "RiskReport") -> str:
    """Return the report as text."""
    return "\n".join(_lines(report))


def format_figure(figure: "RiskFigure") -> str:
    """Return the value of a figure with its unit."""
    if figure.unit == "%":
        return format_percent(figure.value)
    unit = figure.unit.removesuffix("s") if figure.value == 1 else figure.unit
    return f"{format_number(figure.value, 0 if figure.value == int(figure.value) else 1)} {unit}".rstrip()


def key_list(report: "RiskReport") -> str:
    """Return the keys with how many values each has."""
    return ", ".join(f"{name} ({values:,})" for name, values in report.keys)


def _lines(report: "RiskReport") -> Iterator[str]:
    yield wrap_text(f"Risk of {format_count(report.records, 'record')} by the keys {key_list(report)}")
    yield from [wrap_text(report.counted_as)] if report.counted_as else []
    yield ""
    rows = tuple((figure.name, format_figure(figure), figure.meaning) for figure in report.figures)
    yield Table((text_column(), Column(), text_column()), rows).to_text()
    for table in (report.variables, report.combinations, report.categories):
        yield ""
        yield table.to_table(MAX_ROWS).to_text()
    if report.further:
        yield ""
        yield further_table(report.further).to_text()
    for categories in tables_of_categories(report.further):
        yield ""
        yield categories.to_table(MAX_ROWS).to_text()
    yield from [""] if report.remarks else []
    yield from (wrap_text(f"Note: {remark}.") for remark in report.remarks)
    yield from [""] if report.limits else []
    for checked in report.limits:
        scope = f", {checked.scope}" if checked.is_met and checked.scope else ""
        found = checked.reason or checked.figure_text
        yield f"Limit {checked.limit_text}: {'met' if checked.is_met else 'NOT MET'} ({found}){scope}"
