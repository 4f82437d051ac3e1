"""A report on risk as an HTML page for a review board."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.display.page import page as whole_page
from sfumato.report.risk_text import MOST_ROWS, key_list, told_figure
from sfumato.risk._explanations.risk_table import RiskTable

if TYPE_CHECKING:
    from sfumato.report.risk_report import RiskReport

STYLE = """
.figures td:first-child { font-weight: 600; font-size: 1.15em; } .figures td { border: 0; }
.figures td:last-child, .left { text-align: left; white-space: normal; }
.met { color: #1b6e3a; font-weight: 600; } .unmet { color: #8c2d04; font-weight: 600; }
.bar { text-align: left; min-width: 9em; }
.bar span { display: inline-block; height: .8em; background: #0072b2; vertical-align: middle; }
@media print { .bar span { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
TABLES = {
    "variables": (
        "Keys that drive the risk",
        "How far the global risk falls when a key is not known; all in percent.",
        "fall",
    ),
    "combinations": (
        "Riskiest combinations of categories",
        "Kinds of records whose risk stands out most; single records are not shown. Risks and shares in percent.",
        "mean risk",
    ),
    "categories": (
        "Riskiest categories",
        "The categories whose records are at most risk, of those that at least 3 records have; in percent.",
        "mean risk",
    ),
}


def risk_page(report: "RiskReport", title: str) -> str:
    """Return the page."""
    unmet = [str(checked.limit) for checked in report.limits if not checked.is_met]
    notice = f"Not within limits: {', '.join(unmet)}." if unmet else ""
    return whole_page(title, risk_sections(report), style=STYLE, notice=notice)


def risk_sections(report: "RiskReport") -> Iterator[str]:
    """Yield the sections of the page."""
    yield f"<p>{report.records:,} records. Keys, with the number of their values: {escape(key_list(report))}.</p>"
    yield from limit_rows(report)
    yield "<h2>Who stands out</h2>"
    rows = "".join(
        f"<tr><td>{escape(told_figure(figure))}</td><td>{escape(figure.meaning)} (<code>{figure.name}</code>)</td></tr>"
        for figure in report.figures
    )
    yield f'<table class="figures"><tbody>{rows}</tbody></table>'
    for name, (heading, explanation, bar) in TABLES.items():
        yield f"<h2>{heading}</h2><p>{explanation}</p>"
        yield _table(getattr(report, name), bar)
    if report.remarks:
        yield f"<h2>Notes</h2><ul>{''.join(f'<li>{escape(_sentence(remark))}</li>' for remark in report.remarks)}</ul>"


def limit_rows(report: "RiskReport") -> Iterator[str]:
    """Yield the limits, and whether they are met."""
    if not report.limits:
        return
    yield "<h2>Limits</h2>"
    rows = "".join(
        f"<tr><th>{escape(str(checked.limit))}</th><td>{checked.figure:.4g}</td>"
        f'<td class="{"met" if checked.is_met else "unmet"}">{"met" if checked.is_met else "not met"}</td></tr>'
        for checked in report.limits
    )
    head = '<tr><th class="left">limit</th><th>figure</th><th></th></tr>'
    yield f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _table(table: RiskTable[Any], bar: str) -> str:
    """Return a table with a bar beside each row, as long as the percentage in one of its columns."""
    headings, rows, is_text = table.first(MOST_ROWS)
    if not rows:
        return f"<p>{escape(table.remark)}</p>"
    place = headings.index(bar)
    head = "".join(f"<th{_side(text)}>{escape(name)}</th>" for name, text in zip(headings, is_text, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{_side(text)}>{escape(cell)}</td>" for cell, text in zip(row, is_text, strict=True))
        + f'<td class="bar"><span style="width:{_width(row[place])}em"></span></td></tr>'
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{head}<th></th></tr></thead><tbody>{body}</tbody></table></div>'


def _side(is_text: bool) -> str:
    return ' class="left"' if is_text else ""


def _width(percent: str) -> str:
    """Return the length of a bar."""
    return "0" if percent == "-" else f"{max(float(percent), 0.0) * 0.08:.2f}"


def _sentence(remark: str) -> str:
    return f"{remark[:1].upper()}{remark[1:]}."
