"""What is measured range by range in two folders of the same records: sums, a sample, and links of the sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.comparison.blocks import SummedMeasure, Sums
from sfumato.comparison.side_by_side import compare_block
from sfumato.data import Microdata
from sfumato.execution.folders.exchange import write_array, write_frame
from sfumato.files.folders import Folder
from sfumato.numerics.arrays import FloatMatrix, Rows
from sfumato.numerics.hashing import is_drawn
from sfumato.risk import DistanceLinkage
from sfumato.risk.linkage.distance_linkage import count_nearest


@dataclass(frozen=True)
class LookRange:
    """Add up what measures see in the blocks of a range; blocks have one size, whatever the range."""

    path: Path
    measures: tuple[SummedMeasure, ...]
    original: Folder
    masked: Folder
    start: int
    stop: int

    def run(self) -> list[list[dict[str, Any]]]:
        """Return for each block the sums of each measure."""
        blocks = []
        for begin in range(self.start, self.stop, self.original.rows_per_piece):
            end = min(begin + self.original.rows_per_piece, self.stop)
            blocks.append([_plain(look_at(each, self.original, self.masked, begin, end)) for each in self.measures])
        return blocks


@dataclass(frozen=True)
class DrawRange:
    """Draw records of a range, and what became of them."""

    path: Path
    original: Folder
    masked: Folder
    share: float
    start: int
    stop: int

    def run(self) -> list[int]:
        """Write both, and return the rows that were drawn."""
        rows = np.arange(self.start, self.stop)
        drawn = is_drawn(rows, self.share)
        for name, folder in (("original", self.original), ("masked", self.masked)):
            data = folder.read(self.start, self.stop)
            write_frame(drawn_path(self.path, name), data.frame[np.flatnonzero(drawn)])
        return [int(row) for row in rows[drawn]]


@dataclass(frozen=True)
class LinkRange:
    """Count which originals of a range are as near to sampled masked records as their own, or nearer."""

    path: Path
    measure: DistanceLinkage
    original: Folder
    sample: Microdata
    masked_sample: Microdata
    start: int
    stop: int

    def run(self) -> int:
        """Write for each scenario how many are equally near, of the range and the sample; 0 where one is nearer."""
        here = self.original.read(self.start, self.stop, self.original.schema.select(self.measure.columns))
        inside = (self.sample.row_ids >= self.start) & (self.sample.row_ids < self.stop)
        outside = np.flatnonzero(~inside)
        rows = np.empty(self.sample.n, dtype=np.int64)
        rows[inside] = self.sample.row_ids[inside] - self.start
        rows[outside] = here.n + np.arange(outside.size)
        names = here.select(self.measure.columns)
        candidates = np.vstack([here.matrix(names), self.sample.matrix(names)[outside]])
        write_array(links_path(self.path), link_counts(self.measure, self.original, candidates, self._known, rows))
        return here.n

    @property
    def _known(self) -> FloatMatrix:
        """The masked records of the sample as numbers, on the scale of the original."""
        return compare_block(self.measure, self.sample, self.masked_sample, np.arange(self.sample.n)).masked


def look_at(measure: SummedMeasure, original: Folder, masked: Folder, start: int, stop: int) -> Sums:
    """Return what a measure sees in a block of rows."""
    names = original.schema.select(measure.columns)
    before, after = original.read(start, stop, names), masked.read(start, stop, names)
    return measure.look(before, after, np.arange(before.n)).sums


def link_counts(
    measure: DistanceLinkage, whole: Folder, candidates: FloatMatrix, masked: FloatMatrix, rows: Rows
) -> Rows:
    """Return how many candidates are as near to each masked record as its own is (scenarios x records); 0 if none is.

    Parameters
    ----------
    measure, whole
        What is asked, and the file by whose means and deviations columns are standardised.
    candidates, masked
        Original and masked records.
    rows
        The candidate that each masked record came from.
    """
    names = whole.schema.select(measure.columns)
    means, spread = whole.summary.means(names), whole.summary.deviations(names)
    varying = whole.summary.varying(names)
    found = []
    for known in measure.known_columns(names).values():
        some = [place for place in known if varying[place]]
        before, after = ((file[:, some] - means[some]) / spread[some] for file in (candidates, masked))
        found.append(count_nearest(before, after, rows, measure.distance))
    return np.array(found)


def drawn_path(path: Path, name: str) -> Path:
    """Return where a task keeps the records that it drew, of the original or the masked file."""
    return path.with_name(f"{path.name}.{name}")


def links_path(path: Path) -> Path:
    """Return where a task keeps how many candidates are near."""
    return path.with_name(f"{path.name}.links.npy")


def read_sums(plain: Sequence[dict[str, Any]]) -> list[Sums]:
    """Return sums as they were before they were written as JSON."""
    return [{name: np.array(figures) for name, figures in each.items()} for each in plain]


def _plain(sums: Sums) -> dict[str, Any]:
    return {name: figures.tolist() for name, figures in sums.items()}
