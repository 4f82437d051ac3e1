"""Prove that primaries are protected by tables that fit all that is published: each may prove many of them at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.feasible_tables import ABOVE, BELOW, FeasibleTables
from sfumato.tables.audit.goals import Goals
from sfumato.tables.audit.near_tables import NearTables
from sfumato.tables.audit.witnesses import Moves, Witnesses
from sfumato.tables.problem.problem import NOBODY_KNOWS

LARGE_COMPONENT, MANY_PRIMARIES = (
    1000,
    100,
)  # so many cells and primaries to prove: tables near the true one are tried first
MAX_ROUNDS = 6
MAX_LEFT = 0.9  # a round that leaves more than this part of them is the last


@dataclass(frozen=True, eq=False)
class Proof:
    """How far an intruder must allow each primary of a component to lie from its value, and which tables show it.

    Parameters
    ----------
    above, below
        The distances.
    is_whole
        Whether the distances are the farthest; elsewhere they are what was needed, or more.
    witness_above, witness_below
        The numbers of the tables that show the distances, where these are finite.
    """

    above: FloatColumn
    below: FloatColumn
    is_whole: Booleans
    witness_above: Rows
    witness_below: Rows


def prove(
    tables: FeasibleTables,
    goals: Goals,
    known: Rows,
    witnesses: Witnesses,
    *,
    on_table: Callable[[Moves], None] | None = None,
    spared: Rows = NOBODY_KNOWS,
    stops_at: Rows | None = None,
) -> Proof:
    """Return how well an intruder is kept from the primaries of a component; tables found are added to the witnesses.

    Parameters
    ----------
    tables
        All tables that an intruder cannot rule out.
    goals
        The primaries; those that the intruder knows or is spared are passed over.
    known
        The cells that the intruder knows, by their places in the component.
    witnesses
        Tables found before, for this or another intruder.
    on_table
        Called with every table found.
    spared
        The primaries that the intruder need not be kept from, by the places of their cells in the component.
    stops_at
        The primaries, by their places among the goals, to look at first, when it is enough to know whether all are
        protected; the search ends at the first that is not.
    """
    tables.know(known)
    state = _ProofState(goals, known, spared, witnesses)

    def learn(moves: Moves) -> None:
        state.learn(moves)
        if on_table is not None:
            on_table(moves)

    def is_pushed(goal: int) -> bool:
        return not state.is_open[goal] or _push(tables, state, goal, learn)

    if stops_at is not None and not all(is_pushed(goal) for goal in stops_at.tolist()):
        return state.proof()
    if tables.is_large:
        _look_around(tables, state, learn)
    elif tables.component.cells.size >= LARGE_COMPONENT and np.count_nonzero(state.is_open) >= MANY_PRIMARIES:
        _look_near(NearTables(tables.component, known), state, learn)
    for goal in np.flatnonzero(state.is_open).tolist():
        if not is_pushed(goal) and stops_at is not None:
            break
    return state.proof()


class _ProofState:
    """What is proven of the goals so far."""

    def __init__(self, goals: Goals, known: Rows, spared: Rows, witnesses: Witnesses) -> None:
        self.goals, self.witnesses = goals, witnesses
        self.above, self.below, self.witness_above, self.witness_below = witnesses.farthest(known)
        more = np.maximum(goals.width - goals.above - goals.below, 0.0) / 2
        self.wanted = goals.above + more, goals.below + more
        self.is_whole = np.zeros(goals.cells.size, dtype=np.bool_)
        self.is_open = ~goals.are_met(self.above, self.below) & ~np.isin(goals.cells, np.concatenate([known, spared]))

    def learn(self, moves: Moves) -> None:
        """Take in a table; what is proven already keeps its witnesses, so that few are needed."""
        number = self.witnesses.add(moves)
        goals, reached = self.witnesses.seen(moves)
        goals, reached = goals[self.is_open[goals]], reached[self.is_open[goals]]
        higher, lower = reached > self.above[goals], -reached > self.below[goals]
        self.above[goals[higher]], self.witness_above[goals[higher]] = reached[higher], number
        self.below[goals[lower]], self.witness_below[goals[lower]] = -reached[lower], number
        self._close(goals)

    def reach(self, goal: int, direction: float, distance: float) -> None:
        """Take in how far a primary can move in a direction."""
        (self.above if direction == ABOVE else self.below)[goal] = distance
        self._close(np.array([goal]))

    def _close(self, goals: Rows) -> None:
        """Close those of some goals that are met."""
        self.is_open[goals] &= ~self.goals[goals].are_met(self.above[goals], self.below[goals])

    def lacking(self) -> tuple[FloatColumn, FloatColumn]:
        """Return how far above and below its value each primary must be seen, 0 where it has been."""
        above, below = self.wanted
        tolerance = self.goals.tolerance
        return (
            np.where(self.is_open & (self.above < above - tolerance), above, 0.0),
            np.where(self.is_open & (self.below < below - tolerance), below, 0.0),
        )

    def lacks(self, goal: int, direction: float) -> float:
        """Return how far from its value a primary must be seen in a direction, 0 where it has been."""
        wanted, reached = (self.wanted[0], self.above) if direction == ABOVE else (self.wanted[1], self.below)
        is_lacking = self.is_open[goal] and reached[goal] < wanted[goal] - self.goals.tolerance
        return float(wanted[goal]) if is_lacking else 0.0

    def proof(self) -> Proof:
        return Proof(self.above, self.below, self.is_whole, self.witness_above, self.witness_below)


def _look_near(near: NearTables, state: _ProofState, learn: Callable[[Moves], None]) -> None:
    """Draw half of the primaries up and the others down, then the other way about, while that proves many."""
    goals = state.goals
    places = np.arange(goals.cells.size)
    for turn in range(MAX_ROUNDS):
        before = np.count_nonzero(state.is_open)
        for is_up in ((places >> turn) % 2 == 0, (places >> turn) % 2 == 1):
            above, below = state.lacking()
            wanted = np.zeros(near.size)
            wanted[goals.cells] = np.where(is_up & (above > 0.0) | (below == 0.0), above, -below)
            moves = near.table(wanted) if wanted.any() else None
            if moves is not None:
                learn(Moves.of(moves))
        if np.count_nonzero(state.is_open) > MAX_LEFT * before:
            break


def _look_around(tables: FeasibleTables, state: _ProofState, learn: Callable[[Moves], None]) -> None:
    """Move each primary with cells around it, the largest levels first: their tables prove smaller ones on the way."""
    goals = state.goals
    places = np.flatnonzero(state.is_open)
    for goal in places[np.argsort(-np.maximum(*state.wanted)[places], kind="stable")].tolist():
        for direction in (ABOVE, BELOW):
            amount = state.lacks(goal, direction)
            if amount > 0.0:
                for moves in tables.around(int(goals.cells[goal]), direction * amount):
                    learn(moves)


def _push(tables: FeasibleTables, state: _ProofState, goal: int, learn: Callable[[Moves], None]) -> bool:
    """Push a primary as far as needed, and return whether it is protected."""
    goals = state.goals
    above, below = state.lacking()
    enough = max(goals.above[goal], goals.below[goal], goals.width[goal])
    for direction in (BELOW, ABOVE) if below[goal] > above[goal] else (ABOVE, BELOW):
        distance = tables.push(int(goals.cells[goal]), direction, float(enough))
        learn(tables.moves())
        state.reach(goal, direction, float(distance))
        if not state.is_open[goal]:
            return True
    state.is_whole[goal] = True
    return False
