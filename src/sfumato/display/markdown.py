"""Tables as Markdown, for the documentation."""

from sfumato.display.table import CellValue, Column, ColumnKind, Table, as_cell


def render_markdown(table: Table) -> str:
    r"""Return a table as Markdown; what cells hold may be Markdown itself.

    Examples
    --------
    >>> from sfumato.display import text_column
    >>> print(render_markdown(Table((text_column("Name"), Column("Risk", unit="%")), (("a|b", 1.5),))))
    | Name | Risk, % |
    | --- | ---: |
    | a\|b | 1.50 |
    """
    head = [column.heading for column in table.columns]
    rows = [[_word(cell) for cell in row] for row in table.rows if not isinstance(row, str)]
    return "\n".join(f"| {' | '.join(words)} |" for words in [head, list(map(_rule, table.columns)), *rows])


def _rule(column: Column) -> str:
    return "---:" if column.kind is ColumnKind.NUMBER else "---"


def _word(value: CellValue) -> str:
    return as_cell(value).text.replace("|", "\\|").replace("\n", " ")
