"""Categories that are too rare to be drawn, told before the synthesis."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import CATEGORICAL, Microdata
from sfumato.display import format_count
from sfumato.numerics.arrays import Rows


def rare_category_remarks(
    data: Microdata, names: Sequence[str], min_leaf: int, groups: Rows | None = None, households: Rows | None = None
) -> tuple[str, ...]:
    """Return a sentence for each categorical column that has categories which are not drawn.

    Parameters
    ----------
    data, names
        The file and the columns.
    min_leaf
        How many records a category needs, or households that have it in one group of members.
    groups, households
        The group of each record that has models of its own, and its household; where persons are drawn one by one, all
        are in one group and each is a household.
    """
    groups = np.zeros(data.n, dtype=np.int64) if groups is None else groups
    number = np.arange(data.n) if households is None else households
    count, found = int(groups.max(initial=0)) + 1, []
    for name in (name for name in names if data.schema[name].kind in CATEGORICAL):
        codes, categories = data.codes(name)
        cells = np.unique(((codes * count + groups) * data.n + number)[codes >= 0]) // data.n  # a household once
        most = np.bincount(cells, minlength=len(categories) * count).reshape(-1, count).max(axis=1)
        rare = np.flatnonzero((most > 0) & (most < min_leaf))
        if rare.size:
            theirs = np.isin(codes, rare)
            homes = "" if households is None else f" in {format_count(np.unique(number[theirs]).size, 'household')}"
            found.append(
                f"{format_count(rare.size, 'category')} of {name}, of {format_count(int(theirs.sum()), 'record')}"
                f"{homes or ' in all'}, {'is' if rare.size == 1 else 'are'} too rare to be drawn"
            )
    return tuple(found)
