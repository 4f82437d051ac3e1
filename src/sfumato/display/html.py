"""Tables and prose as HTML; all text is escaped here, so that no room writes markup itself."""

import re
from collections.abc import Iterable, Iterator
from html import escape as escape_markup
from itertools import chain, repeat

from sfumato.display._stylesheet import PAGE_RULES, TABLE_RULES, rules_within
from sfumato.display.table import Cell, CellValue, Column, ColumnKind, Row, Table, as_cell

EM_PER_PERCENT = 0.08  # of a bar
EM_PER_INDENT = 1.1
PADDING = 0.6  # em to the left of a cell
OVERRIDES = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd")
"""Characters that turn the direction of all text behind them; a name with one would turn the rest of a sentence."""
PERCENT = re.compile(r"(?<=\d) %")
NOTEBOOK = "sfumato"  # the class within which the rules hold in a notebook


def escape(text: str, quote: bool = True) -> str:
    """Return text as HTML shows it: no markup, and nothing that turns the direction of what follows.

    Examples
    --------
    >>> escape("<b> & \u202egnp.exe")
    '&lt;b&gt; &amp; \ufffdgnp.exe'
    """
    return escape_markup(text.translate(OVERRIDES), quote)


def render_html(table: Table) -> str:
    """Return a table as HTML, with its notes below.

    Examples
    --------
    >>> print(render_html(Table((Column("risk", unit="%"),), ((1.5,),))))
    <div class="wide"><table>
    <thead><tr><th scope="col">risk, %</th></tr></thead>
    <tbody>
    <tr><td>1.50</td></tr>
    </tbody></table></div>
    """
    notes = [paragraph(note) for note in table.notes]
    return "\n".join(['<div class="wide"><table>' + _caption(table), *_head(table), *_body(table), *notes])


def render_page(title: str, parts: Iterable[str], *, style: str = "", notice: str = "") -> str:
    """Return a page that stands alone: one file, no script, nothing loaded from elsewhere, black on white on paper.

    Parameters
    ----------
    title
        The heading.
    parts
        What comes below, as HTML.
    style
        Rules beyond those of every page.
    notice
        A sentence that must not be overlooked, above all others.
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{PAGE_RULES}{TABLE_RULES}{style}</style></head><body>",
        heading(title, 1),
        *([f'<p class="notice">{escape(notice)}</p>'] if notice else []),
        *parts,
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def render_notebook(parts: Iterable[str]) -> str:
    """Return what a notebook shows: parts in HTML, with the rules of tables around them."""
    return "\n".join([f'<div class="{NOTEBOOK}"><style>\n{rules_within(f".{NOTEBOOK}")}\n</style>', *parts, "</div>"])


def heading(text: str, level: int = 2, *, anchor: str = "") -> str:
    """Return a heading; one with an anchor can be linked to within the page."""
    named = f' id="{escape(anchor, quote=True)}"' if anchor else ""
    return f"<h{level}{named}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return f"<p>{escape(text)}</p>"


def preformatted(text: str) -> str:
    """Return text whose lines stay as they are."""
    return f"<pre>{escape(text)}</pre>"


def picture(svg: str, caption: str, *, alt: str = "") -> str:
    """Return a drawing with a line below it; `svg` is markup that a figure made, `alt` for who cannot see it."""
    drawn = _with_alt(svg, alt).translate(OVERRIDES)
    return f'<figure class="picture">{drawn}<figcaption>{escape(caption)}</figcaption></figure>'


def pictures(
    drawings: Iterable[str], caption: str, *, alts: Iterable[str] = (), notes: Iterable[str] = (), style: str = "small"
) -> str:
    """Return small drawings beside each other, as many in a row as the page is wide, with a line about all of them.

    Parameters
    ----------
    drawings
        Markup that figures made.
    caption
        The line about all.
    alts
        For each drawing what is told to somebody who cannot see it; none where the caption tells it all.
    notes
        For each drawing a line below it; none where it is empty.
    style
        The class of the figure, which says how drawings stand beside each other.
    """
    drawn = map(_with_alt, drawings, chain(alts, repeat("")))
    panels = (
        f'<div class="panel">{one}{_note(note)}</div>'
        for one, note in zip(drawn, chain(notes, repeat("")), strict=False)
    )
    rows = "\n".join(panels).translate(OVERRIDES)
    return f'<figure class="picture {style}">{rows}<figcaption>{escape(caption)}</figcaption></figure>'


def _note(note: str) -> str:
    return paragraph(note) if note else ""


def _with_alt(svg: str, alt: str) -> str:
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt, quote=True)}"', 1) if alt else svg


def styled_paragraph(text: str, style: str) -> str:
    """Return a paragraph that a rule of the page's style is for."""
    return f'<p class="{style}">{escape(text)}</p>'


def contents_list(entries: Iterable[tuple[str, str]]) -> str:
    """Return the contents of a page: the anchor and the text of each entry."""
    items = "".join(f'<li><a href="#{escape(anchor, quote=True)}">{escape(text)}</a></li>' for anchor, text in entries)
    return f'<nav aria-label="Contents"><ol>{items}</ol></nav>'


def definition_list(entries: Iterable[tuple[str, str, str]]) -> str:
    """Return words with their meanings; each entry is an anchor, a word and its meaning."""
    items = "".join(
        f'<dt id="{escape(anchor, quote=True)}">{escape(word)}</dt><dd>{escape(meaning)}</dd>'
        for anchor, word, meaning in entries
    )
    return f"<dl>{items}</dl>"


