"""Categories that are too rare to be drawn, told before the synthesis."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.display import format_count


def rare_category_remarks(data: Microdata, names: Sequence[str], min_leaf: int) -> tuple[str, ...]:
    """Return a sentence for each nominal column in which fewer than `min_leaf` records have a category."""
    found = []
    for name in (name for name in names if data.schema[name].kind is Kind.NOMINAL):
        counts = np.array([count for count in data.summary.counts(name).values() if count])
        rare = counts[counts < min_leaf]
        if rare.size:
            found.append(
                f"{format_count(rare.size, 'category')} of {name}, of {format_count(int(rare.sum()), 'record')} in "
                f"all, {'is' if rare.size == 1 else 'are'} too rare to be drawn"
            )
    return tuple(found)
