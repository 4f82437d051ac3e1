"""Witnesses: tables that fit all that is published, kept by what they change."""

from typing import NamedTuple, Self

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.goals import NO_WITNESS, Goals


class Moves(NamedTuple):
    """How a table differs from the true one: the cells that do, by their places in the component, and by how much."""

    cells: Rows
    distances: FloatColumn

    @classmethod
    def of(cls, distances: FloatColumn) -> Self:
        """Return the moves by what each cell of the component differs."""
        cells = np.flatnonzero(distances)
        return cls(cells, distances[cells])

    def reversed(self) -> "Moves":
        """Return as much to the other side."""
        return Moves(self.cells, -self.distances)


class Witnesses:
    """Tables that fit all that is published of one component.

    Parameters
    ----------
    cells
        How many cells the component has.
    goals
        Its primaries.
    """

    def __init__(self, cells: int, goals: Goals) -> None:
        self.tables: list[Moves] = []
        self._size = cells
        self._goal_at = np.full(cells, -1)
        self._goal_at[goals.cells] = np.arange(goals.cells.size)
        self._goals = goals.cells.size
        self._gathered = Moves(np.empty(0, dtype=np.int64), np.empty(0))
        self._tables: Rows = np.empty(0, dtype=np.int64)
        self._gathered_tables = 0

    def add(self, moves: Moves) -> int:
        """Add a table and return its number."""
        self.tables.append(moves)
        return len(self.tables) - 1

    def seen(self, moves: Moves) -> tuple[Rows, FloatColumn]:
        """Return the goals, by their places, that a table moves, and by how much."""
        goals = self._goal_at[moves.cells]
        return goals[goals >= 0], moves.distances[goals >= 0]

    def move(self, known: Rows) -> Booleans:
        """Return for each table whether it moves any of the known cells."""
        self._gather()
        is_known = np.zeros(self._size, dtype=np.bool_)
        is_known[known] = True
        moves_known = np.zeros(len(self.tables), dtype=np.bool_)
        moves_known[self._tables[is_known[self._gathered.cells]]] = True
        return moves_known

    def farthest(self, known: Rows) -> tuple[FloatColumn, FloatColumn, Rows, Rows]:
        """Return how far above and below its value each primary is seen in tables that move no known cell.

        And in which of the tables: `NO_WITNESS` where none moves it.
        """
        is_usable = ~self.move(known)[self._tables]
        goals = self._goal_at[self._gathered.cells]
        is_usable &= goals >= 0
        goals, tables, distances = goals[is_usable], self._tables[is_usable], self._gathered.distances[is_usable]
        above, witness_above = self._largest(goals, tables, distances)
        below, witness_below = self._largest(goals, tables, -distances)
        return above, below, witness_above, witness_below

    def _largest(self, goals: Rows, tables: Rows, distances: FloatColumn) -> tuple[FloatColumn, Rows]:
        """Return for each goal the largest distance, at least 0, and the first table that shows it."""
        largest, witness = np.zeros(self._goals), np.full(self._goals, NO_WITNESS)
        np.maximum.at(largest, goals, distances)
        is_largest = np.flatnonzero((distances > 0.0) & (distances == largest[goals]))[::-1]
        witness[goals[is_largest]] = tables[is_largest]  # backwards, so that the first table is the last written
        return largest, witness

    def _gather(self) -> None:
        """Put the moves of all tables in one row."""
        fresh = self.tables[self._gathered_tables :]
        if fresh:
            numbers = np.arange(self._gathered_tables, len(self.tables))
            self._tables = np.concatenate([self._tables, np.repeat(numbers, [moves.cells.size for moves in fresh])])
            self._gathered = Moves(*(np.concatenate(column) for column in zip(self._gathered, *fresh, strict=True)))
            self._gathered_tables = len(self.tables)
