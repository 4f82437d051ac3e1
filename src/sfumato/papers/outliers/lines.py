"""The lines of the outliers paper's pictures: a family of methods over its parameters, overall and for outliers."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn


@dataclass(frozen=True, eq=False)
class Line:
    """A family of methods in a picture.

    Parameters
    ----------
    parameters
        The parameters tried, from low to high.
    overall, outliers
        The figure at each parameter over all records, and over the outliers.
    height
        The highest figure in the picture, of whatever family.

    Examples
    --------
    >>> line = Line(np.array([1.0, 2.0, 3.0]), np.array([5.0, 7.0, 12.0]), np.array([6.0, 9.0, 12.0]), height=80.0)
    >>> line.mean, line.gap, line.spread, line.at(line.parameters > 1).mean
    (8.0, 1.0, 7.0, 9.5)
    """

    parameters: FloatColumn
    overall: FloatColumn
    outliers: FloatColumn
    height: float

    @property
    def mean(self) -> float:
        """The figure over all records, averaged over the parameters."""
        return float(self.overall.mean())

    @property
    def outlier_mean(self) -> float:
        """The figure over the outliers, averaged over the parameters."""
        return float(self.outliers.mean())

    @property
    def gap(self) -> float:
        """How much higher the figure is for the outliers."""
        return self.outlier_mean - self.mean

    @property
    def spread(self) -> float:
        """How far the figure over all records goes, from its lowest to its highest."""
        return float(np.ptp(self.overall))

    def at(self, chosen: Booleans) -> "Line":
        """Return the line at some of its parameters."""
        return Line(self.parameters[chosen], self.overall[chosen], self.outliers[chosen], self.height)

    def low(self) -> "Line":
        """Return the line at the lowest third of its parameters."""
        return self.at(self._third == 0)

    def medium(self) -> "Line":
        """Return the line at the middle third of its parameters."""
        return self.at(self._third == 1)

    def high(self) -> "Line":
        """Return the line at the highest third of its parameters."""
        return self.at(self._third == 2)

    def up_to_medium(self) -> "Line":
        """Return the line at its low and medium parameters."""
        return self.at(self._third <= 1)

    def from_medium(self) -> "Line":
        """Return the line at its medium and high parameters."""
        return self.at(self._third >= 1)

    def upper_half(self) -> "Line":
        """Return the line at the upper half of its parameters."""
        return self.at(self.parameters > np.median(self.parameters))

    @property
    def _third(self) -> FloatColumn:
        """The third that each parameter is in: 0, 1 or 2; what is left over goes to the lower ones."""
        thirds = np.array_split(np.arange(self.parameters.size), 3)
        return np.repeat(np.arange(3), [third.size for third in thirds])


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of the paper: a measure on a file, with a line for each family by its letter."""

    measure: str
    file: str
    lines: Mapping[str, Line]


Pictures = Mapping[int, Picture]
"""The pictures by their numbers in the paper."""


def mean_pictures(runs: list[Pictures]) -> Pictures:
    """Return the pictures whose lines are the means of those of several runs."""
    return {
        number: Picture(
            picture.measure,
            picture.file,
            {letter: mean_line([run[number].lines[letter] for run in runs]) for letter in picture.lines},
        )
        for number, picture in runs[0].items()
    }


def mean_line(lines: list[Line]) -> Line:
    """Return the mean of a family's lines in several pictures."""
    return Line(
        lines[0].parameters,
        np.mean([line.overall for line in lines], axis=0),
        np.mean([line.outliers for line in lines], axis=0),
        float(np.mean([line.height for line in lines])),
    )
