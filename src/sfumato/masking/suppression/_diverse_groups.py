"""Join groups of equal records until each shows enough sensitive values, distributed like those of the file."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.kernels.keys.counting import Classes, classes_of
from sfumato.kernels.keys.lattice_classes import SAFE, class_states, merge_parts
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

PARTNERS = 8  # so many of the cheapest partners of a group are tried for one with which it is safe


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """A sensitive column.

    Parameters
    ----------
    values
        The value of each record from 1 up, 0 where missing.
    overall
        The share of each value in the file.
    is_ordered
        Whether the distance of two distributions follows the order of the values.
    """

    values: CodeColumn
    overall: FloatColumn
    is_ordered: bool


@dataclass(frozen=True, eq=False)
class Diversity:
    """What groups must have in each sensitive column: `l` different values, no farther than `t` from the file."""

    columns: tuple[SensitiveColumn, ...]
    l: int = 0
    t: float = 1.0

    def unsafe(self, numbers: CodeColumn, count: int, rows: Rows) -> Booleans:
        """Tell which of some groups are not like that; `numbers` are the groups of the `rows`, from 0 to `count`."""
        unsafe = np.zeros(count, dtype=np.bool_)
        ones = np.ones(rows.size, dtype=np.int64)
        for column in self.columns:
            values = column.values[rows]
            starts, _, held, sizes = merge_parts(numbers, count, rows, values, ones, column.overall.size + 1)
            states = class_states(
                starts, held, sizes, 1, self.l, 0.0, 0.0, 0, self.t, column.is_ordered, column.overall
            )
            unsafe |= states != SAFE
        return unsafe


def cells_of_diverse_groups(codes: CodeColumn, diversity: Diversity, importance: FloatColumn) -> Booleans:
    """Return which cells to suppress so that each group of equal records is diverse.

    Each group that is not loses, together with another, the values in which the two differ: with the cheapest of those
    with which it is diverse, else with the cheapest. At the end there is one group, which is the file.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    diversity
        What groups must be like; the file is.
    importance
        What a cell of each column costs.
    """
    shown = codes.copy()
    everybody = np.arange(len(codes))
    while True:
        classes = classes_of(shown.T)
        unsafe = np.flatnonzero(diversity.unsafe(classes.numbers, classes.count, everybody))
        if not unsafe.size or classes.count == 1:
            return np.asarray((shown < 0) & (codes >= 0), dtype=np.bool_)
        _join_groups(shown, classes, unsafe, diversity, importance)


def _join_groups(
    shown: CodeColumn, classes: Classes, unsafe: CodeColumn, diversity: Diversity, importance: FloatColumn
) -> None:
    """Join each unsafe group (in `shown`, in place) with another, small ones first; each group joins once."""
    sizes = classes.sizes()
    by_class, ends = np.argsort(classes.numbers, kind="stable"), np.cumsum(sizes)

    def members(group: int) -> Rows:
        return by_class[ends[group] - sizes[group] : ends[group]]

    groups = shown[classes.first_rows()]
    is_free = np.ones(classes.count, dtype=np.bool_)
    for group in unsafe[np.argsort(sizes[unsafe], kind="stable")]:
        if not is_free[group]:
            continue
        is_free[group] = False
        costs = np.where(is_free, _joining_costs(groups, sizes, group, importance), np.inf)
        nearest = np.argsort(costs, kind="stable")[:PARTNERS]
        nearest = nearest[np.isfinite(costs[nearest])]
        if not nearest.size:
            break
        partner = _partner(group, nearest, members, diversity)
        together = np.concatenate((members(group), members(partner)))
        shown[np.ix_(together, np.flatnonzero(groups[partner] != groups[group]))] = -1
        is_free[partner] = False


def _joining_costs(groups: CodeColumn, sizes: CodeColumn, group: int, importance: FloatColumn) -> FloatColumn:
    """Return what is lost where a group joins each other one: the values in which they differ, of both."""
    differs = groups != groups[group]
    of_others = sizes * ((differs & (groups >= 0)) @ importance)
    return np.asarray(of_others + sizes[group] * ((differs & (groups[group] >= 0)) @ importance), dtype=np.float64)


def _partner(group: int, nearest: CodeColumn, members: Callable[[int], Rows], diversity: Diversity) -> int:
    """Return the first of the nearest groups with which a group is diverse, or else the nearest."""
    for other in nearest:
        both = np.concatenate((members(group), members(other)))
        if not diversity.unsafe(np.zeros(both.size, dtype=np.int64), 1, both)[0]:
            return int(other)
    return int(nearest[0])
