"""Record microaggregation: make whole records equal in groups of similar ones, gaps included."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Role
from sfumato.data.column_recoding import set_missing
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.gower_mdav import CONTINUOUS, NOMINAL, gower_mdav_groups
from sfumato.kernels.neighbours.kd_cuts import block_numbers, find_cuts
from sfumato.keys.households import households_of
from sfumato.masking.microaggregation._aggregation import means_by_group
from sfumato.masking.microaggregation._dominant_values import cap_amounts, largest_hidden
from sfumato.masking.microaggregation._groups_of_units import join_groups_of_few
from sfumato.masking.microaggregation.categorical_microaggregation import lower_median, most_frequent
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.hashing import mix_bits
from sfumato.parameters import Columns, GroupSize, Percent, Strata

LARGEST_PART = 16_384  # records that are grouped together
SMALLEST_GROUP = 3  # of two amounts, the mean tells either by the other


class RecordMicroaggregation(MaskingMethod):
    """Make each record equal to at least `k - 1` others in all chosen columns, gaps included.

    A group takes the most frequent category of its records, the lower median of ordered categories and of dates, and
    the mean of numbers. Where more of its records have a gap than a value, or a mean would be of fewer than three
    amounts, all of them get a gap.

    Parameters
    ----------
    columns
        All columns that are released: nominal, ordinal and continuous ones, and dates, grouped by Gower's distance.
        Each counts the same: a category 0 or 1, all others the difference as a share of the column's range. A gap
        is as far from a value as two values can be. Integer columns get rounded means.
    k
        The smallest number of records in a group, three or more, as each of two would learn the other's numbers from
        their mean; groups have up to `2 k - 1`, and more where `household` is given.
    p
        The members of a group other than the two with the largest amounts must have together at least this percent of
        the largest one. Where they have less, the mean would tell it: it then counts as much as the second largest, or
        both as much as the third. Amounts are absolute values. Sampling weights are no amounts: they keep their sum.
    household
        The column, or columns, that tell which household a record belongs to, or which person where some have several.
        Each group then holds records of at least `k` of them: one of fewer is joined to the nearest. By `p`, an amount
        that members of one have in common counts once, as a rent of four persons tells no less than that of one. It is
        only read; drop it in a later step.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        Whoever knows everything about a person, the recipe and all draws still cannot tell that person's record from
        `k - 1` others, if no other column is released: nobody links more than 1 in `k` records, which is proven. What
        the records of a group have in common can be learnt of all of them.
    Effect on utility
        Keeps the means of numbers up to what `p` takes off, and the rounding of integer columns. Frequent categories
        become more frequent and rare ones may vanish, the more the larger `k` is. One extreme value widens the range
        of its column, so that all other differences in it count little. Files of more than 16,384 records are cut into
        parts of near ones, which are grouped each by itself and lose a little more.
    Missing values
        Gaps and codes for missing are values among others: some are filled with what is typical of the group, and
        some values become gaps. How many stay missing changes little, who lacks what is hidden.
    Source
        Domingo-Ferrer and Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through microaggregation,
        with gaps as a category of their own; the p % rule is that of tables.

    Examples
    --------
    >>> import polars
    >>> jobs, ages = ["baker", "baker", None, "nurse", "nurse", "nurse"], [31.0, 30.0, 35.0, 55.0, 58.0, None]
    >>> people = Microdata(polars.DataFrame({"job": jobs, "age": ages}))
    >>> masked = RecordMicroaggregation(columns=("job", "age"), k=3).mask(people, np.random.default_rng())
    >>> masked.frame["job"].to_list(), masked.frame["age"].to_list()
    (['baker', 'baker', 'baker', 'nurse', 'nurse', 'nurse'], [32.0, 32.0, 32.0, None, None, None])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.NOMINAL, Kind.ORDINAL, Kind.CONTINUOUS, Kind.DATE})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False

    columns: Columns
    k: Annotated[GroupSize, Field(ge=SMALLEST_GROUP)] = 3
    p: Percent = 10.0
    household: Strata = ()
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns equal in each group."""
        if block.n < self.k:
            raise DataError(
                f"RecordMicroaggregation.k must be at most the number of records, in the file or in a stratum; got "
                f"{self.k} for {block.n}: take a smaller k, or join strata"
            )
        names = block.select(self.columns)
        households = block.select(self.household)
        units = households_of(block, households).number if households else None
        self._check_units(units)
        groups = group_records(block, names, self.k, units)
        for name in names:
            block = self._make_typical(block, name, groups, units)
        return block

    def _check_units(self, units: CodeColumn | None) -> None:
        if units is not None and units.max() + 1 < self.k:
            raise DataError(
                f"RecordMicroaggregation.k must be at most the number of households, in the file or in a stratum; got "
                f"{self.k} for {units.max() + 1}: take a smaller k, or join strata"
            )

    def _make_typical(self, data: Microdata, name: str, groups: CodeColumn, units: CodeColumn | None) -> Microdata:
        """Return the file with a column made equal in each group."""
        if data.schema[name].kind is not Kind.CONTINUOUS:
            sources = typical_rows(data, name, groups, lacking_groups(data, name, groups))
            return data.with_columns_of(data.take_columns((name,)).take_rows(sources))
        values = data.values(name)
        if data.schema[name].role is Role.WEIGHT:  # how many a record stands for is nobody's amount
            caps = np.full(groups.max(initial=-1) + 1, np.inf)
        else:
            caps = largest_hidden(values, groups, self.p, units)
        lacks = lacking_groups(data, name, groups) | untold_groups(values, groups, caps)
        sources = typical_rows(data, name, groups, lacks)
        means = means_by_group(cap_amounts(values, caps[groups])[:, None], groups)[groups, 0]
        typical = data.with_columns_of(data.take_columns((name,)).take_rows(sources))
        shown = typical.observed(name)
        typical = typical.map_columns((name,), lambda *_: means[shown])
        without_gap = lacks[groups] & shown
        if not without_gap.any():
            return typical
        return typical.with_column(data.schema[name], set_missing(typical.column(name), without_gap))


class Coordinate(NamedTuple):
    """A column as Gower's distance takes it: places, what they are, and what a difference of 1 counts."""

    places: FloatColumn
    form: int
    weight: float


