"""What some formats cannot hold: refused with the column's name before anything is written."""

from typing import TYPE_CHECKING

from sfumato.data.columns import LARGEST_EXACT_INTEGER
from sfumato.errors import FileError

if TYPE_CHECKING:
    import polars as pl


def check_flat(frame: "pl.DataFrame", name: str) -> None:
    """Refuse a frame without columns, and cells that are no single values: lists, records, durations, raw bytes."""
    import polars as pl

    if not frame.width:
        raise FileError(f"{name} needs at least one column; the data have none")
    for column, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Object, pl.Binary, pl.Duration):
            raise FileError(
                f"column '{column}' has the type {dtype}, which {name} cannot hold; convert it first, or write .parquet"
            )


def check_numbers(frame: "pl.DataFrame", name: str) -> None:
    """Refuse what a format that stores every number as a float cannot hold: infinities, and integers beyond 2**53."""
    import polars as pl

    for series in frame.iter_columns():
        if series.dtype.is_float() and series.is_infinite().any():
            raise FileError(
                f"column '{series.name}' holds infinite values, which {name} cannot hold; make them missing"
            )
        if series.dtype.is_integer() and _reaches_beyond(series.cast(pl.Int128), LARGEST_EXACT_INTEGER):
            raise FileError(
                f"column '{series.name}' holds integers beyond 2**53, which {name} cannot hold exactly; "
                f"make it text first"
            )


def check_text(frame: "pl.DataFrame", name: str, longest: int, *, in_bytes: bool) -> None:
    """Refuse text that is longer than the format allows."""
    import polars as pl

    for series in frame.select(pl.col(pl.String)).iter_columns():
        length = series.str.len_bytes().max() if in_bytes else series.str.len_chars().max()
        if isinstance(length, int) and length > longest:
            unit = "bytes" if in_bytes else "characters"
            raise FileError(
                f"column '{series.name}' holds text of more than {longest} {unit}, the most that {name} can hold; "
                f"shorten it"
            )


def _reaches_beyond(series: "pl.Series", bound: int) -> bool:
    largest, smallest = series.max(), series.min()
    return isinstance(largest, int) and isinstance(smallest, int) and max(largest, -smallest) > bound
