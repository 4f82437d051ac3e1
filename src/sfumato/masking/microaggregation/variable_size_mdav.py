"""Variable-size MDAV: groups of similar records that grow where the records lie close together."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.variable_size_mdav import variable_size_mdav_groups
from sfumato.masking.microaggregation._aggregation import average_column_sets, means_by_group
from sfumato.masking.microaggregation._column_sets import ColumnGroups, ColumnsAtATime
from sfumato.numerics.arrays import CodeColumn, FloatMatrix
from sfumato.parameters import Columns, GroupSize, Strata

Gain = Annotated[float, Field(ge=0)]


class VariableSizeMdav(MaskingMethod):
    """Replace each record by the mean of its group, where a group takes further records that lie close to it.

    Parameters
    ----------
    columns
        Continuous columns, standardised and grouped together. Integer columns get rounded means. Collinear columns are
        fine: a total stays the sum of its parts (up to rounding) when they are grouped together.
    k
        The smallest number of records in a group; groups have up to `2 k - 1`.
    gamma
        A record joins a group when its distance to the group is below `gamma` times the distance to its nearest
        neighbour that has no group yet. The source advises 0.2 for scattered records and 1.1 for clustered ones; with
        0 no group grows.
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
        Keeps means (up to the rounding of integer columns) and lowers variances. Loses less than `Mdav` where records
        lie in clusters larger than `k`; about the same where they are scattered, and more there when `gamma`
        is large. `refine` lowers the loss.
    Missing values
        Stay missing. A record is grouped with those that lack the same columns; when these are fewer than
        `k`, it joins the nearest group of records that have all the values it has, which may then be larger
        than `2 k - 1`; when there is none the file is refused. Which values are missing is not hidden.
        Constant columns do not influence the groups.
    Source
        Solanas and Martinez-Balleste (2006), V-MDAV: a multivariate microaggregation with variable group size. The
        records left at the end join the nearest group, here one that has room; where none has, they are grouped again
        with the records of the last group, so that no group is larger than `2 k - 1`.

    Examples
    --------
    >>> import polars
    >>> firms = Microdata(polars.DataFrame({"turnover": [1.0, 2.0, 2.1, 80.0, 90.0]}))
    >>> method = VariableSizeMdav(columns=("turnover",), k=2)
    >>> method.mask(firms, np.random.default_rng()).frame["turnover"].round(2).to_list()
    [1.7, 1.7, 1.7, 85.0, 85.0]
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    k: GroupSize = 3
    gamma: Gain = 0.2
    refine: bool = False
    column_groups: ColumnGroups | None = None
    columns_at_a_time: ColumnsAtATime | None = None
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns averaged in groups."""
        return average_column_sets(
            block, self, lambda points: variable_size_groups(points, self.k, self.gamma), refine=self.refine
        )


def variable_size_groups(points: FloatMatrix, k: int, gamma: float) -> CodeColumn:
    """Return the group number of each standardised record, groups of `k` to `2 k - 1` records."""
    groups = variable_size_mdav_groups(points, k, gamma)
    rest = np.flatnonzero(groups < 0)
    room = 2 * k - 1 - np.bincount(groups[groups >= 0])
    if room.sum() >= rest.size:
        return _with_rest(points, groups, rest, room)
    last = groups.max()
    crowd = np.flatnonzero((groups == last) | (groups < 0))
    groups[crowd] = last + mdav_groups(points[crowd], k)
    return groups


def _with_rest(points: FloatMatrix, groups: CodeColumn, rest: CodeColumn, room: CodeColumn) -> CodeColumn:
    """Return the groups with each of the remaining records in the nearest group that has room."""
    groups, room = groups.copy(), room.copy()
    centroids = means_by_group(points, groups)
    for row in rest:
        distances = ((centroids - points[row]) ** 2).sum(axis=1)
        nearest = np.argmin(np.where(room > 0, distances, np.inf))
        groups[row] = nearest
        room[nearest] -= 1
    return groups
