"""A protected file as text and as a page: what was done, what it cost, and the risk before and after."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from sfumato.contracts import MaskingMethod
from sfumato.loss import LOSSES
from sfumato.masking import Generalisation, Recoding
from sfumato.pages import page as whole_page
from sfumato.report.risk_page import STYLE, risk_sections
from sfumato.report.risk_text import told_figure
from sfumato.risk.risk_table import aligned, as_html

if TYPE_CHECKING:
    from sfumato.protection.protected import Protected

MOST_TOLD = 6  # new categories of a key that one line names


class Change(NamedTuple):
    """One figure of the risk before and after."""

    name: str
    before: str
    after: str
    meaning: str


def as_text(protected: "Protected") -> str:
    """Return what was done and the risk before and after it, in lines."""
    return "\n".join(_lines(protected))


def as_page(protected: "Protected", title: str) -> str:
    """Return the page."""
    return whole_page(title, _sections(protected), style=STYLE)


def told_step(step: MaskingMethod) -> str:
    """Return a step in words: what is done to which columns; `protect` names them all."""
    name = type(step).name().replace("_", " ")
    columns = step.columns if isinstance(step.columns, tuple) else (str(step.columns),)
    return f"{name[0].upper()}{name[1:]}: {', '.join(columns)}{_detail(step)}"


def changes(protected: "Protected") -> list[Change]:
    """Return the figures that both reports have."""
    after = {figure.name: figure for figure in protected.after.figures}
    return [
        Change(figure.name, told_figure(figure), told_figure(after[figure.name]), figure.meaning)
        for figure in protected.before.figures
        if figure.name in after
    ]


def losses(protected: "Protected") -> list[tuple[str, str, str]]:
    """Return the losses: symbol, figure, and the name of the measure."""
    return [
        (found.symbol, f"{found.value:.2f} {found.unit}", found.name.replace("_", " "))
        for found in protected.assessment.measurements
        if found.name in LOSSES
    ]


def _keys(protected: "Protected") -> tuple[list[str], list[list[str]], list[bool]]:
    """Return the headings and rows of the table of keys, and which columns are text."""
    rows = [
        [row.key, f"{row.different_before:,}", f"{row.different_after:,}", f"{row.suppressed:.2f} %"]
        for row in protected.columns
    ]
    rows += [["all keys", "", "", f"{protected.suppressed:.2f} %"]] if rows else []
    return ["key", "values before", "values after", "suppressed"], rows, [True, False, False, False]


def _detail(step: MaskingMethod) -> str:
    if isinstance(step, Recoding):
        labels = step.labels or {}
        new = [str(labels.get(code, code)) for code in dict.fromkeys(step.map.values())]
        more = f" and {len(new) - MOST_TOLD} more" if len(new) > MOST_TOLD else ""
        return f" ({len(step.map)} categories joined into {'; '.join(new[:MOST_TOLD])}{more})"
    if isinstance(step, Generalisation):
        return f" (level {step.level} of its hierarchy)"
    breaks = getattr(step, "breaks", None)
    if breaks:
        return f" (classes from {', '.join(f'{start:g}' for start in breaks)})"
    size = getattr(step, "group_size", None)
    return f" (groups of {size})" if size else ""


def _lines(protected: "Protected") -> Iterator[str]:
    yield "What was done"
    for step in map(told_step, protected.recipe.steps):
        yield f"  {step}"
    rows = changes(protected)
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    yield ""
    yield f"Risk{'':<{widths[0] - 2}}  {'before':>{max(widths[1], 6)}}  {'after':>{max(widths[2], 5)}}"
    for row in rows:
        yield f"  {row.name:<{widths[0]}}  {row.before:>{max(widths[1], 6)}}  {row.after:>{max(widths[2], 5)}}"
    yield ""
    yield from aligned(*_keys(protected))
    yield ""
    yield "Loss"
    for symbol, figure, name in losses(protected):
        yield f"  {symbol:<6}{figure:>10}  {name}"
    for remark in protected.remarks:
        yield f"Note: {remark}."


def _sections(protected: "Protected") -> Iterator[str]:
    yield f"<p>{protected.data.n:,} records.</p>"
    yield "<h2>What was done</h2>"
    yield f"<ol>{''.join(f'<li>{escape(step)}</li>' for step in map(told_step, protected.recipe.steps))}</ol>"
    yield "<h2>Risk before and after</h2>"
    rows = "".join(
        f'<tr><td>{escape(row.before)}</td><td>{escape(row.after)}</td><td class="left">{escape(row.meaning)} '
        f"(<code>{row.name}</code>)</td></tr>"
        for row in changes(protected)
    )
    yield f"<table><thead><tr><th>before</th><th>after</th><th></th></tr></thead><tbody>{rows}</tbody></table>"
    yield "<h2>What became of the keys</h2>"
    yield as_html(*_keys(protected))
    yield "<h2>What an honest user loses</h2>"
    cells = "".join(
        f'<tr><th>{symbol}</th><td>{escape(figure)}</td><td class="left">{escape(name)}</td></tr>'
        for symbol, figure, name in losses(protected)
    )
    yield f"<table><tbody>{cells}</tbody></table>"
    if protected.remarks:
        yield f"<ul>{''.join(f'<li>{escape(remark)}.</li>' for remark in protected.remarks)}</ul>"
    for when, report in (("before", protected.before), ("after", protected.after)):
        yield f"<h1>The keys {when} protection</h1>"
        yield from risk_sections(report)
