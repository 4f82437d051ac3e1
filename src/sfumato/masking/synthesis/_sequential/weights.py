"""Weights of synthetic records: they add up to those of the original, however many records are made."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata, Role
from sfumato.masking.synthesis._grids.grids import DecimalGrid, find_grid
from sfumato.masking.synthesis._grids.step_grid import StepGrid
from sfumato.masking.synthesis._tails import limit_leaves
from sfumato.numerics.arrays import FloatColumn, Rows


@dataclass(frozen=True, eq=False)
class OriginalWeights:
    """The weights of the original, of which no few stand out.

    Parameters
    ----------
    data
        The original file.
    units
        A number from 0 for each of its records, the same for those of a household.
    fewest
        The weights of less than so many units do not show, neither by their size nor by their decimals.
    """

    data: Microdata
    units: Rows
    fewest: int

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of weights."""
        return tuple(
            variable.name
            for variable in self.data.schema.variables
            if variable.role is Role.WEIGHT and variable.kind is Kind.CONTINUOUS
        )

    def total(self, name: str) -> float:
        """Return what weights add up to, those of less than `fewest` units far beyond all others only in part."""
        weights = self.data.values(name)
        known = ~np.isnan(weights)
        units, sizes = np.unique(self.units[known], return_inverse=True, return_counts=True)[1:]
        means = np.bincount(units, weights[known]) / sizes
        order = np.argsort(means, kind="stable")
        limited = limit_leaves(means[order], np.zeros(means.size, dtype=np.int64), self.fewest)
        beyond = (means[order] - limited) * sizes[order]
        return float(weights[known].sum() - beyond.sum())

    def decimals(self, name: str) -> int | None:
        """Return after how many decimals weights end; none where they do not."""
        grid = find_grid(self.data.values(name)[self._firsts()], Kind.CONTINUOUS, self.fewest)
        return max(grid.decimals, 0) if isinstance(grid, DecimalGrid | StepGrid) else None

    def remarks(self) -> tuple[str, ...]:
        """Return a sentence for each column whose total is not that of the file."""
        totals = {name: float(np.nansum(self.data.values(name))) for name in self.names}
        return tuple(
            f"fewer than {self.fewest} weights of {name} lie far beyond all others, and count in its total only as far "
            f"as the others let expect; where the total is public anyhow, state it as weight_total"
            for name, total in totals.items()
            if not np.isclose(self.total(name), total, rtol=1e-9)
        )

    def _firsts(self) -> Rows:
        return np.asarray(np.unique(self.units, return_index=True)[1], dtype=np.int64)


def scale_weights(
    synthetic: Microdata, total: float | None, original: OriginalWeights, units: Rows, rng: np.random.Generator
) -> Microdata:
    """Return synthetic records whose weights add up to a total, where a column has the role weight.

    Weights end after as many decimals as in the original: up or down at random, so that the total is right on average.
    None becomes 0: where so many records are made that a weight would be below the last decimal, the total is higher.

    Parameters
    ----------
    synthetic
        The synthetic file.
    total
        The total; that of the original when not given.
    original
        The weights of the original.
    units
        A number from 0 for each synthetic record, the same for those of a household, which keep a weight in common.
    rng
        The generator.
    """
    if not original.names:
        return synthetic
    draws = rng.random(int(units.max()) + 1)[units]

    def scale(name: str, weights: FloatColumn) -> FloatColumn:
        wanted, drawn = original.total(name) if total is None else total, float(weights.sum())
        scaled = weights * wanted / drawn if drawn > 0 else weights
        decimals = original.decimals(name)
        if decimals is None:
            return scaled
        unit = DecimalGrid(decimals).step
        ends = np.floor(scaled / unit + draws[synthetic.observed(name)])
        return np.round(np.where(scaled > 0, np.maximum(ends, 1.0), ends) * unit, decimals)

    return synthetic.map_columns(original.names, scale)
