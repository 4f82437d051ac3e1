"""Multivariate rounding: each record becomes the nearest of a set of points in all columns at once."""

from typing import ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix
from sfumato.parameters import Columns


class MultivariateRounding(MaskingMethod):
    """Replace each record by the nearest of given points, all columns together.

    Parameters
    ----------
    columns
        Continuous columns, by name, in the order in which the points give their values.
    points
        The points, each with one value per column.

    Effect on risk
        Only the given points are released. How many records share one is not controlled: microaggregation does that.
    Effect on utility
        Depends on the points. Distances are in standard deviations of the columns, so that no unit dominates.
    Missing values
        Stay missing; the nearest point is the nearest in the columns that the record has.
    Source
        Willenborg and De Waal (2001), Elements of Statistical Disclosure Control. Of equally near points the first is
        taken.

    Examples
    --------
    >>> points = np.array([[0.0, 0.0], [10.0, 10.0]])
    >>> nearest_rows(np.array([[1.0, 2.0], [9.0, np.nan]]), points, np.array([1.0, 1.0]))
    array([0, 1])
    """

    family: ClassVar[str] = "rounding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    points: tuple[tuple[float, ...], ...] = Field(examples=[[[8_000, 0], [12_000, 2_000], [20_000, 6_000]]])

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        if not self.points or len({len(point) for point in self.points}) != 1:
            raise ValueError("MultivariateRounding.points must be at least one point, each with one value per column")
        return self

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block in which the records are points."""
        names, points = block.select(self.columns), np.array(self.points)
        if points.shape[1] != len(names):
            raise DataError(
                f"MultivariateRounding.points must have {len(names)} values each, one per column; got {points.shape[1]}"
            )
        deviations = block.summary.deviations(names)
        scales = np.where(deviations > 0, deviations, 1.0)
        return block.map_matrix(names, lambda matrix: points[nearest_rows(matrix, points, scales)])


def nearest_rows(matrix: FloatMatrix, points: FloatMatrix, scales: FloatColumn) -> CodeColumn:
    """Return for each record the number of the nearest point, over its observed values in units of `scales`."""
    nearest = np.zeros(len(matrix), dtype=np.int64)
    least = np.full(len(matrix), np.inf)
    for number, point in enumerate(points):
        distances = np.nansum(((matrix - point) / scales) ** 2, axis=1)
        nearer = distances < least
        nearest[nearer], least[nearer] = number, distances[nearer]
    return nearest
