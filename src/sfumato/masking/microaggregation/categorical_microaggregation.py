"""Categorical microaggregation: replace records of any kind of column by what is typical of a group of similar ones."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.kernels.microaggregation import gower_mdav
from sfumato.kernels.microaggregation.gower_mdav import gower_mdav_groups
from sfumato.masking.microaggregation._aggregation import means_by_group
from sfumato.masking.microaggregation._column_sets import ColumnGroups, ColumnsAtATime, column_sets
from sfumato.masking.microaggregation._missing_patterns import groups_by_pattern, join_nearest_groups
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.parameters import Columns, GroupSize, Strata

FORMS = {
    Kind.NOMINAL: gower_mdav.NOMINAL,
    Kind.ORDINAL: gower_mdav.ORDINAL,
    Kind.CONTINUOUS: gower_mdav.CONTINUOUS,
}


class CategoricalMicroaggregation(MaskingMethod):
    """Replace each record by the typical one of its group of at least `k` similar records.

    A nominal value becomes the most frequent category of the group (of equally frequent ones the first in the order of
    the categories), an ordinal value the median category (of two middle ones the lower), a continuous value the mean.

    Parameters
    ----------
    columns
        Nominal, ordinal and continuous columns, grouped together by Gower's distance: each column counts the same, a
        nominal one 0 or 1, the others the difference as a share of the column's range. Integer columns get rounded
        means.
    k
        The smallest number of records in a group; groups have up to `2 k - 1`.
    column_groups
        The columns in groups, such as `[[region, age], [income]]`, each masked separately. Without it, and without
        `columns_at_a_time`, all columns are grouped together.
    columns_at_a_time
        How many columns to group together, in the order of `columns`; the last columns may be fewer.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        On the columns grouped together each record is equal to at least `k - 1` others in the values that it has: with
        all key columns together that is `k`-anonymity where no value is missing. Gaps and codes for missing stay: a
        record with a gap of its own in its group still stands out by it. `assess` counts them as `KAnonymity` does;
        a step of local suppression behind it mends that.
    Effect on utility
        Keeps the means of continuous columns (up to the rounding of integer columns). Frequent categories become more
        frequent and rare ones may vanish, the more the larger `k` is. One extreme value of a continuous column
        widens its range, so that all other differences in it count little.
    Missing values
        Stay missing. A record is grouped with those that lack the same columns; when these are fewer than
        `k`, it joins the nearest group of records that have all the values it has, which may then be larger
        than `2 k - 1`; when there is none the file is refused. Which values are missing is not hidden.
        Constant columns do not influence the groups.
    Source
        Domingo-Ferrer and Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through microaggregation;
        the distance: Gower (1971), A general coefficient of similarity and some of its properties.

    Examples
    --------
    >>> import polars
    >>> jobs, ages = ["baker", "nurse", "baker", "clown", "nurse", "nurse"], [31.0, 48.0, 30.0, 35.0, 52.0, 50.0]
    >>> people = Microdata(polars.DataFrame({"job": jobs, "age": ages}))
    >>> masked = CategoricalMicroaggregation(columns=("job", "age"), k=3).mask(people, np.random.default_rng())
    >>> masked.frame["job"].to_list(), masked.frame["age"].to_list()
    (['baker', 'nurse', 'baker', 'baker', 'nurse', 'nurse'], [32.0, 50.0, 32.0, 32.0, 50.0, 50.0])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.NOMINAL, Kind.ORDINAL, Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    k: GroupSize = 3
    column_groups: ColumnGroups | None = None
    columns_at_a_time: ColumnsAtATime | None = None
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns made typical of their groups."""
        for names in column_sets(block.select(self.columns), self.column_groups, self.columns_at_a_time):
            kinds = tuple(block.schema[name].kind for name in names)
            matrix = np.column_stack([_numbers(block, name) for name in names])
            typical = typical_of_groups(matrix, kinds, self.k, type(self).__name__)
            block = _with_typical(block, dict(zip(names, typical.T, strict=True)))
        return block


def typical_of_groups(matrix: FloatMatrix, kinds: tuple[Kind, ...], k: int, who: str) -> FloatMatrix:
    """Return `matrix` (records x columns) with each value replaced by what is typical of its group; NaN stays NaN.

    Parameters
    ----------
    matrix
        The records, categories as codes 0, 1, ...; NaN where a value is missing.
    kinds
        The kind of each column.
    k
        The smallest number of records in a group.
    who
        The name of the method, for messages.
    """
    forms = np.array([FORMS[kind] for kind in kinds])
    weights = gower_weights(matrix, kinds)

    def group_rows(rows: CodeColumn, present: Booleans) -> CodeColumn:
        points = np.ascontiguousarray(matrix[np.ix_(rows, present)])
        return gower_mdav_groups(points, forms[present], weights[present], k)

    def distances(centres: FloatMatrix, point: FloatColumn, present: Booleans) -> FloatColumn:
        apart = np.where(forms == FORMS[Kind.NOMINAL], centres != point, np.abs(centres - point))
        return np.asarray((weights * apart)[:, present].sum(axis=1), dtype=np.float64)

    groups, rare = groups_by_pattern(np.isnan(matrix), k, group_rows, who)
    groups = join_nearest_groups(matrix, groups, rare, typical_by_group(matrix, groups, kinds), distances)
    typical = typical_by_group(matrix, groups, kinds)
    return np.where(np.isnan(matrix), np.nan, typical[groups])  # only a record without any value has group -1


def gower_weights(matrix: FloatMatrix, kinds: tuple[Kind, ...]) -> FloatColumn:
    """Return 1 for each nominal column and 1 / range for the others, 0 where a column is constant."""
    return np.array([_weight(column[~np.isnan(column)], kind) for column, kind in zip(matrix.T, kinds, strict=True)])


def typical_by_group(matrix: FloatMatrix, groups: CodeColumn, kinds: tuple[Kind, ...]) -> FloatMatrix:
    """Return the typical value of each group and column (groups x columns), NaN where a group has no value."""
    columns = zip(matrix.T, kinds, strict=True)
    return np.column_stack([_typical_in_column(column, groups, kind) for column, kind in columns])


def most_frequent(codes: CodeColumn, groups: CodeColumn) -> tuple[CodeColumn, CodeColumn]:
    """Return the groups that occur and the most frequent code of each, the lowest of equally frequent ones."""
    width = codes.max(initial=0) + 1
    pairs, counts = np.unique(groups * width + codes, return_counts=True)
    by_count = np.lexsort((pairs, -counts, pairs // width))
    found, first = np.unique(pairs[by_count] // width, return_index=True)
    return found, pairs[by_count[first]] % width


def lower_median(codes: CodeColumn, groups: CodeColumn) -> tuple[CodeColumn, CodeColumn]:
    """Return the groups that occur and the median code of each, the lower of two middle ones."""
    by_code = np.lexsort((codes, groups))
    found, first, sizes = np.unique(groups[by_code], return_index=True, return_counts=True)
    return found, codes[by_code[first + (sizes - 1) // 2]]


def _typical_in_column(column: FloatColumn, groups: CodeColumn, kind: Kind) -> FloatColumn:
    if kind is Kind.CONTINUOUS:
        return means_by_group(column[:, None], groups)[:, 0]
    known = ~np.isnan(column) & (groups >= 0)
    choose = most_frequent if kind is Kind.NOMINAL else lower_median
    found, codes = choose(column[known].astype(np.int64), groups[known])
    typical = np.full(groups.max(initial=0) + 1, np.nan)
    typical[found] = codes
    return typical


def _weight(observed: FloatColumn, kind: Kind) -> float:
    if kind is Kind.NOMINAL:
        return 1.0
    span = float(np.ptp(observed)) if observed.size else 0.0
    return 1.0 / span if span > 0 else 0.0


def _numbers(block: Microdata, name: str) -> FloatColumn:
    """Return a column as floats: categories as codes, missing as NaN."""
    if block.schema[name].kind is not Kind.NOMINAL:
        return block.values(name)
    codes, _ = block.codes(name)
    return np.where(codes >= 0, codes.astype(np.float64), np.nan)


def _with_typical(block: Microdata, typical: dict[str, FloatColumn]) -> Microdata:
    """Return the block with these values, NaN where one is missing, in place of its own."""
    observed = {name: values[~np.isnan(values)] for name, values in typical.items()}
    categorical = tuple(name for name in typical if block.schema[name].kind in CATEGORICAL)
    continuous = tuple(name for name in typical if name not in categorical)
    recoded = block.map_codes(categorical, lambda name, _: observed[name].astype(np.int64))
    return recoded.map_columns(continuous, lambda name, _: observed[name])
