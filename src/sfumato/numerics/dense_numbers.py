"""Number labels without gaps, in their order."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, Integers

WIDEST = 4  # times as many possible labels as there are records: labels over a wider range are sorted


def dense_numbers(labels: Integers) -> CodeColumn:
    """Return for each label the number of different lower ones; whole numbers close together are not even sorted.

    Examples
    --------
    >>> dense_numbers(np.array([7, -2, 7, 3]))
    array([2, 0, 2, 1])
    """
    if not labels.size:
        return np.empty(0, dtype=np.int64)
    low, high = int(labels.min()), int(labels.max())
    if high - low > WIDEST * labels.size:
        return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    is_held = np.zeros(high - low + 1, dtype=np.bool_)
    places = labels.astype(np.int64) - low
    is_held[places] = True
    return np.asarray((np.cumsum(is_held) - 1)[places], dtype=np.int64)
