"""Search for the likely originals of masked records on grids of the densities."""

from dataclasses import dataclass, field

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.kernels.linkage.likelihood_tables import Tables, join_grids
from sfumato.kernels.linkage.likely_records import MISSING, likely_records
from sfumato.numerics.arrays import Booleans, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Grid


@dataclass(frozen=True, eq=False)
class GridSearch:
    """Both files on the grids of all coordinates."""

    grids: list[Grid]
    positions: FloatMatrix
    levels: CodeMatrix
    places: FloatMatrix
    weights: FloatColumn
    tables: dict[tuple[bytes, bytes], Tables] = field(default_factory=dict)

    @classmethod
    def of(cls, likelihood: Likelihood, before: FloatMatrix, after: FloatMatrix, weights: FloatColumn) -> "GridSearch":
        """Return the files on the grids; `weights` are logarithms of how many records each original stands for."""
        grids = [one.density.grid() for one in likelihood]
        positions, places = np.empty(before.shape), np.empty(after.shape)
        levels = np.empty(before.shape, dtype=np.int64)
        for c, (one, grid) in enumerate(zip(likelihood, grids, strict=True)):
            is_missing = np.isnan(before[:, c])
            positions[:, c] = np.where(is_missing, 0.0, one.density.positions(before[:, c]) * grid.scale)
            levels[:, c] = np.where(is_missing, MISSING, one.density.levels(before[:, c]))
            places[:, c] = after[:, c] * grid.scale + grid.origin
        return cls(grids, positions, levels, places, weights)

    def run(self, rows: Rows, asked: Rows, count: int) -> tuple[CodeMatrix, FloatColumn]:
        """Return the most likely of some originals for some masked records, in the coordinates that these have."""
        places, levels = self.places[asked], self.levels[rows]
        used = np.asarray(~np.isnan(places).all(axis=0))
        if not used.any():
            return self.most_frequent(rows, len(asked), count)
        with_missing = (levels == MISSING).any(axis=0) & used
        tables = self.joined_tables(used, with_missing)
        return likely_records(
            self.positions[np.ix_(rows, used)], levels[:, used], places[:, used], tables, self.weights[rows], count
        )

    def most_frequent(self, rows: Rows, asked: int, count: int) -> tuple[CodeMatrix, FloatColumn]:
        """Return the originals that stand for most records, for masked records that show nothing."""
        order = np.argsort(-self.weights[rows], kind="stable")
        with np.errstate(divide="ignore"):
            outside = np.log(np.exp(self.weights[rows][order[count:]]).sum())
        return np.tile(order[:count], (asked, 1)), np.full(asked, outside)

    def joined_tables(self, used: Booleans, with_missing: Booleans) -> Tables:
        """Return the grids of some coordinates as one, those marked with originals whose place is not known."""
        key = used.tobytes(), with_missing.tobytes()
        if key not in self.tables:
            some = np.flatnonzero(used)
            grids, marks = [self.grids[c] for c in some], [bool(with_missing[c]) for c in some]
            self.tables[key] = join_grids(grids, with_missing=marks)
        return self.tables[key]
