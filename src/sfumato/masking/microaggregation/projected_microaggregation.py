"""Projected microaggregation: records in the order of one projection, cut into groups at the least loss."""

from enum import StrEnum
from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts
from sfumato.masking.microaggregation._aggregation import average_column_sets
from sfumato.masking.microaggregation._column_sets import ColumnGroups, ColumnsAtATime
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.portable.symmetric import eigen
from sfumato.numerics.ranking import stable_order
from sfumato.parameters import Columns, GroupSize, Strata


class Projection(StrEnum):
    """What the records are ordered by."""

    FIRST_COMPONENT = "first_component"
    """The first principal component of the standardised columns."""
    SUM_OF_Z_SCORES = "sum_of_z_scores"
    """The sum of the standardised columns."""


class ProjectedMicroaggregation(MaskingMethod):
    """Put the records in the order of a projection and replace each by the mean of its group of neighbours there.

    Parameters
    ----------
    columns
        Continuous columns, standardised and grouped together. Integer columns get rounded means. Collinear columns are
        fine: a total stays the sum of its parts (up to rounding) when they are grouped together.
    k
        The smallest number of records in a group; groups have up to `2 k - 1`.
    projection
        What the records are put in order by: `first_component`, the direction in which they differ most, or
        `sum_of_z_scores`, fit for columns that rise and fall together.
    refine
        Whether to go on from these groups with a local search, which moves and exchanges near records while that lowers
        the sum of squared distances.
    column_groups
        The columns in groups, such as `[[income, tax], [age]]`, each masked separately. Without it, and without
        `columns_at_a_time`, all columns are grouped together.
    columns_at_a_time
        How many columns to group together, in the order of `columns`; the last columns may be fewer.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        As with `Mdav`: on the columns grouped together each record is equal to at least `k - 1` others.
    Effect on utility
        Keeps means (up to the rounding of integer columns) and lowers variances. Of all groups of neighbours in that
        order these have the least sum of squared distances over all columns together. Loses more than `Mdav`, much
        more where the columns do not rise and fall together, but is far quicker on large files. `refine` lowers the
        loss.
    Missing values
        Stay missing. A record is grouped with those that lack the same columns; when these are fewer than
        `k`, it joins the nearest group of records that have all the values it has, which may then be larger
        than `2 k - 1`; when there is none the file is refused. Which values are missing is not hidden.
        Constant columns do not influence the groups.
    Source
        Nin, Herranz and Torra (2008), On the disclosure risk of multivariate microaggregation; the two projections
        are those of Domingo-Ferrer and Mateo-Sanz (2002), Practical data-oriented microaggregation for statistical
        disclosure control.

    Examples
    --------
    >>> records = np.array([[1.0, 2.0], [9.0, 8.0], [2.0, 1.0], [8.0, 9.0], [0.0, 0.0]])
    >>> projected_groups(records, 2, Projection.SUM_OF_Z_SCORES)
    array([0, 1, 0, 1, 0])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    k: GroupSize = 3
    projection: Projection = Projection.FIRST_COMPONENT
    refine: bool = False
    column_groups: ColumnGroups | None = None
    columns_at_a_time: ColumnsAtATime | None = None
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns averaged in groups."""
        return average_column_sets(
            block, self, lambda points: projected_groups(points, self.k, self.projection), refine=self.refine
        )


def projected_groups(points: FloatMatrix, k: int, projection: Projection) -> CodeColumn:
    """Return the group number of each standardised record, groups of `k` to `2 k - 1` records."""
    scores = first_component(points) if projection is Projection.FIRST_COMPONENT else points.sum(axis=1)
    order = stable_order(scores)
    groups = np.empty(len(points), dtype=np.int64)
    groups[order] = optimal_cuts(points[order], k)
    return groups


def first_component(points: FloatMatrix) -> FloatColumn:
    """Return the scores of the records on their first principal component, its largest loading positive."""
    centred = points - points.mean(axis=0)
    # einsum adds in one fixed order; a threaded BLAS may not
    _, vectors = eigen(np.einsum("ni,nj->ij", centred, centred))
    return np.asarray(np.einsum("nj,j->n", centred, vectors[:, -1]), dtype=np.float64)
