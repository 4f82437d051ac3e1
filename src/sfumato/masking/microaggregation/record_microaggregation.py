"""Record microaggregation: make whole records equal in groups of similar ones, gaps included."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, Role
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.gower_mdav import CONTINUOUS, NOMINAL, gower_mdav_groups
from sfumato.kernels.neighbours.kd_cuts import block_numbers, find_cuts
from sfumato.keys.households import households_of
from sfumato.masking.microaggregation._aggregation import means_by_group
from sfumato.masking.microaggregation._group_figures import Groups, group_figures
from sfumato.masking.microaggregation._groups_of_units import join_groups_of_few
from sfumato.masking.microaggregation._typical_cells import (
    gap_kinds,
    shared_cells,
    shared_dates,
    with_figures,
    with_first_days,
    with_typical,
)
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.hashing import mix_bits
from sfumato.parameters import Columns, GroupSize, Percent, Strata

LARGEST_PART = 16_384  # records that are grouped together
PERIOD_WORDS = {1: "month", 3: "quarter", 12: "year", 120: "decade"}
SMALLEST_GROUP = 3  # of two records, each learns the other's numbers from their mean
HIDDEN = (
    "no text or code is that of {k} records, so that any would be somebody's own, and nothing of it can be shown; drop "
    "the column, or join its categories first where they are needed"
)


class RecordMicroaggregation(MaskingMethod):
    """Make each record equal to at least `k - 1` others in all chosen columns, gaps included.

    A group takes the most frequent category of its records, the lower median of ordered categories and of dates, and
    the mean of numbers. Where more of its records have a gap than a value, or a mean would tell an amount however it is
    cut, all of them get a gap. So does a group of texts or codes that are somebody's own. Dates that fewer than `k`
    records share become the first day of a month, a quarter, a year or a decade that they do: a day of birth that one
    person has tells that this person is in the file.

    Parameters
    ----------
    columns
        All columns that are released: nominal, ordinal and continuous ones, and dates, grouped by Gower's distance.
        Each counts the same: a category 0 or 1, all others the difference as a share of the column's range. A gap
        is as far from a value as two values can be. Integer columns get rounded means.
    k
        The smallest number of records in a group, three or more, as each of two would learn the other's numbers from
        their mean; groups have up to `2 k - 1`, and more where `household` is given. A category that fewer records of
        the file have is shown of no group.
    p
        How far above an amount, in percent of it, the most lies that another can work out of it, at least. The members
        other than the two with the largest amounts must have together at least this percent of the largest one. Where
        they have less, all amounts above the j-th are cut to it, with the first j for which those behind the next one
        have at least this percent of j times as much; often there is none but 0. Amounts are absolute values. Columns
        that are sums of multiples of others are made anew of what these show. Sampling weights are no amounts: they
        keep their sum.
    household
        The column, or columns, that tell which household a record belongs to, or which person where some have several.
        Each group then holds records of at least `k` of them: one of fewer is joined to the nearest. By `p`, what its
        members have together is one amount, and by `k` a category that only they have is that of one. It is only read;
        drop it in a later step.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        Whoever knows everything about a person, the recipe and all draws still cannot tell that person's record from
        `k - 1` others, if no other column is released: nobody links more than 1 in `k` records, which is proven. What
        the records of a group have in common can be learnt of all of them, and where all have about the same amount,
        the mean is near everybody's. What is left open is who stands out: what readers, and members who know their own
        amounts, can work out as the most that another can have is at least `p` percent too much, by the means of a
        group and by sums of their multiples, as far as columns that hang together so are found: sums and differences
        that hold in half of the records, other multiples in four of five. Whoever knows the amounts of all others in a
        group learns the last one, as from every mean, unless it was cut. Products and ratios of columns are not looked
        at, nor are scales of fees.
    Effect on utility
        Keeps the means of numbers up to what `p` takes off, and the rounding of integer columns; amounts that few have
        nearly vanish in groups of three. Totals still add up where no part is a gap. Frequent categories become more
        frequent and rare ones vanish, the more the larger `k` is. One extreme value widens the range of its column, so
        that all other differences in it count little. Files of more than 16,384 records are cut into parts of near
        ones, which are grouped each by itself and lose a little more.
    Missing values
        Gaps and codes for missing are values among others: some are filled with what is typical of the group, and
        some values become gaps. How many stay missing changes little, who lacks what is hidden.
    Source
        Domingo-Ferrer and Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through microaggregation,
        with gaps as a category of their own; the p % rule is that of tables.

    Examples
    --------
    >>> import polars
    >>> jobs, ages = ["baker", "baker", "baker", "nurse", "nurse", "nurse"], [31.0, 30.0, 35.0, 55.0, 58.0, None]
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
        names = block.select(self.columns)
        units = self._units(block)
        groups = group_in_strata(block, names, self.k, self.strata, units)
        figures = self._figures(block, names, groups, units)
        for name in names:
            if name in figures:
                block = with_figures(block, name, groups, figures[name])
            elif block.schema[name].kind is Kind.DATE:
                months, shared = shared_dates(block, name, self.k, units)
                block = with_typical(block, name, groups, shared)
                block = with_first_days(block, name, months) if months else block
            else:
                block = with_typical(block, name, groups, shared_cells(block, name, self.k, units))
        return block

    def hidden_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns of categories of which nothing is shown, as too few records have any in common."""
        units = self._units(data)
        names = [name for name in data.select(self.columns) if data.schema[name].kind in CATEGORICAL]
        return tuple(name for name in names if not shared_cells(data, name, self.k, units).any())

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return which columns become gaps everywhere, and which dates stand for months or years."""
        hidden = self.hidden_columns(data)
        gone = (f"{', '.join(hidden)}: {HIDDEN.format(k=self.k)}",) if hidden else ()
        return (*gone, *period_remarks(self.date_periods(data)))

    def date_periods(self, data: Microdata) -> dict[str, int]:
        """Return of how many months the periods are to whose first day dates are rounded, where they are."""
        dates = [name for name in data.select(self.columns) if data.schema[name].kind is Kind.DATE]
        found = {name: shared_dates(data, name, self.k, self._units(data))[0] for name in dates}
        return {name: months for name, months in found.items() if months}

    def split_strata(self, data: Microdata) -> Iterator[Microdata]:
        """Yield the file: its strata are grouped apart, but what columns add up to is found by all records."""
        yield data

    def _units(self, data: Microdata) -> CodeColumn | None:
        households = data.select(self.household)
        return households_of(data, households).number if households else None

    def _figures(
        self, data: Microdata, names: tuple[str, ...], groups: CodeColumn, units: CodeColumn | None
    ) -> dict[str, FloatColumn]:
        """Return what each group shows of each number; how many a record stands for is nobody's amount."""
        numbers = [name for name in names if data.schema[name].kind is Kind.CONTINUOUS]
        amounts = tuple(name for name in numbers if data.schema[name].role is not Role.WEIGHT)
        found = {name: means_by_group(data.matrix((name,)), groups)[:, 0] for name in numbers if name not in amounts}
        if amounts:
            shown = group_figures(data.matrix(amounts), Groups(groups, self.p, units))
            found |= dict(zip(amounts, shown.T, strict=True))
        return found


def period_remarks(periods: Mapping[str, int]) -> tuple[str, ...]:
    """Return which dates are the first day of a longer period, and why."""
    if not periods:
        return ()
    told = ", ".join(f"{name} ({PERIOD_WORDS[months]})" for name, months in periods.items())
    return (f"dates that too few records share are released as the first day of a longer period: {told}",)


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


def group_in_strata(
    data: Microdata, names: tuple[str, ...], k: int, within: tuple[str, ...], units: CodeColumn | None
) -> CodeColumn:
    """Return the group of each record; no group reaches from one stratum to another."""
    groups, first = np.empty(data.n, dtype=np.int64), 0
    for rows in data.strata(within) if within else [np.arange(data.n)]:
        own = None if units is None else np.unique(units[rows], return_inverse=True)[1]
        for held, what in ((rows.size, "records"), *([] if own is None else [(int(own.max()) + 1, "households")])):
            if held < k:
                raise DataError(
                    f"RecordMicroaggregation.k must be at most the number of {what}, in the file or in a stratum; got "
                    f"{k} for {held}: take a smaller k, or join strata"
                )
        groups[rows] = first + group_records(data.take_rows(rows), names, k, own)
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
