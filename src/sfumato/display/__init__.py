"""Tables as text, HTML and Markdown, pages that stand alone, numbers, and figures in one style."""

from sfumato.display.html import (
    bullet_list,
    heading,
    legend,
    numbered_list,
    paragraph,
    picture,
    pictures,
    preformatted,
    render_notebook,
    render_page,
)
from sfumato.display.numbers import (
    format_cell,
    format_compact,
    format_count,
    format_mean,
    format_number,
    format_percent,
)
from sfumato.display.table import Cell, Column, ColumnKind, Row, Table, detail_column, header_column, text_column
from sfumato.display.text import WIDTH, as_sentence, as_sentences, join_parts, split_columns, wrap_text

__all__ = [
    "WIDTH",
    "Cell",
    "Column",
    "ColumnKind",
    "Row",
    "Table",
    "as_sentence",
    "as_sentences",
    "bullet_list",
    "detail_column",
    "format_cell",
    "format_compact",
    "format_count",
    "format_mean",
    "format_number",
    "format_percent",
    "header_column",
    "heading",
    "join_parts",
    "legend",
    "numbered_list",
    "paragraph",
    "picture",
    "pictures",
    "preformatted",
    "render_notebook",
    "render_page",
    "split_columns",
    "text_column",
    "wrap_text",
]
