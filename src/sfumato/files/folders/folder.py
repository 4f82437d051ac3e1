"""A file larger than memory: its schema, and any range of its rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Microdata, Schema, Variable, summary
from sfumato.data.summary import Summary
from sfumato.files.folders.converted_parts import ConvertedParts
from sfumato.files.folders.stacked_files import StackedFiles
from sfumato.files.frames import blanks_as_missing
from sfumato.numerics.arrays import Hashes

if TYPE_CHECKING:
    import polars as pl

PIECES_PER_READ = 16


@dataclass(frozen=True, eq=False)
class Folder:
    """Records in files, of which a range of rows is read when it is asked for; never changed, only laid over.

    Parameters
    ----------
    schema
        What each column is and is for.
    given
        The files that the records come from.
    masked
        The files that hold columns instead of those: by column, the last that was laid over.
    rows_per_piece
        How many rows its figures are taken of at a time; travels with the folder to other processes.
    lineage
        Which file the row ids, the numbers of the rows, come from.
    converted
        The copies of text files that the records are read from, where they come from such.
    """

    schema: Schema
    given: StackedFiles
    masked: dict[str, StackedFiles] = field(default_factory=dict, repr=False)
    rows_per_piece: int = field(default_factory=lambda: summary.ROWS_PER_PIECE, repr=False)
    lineage: str = field(default_factory=lambda: uuid4().hex, repr=False)
    converted: ConvertedParts | None = field(default=None, repr=False)
    summary: Summary = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "summary", Summary(self))

    @property
    def n(self) -> int:
        """The number of records."""
        return self.given.n

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files that the user named: text files, or those that the records are read from."""
        return self.given.files if self.converted is None else self.converted.sources

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that the records are read from, wherever that is done."""
        return self.given.files

    def close(self) -> None:
        """Remove the copies of text files; nothing can be read from them any more."""
        if self.converted is not None:
            self.converted.remove()

    def read(self, start: int, stop: int, names: tuple[str, ...] | None = None) -> Microdata:
        """Return some columns, or all, of the rows from `start` up to `stop`, as a block of the whole."""
        chosen = self.schema.names if names is None else names
        stop = min(stop, self.n)
        frame = self._frame(start, stop, chosen)
        return Microdata(frame, self.schema.subset(chosen), np.arange(start, stop), self.summary, self.lineage)

    def pieces(self, names: tuple[str, ...]) -> Iterator[Microdata]:
        """Yield some columns in pieces of consecutive rows; several are read at once."""
        rows = self.rows_per_piece * PIECES_PER_READ
        for start in range(0, self.n, rows):
            together = self._frame(start, min(start + rows, self.n), names)
            for begin in range(0, len(together), self.rows_per_piece):
                frame = together.slice(begin, self.rows_per_piece)
                ids = np.arange(start + begin, start + begin + len(frame))
                yield Microdata(frame, self.schema.subset(names), ids, self.summary, self.lineage)

    def column(self, name: str) -> nw.Series[Any]:
        """Return the different values of one column."""
        import polars as pl

        found = [piece.frame.unique() for piece in self.pieces((name,))]
        return nw.from_native(pl.concat(found).unique().get_column(name), series_only=True)

    def count_distinct(self, name: str) -> int:
        """Return how many different values one column has; they are told apart by hashes of 64 bits."""
        found, waiting = np.empty(0, dtype=np.uint64), list[Hashes]()
        for piece in self.pieces((name,)):
            hashes = piece.frame.get_column(name).filter(piece.observed(name)).hash().to_numpy()
            waiting.append(np.unique(hashes))
            if sum(each.size for each in waiting) > max(found.size, self.rows_per_piece):
                found, waiting = np.unique(np.concatenate([found, *waiting])), []
        return int(np.unique(np.concatenate([found, *waiting])).size)

    def overlaid(self, files: StackedFiles, variables: tuple[Variable, ...]) -> Self:
        """Return the folder with the columns of other files, which hold one row for each, in place of its own."""
        masked = {**self.masked, **{variable.name: files for variable in variables}}
        return replace(self, schema=self.schema.with_variables(*variables), masked=masked)

    def without_columns(self, names: tuple[str, ...]) -> Self:
        """Return the folder without some columns."""
        kept = tuple(name for name in self.schema.names if name not in names)
        return replace(self, schema=self.schema.subset(kept))

    def with_schema(self, schema: Schema) -> Self:
        """Return the same rows with another schema."""
        return replace(self, schema=schema)

    def with_summary(self, summary: Summary) -> Self:
        """Return the same rows, of which another summary is told; what is laid over it has its own again."""
        other = replace(self)
        object.__setattr__(other, "summary", summary)
        return other

    def _frame(self, start: int, stop: int, names: tuple[str, ...]) -> "pl.DataFrame":
        import polars as pl

        untouched = tuple(name for name in names if name not in self.masked)
        found = [blanks_as_missing(self.given.read(start, stop, untouched))] if untouched else []
        for files in dict.fromkeys(self.masked[name] for name in names if name in self.masked):
            found.append(files.read(start, stop, tuple(name for name in names if self.masked.get(name) is files)))
        return pl.concat(found, how="horizontal").select(names)
