"""What groups of records show of their amounts: means that tell none of them, also not by columns that add up."""

from typing import NamedTuple

import numpy as np

from sfumato.masking.microaggregation._aggregation import means_by_group
from sfumato.masking.microaggregation._column_sums import Sums, find_sums, made_of, parts_first
from sfumato.masking.microaggregation._dominant_values import cut_amounts
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix

MIN_VALUES = 3  # of two amounts, the mean tells either by the other
ROUNDED = 1e-9
LARGE_PART = 0.1  # of a sum in the file: without such a part it would mislead


class Groups(NamedTuple):
    """Records in groups: the group of each, the rule about amounts, and the household of each where there are some."""

    numbers: CodeColumn
    p: float
    units: CodeColumn | None

    @property
    def group_count(self) -> int:
        """How many groups there are."""
        return int(self.numbers.max(initial=-1)) + 1

    def cut(self, values: FloatColumn) -> FloatColumn:
        """Return amounts that the means of the groups do not tell."""
        return cut_amounts(values, self.numbers, self.p, self.units)

    def take(self, rows: Booleans) -> "Groups":
        """Return the groups of some records, numbered anew."""
        numbers = np.unique(self.numbers[rows], return_inverse=True)[1]
        return Groups(numbers, self.p, None if self.units is None else self.units[rows])

    def are_cut(self, values: FloatColumn) -> Booleans:
        """Tell which groups have an amount that their mean would tell."""
        return self.count_where(np.abs(self.cut(values) - values) > ROUNDED * np.abs(values)) > 0

    def count_where(self, rows: Booleans) -> CodeColumn:
        """Return how many of some records each group has."""
        return np.bincount(self.numbers[rows], minlength=self.group_count)

    def totals(self, values: FloatColumn) -> FloatColumn:
        """Return the sum of each group."""
        return np.asarray(np.bincount(self.numbers, weights=values, minlength=self.group_count), dtype=np.float64)

    def means(self, values: FloatColumn) -> FloatColumn:
        """Return the mean of each group, 0 where it has no value."""
        return np.nan_to_num(means_by_group(values[:, None], self.numbers)[:, 0])


def group_figures(amounts: FloatMatrix, groups: Groups) -> FloatMatrix:
    """Return what each group shows of each column (groups x columns): a mean of cut amounts, or NaN for a gap.

    A column that is a sum of others is made anew of what these show, and of what is left over, cut by itself: so it
    tells nothing that they do not, and no difference of columns tells what was cut.

    Parameters
    ----------
    amounts
        Amounts (records x columns); NaN where one is missing.
    groups
        The groups and the rule.
    """
    sums = find_sums(amounts)
    sizes = np.abs(np.nan_to_num(amounts)).sum(axis=0)
    cut, figures = np.empty_like(amounts), np.empty((groups.group_count, amounts.shape[1]))
    is_gap = np.zeros(figures.shape, dtype=np.bool_)
    told = np.zeros(figures.shape, dtype=np.bool_)
    for place in parts_first(sums, amounts.shape[1]):
        column, parts = amounts[:, place], sums.get(place, {})
        if parts:
            cut[:, place], figures[:, place] = _made_anew(amounts, cut, figures, place, parts, groups)
            told[:, place] = _is_told(column, cut[:, place], groups)
        else:
            cut[:, place] = groups.cut(column)
            figures[:, place] = groups.means(cut[:, place])
        is_gap[:, place] = _is_emptied(column, cut[:, place], groups)
        large = (one for one, factor in parts.items() if abs(factor) * sizes[one] >= LARGE_PART * sizes[place])
        for part in large:
            is_gap[:, place] |= _lacks_part(column, amounts[:, part], cut[:, part], groups)
    held = np.column_stack([groups.totals(np.abs(np.nan_to_num(column))) for column in amounts.T])
    return np.where(is_gap | _broken(sums, told, held), np.nan, figures)


