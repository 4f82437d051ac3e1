"""Records that share values: which values may move, and whether sharing was lost."""

import numpy as np

from sfumato.improve._problem import Problem
from sfumato.kernels.improvement.hill_climbing import Cells
from sfumato.numerics.arrays import Booleans, FloatMatrix, Rows


def single_cells(problem: Problem, chosen: Booleans) -> Cells:
    """Return every value of the chosen records as a cell of its own."""
    rows, d = np.flatnonzero(chosen), len(problem.names)
    return _cells(problem, np.tile(np.arange(d), rows.size), np.ones(rows.size * d, dtype=np.int64), np.repeat(rows, d))


def shared_cells(problem: Problem, chosen: Booleans) -> Cells:
    """Return the values of each column with all records that have them, where these are all among the chosen."""
    columns: list[Rows] = []
    sizes: list[Rows] = []
    rows: list[Rows] = []
    for column, values in enumerate(problem.masked.T):
        there = np.flatnonzero(~np.isnan(values))
        _, owner, count = np.unique(values[there], return_inverse=True, return_counts=True)
        movable = np.bincount(owner, weights=~chosen[there], minlength=count.size) == 0
        ordered = np.argsort(owner, kind="stable")
        rows.append(there[ordered[movable[owner[ordered]]]])
        sizes.append(count[movable])
        columns.append(np.full(int(movable.sum()), column, dtype=np.int64))
    return _cells(problem, np.concatenate(columns), np.concatenate(sizes), np.concatenate(rows))


def whole_groups(masked: FloatMatrix, chosen: Booleans) -> Booleans:
    """Return the chosen records without those that are equal, in all columns, to one that is not chosen."""
    _, owner = np.unique(masked, axis=0, return_inverse=True, equal_nan=False)
    parted = np.bincount(owner.ravel(), weights=~chosen) > 0
    return np.asarray(chosen & ~parted[owner.ravel()], dtype=np.bool_)


def broken_groups_remark(problem: Problem, improved: FloatMatrix) -> tuple[str, ...]:
    """Return a sentence if each value of a column had several records, as after microaggregation, and now has fewer."""
    before, after = least_shared(problem.masked), least_shared(improved)
    lost = [name for name, had, has in zip(problem.names, before, after, strict=True) if 2 <= had > has]
    if not lost:
        return ()
    at = problem.names.index(lost[0])
    return (
        f"groups of equal records were broken in {', '.join(lost)}: each value of {lost[0]} had at least {before[at]} "
        f"records and now has at least {after[at]}, so that k-anonymity on these columns is lost",
    )


def least_shared(values: FloatMatrix) -> tuple[int, ...]:
    """Return for each column the number of records that have its rarest value.

    Examples
    --------
    >>> least_shared(np.array([[1.0, 5.0], [1.0, 6.0], [2.0, 5.0], [2.0, np.nan]]))
    (2, 1)
    """
    return tuple(int(np.unique(column[~np.isnan(column)], return_counts=True)[1].min()) for column in values.T)


def _cells(problem: Problem, columns: Rows, sizes: Rows, rows: Rows) -> Cells:
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Cells(columns, starts, rows, problem.lows, problem.highs, problem.is_whole.astype(np.int64), problem.gaps)
