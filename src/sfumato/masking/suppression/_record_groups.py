"""Groups of equal records: how rare records find others that are equal to them without some columns."""

from typing import NamedTuple

import numpy as np

from sfumato.masking.suppression._column_sets import bits_of, holds, price_of_sets, sets_by_cost
from sfumato.masking.suppression.local_suppression import row_numbers
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

ROUNDING = 1e-9


class RecordGroups(NamedTuple):
    """Records that are equal and stay together.

    Parameters
    ----------
    unit
        Which of the different records they are.
    form
        The columns in which they are missing, as bits: bit j stands for column j.
    copies
        How many they are.
    spare
        How many of them may leave.
    is_rare
        Whether they are too few and must still find a group.
    """

    unit: CodeColumn
    form: CodeColumn
    copies: CodeColumn
    spare: CodeColumn
    is_rare: Booleans


def join_rare_records(records: CodeColumn, copies: CodeColumn, k: int, importance: FloatColumn) -> RecordGroups:
    """Return the records in groups of equal ones; a few may be left without a group when there are none to spare.

    Parameters
    ----------
    records, copies
        The different records as codes, and how many there are of each.
    k, importance
        How many records must be equal at least, and what a cell of each column costs.
    """
    sets, costs = sets_by_cost(importance)
    limits = costs[1:, None] * k / np.arange(1, k + 1)  # a group for one record, for two, ...
    columns = np.repeat(sets[1:], k)
    few = copies < k
    spare = np.where(few, 0, copies - k)
    groups = RecordGroups(np.arange(copies.size), bits_of(records < 0), copies, spare, few)
    for step in np.lexsort((columns, np.repeat(costs[1:], k), limits.ravel())):
        if not groups.is_rare.any():
            break
        groups = _after_step(groups, records, int(columns[step]), limits.flat[step], importance, k)
    return groups


def _after_step(
    groups: RecordGroups, records: CodeColumn, columns: int, limit: float, importance: FloatColumn, k: int
) -> RecordGroups:
    """Return the groups after those that can have joined others without the values of some columns.

    A group is made when it costs at most `limit` for each rare record.
    """
    unit, form, copies, spare, is_rare = groups
    price, here = price_of_sets(importance), (form == columns) & ~is_rare
    near = np.flatnonzero(here | ((form & ~columns == 0) & (is_rare | (spare > 0))))
    number = row_numbers(np.where(holds(np.array(columns), np.arange(importance.size)), -1, records[unit[near]]))

    def total(amounts: FloatColumn | CodeColumn, of: Booleans) -> FloatColumn:
        return np.asarray(np.bincount(number, np.where(of, amounts, 0)[near]), dtype=np.float64)

    asking, there, company = total(copies, is_rare), total(copies, here), total(spare, ~here)
    lacking = np.maximum(k - there - asking, 0)
    cost = total(copies * (price[columns] - price[form]), is_rare) + lacking * price[columns]
    is_made = (asking > 0) & (company >= lacking) & (cost <= limit * asking * (1 + ROUNDING))
    joins = near[is_rare[near] & is_made[number]]
    called = np.flatnonzero(~here[near] & (spare[near] > 0) & is_made[number])
    leaving = _first_of_each(number[called], spare[near[called]], lacking)
    leavers, leaving = near[called][leaving > 0], leaving[leaving > 0]
    form, copies, spare, is_rare = form.copy(), copies.copy(), spare.copy(), is_rare.copy()
    form[joins], is_rare[joins] = columns, False
    copies[leavers] -= leaving
    spare[leavers] -= leaving
    return RecordGroups(
        np.append(unit, unit[leavers]),
        np.append(form, np.full(leavers.size, columns)),
        np.append(copies, leaving),
        np.append(spare, np.zeros_like(leaving)),
        np.append(is_rare, np.zeros(leavers.size, dtype=np.bool_)),
    )


def _first_of_each(group: CodeColumn, available: CodeColumn, wanted: FloatColumn) -> CodeColumn:
    """Return how many to take of each entry so that each group gets what it wants, first entries first."""
    order = np.argsort(group, kind="stable")
    running = np.cumsum(available[order])
    begins = np.searchsorted(group[order], group[order])
    before = running - available[order] - (running - available[order])[begins]
    taken = np.empty_like(available)
    taken[order] = np.clip(wanted[group[order]] - before, 0, available[order]).astype(np.int64)
    return taken
