"""Codes as text: the one form in which specification, data, hierarchies and patterns agree on them."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

if TYPE_CHECKING:
    import polars as pl


def code_text(value: Any) -> Any:
    """Return a code of a specification as text; what cannot be a code stays as it is.

    Examples
    --------
    >>> code_text(7), code_text("07"), code_text(2.0), code_text(True)
    ('7', '07', '2', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else value


CodeText = Annotated[str, BeforeValidator(code_text)]


def convert_codes(frame: "pl.DataFrame", columns: tuple[str, ...]) -> "pl.DataFrame":
    """Return a frame whose columns of codes are text: 1 and 1.0 both become '1'; columns that it lacks are left out."""
    import polars as pl

    changed = []
    for name in (name for name in columns if name in frame.columns):
        column = frame[name]
        if column.dtype.is_float() and (column.drop_nulls() == column.drop_nulls().round()).all():
            column = column.cast(pl.Int64)
        changed.append(column.cast(pl.String))
    return frame.with_columns(changed)
