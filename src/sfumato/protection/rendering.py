"""A protected file as text and as a page: what was done, what it cost, and the risk before and after."""

from collections.abc import Iterator
from html import escape
from importlib.metadata import version
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from sfumato.contracts import MaskingMethod
from sfumato.display.page import page as whole_page
from sfumato.loss import LOSSES, Suppressions
from sfumato.masking import Generalisation, Mdav, Recoding
from sfumato.report.risk_page import STYLE, limit_rows, risk_sections
from sfumato.report.risk_text import WIDTH, told_figure
from sfumato.risk import RISKS
from sfumato.risk._explanations.risk_table import aligned, as_html

if TYPE_CHECKING:
    from sfumato.protection.protected import Protected

LOST = "What an honest user loses, in the columns that kept their kind"
LEARNT = "What an intruder who knows the numbers still learns"


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
    name = "microaggregation (MDAV)" if isinstance(step, Mdav) else type(step).name().replace("_", " ")
    columns = step.columns if isinstance(step.columns, tuple) else (str(step.columns),)
    return f"{name[0].upper()}{name[1:]}: {', '.join(columns)}{_detail(step)}"


def verdict(protected: "Protected") -> str:
    """Return what holds for the protected file, in a sentence."""
    k = protected.after.k
    return (
        f"{protected.data.n:,} records, protected with k = {k} by sfumato {version('sfumato')}: what each record shows "
        f"of its keys fits at least {k} records."
    )


def changes(protected: "Protected") -> list[Change]:
    """Return the figures that both reports have."""
    after = {figure.name: figure for figure in protected.after.figures}
    return [
        Change(figure.name, told_figure(figure), told_figure(after[figure.name]), figure.meaning)
        for figure in protected.before.figures
        if figure.name in after
    ]


def measured(protected: "Protected") -> dict[str, list[tuple[str, str, str]]]:
    """Return what was measured by its heading: symbol, figure, and the name of the measure."""
    found: dict[str, list[tuple[str, str, str]]] = {LOST: [], LEARNT: []}
    for one in protected.assessment.measurements:
        measure = LOSSES.get(one.name) or RISKS[one.name]
        said = (measure.__doc__ or "").partition("\n")[0].strip()
        if measure is not Suppressions:  # the keys tell it, key by key
            row = (one.symbol, f"{one.value:.2f} {one.unit}", f"{one.name.replace('_', ' ')}. {said}")
            found[LOST if one.name in LOSSES else LEARNT].append(row)
    return {heading: rows for heading, rows in found.items() if rows}


def _keys(protected: "Protected") -> tuple[list[str], list[list[str]], list[bool]]:
    """Return the headings and rows of the table of keys, and which columns are text."""
    rows = [
        [
            row.key,
            f"{row.different_before:,}",
            f"{row.different_after:,}",
            f"{row.suppressed:.2f} %",
            f"{row.loss:.2f} %",
        ]
        for row in protected.keys
    ]
    rows.append(["all keys", "", "", f"{protected.suppressed:.2f} %", f"{protected.key_loss:.2f} %"])
    return ["key", "values before", "values after", "suppressed", "lost"], rows, [True, False, False, False, False]


def _detail(step: MaskingMethod) -> str:
    if isinstance(step, Recoding):
        return f" ({len(step.map)} categories joined into {len(set(step.map.values()))})"
    if isinstance(step, Generalisation):
        return f" (level {step.level} of its hierarchy)"
    breaks = getattr(step, "breaks", None)
    if breaks:
        return f" (classes from {', '.join(f'{start:g}' for start in breaks)})"
    size = getattr(step, "k", None)
    return f" (groups of {size})" if size else ""


def _lines(protected: "Protected") -> Iterator[str]:
    yield from wrap(verdict(protected), WIDTH)
    yield ""
    yield "What was done"
    for step in map(told_step, protected.recipe.steps):
        yield f"  {step}"
    yield ""
    yield "Risk"
    figures = [[change.name, change.before, change.after] for change in changes(protected)]
    yield from aligned(["figure", "before", "after"], figures, [True, False, False])
    yield ""
    yield from aligned(*_keys(protected))
    for heading, rows in measured(protected).items():
        yield ""
        yield heading
        for symbol, figure, name in rows:
            yield f"  {symbol:<6}{figure:>10}  {name}"
    yield ""
    yield from wrap(f"Released as they were: {', '.join(protected.unchanged) or 'no column'}.", WIDTH)
    for remark in protected.remarks:
        yield from wrap(f"Note: {remark}.", WIDTH)


def _sections(protected: "Protected") -> Iterator[str]:
    yield f"<p>{escape(verdict(protected))}</p>"
    yield from limit_rows(protected.after)
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
    for heading, found in measured(protected).items():
        cells = "".join(
            f'<tr><th>{symbol}</th><td>{escape(figure)}</td><td class="left">{escape(name)}</td></tr>'
            for symbol, figure, name in found
        )
        yield f"<h2>{heading}</h2><table><tbody>{cells}</tbody></table>"
    yield f"<h2>Released as they were</h2><p>{escape(', '.join(protected.unchanged) or 'no column')}</p>"
    if protected.remarks:
        yield f"<h2>Notes</h2><ul>{''.join(f'<li>{escape(remark)}.</li>' for remark in protected.remarks)}</ul>"
    for when, report in (("before", protected.before), ("after", protected.after)):
        yield f"<h1>The keys {when} protection</h1>"
        yield from risk_sections(report)
