"""Protected tables as an HTML page that stands alone, can be printed, and holds no figure of a suppressed cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sfumato.display import (
    Cell,
    Table,
    bullet_list,
    detail_column,
    heading,
    legend,
    render_page,
    split_columns,
    text_column,
)
from sfumato.tables.protected_tables import CellStatus
from sfumato.tables.rendering.crosstab import MARKS, UNEXPLAINED, Crosstab, suppressed_style
from sfumato.tables.rendering.page_style import STYLE

MEANINGS = {
    CellStatus.PRIMARY: "unsafe by a rule, or by what was given",
    CellStatus.SECONDARY: "suppressed because unsafe cells could be worked out from it",
    CellStatus.SUPPRESSED: "suppressed because it was given so",
}
WIDTH = 140  # characters of a row that fit on paper laid across
MAX_LISTED = 1_000  # suppressed cells in the list below a table


def table_page(title: str, tables: Mapping[str, Crosstab], *, facts: Sequence[str] = (), notice: str = "") -> str:
    """Return an HTML page with tables.

    Parameters
    ----------
    title
        The heading.
    tables
        Cross-tabulations by their names; all that a cell shows, hints included, goes into the page.
    facts
        Sentences to put above the tables.
    notice
        A sentence that must not be overlooked, above all others.
    """
    parts = [
        *([bullet_list(facts)] if facts else []),
        *(part for name, table in tables.items() for part in _section(name, table, several=len(tables) > 1)),
    ]
    return render_page(title, parts, style=STYLE, notice=notice)


def _section(name: str, table: Crosstab, *, several: bool) -> Iterator[str]:
    if several:
        yield heading(name)
    if table.has_marked_cells:
        has_gaps = any(cell is None for row in table.cells for cell in row)
        yield legend(_legend_entries(table), "An empty place has no cell." if has_gaps else "")
    caption = f"{table.title} by {' x '.join([*table.down, *([table.across] if table.across else [])])}"
    for block in split_columns(replace(table.to_table(), title=caption), WIDTH):
        yield block.to_html()
    yield from _reasons(table)


def _legend_entries(table: Crosstab) -> Iterator[tuple[Cell, str]]:
    """Yield each kind of marked cell that the table has, with its meaning."""
    statuses = {cell.status for row in table.cells for cell in row if cell is not None and cell.is_marked}
    for status, mark in MARKS.items():
        if status in statuses:
            yield Cell(mark, style=suppressed_style(status)), MEANINGS[status]
    if None in statuses:
        yield Cell(UNEXPLAINED, style=suppressed_style(None)), "suppressed to protect contributors"


def _reasons(table: Crosstab) -> Iterator[str]:
    """Yield the marked cells with their reasons, for paper, where nothing can be pointed at."""
    names = [*table.down, *([table.across] if table.across else [])]
    rows = []
    for labels, cells in zip(table.rows, table.cells, strict=True):
        for column, cell in zip(table.columns, cells, strict=True):
            if cell is not None and cell.hint:
                codes = [label.text for label in (*labels, column)]  # a table of one dimension has no code across
                place = ", ".join(f"{name}={code}" for name, code in zip(names, codes, strict=False))
                rows.append((place, Cell(cell.text, style=suppressed_style(cell.status)), cell.hint))
    if rows:
        yield heading("Why cells are marked", 3)
        yield Table((text_column(), text_column(), detail_column()), tuple(rows)).first(MAX_LISTED).to_html()
