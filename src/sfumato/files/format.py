"""What a file format is: how it is read and written, and what it keeps of a schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from sfumato.data import Schema
from sfumato.files.labels import Labels
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

Writer = Callable[["pl.DataFrame", Schema, Path, WriteOptions], None]
NO_LABELS: Mapping[str, Labels] = MappingProxyType({})


@dataclass(frozen=True)
class Content:
    """The columns of a file, what it says of them, and how it is written."""

    frame: "pl.DataFrame"
    labels: Mapping[str, Labels] = field(default_factory=lambda: NO_LABELS)
    dialect: WriteOptions = WriteOptions()


def no_labels(_schema: Schema) -> Mapping[str, Labels]:
    """Return no labels: what a file without room for them keeps of a schema."""
    return NO_LABELS


def as_they_are(frame: "pl.DataFrame", schema: Schema) -> "tuple[pl.DataFrame, Schema]":
    """Return a frame and its schema."""
    return frame, schema


def same_frame(frame: "pl.DataFrame", _options: WriteOptions) -> "pl.DataFrame":
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
        The options that mean something for it when it is read.
    write_options
        Those that mean something when it is written.
    prepare
        What becomes of a frame and its schema before they are written.
    stored_labels
        What the file itself keeps of a schema.
    stored_frame
        The frame as it would come back from the file, where types change on the way.
    separator
        What separates the fields when it is written as text, unless something else is asked for.
    """

    name: str
    read: Callable[[Path, ReadOptions], Content]
    write: Writer | None = None
    options: frozenset[str] = frozenset()
    write_options: frozenset[str] = frozenset()
    prepare: "Callable[[pl.DataFrame, Schema], tuple[pl.DataFrame, Schema]]" = as_they_are
    stored_labels: Callable[[Schema], Mapping[str, Labels]] = no_labels
    stored_frame: "Callable[[pl.DataFrame, WriteOptions], pl.DataFrame]" = same_frame
    separator: str = ","

    @property
    def holds_labels(self) -> bool:
        """Whether a file of this format says what its codes stand for."""
        return self.stored_labels is not no_labels
