"""Grids of other steps than powers of ten: multiples of 25, eighths, the middles of classes of five years.

As with decimals, what fewer than `fewest` records have does not count, and neither makes a grid nor breaks one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._grids.natural_bounds import natural_bounds
from sfumato.numerics.arrays import FloatColumn

FACTORS = (2, 3, 5, 7)  # that steps are made of
MAX_CHANCE = 0.001  # that numbers lie on a grid which is none
MAX_UNITS = 2.0**52  # beyond that floats have no decimals


@dataclass(frozen=True)
class StepGrid:
    """Numbers that are some steps away from an offset, as 2.5, 7.5 and 12.5.

    Parameters
    ----------
    decimals
        After how many decimals they end.
    units, offset
        The step and the offset, in units of the last decimal.
    bounds
        Between which numbers values are rounded to such as are between them, too.
    """

    decimals: int
    units: int
    offset: int
    bounds: tuple[float, float]

    @property
    def step(self) -> float:
        """How far apart they lie."""
        return float(self.units * 10.0**-self.decimals)

    def round(self, values: FloatColumn) -> FloatColumn:
        """Return the nearest number of the grid for each value, NaN stays; within the bounds no value leaves them.

        Examples
        --------
        >>> StepGrid(0, 25, 0, (0.0, 1000.0)).round(np.array([60.0, 70.0, np.nan]))
        array([50., 75., nan])
        >>> StepGrid(1, 50, 30, (0.0, 9.0)).round(np.array([0.1, 6.0, 9.0, 12.0]))
        array([ 3.,  8.,  8., 13.])
        """
        scale = 10.0**self.decimals
        low, high = self.bounds
        rounded = np.rint((values * scale - self.offset) / self.units) * self.units + self.offset
        rounded = np.where((rounded < low * scale) & (values >= low), rounded + self.units, rounded)
        rounded = np.where((rounded > high * scale) & (values <= high), rounded - self.units, rounded)
        return np.asarray(np.round(rounded / scale, self.decimals), dtype=np.float64)


def find_step_grid(
    values: FloatColumn, decimals: int, fewest: int, factors: Sequence[int] = FACTORS
) -> StepGrid | None:
    """Return the widest steps that values of so many decimals lie in but for fewer than `fewest`; None for one unit.

    Steps that chance makes of any numbers, as where few different ones are all even, do not count.

    Examples
    --------
    >>> find_step_grid(np.arange(40) * 25.0, 0, 1)
    StepGrid(decimals=0, units=25, offset=0, bounds=(0.0, 1000.0))
    >>> find_step_grid(2.5 + np.arange(15) * 5, 1, 1)
    StepGrid(decimals=1, units=50, offset=25, bounds=(0.0, 80.0))
    >>> find_step_grid(np.array([2.0, 4.0, 6.0]), 0, 1), find_step_grid(np.arange(40.0), 0, 1)
    (None, None)
    """
    places = np.rint(values * 10.0**decimals)
    if not places.size or np.abs(places).max() > MAX_UNITS:
        return None
    left_out, step, offset = 0, 1, 0
    for factor in factors:
        while places.size:
            residues = np.mod(places, factor).astype(np.int64)
            residue = int(np.argmax(np.bincount(residues, minlength=factor)))
            kept = residues == residue
            lost = left_out + int(np.count_nonzero(~kept))
            if lost >= fewest or _chance(np.unique(places).size, np.unique(places[kept]).size, factor) > MAX_CHANCE:
                break
            places, left_out = (places[kept] - residue) / factor, lost
            offset, step = offset + residue * step, step * factor
    return StepGrid(decimals, step, offset, natural_bounds(values, fewest)) if step > 1 else None


def _chance(distinct: int, kept: int, factor: int) -> float:
    """Return how probable it is that of any different numbers so many leave the same rest, at most.

    Examples
    --------
    >>> _chance(3, 3, 2), round(_chance(10, 9, 2), 4)
    (0.25, 0.0215)
    """
    share = 1 / factor
    chances = (math.comb(distinct, k) * share**k * (1 - share) ** (distinct - k) for k in range(kept, distinct + 1))
    return factor * sum(chances)
