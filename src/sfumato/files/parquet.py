"""Apache Parquet: .parquet."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.files.format import Content
from sfumato.files.library_errors import translate_read_errors, translate_write_errors
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "a Parquet file"
ROWS_IN_A_GROUP = 262_144  # fixed, so that the same data give the same bytes on any machine
COMPRESSION_LEVEL = 3


def read(path: Path, options: ReadOptions) -> Content:
    """Read a Parquet file."""
    import polars as pl

    with translate_read_errors(path, NAME):
        # column by column, each in one chunk: less memory than all at once, and later steps read them in place
        return Content(pl.DataFrame([_column(path, name) for name in pl.read_parquet_schema(path)]))


def _column(path: Path, name: str) -> "pl.Series":
    import polars as pl

    return pl.read_parquet(path, columns=[name], glob=False, hive_partitioning=False).to_series().rechunk()


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write a Parquet file; the same data give the same bytes."""
    with translate_write_errors(NAME):
        frame.write_parquet(
            path, compression="zstd", compression_level=COMPRESSION_LEVEL, row_group_size=ROWS_IN_A_GROUP
        )


def join(files: Sequence[Path], target: Path) -> None:
    """Write the rows of several Parquet files as one, in a stream."""
    import polars as pl

    with translate_write_errors(NAME):
        pl.scan_parquet(list(files), glob=False, hive_partitioning=False).sink_parquet(
            target, compression="zstd", compression_level=COMPRESSION_LEVEL, row_group_size=ROWS_IN_A_GROUP
        )
