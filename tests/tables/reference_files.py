"""The reference tables of the field, read from the folder of the reference files."""

from functools import cache
from pathlib import Path

import polars as pl

from sfumato.data import Hierarchy
from sfumato.datasets import reference_folder


@cache
def reference_frame(name: str) -> pl.DataFrame:
    """Return a file of the folder of tables, every column as text."""
    return pl.read_csv(table_file(name), infer_schema_length=0)


def table_file(name: str) -> Path:
    """Return the path of a file of the folder of tables."""
    return reference_folder() / "tables" / f"{name}.csv"


def with_numbers(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    """Return the frame with some of its columns as numbers."""
    return frame.with_columns(pl.col(names).cast(pl.Float64))


def reference_hierarchy(name: str) -> Hierarchy:
    """Return a hierarchy of the folder of tables."""
    return Hierarchy.from_frame(reference_frame(name).with_columns(pl.col("level").cast(pl.Int64)))


def grouped(frame: pl.DataFrame, leaf: str, group: str) -> Hierarchy:
    """Return the grouping that one column of a frame makes of another."""
    return Hierarchy.from_levels(frame.select(leaf, group).unique(maintain_order=True).rows(), root="Total")
