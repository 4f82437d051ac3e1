"""Undominated microaggregation: groups of similar records in which no member contributes too much."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking.microaggregation._aggregation import group_means, means_by_group, squared_distances
from sfumato.masking.microaggregation._missing_patterns import groups_by_pattern, join_nearest_groups
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.missing_patterns import rows_by_pattern
from sfumato.numerics.standardisation import z_scores
from sfumato.parameters import Columns, GroupSize, Percent, Strata


class UndominatedMicroaggregation(MaskingMethod):
    """Replace each record by the mean of its group, and join groups in which few members make up most of a column.

    Groups are those of MDAV; one in which a member dominates is joined to the nearest other, again and again, until
    none does. Made for business data, where the mean of a group with one giant in it tells what the giant has.

    Parameters
    ----------
    columns
        Continuous columns, standardised and grouped together. Integer columns get rounded means.
    k
        The smallest number of records in a group.
    n
        How many of the largest contributions are looked at together.
    max_percent
        The largest part of the total of a group that its `n` largest contributions may be, in any column.
    p
        Where given, the members other than the two largest must have together at least this percent of what the largest
        has, in every column: the second largest then cannot come nearer than that to it.
    top_percent
        How many of the values of a column, the largest, are looked at, and at least `k` of them: a group is joined to
        others only where it holds one of these. Whose values are neither large nor rare nobody knows by name.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        Each record is equal to at least `k - 1` others, and no published mean is, up to a factor, the value of a
        dominant member: neither readers nor another member can work it out. Contributions are absolute values.
    Effect on utility
        Keeps means. The larger the giants, the larger the groups around them, and the more is lost there; the rest of
        the file is as with `Mdav`.
    Missing values
        Stay missing, as with `Mdav`: records are grouped with those that have values in the same columns. A file, or
        such a part of it, in which a member dominates all the others together is refused.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata: records are
        published in groups of k or more individuals, where no individual dominates. The rules are the (n, k) rule and
        the p % rule of tables.

    Examples
    --------
    >>> import polars
    >>> firms = Microdata(polars.DataFrame({"turnover": [1.0, 2.0, 3.0, 20.0, 30.0, 90.0]}))
    >>> method = UndominatedMicroaggregation(columns=("turnover",), k=3, max_percent=64)
    >>> method.mask(firms, np.random.default_rng()).frame["turnover"].round(2).to_list()  # 90 of 140 would be 64.3 %
    [24.33, 24.33, 24.33, 24.33, 24.33, 24.33]
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    k: GroupSize = 3
    n: Annotated[int, Field(ge=1, le=100)] = 1
    max_percent: Percent = 60.0
    p: Percent | None = None
    top_percent: Percent = 100.0
    within: Strata = ()

    def detail(self) -> str:
        """Return the size of the groups."""
        return f"groups of {self.k} or more"

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns averaged in groups."""
        names = block.select(self.columns)
        return block.map_matrix(names, lambda matrix: self._average(matrix, names))

    def can_hide(self, matrix: FloatMatrix) -> bool:
        """Return whether groups are possible, and no k or more records with the same gaps are dominated together."""
        floors, absent = self._floors(matrix), np.isnan(matrix)
        alike = [(rows, ~absent[rows[0]]) for rows in rows_by_pattern(absent) if rows.size >= self.k]
        some = [(rows, present) for rows, present in alike if present.any()]
        return bool(some) and not any(
            self._is_dominated(matrix[np.ix_(rows, present)], floors[present]) for rows, present in some
        )

    def _average(self, matrix: FloatMatrix, names: tuple[str, ...]) -> FloatMatrix:
        points, who, floors = z_scores(matrix), type(self).__name__, self._floors(matrix)

        def group_rows(rows: CodeColumn, present: Booleans) -> CodeColumn:
            some, values = np.ascontiguousarray(points[np.ix_(rows, present)]), matrix[np.ix_(rows, present)]
            if self._is_dominated(values, floors[present]):
                raise self._dominance(values, tuple(np.array(names)[present]), floors[present])
            return self._without_dominance(some, values, mdav_groups(some, self.k), floors[present])

        groups, rare = groups_by_pattern(np.isnan(points), self.k, group_rows, who)
        if rare:
            groups = join_nearest_groups(points, groups, rare, means_by_group(points, groups), squared_distances)
            grouped = groups >= 0  # a record without any value is in no group
            dominated = np.flatnonzero(self._dominated(matrix[grouped], groups[grouped], floors))
            if dominated.size:
                raise self._dominance(matrix[groups == dominated[0]], names, floors)
        return np.where(np.isnan(matrix), np.nan, group_means(matrix, groups))

    def _floors(self, matrix: FloatMatrix) -> FloatColumn:
        """Return for each column the smallest of the values that are looked at."""
        floors = []
        for column in np.abs(matrix.T):
            known = np.sort(column[~np.isnan(column)])
            count = min(max(self.k, int(np.ceil(self.top_percent / 100 * known.size))), known.size)
            floors.append(known[-count] if count else 0.0)
        return np.array(floors)

    def _without_dominance(
        self, points: FloatMatrix, matrix: FloatMatrix, groups: CodeColumn, floors: FloatColumn
    ) -> CodeColumn:
        """Return the groups with each dominated one joined to the nearest other until none is dominated."""
        groups, centres = groups.copy(), means_by_group(points, groups)
        dominated = np.flatnonzero(self._dominated(matrix, groups, floors)).tolist()
        alive = np.ones(len(centres), dtype=np.bool_)
        members = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1])
        while dominated:
            group = dominated.pop()
            alive[group] = False
            others = np.flatnonzero(alive)
            nearest = int(others[np.argmin(((centres[others] - centres[group]) ** 2).sum(axis=1))])
            groups[members[group]] = nearest
            members[nearest] = rows = np.sort(np.concatenate((members[nearest], members[group])))
            centres[nearest] = points[rows].mean(axis=0)
            is_dominated = self._is_dominated(matrix[rows], floors)
            dominated = [other for other in dominated if other != nearest] + [nearest] * is_dominated
        return np.asarray(np.unique(groups, return_inverse=True)[1], dtype=np.int64)

    def _is_dominated(self, matrix: FloatMatrix, floors: FloatColumn) -> bool:
        """Return whether some column is dominated among all these records, without sorting them by group."""
        sizes = -np.sort(-np.where(np.isnan(matrix), 0.0, np.abs(matrix)), axis=0)
        every, largest = sizes.sum(axis=0), sizes[0]
        dominated = sizes[: self.n].sum(axis=0) > (self.max_percent / 100 + 1e-12) * every
        if self.p is not None:
            dominated |= (every - sizes[:2].sum(axis=0) < (self.p / 100 - 1e-12) * largest) & (every > 0)
        return bool(np.any(dominated & (largest >= floors)))

    def _dominated(self, matrix: FloatMatrix, groups: CodeColumn, floors: FloatColumn) -> Booleans:
        """Return for each group whether some column of it is dominated."""
        sizes = np.where(np.isnan(matrix), 0.0, np.abs(matrix))
        found = [self._dominated_columns(*one, groups) for one in zip(sizes.T, floors, strict=True)]
        return np.asarray(np.logical_or.reduce(found), dtype=np.bool_)

    def _dominated_columns(self, sizes: FloatColumn, floor: float, groups: CodeColumn) -> Booleans:
        in_order = np.lexsort((-sizes, groups))
        starts = np.searchsorted(groups[in_order], np.arange(groups.max() + 1))
        place = np.arange(groups.size) - starts[groups[in_order]]
        count = len(starts)

        def total(below: int) -> FloatColumn:
            some = place < below
            sums = np.bincount(groups[in_order][some], weights=sizes[in_order][some], minlength=count)
            return np.asarray(sums, dtype=np.float64)

        every, largest = total(groups.size), total(1)
        dominated = total(self.n) > (self.max_percent / 100 + 1e-12) * every
        if self.p is not None:
            dominated |= (every - total(2) < (self.p / 100 - 1e-12) * largest) & (every > 0)
        return np.asarray(dominated & (largest >= floor), dtype=np.bool_)

    def _dominance(self, matrix: FloatMatrix, names: tuple[str, ...], floors: FloatColumn) -> DataError:
        """Return what is wrong with records that are dominated all together: the column, and the rule it breaks."""
        group = np.zeros(len(matrix), dtype=np.int64)
        columns = list(zip(np.where(np.isnan(matrix), 0.0, np.abs(matrix)).T, floors, strict=True))
        place = next(place for place, one in enumerate(columns) if self._dominated_columns(*one, group)[0])
        by_largest = bool(self.replace(p=None)._dominated_columns(*columns[place], group)[0])
        few = "the largest contribution makes" if self.n == 1 else f"the {self.n} largest contributions make"
        if by_largest:
            rule = f"{few} up more than {format_compact(self.max_percent)} % of it"
            cure = "allow a larger max_percent"
        else:
            rule = f"all but the two largest are less than {format_compact(self.p or 0.0)} % of the largest"
            cure = "take a smaller p"
        return DataError(
            f"UndominatedMicroaggregation: '{names[place]}' is dominated among all {len(matrix)} records with values "
            f"in the same columns, in the file or in a stratum: {rule}, so that no group hides them; {cure}, top-code "
            f"the column first, or join strata"
        )
