"""The suppressed cells of a pattern, cut into components: cells that relations tie together, and nothing else does."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import Problem

PRECISION = (
    1e-12  # of the largest suppressed value in a component: what sums of such values in double precision can tell
)
ADDITIVE = 1e-9  # of the sum of the absolute values in a relation: a larger rest is no rounding
MAX_NAMED = 3  # cells in a message


@dataclass(frozen=True, eq=False)
class Component:
    """Suppressed cells that relations tie together, directly or through each other.

    What an intruder can say of them depends on nothing outside: the relations that hold them say what they add up to.

    Parameters
    ----------
    cells
        Their places in the problem, ascending.
    relations
        The sparse matrix of the relations that hold any of them, restricted to them.
    values, lower, upper
        Their values, and the bounds that every intruder knows; a bound never excludes the value itself.
    """

    cells: Rows
    relations: Any  # scipy.sparse.csr_array
    values: FloatColumn
    lower: FloatColumn
    upper: FloatColumn

    @cached_property
    def largest(self) -> float:
        """The largest absolute value; where all are 0 the largest finite bound, or 1."""
        bounds = np.concatenate([self.lower, self.upper])
        largest = max(_largest(self.values), 0.0) or _largest(bounds[np.isfinite(bounds)])
        return largest or 1.0

    @property
    def tolerance(self) -> float:
        """The difference below which two figures count as equal: a trillionth of the largest value."""
        return PRECISION * self.largest


def components(problem: Problem, suppressed: Booleans) -> tuple[Component, ...]:
    """Return the components of a pattern's suppressed cells, in the order of their first cell.

    Parameters
    ----------
    problem
        The cells and their relations.
    suppressed
        For each cell whether it is suppressed.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    cells = np.flatnonzero(suppressed)
    if not cells.size:
        return ()
    relations = sparse.csr_array(sparse.csc_array(problem.relations)[:, cells], dtype=np.float64)
    relations.eliminate_zeros()
    relations = relations[np.diff(relations.indptr) > 0]
    n = cells.size
    ties = sparse.block_array([[sparse.csr_array((n, n)), relations.T], [relations, None]], format="csr")
    count, labels = connected_components(ties, directed=False)
    return tuple(
        _component(problem, relations[rows][:, columns], cells[columns])
        for columns, rows in zip(_group(labels[:n], count), _group(labels[n:], count), strict=True)
    )


def tolerances(problem: Problem, suppressed: Booleans) -> FloatColumn:
    """Return for each suppressed cell the tolerance of its component, and 0 for each published one."""
    found = np.zeros(problem.size)
    for component in components(problem, suppressed):
        found[component.cells] = component.tolerance
    return found


def check_pattern(problem: Problem, suppressed: Booleans) -> None:
    """Refuse a pattern that does not fit the problem, and values that do not add up."""
    if suppressed.shape != (problem.size,) or suppressed.dtype != np.bool_:
        raise DataError(
            f"the pattern must be {problem.size} truth values, one per cell: true where it is suppressed; "
            f"got an array of {suppressed.dtype} of shape {suppressed.shape}"
        )
    unknown = np.flatnonzero(~np.isfinite(problem.values))
    if unknown.size:
        raise DataError(
            f"an audit needs the value of every cell; there is none for {problem.name_cells(unknown, MAX_NAMED)}"
        )
    rests = np.abs(problem.relations @ problem.values)
    allowed = ADDITIVE * (abs(problem.relations) @ np.abs(problem.values))
    broken = np.flatnonzero(rests > allowed)
    if broken.size:
        worst = broken[np.argsort(-rests[broken], kind="stable")[0]]
        row = problem.relations[[worst]].tocoo()
        total = row.col[np.argsort(row.data, kind="stable")]
        raise DataError(
            f"the values must add up to a rest of at most {format_compact(ADDITIVE)} of what is added; "
            f"{broken.size} of "
            f"{problem.relations.shape[0]} relations do not, the worst by {format_compact(rests[worst])}: that of "
            f"{problem.name_cells(total, MAX_NAMED)}; make the table additive first"
        )


def _component(problem: Problem, relations: Any, cells: Rows) -> Component:
    values = problem.values[cells]
    lower, upper = np.minimum(problem.lower[cells], values), np.maximum(problem.upper[cells], values)
    return Component(cells, relations, values, lower, upper)


def _group(labels: Rows, count: int) -> list[Rows]:
    """Return for each label the places that have it, ascending."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels, minlength=count))[:-1])


def _largest(figures: FloatColumn) -> float:
    return float(np.abs(figures).max(initial=0.0))
