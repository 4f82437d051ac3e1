"""Witnesses: tables that fit all that is published, kept by what they change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.goals import NO_WITNESS, Goals

MIN_FRESH, MAX_FRESH = 20_000, 0.05  # moves, and of those in the main part: more of them are put into it


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
        self._size, self._cells = cells, goals.cells
        self._goal_at = np.full(cells, -1)
        self._goal_at[goals.cells] = np.arange(goals.cells.size)
        self._goals = goals.cells.size
        self._main, self._fresh = _Part.of([], 0, cells), _Part.of([], 0, cells)
        nothing, no_table = np.zeros(self._goals), np.full(self._goals, NO_WITNESS)
        self._best: tuple[tuple[FloatColumn, Rows], ...] = (
            (nothing, no_table),
        ) * 2  # above and below, of the main part

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
        moves_known = np.zeros(len(self.tables) + 1, dtype=np.bool_)  # the last is the true table
        for part in (self._main, self._fresh):
            moves_known[part.tables[part.entries_of(known)]] = True
        return moves_known[:-1]

    def farthest(self, known: Rows) -> tuple[FloatColumn, FloatColumn, Rows, Rows]:
        """Return how far above and below its value each primary is seen in tables that move no known cell.

        And in which of the tables: `NO_WITNESS` where none moves it. Only primaries whose best table moves a known cell
        are looked up again, so that an intruder who knows little costs little.
        """
        is_ruled_out = np.append(self.move(known), False)
        found = []
        for sign, (best, witness) in zip((1.0, -1.0), self._best, strict=True):
            lost = np.flatnonzero(is_ruled_out[witness])
            largest, tables = self._largest(self._main, self._main.entries_of(self._cells[lost]), is_ruled_out, sign)
            distances, by = best.copy(), witness.copy()
            distances[lost], by[lost] = largest[lost], tables[lost]
            fresh, fresh_by = self._largest(self._fresh, slice(None), is_ruled_out, sign)
            is_farther = fresh > distances
            found.append((np.where(is_farther, fresh, distances), np.where(is_farther, fresh_by, by)))
        (above, witness_above), (below, witness_below) = found
        return above, below, witness_above, witness_below

    def _largest(
        self, part: "_Part", entries: Rows | slice, is_ruled_out: Booleans, sign: float
    ) -> tuple[FloatColumn, Rows]:
        """Return for each goal the largest distance, at least 0, among some entries, and the first table with it."""
        goals, tables, distances = self._goal_at[part.cells[entries]], part.tables[entries], part.distances[entries]
        is_usable = (goals >= 0) & ~is_ruled_out[tables]
        goals, tables, distances = goals[is_usable], tables[is_usable], sign * distances[is_usable]
        largest, witness = np.zeros(self._goals), np.full(self._goals, len(self.tables))
        np.maximum.at(largest, goals, distances)
        is_largest = (distances > 0.0) & (distances == largest[goals])
        np.minimum.at(witness, goals[is_largest], tables[is_largest])
        return largest, np.where(witness == len(self.tables), NO_WITNESS, witness)

    def _gather(self) -> None:
        """Put the moves of all tables together: most in the main part, and those found since in a small one."""
        gathered = self._main.count + self._fresh.count
        if gathered == len(self.tables):
            return
        self._fresh = _Part.of(self.tables[self._main.count :], self._main.count, self._size)
        if self._fresh.cells.size > MIN_FRESH + MAX_FRESH * self._main.cells.size:
            self._main, self._fresh = _Part.of(self.tables, 0, self._size), _Part.of([], 0, self._size)
            nobody = np.zeros(len(self.tables) + 1, dtype=np.bool_)
            self._best = tuple(self._largest(self._main, slice(None), nobody, sign) for sign in (1.0, -1.0))


@dataclass(frozen=True, eq=False)
class _Part:
    """The moves of some tables in one row, and where those of each cell are."""

    count: int
    tables: Rows
    cells: Rows
    distances: FloatColumn
    order: Rows  # the entries by their cells
    starts: Rows  # where those of each cell begin

    @classmethod
    def of(cls, tables: Sequence[Moves], first: int, size: int) -> Self:
        numbers = np.repeat(np.arange(first, first + len(tables)), [moves.cells.size for moves in tables])
        cells = np.concatenate([np.empty(0, dtype=np.int64), *(moves.cells for moves in tables)])
        distances = np.concatenate([np.empty(0), *(moves.distances for moves in tables)])
        starts = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=size))])
        return cls(len(tables), numbers.astype(np.int64), cells, distances, np.argsort(cells, kind="stable"), starts)

    def entries_of(self, cells: Rows) -> Rows:
        """Return the places of all moves of some cells."""
        nothing = np.empty(0, dtype=np.int64)
        return np.concatenate(
            [nothing, *(self.order[self.starts[cell] : self.starts[cell + 1]] for cell in cells.tolist())]
        )
