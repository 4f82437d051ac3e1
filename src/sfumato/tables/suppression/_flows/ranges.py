"""Ranges: how far the cells of a pattern can move at most, as single relations tell, one after the other."""

import numpy as np

from sfumato.kernels.tables.ranges import hold_still, put_back
from sfumato.numerics.arrays import Booleans, FloatMatrix
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._reach import DOWN, UP

MAX_LINES = 1000  # relations that are looked at for one cell


class Ranges:
    """The ranges of all cells of a pattern from which cells are published one by one.

    They tell in no time of most cells that are needed that they are: a primary would have too little range without
    them. Of the others only a linear programme tells.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    suppressed
        The pattern.
    levels
        How far each primary must be able to move: up, and down; further rows play no part.
    """

    def __init__(self, problem: Problem, suppressed: Booleans, levels: FloatMatrix) -> None:
        lines, cells = problem.relations.tocsr(), problem.relations.tocsc()
        self._graph = (
            lines.indptr.astype(np.int64),
            lines.indices.astype(np.int64),
            lines.data.astype(np.float64),
            cells.indptr.astype(np.int64),
            cells.indices.astype(np.int64),
        )
        self._ranges = np.where(suppressed, problem.room_above, 0.0), np.where(suppressed, problem.room_below, 0.0)
        self._needed = np.zeros((2, problem.size))
        self._needed[:, problem.primaries] = levels[[UP, DOWN]]
        self._is_waiting = np.zeros(problem.relations.shape[0], dtype=np.bool_)
        log_size = 10 * MAX_LINES
        self._log = np.zeros(log_size, dtype=np.int64), np.zeros(log_size), np.zeros(log_size)
        self._changes = 0

    def hold_still(self, cell: int) -> bool:
        """Let a cell move no longer; return False, and change nothing, where some primary then lacks its range."""
        up, down = self._ranges
        needed_up, needed_down = self._needed
        is_possible, self._changes = hold_still(
            *self._graph, cell, up, down, needed_up, needed_down, MAX_LINES, self._is_waiting, *self._log
        )
        if not is_possible:
            self.let_move()
        return bool(is_possible)

    def let_move(self) -> None:
        """Let the last cell that was held still move again."""
        up, down = self._ranges
        cells, former_up, former_down = self._log
        put_back(up, down, cells, former_up, former_down, self._changes)
        self._changes = 0
