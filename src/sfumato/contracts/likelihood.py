"""The likelihood of a masked record: coordinates in which masking moves records independently of each other."""

from dataclasses import dataclass

from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.densities import Density


@dataclass(frozen=True, eq=False)
class Coordinate:
    """Where each record of both files stands in one coordinate, and the density of a masked place given the original.

    The log densities of a pair of records add up over the coordinates.

    Parameters
    ----------
    before, after
        The place of each original and of each masked record; NaN where it is not known, which tells nothing.
    density
        How masking moves a record in this coordinate.
    is_exact
        Whether that is the density itself, not one that stands for it.
    """

    before: FloatColumn
    after: FloatColumn
    density: Density
    is_exact: bool = True


Likelihood = tuple[Coordinate, ...]
"""The coordinates of the columns that a method masks."""
