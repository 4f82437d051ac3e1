"""What a file format is: how it is read and written, and what it keeps of a schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.files.labels import Labels
from sfumato.files.read_options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

NO_LABELS: Mapping[str, Labels] = MappingProxyType({})


@dataclass(frozen=True)
class WritingOptions:
    """How a text file is to be written."""

    separator: str = ","
    decimal: str = "."


@dataclass(frozen=True)
class Content:
    """The columns of a file, and what it says of them."""

    frame: "pl.DataFrame"
    labels: Mapping[str, Labels] = field(default_factory=lambda: NO_LABELS)


def no_labels(_schema: Schema) -> Mapping[str, Labels]:
    """Return no labels: what a file without room for them keeps of a schema."""
    return NO_LABELS


def same_frame(frame: "pl.DataFrame", _options: WritingOptions) -> "pl.DataFrame":
    """Return the frame: what a file that keeps all types gives back."""
    return frame


@dataclass(frozen=True)
class Format:
    """One format of file.

    Parameters
    ----------
    name
        What to call it in a message, as in "an SPSS file".
    read
        Reads a file of this format.
    write
        Writes one; None where the format can only be read.
    options
        The options that mean something for it.
    stored_labels
        What the file itself keeps of a schema.
    stored_frame
        The frame as it would come back from the file, where types change on the way.
    separator
        What separates the fields when it is written as text, unless something else is asked for.
    """

    name: str
    read: Callable[[Path, ReadOptions], Content]
    write: "Callable[[pl.DataFrame, Schema, Path, WritingOptions], None] | None" = None
    options: frozenset[str] = frozenset()
    stored_labels: Callable[[Schema], Mapping[str, Labels]] = no_labels
    stored_frame: "Callable[[pl.DataFrame, WritingOptions], pl.DataFrame]" = same_frame
    separator: str = ","
