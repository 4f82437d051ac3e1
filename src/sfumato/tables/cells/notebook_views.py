"""What a notebook shows of tables: their size and dimensions, or what is published of them; never a true cell."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sfumato.display import Column, Table, header_column, paragraph, render_notebook, text_column

if TYPE_CHECKING:
    import polars as pl

MAX_ROWS = 30  # of a table that is shown
MAX_TABLES = 4  # that are shown
NOT_PUBLISHED = "x"


def render_dimensions(title: str, sizes: Sequence[tuple[str, int]]) -> str:
    """Return the dimensions of a table with their codes counted; its cells may be unsafe."""
    columns = (header_column("dimension"), Column("codes, totals included"))
    return render_notebook([Table(columns, tuple(sizes), title=title).to_html()])


def render_rules(title: str, counts: Sequence[tuple[str, str, int]], remarks: Iterable[str]) -> str:
    """Return how many cells of each table are unsafe, by rule."""
    columns = (header_column("table"), text_column("rule"), Column("unsafe cells"))
    return render_notebook([Table(columns, tuple(counts), title=title).to_html(), *map(paragraph, remarks)])


def render_published(frames: Sequence["pl.DataFrame"], names: Sequence[int], remarks: Iterable[str]) -> str:
    """Return tables as the public sees them, the first of them; `names` says how many columns of each hold codes."""
    shown = []
    for frame, held in list(zip(frames, names, strict=True))[:MAX_TABLES]:
        columns = (*map(header_column, frame.columns[:held]), *map(Column, frame.columns[held:]))
        rows = tuple(
            (*map(str, row[:held]), *(NOT_PUBLISHED if value is None else f"{value:,.10g}" for value in row[held:]))
            for row in frame.rows()
        )
        shown.append(Table(columns, rows, notes=(f"{NOT_PUBLISHED}: not published",)).first(MAX_ROWS).to_html())
    left = len(frames) - len(shown)
    more = [f"and {left} more table{'s' * (left > 1)}"] if left > 0 else []
    return render_notebook([*shown, *map(paragraph, (*more, *remarks))])


def render_counts(title: str, counts: Sequence[tuple[str, int, int]]) -> str:
    """Return how many cells of each table there are, and are not published."""
    columns = (header_column("table"), Column("cells"), Column("not published"))
    return render_notebook([Table(columns, tuple(counts), title=title).first(MAX_ROWS).to_html()])
