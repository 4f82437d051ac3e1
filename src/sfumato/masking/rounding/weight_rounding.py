"""Weight rounding: sampling weights that nobody has alone, with their totals kept."""

from typing import ClassVar

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata, role
from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import stable_order
from sfumato.parameters import Columns, GroupSize, Strata


class WeightRounding(MaskingMethod):
    """Put sampling weights into classes of at least `k` records; all records of a class get its mean weight.

    Parameters
    ----------
    columns
        Continuous columns; those with the role weight when nothing else is said. Whole numbers become decimal ones, as
        rounded means would not add up to the same total.
    k
        The smallest number of records that share a weight.
    within
        Columns whose equal values make the strata; the total of the weights is then kept in each of them.

    Effect on risk
        A weight that nobody else has singles a record out, and weights tell the strata of a sample that the file may
        not show, such as a small region. Here at least `k` records share each weight, `k` in the same stratum with
        `within`; a class may still hold records of one hidden stratum only, so take `k` larger than those.
    Effect on utility
        Keeps the total of the weights, in each stratum of `within` too, up to the last digits of a number. Of all
        classes of at least `k` these move the weights least (sum of squares). Totals of other parts of the file, and
        their standard errors, change a little.
    Missing values
        Stay missing; the observed weights make the classes.
    Source
        De Waal and Willenborg (1997), Statistical disclosure control and sampling weights, on what weights disclose.
        The classes are those of Hansen and Mukherjee (2003), A polynomial algorithm for optimal univariate
        microaggregation.

    Examples
    --------
    >>> class_means(np.array([9.0, 1.0, 2.0, 8.0, 3.0]), 2)
    array([8.5, 2. , 2. , 8.5, 2. ])
    """

    family: ClassVar[str] = "rounding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_types: ClassVar[bool] = False

    columns: Columns = role("weight")
    k: GroupSize = 10
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the mean weight of its class for each record."""
        names = block.select(self.columns)
        check_value_count(type(self).__name__, block, names, self.k)
        decimal = block
        for name in names:
            decimal = decimal.with_column(block.schema[name], block.table[name].cast(nw.Float64))
        return decimal.map_columns(names, lambda _, weights: class_means(weights, self.k))


def class_means(weights: FloatColumn, k: int) -> FloatColumn:
    """Return for each weight the mean of its class: at least `k` neighbours, with the least squared change in all."""
    if not weights.size:
        return weights
    ascending = stable_order(weights)
    classes = optimal_cuts(np.ascontiguousarray(weights[ascending, None]), k)
    means = np.bincount(classes, weights=weights[ascending]) / np.bincount(classes)
    rounded = np.empty_like(weights)
    rounded[ascending] = means[classes]
    return rounded
