"""A report on risk as an HTML page for a review board."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.display import (
    Cell,
    Column,
    ColumnKind,
    Table,
    as_sentence,
    bullet_list,
    format_count,
    header_column,
    heading,
    paragraph,
    render_page,
    text_column,
)
from sfumato.reports.further_risks import further_table, tables_of_categories
from sfumato.reports.risk_text import MAX_ROWS, format_figure, key_list
from sfumato.risk._explanations.risk_table import RiskTable

if TYPE_CHECKING:
    from sfumato.reports.risk_report import RiskReport

INSIDE = (
    "This page describes the file as it is, with categories and counts of it: of an original file it is as "
    "confidential as the file, for those who decide on a release and not for publication."
)
TABLES = {
    "variables": (
        "Keys that drive the risk",
        "How far the global risk falls when a key is not known; all in percent.",
        "fall",
    ),
    "combinations": (
        "Riskiest combinations of categories",
        "Kinds of records whose risk stands out most; single records are not shown. Risks and shares in percent.",
        "mean_risk",
    ),
    "categories": (
        "Riskiest categories",
        "The categories whose records are at most risk, of those that at least {records} records have; in percent.",
        "mean_risk",
    ),
}


def risk_page(report: "RiskReport", title: str) -> str:
    """Return the page."""
    unmet = [checked.limit_text for checked in report.limits if not checked.is_met]
    notice = f"Not within limits: {', '.join(unmet)}. {INSIDE}" if unmet else INSIDE
    return render_page(title, risk_sections(report), notice=notice)


def risk_sections(report: "RiskReport") -> Iterator[str]:
    """Yield the sections of the page."""
    yield paragraph(
        f"{format_count(report.records, 'record')}. Keys, with the number of their values: {key_list(report)}."
    )
    yield from [paragraph(report.counted_as)] if report.counted_as else []
    yield from limit_section(report)
    if report.remarks:
        yield heading("Notes, to be read with the figures")
        yield bullet_list(as_sentence(f"{remark}.") for remark in report.remarks)
    yield heading("Who stands out")
    rows = tuple(
        (Cell(format_figure(figure), style="figure"), figure.meaning, figure.name) for figure in report.figures
    )
    yield Table((Column(), text_column(), text_column()), rows).to_html()
    for name, (title, explanation, bar) in TABLES.items():
        yield heading(title)
        yield paragraph(explanation.format(records=report.min_records))
        yield table_with_bars(getattr(report, name), bar)
    if report.further:
        yield heading("Further measures")
        yield further_table(report.further, "").to_html()
    for categories in tables_of_categories(report.further):
        yield heading("Categories that special uniques are made of")
        yield paragraph("How much of all SUDA scores comes from sets of keys with this category; in percent.")
        yield table_with_bars(categories, "share_of_scores")


def limit_section(report: "RiskReport") -> Iterator[str]:
    """Yield the limits, and whether they are met."""
    if not report.limits:
        return
    yield heading("Limits")
    verdicts = {True: Cell("met", style="good"), False: Cell("not met", style="bad")}
    rows = tuple(
        (one.limit_text, one.figure_text, verdicts[one.is_met], one.reason or (one.scope if one.is_met else ""))
        for one in report.limits
    )
    yield Table((header_column("limit"), Column("figure"), text_column(), text_column()), rows).to_html()


def table_with_bars(table: RiskTable[Any], field: str) -> str:
    """Return a table with a bar beside each row, as long as the percentage in one of its fields."""
    shown = replace(table.to_table(MAX_ROWS), title="")
    if not shown.rows:
        return paragraph(table.remark)
    bars = [Cell(bar=getattr(row, field) or 0.0) for row in table.rows[:MAX_ROWS]]
    rows = tuple((*row, bar) for row, bar in zip(shown.rows, bars, strict=True))
    return replace(shown, columns=(*shown.columns, Column(kind=ColumnKind.TEXT)), rows=rows).to_html()
