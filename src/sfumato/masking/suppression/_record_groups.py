"""Groups of equal records: how rare records find others that are equal to them without some columns."""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.keys.equal_groups import join_rare_groups
from sfumato.masking.suppression._column_sets import bits_of, price_of_sets, sets_by_cost
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


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
    steps = np.lexsort((columns, np.repeat(costs[1:], k), limits.ravel()))
    few = copies < k
    room = int(copies.sum())
    groups = RecordGroups(
        np.resize(np.arange(copies.size), room),
        np.resize(bits_of(records < 0), room),
        np.resize(copies, room),
        np.resize(np.where(few, 0, copies - k), room),
        np.resize(few, room),
    )
    price = price_of_sets(importance)
    count = join_rare_groups(np.ascontiguousarray(records), *groups, columns[steps], limits.ravel()[steps], price, k)
    unit, form, copies, spare, is_rare = groups
    return RecordGroups(unit[:count], form[:count], copies[:count], spare[:count], is_rare[:count])
