"""Records that are equal in every released column: nobody can tell them apart, whatever columns tell of each other."""

import numpy as np

from sfumato.data import Microdata
from sfumato.numerics.arrays import CodeColumn


def are_equal_in_groups(masked: Microdata, k: int) -> bool:
    """Tell whether each record is equal to at least `k - 1` others in every column, gaps and their codes included.

    Columns are taken one after another, so that it is soon seen of most files that they are not.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"sex": ["f", "f", "m", "m"], "age": [30, 30, None, None]}))
    >>> are_equal_in_groups(people, 2), are_equal_in_groups(people, 3)
    (True, False)
    """
    return smallest_equal_group(masked, k) >= k


def smallest_equal_group(masked: Microdata, enough: int) -> int:
    """Return how many records are equal in every column, at least; 0 where it is seen to be fewer than `enough`.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"sex": ["f", "f", "f", "m", "m"]}))
    >>> smallest_equal_group(people, 2), smallest_equal_group(people, 3)
    (2, 0)
    """
    smallest = masked.n
    groups = np.zeros(masked.n, dtype=np.int64)
    for name in masked.schema.names:
        cells = masked.numbers(name) + 1
        groups = np.unique(groups * (cells.max(initial=0) + 1) + cells, return_inverse=True)[1]
        smallest = int(np.bincount(groups).min(initial=masked.n))
        if smallest < enough:
            return 0
    return smallest if smallest >= enough else 0


def equal_groups(masked: Microdata) -> CodeColumn:
    """Return for each record the number of the group that is equal to it in every column, from 0.

    Examples
    --------
    >>> import polars
    >>> equal_groups(Microdata(polars.DataFrame({"sex": ["m", "f", "m"], "age": [30, None, 30]}))).tolist()
    [1, 0, 1]
    """
    groups = np.zeros(masked.n, dtype=np.int64)
    for name in masked.schema.names:
        cells = masked.numbers(name) + 1
        groups = np.unique(groups * (cells.max(initial=0) + 1) + cells, return_inverse=True)[1]
    return groups