def bullet_list(entries: Iterable[str]) -> str:
    """Return a list with bullets."""
    return f"<ul>{''.join(f'<li>{escape(entry)}</li>' for entry in entries)}</ul>"


def numbered_list(entries: Iterable[str]) -> str:
    """Return a list with numbers."""
    return f"<ol>{''.join(f'<li>{escape(entry)}</li>' for entry in entries)}</ol>"


def framed(table: str, style: str) -> str:
    """Return a table, which is markup, that a rule of the page's style is for."""
    return f'<div class="{style}">{table}</div>'


def break_names(table: str) -> str:
    """Return a table, which is markup, whose names break after an underscore where they fill a cell alone.

    Examples
    --------
    >>> break_names('<th title="a_b">pay_gap</th><td>pay_gap of all</td>')
    '<th title="a_b">pay_<wbr>gap</th><td>pay_gap of all</td>'
    """
    return re.sub(r">\w+<", lambda name: name[0].replace("_", "_<wbr>"), table)


def legend(entries: Iterable[tuple[Cell, str]], note: str = "") -> str:
    """Return what cells that stand out on a page mean, with a sentence behind."""
    marks = [
        f'<span><span class="{cell.style}">{escape(cell.text)}</span> {escape(meaning)}</span>'
        for cell, meaning in entries
    ]
    return f'<p class="legend">{" ".join(marks)} <span>{escape(note)}</span></p>'


def _caption(table: Table) -> str:
    return f"<caption>{escape(table.title)}</caption>" if table.title else ""


def _head(table: Table) -> Iterator[str]:
    if not table.has_headings or _is_grouped(table):
        return
    yield f"<thead>{_spanner(table)}<tr>{''.join(map(_column_heading, table.columns))}</tr></thead>"


def _spanner(table: Table) -> str:
    """Return the heading above the columns of numbers, if there is one."""
    if not table.spanner:
        return ""
    stub = sum(column.kind is ColumnKind.HEADER for column in table.columns)
    wide = len(table.columns) - stub
    return f'<tr><td colspan="{stub}"></td><th class="across" colspan="{wide}">{escape(table.spanner)}</th></tr>'


def _column_heading(column: Column) -> str:
    classes = [*_classes(column), *(["part"] if column.indent > 1 else [])]
    return f'<th scope="col"{_attributes(classes, column.hint)}>{escape(column.heading)}</th>'


def _body(table: Table) -> Iterator[str]:
    yield "<tbody>"
    for number, row in enumerate(table.rows):
        if isinstance(row, str):
            yield _group_row(row, table.columns)
        else:
            yield _row(row, table.columns, is_total=number in table.totals)
    yield "</tbody></table></div>"


def _is_grouped(table: Table) -> bool:
    return bool(table.rows) and isinstance(table.rows[0], str)


def _group_row(text: str, columns: tuple[Column, ...]) -> str:
    """Return the heading of a group, with the headings of the columns that have one behind it."""
    named = next((place for place, column in enumerate(columns) if column.heading), len(columns))
    rest = "".join(map(_column_heading, columns[named:]))
    return f'<tr class="group"><th class="text" colspan="{named or 1}">{escape(text)}</th>{rest}</tr>'


def _row(row: Row, columns: tuple[Column, ...], *, is_total: bool) -> str:
    cells = "".join(_cell(value, column) for value, column in zip(row, columns, strict=True))
    return f'<tr class="total">{cells}</tr>' if is_total else f"<tr>{cells}</tr>"


def _cell(value: CellValue, column: Column) -> str:
    cell = as_cell(value)
    if column.kind is ColumnKind.HEADER:
        indent = f' style="padding-left:{PADDING + EM_PER_INDENT * cell.indent:g}em"' if cell.indent else ""
        return f'<th scope="row"{indent}>{_text(cell)}</th>'
    if cell.bar is not None:
        return f'<td class="bar"><span style="width:{max(cell.bar, 0.0) * EM_PER_PERCENT:.2f}em"></span></td>'
    classes = [*_classes(column), *([cell.style] if cell.style else [])]
    focus = ' tabindex="0"' if cell.hint else ""
    text = _text(cell)
    if column.kind is ColumnKind.DETAIL:  # the only narrow prose: 5 % stays on one line
        text = PERCENT.sub("&nbsp;%", text)
    return f"<td{_attributes(classes, cell.hint)}{focus}>{text}{_below(cell)}{_parts(cell)}</td>"


def _text(cell: Cell) -> str:
    """Return the text of a cell, as a link where it has one to a place on the page."""
    text = escape(cell.text)
    return f'<a href="{escape(cell.link, quote=True)}">{text}</a>' if cell.link.startswith("#") else text


def _below(cell: Cell) -> str:
    return f'<div class="below">{escape(cell.below)}</div>' if cell.below else ""


def _parts(cell: Cell) -> str:
    if not cell.parts:
        return ""
    return f"<details><summary>by part</summary>{'<br>'.join(map(escape, cell.parts))}</details>"


def _classes(column: Column) -> list[str]:
    if column.kind is ColumnKind.DETAIL:
        return ["text", "detail"]
    return [] if column.kind is ColumnKind.NUMBER else ["text"]


def _attributes(classes: list[str], hint: str) -> str:
    named = f' class="{" ".join(classes)}"' if classes else ""
    return f'{named} title="{escape(hint, quote=True)}"' if hint else named
