"""What a notebook shows of a file: its columns."""

from sfumato.data.schema import Schema
from sfumato.display import Table, header_column, render_notebook, text_column

MAX_SHOWN = 60  # columns


def describe_columns(schema: Schema, title: str) -> str:
    """Return a table of what the columns are, as HTML; never a value of a record."""
    rows = tuple((one.name, one.label, str(one.kind), str(one.role)) for one in schema.variables)
    columns = (header_column("column"), text_column("label"), text_column("kind"), text_column("role"))
    return render_notebook([Table(columns, rows, title=title).first(MAX_SHOWN).to_html()])
