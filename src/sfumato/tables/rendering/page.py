"""Protected tables as an HTML page that stands alone, can be printed, and holds no figure of a hidden cell."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from sfumato.display.page import page as whole_page
from sfumato.tables.rendering.crosstab import MARKS, UNTOLD, Crosstab, Label, Shown, in_blocks
from sfumato.tables.rendering.page_style import STYLE
from sfumato.tables.suppress import CellStatus

MEANINGS = {
    CellStatus.PRIMARY: "hidden because a rule, or what was given, calls it unsafe",
    CellStatus.SECONDARY: "hidden because unsafe cells could be worked out from it",
    CellStatus.HIDDEN: "hidden because it was given so",
}
WIDEST = 140  # characters of a row that fit on paper laid across
MOST_LISTED = 1_000  # hidden cells in the list below a table


def page(title: str, tables: Mapping[str, Crosstab], *, facts: Sequence[str] = (), notice: str = "") -> str:
    """Return an HTML page with tables.

    Parameters
    ----------
    title
        The heading.
    tables
        Laid-out tables by their names; all that a cell shows, hints included, goes into the page.
    facts
        Sentences to put above the tables.
    notice
        A sentence that must not be overlooked, above all others.
    """
    parts = [
        *([f"<ul>{''.join(f'<li>{escape(fact)}</li>' for fact in facts)}</ul>"] if facts else []),
        *(part for name, laid in tables.items() for part in _section(name, laid, several=len(tables) > 1)),
    ]
    return whole_page(title, parts, style=STYLE, notice=notice)


def _section(name: str, laid: Crosstab, *, several: bool) -> Iterator[str]:
    if several:
        yield f"<h2>{escape(name)}</h2>"
    yield _legend(laid)
    for block in in_blocks(laid, WIDEST):
        yield from _table(block)
    yield from _list(laid)


def _table(laid: Crosstab) -> Iterator[str]:
    yield f'<div class="wide"><table><caption>{escape(_caption(laid))}</caption>'
    yield f"<thead>{''.join(_head(laid))}</thead><tbody>"
    for labels, cells in zip(laid.rows, laid.cells, strict=True):
        stub = "".join(f'<th scope="row"{_indent(label)}>{escape(label.text)}</th>' for label in labels)
        is_total = ' class="total"' if all(label.level == 0 for label in labels) else ""
        yield f"<tr{is_total}>{stub}{''.join(map(_cell, cells))}</tr>"
    yield "</tbody></table></div>"


def _caption(laid: Crosstab) -> str:
    return f"{laid.title} by {' x '.join([*laid.down, *([laid.across] if laid.across else [])])}"


def _head(laid: Crosstab) -> Iterator[str]:
    stub = "".join(f'<th scope="col">{escape(name)}</th>' for name in laid.down)
    columns = "".join(f'<th scope="col"{_depth(label)}>{escape(label.text)}</th>' for label in laid.columns)
    if laid.across:
        above = f'<th class="across" colspan="{len(laid.columns)}">{escape(laid.across)}</th>'
        yield f'<tr><td colspan="{len(laid.down)}"></td>{above}</tr>'
    yield f"<tr>{stub}{columns}</tr>"


def _cell(cell: Shown | None) -> str:
    if cell is None:
        return '<td class="none"></td>'
    if not cell.is_hidden:
        return f"<td>{escape(cell.text)}</td>"
    hint = f' title="{escape(cell.hint, quote=True)}" tabindex="0"' if cell.hint else ""
    return f'<td class="hidden {_kind(cell.status)}"{hint}>{escape(cell.text.strip("[]"))}</td>'


def _legend(laid: Crosstab) -> str:
    shown = [cell for row in laid.cells for cell in row if cell is not None and cell.is_hidden]
    statuses = {cell.status for cell in shown}
    if not shown:
        return ""
    entries = [
        f'<span><span class="hidden {_kind(status)}">{MARKS[status].strip("[]")}</span> {MEANINGS[status]}</span>'
        for status in MARKS
        if status in statuses
    ]
    if None in statuses:
        entries.append(f'<span><span class="hidden untold">{UNTOLD}</span> hidden to protect contributors</span>')
    return f'<p class="legend">{" ".join(entries)} <span>An empty place has no cell.</span></p>'


def _list(laid: Crosstab) -> Iterator[str]:
    """Yield the hidden cells with their reasons, for paper, where nothing can be pointed at."""
    across = [laid.across] if laid.across else []
    told = [
        (", ".join(f"{name}={code}" for name, code in zip([*laid.down, *across], codes, strict=True)), cell)
        for labels, cells in zip(laid.rows, laid.cells, strict=True)
        for column, cell in zip(laid.columns, cells, strict=True)
        if cell is not None and cell.hint
        for codes in [[*(label.text for label in labels), *([column.text] if across else [])]]
    ]
    if not told:
        return
    yield '<h3>Why cells are hidden</h3><table class="list"><tbody>'
    for name, cell in told[:MOST_LISTED]:
        mark = f'<td class="hidden {_kind(cell.status)}">{escape(cell.text.strip("[]"))}</td>'
        yield f"<tr><td>{escape(name)}</td>{mark}<td>{escape(cell.hint)}</td></tr>"
    yield "</tbody></table>"
    if len(told) > MOST_LISTED:
        yield f"<p>and {len(told) - MOST_LISTED} more</p>"


def _kind(status: CellStatus | None) -> str:
    """Return the name under which the style knows a hidden cell."""
    if status is None:
        return "untold"
    return "given" if status is CellStatus.HIDDEN else status.value


def _indent(label: Label) -> str:
    return f' style="padding-left:{0.6 + 1.1 * label.level:g}em"' if label.level else ""


def _depth(label: Label) -> str:
    return ' class="part"' if label.level > 1 else ""