def group_records(data: Microdata, names: tuple[str, ...], k: int, units: CodeColumn | None = None) -> CodeColumn:
    """Return the group of each record, of at least `k` similar ones, and of `k` units; a gap is a category of its own.

    Large files are cut into parts of near records first: the time of a part grows with its square.
    """
    coordinates = [coordinate for name in names for coordinate in _coordinates(data, name)]
    points = np.column_stack([one.places for one in coordinates])
    forms, weights = np.array([one.form for one in coordinates]), np.array([one.weight for one in coordinates])
    groups, first = np.empty(data.n, dtype=np.int64), 0
    for rows in _parts(points, k):
        own = gower_mdav_groups(points[rows], forms, weights, k)
        if units is not None:
            own = join_groups_of_few(points[rows], forms, weights, own, units[rows], k)
        groups[rows] = first + own
        first = int(groups[rows].max()) + 1
    return groups


def _parts(points: FloatMatrix, k: int) -> Iterator[Rows]:
    """Yield the rows of each part of near records; those of a part too small for a group are in the one before it."""
    if len(points) <= LARGEST_PART:
        yield np.arange(len(points))
        return
    spans = np.ptp(points, axis=0)
    scaled = points / np.where(spans > 0, spans, 1.0)
    cuts = find_cuts(scaled, LARGEST_PART)
    numbers = block_numbers(cuts, scaled, mix_bits(np.arange(len(points), dtype=np.uint64), 1))
    sizes = np.bincount(numbers)
    ends, held = [], 0
    for place, size in enumerate(np.cumsum(sizes).tolist()):
        if size - held >= k and len(points) - size >= k and place < sizes.size - 1:
            ends.append(size)
            held = size
    yield from np.split(np.argsort(numbers, kind="stable"), ends)


