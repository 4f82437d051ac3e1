"""The likelihood of a masked record: coordinates in which masking moves records independently of each other."""

from dataclasses import dataclass
from typing import NamedTuple

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.densities import STANDARD_NORMAL, Density, NormalMixture
from sfumato.numerics.joint_densities import JointDensity
from sfumato.numerics.normal_draws import component_root, square_root


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
        Where coordinates are only uncorrelated, or tell nothing by themselves: the density of all that have this one,
        which takes the place of their own where few pairs are compared.
    """

    before: FloatColumn
    after: FloatColumn
    density: Density
    is_exact: bool = True
    joint: JointDensity | None = None


Likelihood = tuple[Coordinate, ...]
"""The coordinates of the columns that a method masks."""


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise on the records of a stratum.

    Noisy values are means + shrinkage * (value + noise - means). The noise is L w, with L the root of its covariance
    and independent elements w. Noise of logarithms is added to those of the sizes of values, less half its variance;
    signs stay, and 0 stays 0.

    Parameters
    ----------
    covariance
        Its covariance over all columns that the method masks.
    shrinkage
        By how much the noisy values were drawn towards their means.
    means
        The means that they were drawn to.
    mixture
        The distribution of each element, with mean 0 and variance 1.
    along_components
        Whether L is made of the principal components of the correlations, and not Cholesky's root.
    of_logarithms
        Whether it is noise of the logarithms.
    is_exact
        Whether that is all that the records show, each independently of the others: no draw that they share, and no
        trace of values beside linear relations.
    """

    covariance: FloatMatrix
    shrinkage: float
    means: FloatColumn
    mixture: NormalMixture = STANDARD_NORMAL
    along_components: bool = False
    of_logarithms: bool = False
    is_exact: bool = True

    @property
    def root(self) -> FloatMatrix:
        """The root L of the covariance."""
        return component_root(self.covariance) if self.along_components else square_root(self.covariance)


class Spans(NamedTuple):
    """Between which values each value of a column lies: equal where it is known, NaN where nothing is."""

    low: FloatColumn
    high: FloatColumn
