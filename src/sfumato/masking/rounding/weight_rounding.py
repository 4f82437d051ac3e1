"""Weight rounding: sampling weights that nobody has alone, with their totals kept."""

from typing import ClassVar, Self

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts
from sfumato.keys.households import households_of
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import stable_order
from sfumato.parameters import Columns, GroupSize, Strata


class WeightRounding(MaskingMethod):
    """Put sampling weights into classes of at least `k` households or records, which all get the mean weight.

    Parameters
    ----------
    columns
        Continuous columns; those with the role weight when nothing else is said. Whole numbers become decimal ones, as
        rounded means would not add up to the same total.
    k
        The smallest number of households that share a weight; of records where no column tells the households.
    household
        The column, or columns, that tell which household a record belongs to; one with the role household when nothing
        else is said. Its members stay together, in the class of their mean weight. None: records are counted.
    within
        Columns whose equal values make the strata; the total of the weights is then kept in each of them. Name those
        whose totals are published, such as region; each stratum needs at least `k` weights.

    Effect on risk
        A weight that nobody else has singles a record out, and weights tell the strata of a sample that the file may
        not show, such as a small region. A household has one weight, as a rule, so that equal weights tell
        who lives together. Here at least `k` households share each weight, `k` in the same stratum with `within`; a
        class may still hold records of one hidden stratum only, so take `k` larger than those. Round before a step
        drops the column of households.
    Effect on utility
        Keeps the total of the weights, in each stratum of `within` too, up to the last digits of a number. Of all
        classes of at least `k` these move the weights of households, or of records, least (sum of squares). Totals of
        other parts of the file, and their standard errors, change a little; by more where a weight is far above all
        others, as it shares one class with the `k` - 1 next ones, whose weights then grow: trim such weights first, or
        take a smaller `k`.
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
    household: Strata = role("household")
    within: Strata = ()

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns, and those that tell the households, named one by one."""
        return super().bound_to(data).replace(household=data.select(self.household))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the mean weight of its class for each record."""
        names = block.select(self.columns)
        check_value_count(type(self).__name__, block, names, self.k)
        decimal = block
        for name in names:
            decimal = decimal.with_column(block.schema[name], block.table[name].cast(nw.Float64))
        households = block.select(self.household)
        number = households_of(block, households).number if households else None
        return decimal.map_columns(names, lambda name, weights: self._means(block, name, weights, number))

    def _means(self, block: Microdata, name: str, weights: FloatColumn, number: CodeColumn | None) -> FloatColumn:
        """Return the mean weights, after checking that there are households enough where these are counted."""
        if number is None or not weights.size:
            return class_means(weights, self.k)
        number = number[block.observed(name)]
        count = np.unique(number).size
        if count < self.k:
            raise DataError(
                f"WeightRounding needs at least {format_count(self.k, 'household')} with a value in '{name}', in the "
                f"file and in each stratum; there are {count}: take a smaller k, or join strata"
            )
        return class_means(weights, self.k, number)


def class_means(weights: FloatColumn, k: int, number: CodeColumn | None = None) -> FloatColumn:
    """Return for each weight the mean of its class: at least `k` neighbours, with the least squared change in all.

    With the `number` of each record's household the neighbours are households, by the mean weight of their members.
    """
    if not weights.size:
        return weights
    places = np.arange(weights.size) if number is None else np.unique(number, return_inverse=True)[1]
    of_units = np.bincount(places, weights=weights) / np.bincount(places)
    ascending = stable_order(of_units)
    rank = np.empty_like(ascending)
    rank[ascending] = np.arange(ascending.size)
    order = np.argsort(rank[places], kind="stable")
    classes = optimal_cuts(np.ascontiguousarray(of_units[ascending, None]), k)[rank[places[order]]]
    means = np.bincount(classes, weights=weights[order]) / np.bincount(classes)
    rounded = np.empty_like(weights)
    rounded[order] = means[classes]
    return rounded
