"""A column that says of every record that it is synthetic, so that nobody takes the file for another."""

from sfumato.data import Kind, Microdata, Variable
from sfumato.data.releases import LABEL
from sfumato.errors import DataError


def check_label(who: str, block: Microdata, label: str | None) -> None:
    """Refuse a label for a file that has a column of its name."""
    if label is not None and LABEL in block.schema:
        raise DataError(
            f"{who}.label stands in a new column '{LABEL}', but the file has one of that name; rename it first"
        )


def add_label(file: Microdata, label: str | None) -> Microdata:
    """Return the file with the label in a new column; as it is without one."""
    if label is None:
        return file
    return file.with_column(Variable(name=LABEL, kind=Kind.NOMINAL), [label] * file.n)
