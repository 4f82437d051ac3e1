"""A report on risk as plain text."""

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from sfumato.risk._explanations.risk_table import aligned

if TYPE_CHECKING:
    from sfumato.report.risk_report import RiskFigure, RiskReport

WIDTH = 100
MOST_ROWS = 10  # rows of each table that a page shows


def as_text(report: "RiskReport") -> str:
    """Return the report as lines of text."""
    return "\n".join(_lines(report))


def told_figure(figure: "RiskFigure") -> str:
    """Return the value of a figure with its unit: a share also in percent, a number with its thousands apart."""
    if not figure.unit:
        return f"{figure.value:.4g} ({100 * figure.value:.2g} %)"
    number = f"{figure.value:,.0f}" if figure.value == int(figure.value) else f"{figure.value:,.1f}"
    return f"{number} {figure.unit}"


def key_list(report: "RiskReport") -> str:
    """Return the keys with how many values each has."""
    return ", ".join(f"{name} ({values:,})" for name, values in report.keys)


def _lines(report: "RiskReport") -> Iterator[str]:
    yield from wrap(f"Risk of {report.records:,} records by the keys {key_list(report)}", WIDTH)
    yield ""
    width = max(len(told_figure(figure)) for figure in report.figures)
    for figure in report.figures:
        yield f"  {figure.name:<28}{told_figure(figure):>{width}}  {figure.meaning}"
    for table in (report.variables, report.combinations, report.categories):
        yield ""
        yield table.title
        yield from aligned(*table.first(MOST_ROWS))
        if table.remark:
            yield f"  {table.remark}"
    if report.remarks:
        yield ""
        for remark in report.remarks:
            yield from wrap(f"Note: {remark}.", WIDTH)
    if report.limits:
        yield ""
        for checked in report.limits:
            met = "met" if checked.is_met else "NOT MET"
            yield f"Limit {checked.limit}: {met} ({checked.figure:.4g})"
