"""Advice on which columns to microaggregate together: those that are correlated."""

import numpy as np

from sfumato.data import Microdata, Selection, numeric
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import FloatMatrix

Groups = tuple[tuple[str, ...], ...]


def correlated_columns(data: Microdata, columns: Selection = numeric, *, columns_at_a_time: int) -> Groups:
    """Return the columns in groups of correlated ones, for `column_groups` of a microaggregation.

    Groups are as large as `columns_at_a_time` says, and the last may be smaller. Of all ways to divide the columns the
    sum of the squared correlations inside groups is to be the largest; exchanges of two columns between groups, from
    several starts, find it or nearly.

    Parameters
    ----------
    data
        The file.
    columns
        Continuous columns; all by default.
    columns_at_a_time
        How many columns a group has.

    Notes
    -----
    Values move less where correlated columns are together, as their groups of records are tight; but then each group of
    columns tells something else of a record, so that an intruder who knows several links more: see the page on
    microaggregation, and assess both. A constant column is correlated with none.

    References
    ----------
    Advice as in Torra's slides "Masking methods" (2013): most usually correlated variables are microaggregated
    together; there is no clear conclusion with real data.

    Examples
    --------
    >>> import polars
    >>> frame = {"staff": [1.5, 2, 3, 9], "age": [8.5, 1, 7, 2], "wages": [1.5, 2, 4, 9], "sites": [9.5, 1, 8, 1]}
    >>> correlated_columns(Microdata(polars.DataFrame(frame)), columns_at_a_time=2)
    (('staff', 'wages'), ('age', 'sites'))
    """
    if columns_at_a_time < 1:
        raise ParameterError([f"correlated_columns.columns_at_a_time must be in [1, inf); got {columns_at_a_time}"])
    names = data.select(columns)
    groups = divide(_squared_correlations(data, names), columns_at_a_time)
    return tuple(tuple(names[place] for place in group) for group in groups)


def divide(alike: FloatMatrix, size: int) -> list[list[int]]:
    """Return places 0, 1, ... in groups of some size, the last perhaps smaller, that are as alike inside as possible.

    Parameters
    ----------
    alike
        How alike two are, 0 on the diagonal.
    size
        How many are in a group.

    Examples
    --------
    >>> divide(np.array([[0.0, 0.1, 0.9], [0.1, 0.0, 0.2], [0.9, 0.2, 0.0]]), 2)
    [[0, 2], [1]]
    """
    found = [_exchange(_grow(alike, size, first), alike) for first in range(len(alike))]
    best = max(found, key=lambda groups: round(_inside(groups, alike), 12), default=[])
    return sorted((sorted(group) for group in best), key=lambda group: (-len(group), group))


def _squared_correlations(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    covariance = data.summary.covariance(names)
    deviations = np.sqrt(np.diag(covariance))
    scaled = np.where(deviations > 0, deviations, np.inf)  # what is constant has correlations of 0
    found = np.asarray((covariance / scaled / scaled[:, None]) ** 2, dtype=np.float64)
    np.fill_diagonal(found, 0.0)
    return found


def _grow(alike: FloatMatrix, size: int, first: int) -> list[list[int]]:
    """Return groups that grow by what is most alike to them, the first from a given place."""
    left = set(range(len(alike)))
    groups: list[list[int]] = []
    while left:
        start = first if not groups else max(sorted(left), key=lambda place: alike[place, sorted(left)].max())
        group = [start]
        left.remove(start)
        while left and len(group) < size:
            nearest = max(sorted(left), key=lambda place: alike[place, group].sum())
            group.append(nearest)
            left.remove(nearest)
        groups.append(group)
    return groups


def _exchange(groups: list[list[int]], alike: FloatMatrix) -> list[list[int]]:
    """Return the groups after the best exchanges of two places, one after the other, as long as one gains."""
    groups = [list(group) for group in groups]
    while True:
        swaps = [
            (_gain(groups, alike, (a, i), (b, j)), (a, i), (b, j))
            for a in range(len(groups))
            for b in range(a)
            for i in range(len(groups[a]))
            for j in range(len(groups[b]))
        ]
        gain, (a, i), (b, j) = max(swaps, default=(0.0, (0, 0), (0, 0)))
        if gain <= 1e-12:
            return groups
        groups[a][i], groups[b][j] = groups[b][j], groups[a][i]


def _gain(groups: list[list[int]], alike: FloatMatrix, one: tuple[int, int], two: tuple[int, int]) -> float:
    """Return how much more alike groups are inside after two places are exchanged."""
    first, second = groups[one[0]], groups[two[0]]
    mine, theirs = first[one[1]], second[two[1]]
    between = 2 * alike[mine, theirs]
    arrives = alike[theirs, first].sum() + alike[mine, second].sum() - between
    return float(arrives - alike[mine, first].sum() - alike[theirs, second].sum())


def _inside(groups: list[list[int]], alike: FloatMatrix) -> float:
    return float(sum(alike[np.ix_(group, group)].sum() for group in groups)) / 2