def gap_kinds(data: Microdata, name: str) -> CodeColumn:
    """Return 0 where a column has a value, and from 1 on a number for each kind of gap: null, or a code for missing."""
    absent = ~data.observed(name)
    kinds = np.zeros(data.n, dtype=np.int64)
    kinds[absent] = 1 + np.unique(data.numbers(name)[absent], return_inverse=True)[1]
    return kinds


def _coordinates(data: Microdata, name: str) -> list[Coordinate]:
    """Return a nominal column as one coordinate; another as its values, and which of them are gaps."""
    if data.schema[name].kind is Kind.NOMINAL:
        numbers = np.unique(data.numbers(name), return_inverse=True)[1]
        return [Coordinate(numbers.astype(np.float64), NOMINAL, 1.0)]
    values = data.values(name)
    observed = ~np.isnan(values)
    span = float(np.ptp(values[observed])) if observed.any() else 0.0
    filled = np.where(observed, values, np.median(values[observed]) if observed.any() else 0.0)
    coordinates = [Coordinate(filled, CONTINUOUS, 1 / span if span > 0 else 0.0)]
    kinds = gap_kinds(data, name)
    return [*coordinates, *([Coordinate(kinds.astype(np.float64), NOMINAL, 1.0)] if kinds.any() else [])]


def lacking_groups(data: Microdata, name: str, groups: CodeColumn) -> Booleans:
    """Tell which groups have more gaps than values in a column."""
    values = np.bincount(groups[data.observed(name)], minlength=groups.max() + 1)
    return np.asarray(np.bincount(groups) > 2 * values, dtype=np.bool_)


def untold_groups(values: FloatColumn, groups: CodeColumn, caps: FloatColumn) -> Booleans:
    """Tell which groups have numbers that no mean hides: of fewer than three records, or mostly of one or two units."""
    known = ~np.isnan(values)
    numbers = np.bincount(groups[known], minlength=caps.size)
    amounts = np.bincount(groups[known & (values != 0)], minlength=caps.size)
    return np.asarray((numbers < SMALLEST_GROUP) | ((caps == 0) & (2 * amounts > numbers)), dtype=np.bool_)


def typical_rows(data: Microdata, name: str, groups: CodeColumn, lacks: Booleans) -> Rows:
    """Return for each record the row of its group whose cell of a column is typical of the group.

    That is a gap of the most frequent kind in the groups that are to lack a value, where they have any.
    """
    kinds = gap_kinds(data, name)
    typical, gaps = np.zeros(lacks.size, dtype=np.int64), kinds > 0
    if gaps.any():
        found, most = most_frequent(kinds[gaps], groups[gaps])
        typical[found] = np.where(lacks[found], most, 0)
    eligible = kinds == typical[groups]
    eligible &= gaps | _typical_values(data, name, groups, eligible & ~gaps)
    first = np.full(lacks.size, groups.size)
    np.minimum.at(first, groups[eligible], np.flatnonzero(eligible))
    return np.asarray(first[groups], dtype=np.int64)


def _typical_values(data: Microdata, name: str, groups: CodeColumn, candidates: Booleans) -> Booleans:
    """Tell which candidates have the category or the date that is typical of their group; of numbers all have."""
    kind = data.schema[name].kind
    if kind is Kind.CONTINUOUS or not candidates.any():
        return candidates
    codes = data.numbers(name) if kind is Kind.NOMINAL else np.unique(data.values(name), return_inverse=True)[1]
    choose = most_frequent if kind is Kind.NOMINAL else lower_median
    found, chosen = choose(codes[candidates], groups[candidates])
    typical = np.full(groups.max() + 1, -1, dtype=np.int64)
    typical[found] = chosen
    return np.asarray(candidates & (codes == typical[groups]), dtype=np.bool_)
