"""Files that hold some columns of all records, one below the other."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.files.library_errors import translate_read_errors
from sfumato.numerics.arrays import Rows

if TYPE_CHECKING:
    import polars as pl

ARROW = ".arrow"  # what a run keeps for itself; everything else is Parquet


@dataclass(frozen=True)
class StackedFiles:
    """Files of the same columns whose rows are numbered through.

    Parameters
    ----------
    files
        Parquet files, or Arrow files, in the order of their rows.
    sizes
        How many rows each has.
    """

    files: tuple[Path, ...]
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self._ends[-1]) if self.files else 0

    @cached_property
    def _ends(self) -> Rows:
        return np.cumsum(self.sizes, dtype=np.int64)

    def read(self, start: int, stop: int, names: tuple[str, ...]) -> "pl.DataFrame":
        """Return some columns of the rows from `start` up to `stop`."""
        import polars as pl

        first = int(np.searchsorted(self._ends, start, side="right"))
        last = int(np.searchsorted(self._ends, stop, side="left"))
        found = []
        for number in range(first, min(last, len(self.files) - 1) + 1):
            begin = int(self._ends[number]) - self.sizes[number]
            low, high = max(start, begin) - begin, min(stop, int(self._ends[number])) - begin
            found.append(read_rows(self.files[number], names, low, high - low))
        return pl.concat(found, rechunk=True) if len(found) > 1 else found[0]


def read_rows(file: Path, names: tuple[str, ...] | None, start: int, count: int) -> "pl.DataFrame":
    """Return some columns, or all, of `count` rows of one file from `start` on."""
    import polars as pl

    with translate_read_errors(file, "a Parquet file"):
        scan = pl.scan_ipc if file.suffix == ARROW else pl.scan_parquet
        table = scan(file, glob=False, hive_partitioning=False)
        chosen = table if names is None else table.select(names)
        return chosen.slice(start, count).collect()