def _made_anew(
    amounts: FloatMatrix, cut: FloatMatrix, figures: FloatMatrix, place: int, parts: dict[int, float], groups: Groups
) -> tuple[FloatColumn, FloatColumn]:
    """Return a sum as it is in each record when its parts are cut, and what each group shows of it."""
    known = ~np.isnan(amounts[:, place])
    values = groups.count_where(known)
    left, made, figure = amounts[:, place].copy(), np.zeros(len(amounts)), np.zeros(groups.group_count)
    for part, factor in parts.items():
        left -= factor * np.nan_to_num(amounts[:, part])
        made += factor * np.nan_to_num(cut[:, part])
        share = groups.count_where(known & ~np.isnan(amounts[:, part])) / np.maximum(values, 1)
        figure += factor * share * figures[:, part]
    left[np.abs(left) <= ROUNDED * np.abs(amounts[:, place])] = 0.0
    left = groups.cut(left)
    return made + np.nan_to_num(left), figure + groups.means(left)


def _is_emptied(values: FloatColumn, cut: FloatColumn, groups: Groups) -> Booleans:
    """Tell which groups have amounts mostly, of which nothing may be shown, or too few values for a mean."""
    known = ~np.isnan(values)
    numbers, amounts = groups.count_where(known), groups.count_where(known & (values != 0))
    left = groups.count_where(known & (cut != 0))
    return np.asarray((numbers < MIN_VALUES) | ((left == 0) & (2 * amounts > numbers)), dtype=np.bool_)


def _lacks_part(whole: FloatColumn, part: FloatColumn, cut: FloatColumn, groups: Groups) -> Booleans:
    """Tell which groups may show nothing of a part that most of their sums have."""
    known = ~np.isnan(whole)
    amounts = groups.count_where(known & (np.nan_to_num(part) != 0))
    left = groups.count_where(np.nan_to_num(cut) != 0)
    return np.asarray((left == 0) & (2 * amounts > groups.count_where(known)), dtype=np.bool_)


def _is_told(values: FloatColumn, made: FloatColumn, groups: Groups) -> Booleans:
    """Tell in which groups the mean of a sum would tell an amount: where its parts do not all add to it.

    The rule is asked of the sum as it is when its parts are cut, of amounts of which that takes off hardly anything as
    they were, and of all as they were where the group shows nearly what it has.
    """
    told = groups.are_cut(made)
    changed = groups.count_where(np.abs(made - values) > ROUNDED * np.abs(values)) > 0
    rows = changed[groups.numbers]
    if rows.any():
        told[changed] |= _comes_near(values[rows], made[rows], groups.take(rows))
    return told


def _comes_near(values: FloatColumn, made: FloatColumn, groups: Groups) -> Booleans:
    """Tell in which groups a sum that is less as its parts are cut would still tell an amount as it was."""
    share, known = groups.p / 100, np.nan_to_num(values)
    hardly_less = np.abs(made - values) <= share * np.abs(values)
    off, whole = groups.totals(np.nan_to_num(made) - known), groups.totals(np.abs(known))
    told = groups.are_cut(np.where(hardly_less, values, made))
    return np.asarray(told | ((np.abs(off) <= share * whole) & groups.are_cut(values)), dtype=np.bool_)


def _broken(sums: Sums, told: Booleans, held: FloatMatrix) -> Booleans:
    """Tell which cells must be gaps, as a sum would tell an amount: that sum, its largest part, and what has that.

    The largest part is that of the group, of which `held` says how much it has in each column (groups x columns), as
    often as it is in the sum: a part of which the group has nothing hides nothing.
    """
    broken = told.copy()
    roots = {total: made_of(sums, total) for total in sums}
    hidden = np.zeros(told.shape, dtype=np.bool_)
    for total, parts in roots.items():
        places = [part for part, factor in parts.items() if factor]
        if not places:
            continue
        largest = np.argmax(held[:, places] * np.abs([parts[part] for part in places]), axis=1)
        for number, part in enumerate(places):
            hidden[:, part] |= told[:, total] & (largest == number)
    broken |= hidden
    for total, parts in roots.items():
        for part in parts:
            broken[:, total] |= hidden[:, part]
    return broken
