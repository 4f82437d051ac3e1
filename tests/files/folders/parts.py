"""Files cut into parts of odd sizes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.data import Schema
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles


def write_parts(frame: pl.DataFrame, folder: Path, ends: Sequence[int]) -> tuple[Path, ...]:
    """Write a file as parts that end at some rows, the last one with the file."""
    folder.mkdir()
    bounds = [0, *ends, len(frame)]
    files = tuple(folder / f"people-{number}.parquet" for number in range(len(bounds) - 1))
    for file, start, stop in zip(files, bounds, bounds[1:], strict=False):
        frame[start:stop].write_parquet(file)
    return files


def folder_of(frame: pl.DataFrame, schema: Schema, folder: Path, ends: Sequence[int]) -> Folder:
    """Return a file as a folder of parts."""
    files = write_parts(frame, folder, ends)
    return Folder(schema, StackedFiles(files, tuple(np.diff([0, *ends, len(frame)]).tolist())))
