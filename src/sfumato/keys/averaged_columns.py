"""Columns whose values were exchanged for the means of groups, told by the file alone."""

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn

NEARLY_ALL, ROUNDED = 0.9, 1e-9  # of the records, and of a number


def averaged_together(data: Microdata, masked: Microdata) -> list[tuple[str, ...]]:
    """Return the columns that hold means of the same groups, so that nearly all records share those of all of them."""
    averaged = [name for name in data.schema.names if _is_averaged(data, masked, name)]
    left = sorted(averaged, key=lambda name: -int(masked.numbers(name).max(initial=-1)))  # most different means first
    found: list[tuple[str, ...]] = []
    while left:
        chosen, *others = left
        together, groups = [chosen], masked.numbers(chosen)
        for name in others:
            smaller = _cut_groups(groups, masked, name)
            if are_shared(masked, chosen, smaller):
                together, groups = [*together, name], smaller
        found.append(tuple(together))
        left = [name for name in left if name not in together]
    return found


def groups_together(masked: Microdata, names: tuple[str, ...]) -> CodeColumn:
    """Return a number for each combination of means."""
    groups = np.zeros(masked.n, dtype=np.int64)
    for name in names:
        groups = _cut_groups(groups, masked, name)
    return groups


def _cut_groups(groups: CodeColumn, masked: Microdata, name: str) -> CodeColumn:
    """Return a number for each part of a group that has one mean of a further column."""
    return classes_of(np.array([groups, masked.numbers(name)])).numbers


def are_shared(masked: Microdata, name: str, groups: CodeColumn) -> bool:
    """Tell whether nearly all records with a mean of a column are in groups with others."""
    groups = groups[np.isfinite(masked.values(name))]
    return bool(groups.size) and bool((np.bincount(groups)[groups] > 1).mean() >= NEARLY_ALL)


def is_number(data: Microdata, name: str) -> bool:
    """Tell whether a file has a column, and of numbers to count with."""
    return name in data.schema and data.schema[name].kind is Kind.CONTINUOUS


def _is_averaged(data: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether nearly all numbers of a column were exchanged for the means of those who share one."""
    if not (is_number(data, name) and is_number(masked, name)):
        return False
    values, means = data.values(name), masked.values(name)
    known = np.isfinite(values) & np.isfinite(means) & ((values != 0) | (means != 0))  # most may have nothing
    values, means = values[known], means[known]
    if not values.size or (values == means).mean() > NEARLY_ALL:
        return False
    shown, groups, members = np.unique(means, return_inverse=True, return_counts=True)
    exact = np.bincount(groups, weights=values) / members
    rounding = 0.5 if (means == np.rint(means)).all() else 0.005  # of what is written
    is_mean = (np.abs(exact - shown) <= rounding + ROUNDED * np.abs(shown)) & (members > 1)
    return bool(is_mean[groups].mean() >= NEARLY_ALL)
