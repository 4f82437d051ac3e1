"""What cannot be protected, and what stands in the way."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._flows.cheapest_flows import CheapestFlows
from sfumato.tables.suppression._reach import SIGNS, levels_of

MAX_NAMED = 5
MAX_MOVE = 1e6  # of a level: more than any cell need move for another
MOVE_TOLERANCE = 1e-6  # of a level: what counts as moving


class CannotProtectError(DataError):
    """A primary that no pattern protects.

    Parameters
    ----------
    cell
        What the primary is called.
    known
        What the cells are called that the intruder knows.
    reason
        What stands in the way, and what to do.
    is_exact
        Whether the intruder need only be kept from working it out exactly.
    """

    def __init__(self, cell: str, known: Sequence[str], reason: str = "", *, is_exact: bool = False) -> None:
        whom = f" from an intruder who knows {list_names(known, MAX_NAMED)}" if known else ""
        super().__init__(f"the primary cell {cell} cannot be protected{whom}, whatever else is suppressed{reason}")
        self.cell, self.known, self.reason, self.is_exact = cell, tuple(known), reason, is_exact

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cell, self.known, self.reason), {"is_exact": self.is_exact}


def infeasibility_error(problem: Problem, primary: int, intruder: int = 0) -> CannotProtectError:
    """Return the error for one of the primaries and an intruder; `explained` adds what stands in the way."""
    known = [problem.cell_name(int(cell)) for cell in problem.intruders[intruder]]
    is_exact = bool(problem.only_exact) and problem.only_exact[intruder]
    return CannotProtectError(problem.cell_name(int(problem.primaries[primary])), known, is_exact=is_exact)


@contextmanager
def explain_infeasibility(problem: Problem) -> Iterator[None]:
    """Let errors of this kind that come from a part say what stands in the way in the whole."""
    try:
        yield
    except CannotProtectError as error:
        numbers = {problem.cell_name(cell): cell for cell in range(problem.size)}
        known = np.array([numbers[name] for name in error.known], dtype=np.int64)
        primary = int(np.flatnonzero(problem.primaries == numbers[error.cell])[0])
        levels = levels_of(problem, int(problem.one_of_each[int(error.is_exact)]))[:, primary]
        reason = _reason(problem, int(problem.primaries[primary]), known, levels)
        raise CannotProtectError(error.cell, error.known, reason, is_exact=error.is_exact) from None


def check_primaries(problem: Problem) -> None:
    """Refuse primaries that are not suppressed, or that are to be published."""
    for is_wrong, what in (
        (~problem.must_suppress[problem.primaries], "not among the suppressed cells"),
        (problem.must_publish[problem.primaries], "among the cells that must be published"),
    ):
        if is_wrong.any():
            cell = int(problem.primaries[is_wrong][0])
            raise DataError(f"Problem: every primary cell must be suppressed; {problem.cell_name(cell)} is {what}")


def check_movable(problem: Problem, movable: Booleans) -> None:
    """Refuse primaries that should be able to move but cannot."""
    levels = np.vstack([levels_of(problem), problem.sliding_levels]).max(axis=0, initial=0.0)
    for primary in np.flatnonzero((levels > 0) & ~movable[problem.primaries]).tolist():
        raise infeasibility_error(problem, primary)


def _reason(problem: Problem, cell: int, known: Rows, levels: FloatColumn) -> str:
    blocking = _blocking(problem, cell, known, levels)
    if blocking is not None and blocking.size:
        names = problem.name_cells(blocking, MAX_NAMED)
        return f": too many others must be published. It can be if these need not: {names}"
    if known.size and _blocking(problem, cell, NOBODY_KNOWS, levels) is not None:
        return (
            ": what that intruder knows and the published sums leave too little open. Lower its level, join its "
            "category with another, or leave that intruder out"
        )
    return (
        ": the bounds within which intruders are taken to know the cells leave too little room. Widen the bounds, "
        "lower its level, or join its category with another"
    )


def _blocking(problem: Problem, cell: int, known: Rows, levels: FloatColumn) -> Rows | None:
    """Return published cells that would have to move for a primary to reach its levels; nothing if that is no help."""
    blocking = np.zeros(problem.size, dtype=np.bool_)
    for level, sign in zip(levels.tolist(), SIGNS, strict=True):
        moves = _fewest_published(problem, cell, sign * level, known)
        if moves is None:
            return None
        blocking |= problem.must_publish & (np.abs(moves) > MOVE_TOLERANCE * level)
    return np.flatnonzero(blocking)


def _fewest_published(problem: Problem, cell: int, amount: float, known: Rows) -> FloatColumn | None:
    """Return deviations that move a cell by an amount and published cells as little as may be."""
    farthest = MAX_MOVE * abs(amount)
    above, below = np.minimum(problem.room_above, farthest), np.minimum(problem.room_below, farthest)
    flows = CheapestFlows(problem.relations, above, below)
    flows.price(np.tile(np.where(problem.must_publish, 1.0, 1e-6), 2))
    return flows.cheapest(cell, amount, known)
