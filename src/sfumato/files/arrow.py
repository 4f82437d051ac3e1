"""Arrow's own file format, also known as Feather: .arrow, .feather."""

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.files.format import Content
from sfumato.files.hidden_values import without_hidden_values
from sfumato.files.library_errors import translate_read_errors, translate_write_errors
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "an Arrow file"
MARK = b"ARROW1"
ROWS_IN_A_BATCH = 262_144  # fixed, so that the same data give the same bytes on any machine


def read(path: Path, options: ReadOptions) -> Content:
    """Read an Arrow file, or an Arrow stream that was saved as one."""
    import polars as pl

    with translate_read_errors(path, NAME), path.open("rb") as stream:
        is_file = stream.read(len(MARK)) == MARK
        stream.seek(0)
        return Content(pl.read_ipc(stream) if is_file else pl.read_ipc_stream(stream))


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write an Arrow file in the form that older readers know too; the same data give the same bytes.

    Arrow writes what lies in memory, so what lies below suppressed cells is removed first.
    """
    import polars as pl

    with translate_write_errors(NAME):
        without_hidden_values(frame).rechunk().write_ipc(
            path, compression="zstd", compat_level=pl.CompatLevel.oldest(), record_batch_size=ROWS_IN_A_BATCH
        )
