"""The likelihood of a masked record: coordinates in which masking moves records independently of each other."""

from dataclasses import dataclass

from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.densities import Density, JointMixture


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
    joint
        Where coordinates are only uncorrelated: the density of all that have this one, which takes the place of their
        own where few pairs are compared.
    """

    before: FloatColumn
    after: FloatColumn
    density: Density
    is_exact: bool = True
    joint: JointMixture | None = None


Likelihood = tuple[Coordinate, ...]
"""The coordinates of the columns that a method masks."""
