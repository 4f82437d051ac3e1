"""What is told of suppressed key values: by other members of a household, and by values that few records have."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import Microdata
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.display import format_count
from sfumato.keys.classes import UNIQUE_SHARE
from sfumato.keys.households import Households
from sfumato.numerics.arrays import CodeColumn
from sfumato.report.unique_columns import NOTICED_ROLES


def rare_value_remarks(
    data: Microdata, masked: Microdata, names: Sequence[str], unchanged: Sequence[str], k: int
) -> list[str]:
    """Return a sentence about rare values of columns released as they were that stand beside a suppressed key.

    Columns that tell most records apart by themselves are left to their own notice.

    Parameters
    ----------
    data, masked
        The file as it was and as it is released, in the same order.
    names, unchanged
        The keys, and the columns that are released as they were.
    k
        Values that fewer records have are rare.
    """
    is_suppressed = np.zeros(data.n, dtype=np.bool_)
    for name in names:
        is_suppressed |= data.observed(name) & ~masked.observed(name)
    found = []
    for name in unchanged:
        if name in names or masked.schema[name].role in NOTICED_ROLES or isinstance(masked.table[name].dtype, NESTED):
            continue
        codes = factorise(masked.table[name])[0]
        is_rare = (codes >= 0) & (np.bincount(codes + 1)[codes + 1] < k)
        records = int(np.count_nonzero(is_rare & is_suppressed))
        if records and np.count_nonzero(is_rare) < UNIQUE_SHARE * data.n:
            found.append(f"{name} (in {format_count(records, 'record')})")
    if not found:
        return []
    return [
        f"values that fewer than {k} records have stand beside a suppressed key, and may tell it to whoever knows what "
        f"they go with: {', '.join(found)}; join these values with others, top-code them, or give the column the role "
        f"key"
    ]


def member_words(before: CodeColumn, after: CodeColumn, homes: Households) -> str:
    """Return how many gaps of a key other members of the household fill, and how many rightly; nothing where none do.

    Examples
    --------
    >>> from sfumato.keys.households import group_households
    >>> homes = group_households(np.array([0, 0, 1, 1, 2]))
    >>> member_words(np.array([5, 5, 5, 6, 5]), np.array([0, -1, -1, 1, -1]), homes)
    '; 2 of its 3 gaps can be filled from another member, 1 of them rightly'
    """
    rows = np.flatnonzero(after >= 0)
    member = np.full(homes.count, -1)
    member[homes.number[rows]] = rows
    gaps = np.flatnonzero((before >= 0) & (after < 0))
    teller = member[homes.number[gaps]]
    filled, teller = gaps[teller >= 0], teller[teller >= 0]
    if not filled.size:
        return ""
    right = np.count_nonzero(before[filled] == before[teller])
    return f"; {filled.size:,} of its {gaps.size:,} gaps can be filled from another member, {right:,} of them rightly"
