"""Witnesses: what tables prove for those who know some cells, against looking through all of them."""

import numpy as np
import pytest

from sfumato.numerics.arrays import Rows
from sfumato.tables.audit import witnesses as module
from sfumato.tables.audit.goals import NO_WITNESS, Goals
from sfumato.tables.audit.witnesses import Moves, Witnesses


def looked_through(tables: list[Moves], goals: Goals, known: Rows) -> list[list[float]]:
    """Return for each goal how far up and down it is seen, and the first tables that show it."""
    found = [[0.0, 0.0, NO_WITNESS, NO_WITNESS] for _ in goals.cells]
    for number, moves in enumerate(tables):
        if np.isin(moves.cells, known).any():
            continue
        at = dict(zip(moves.cells.tolist(), moves.distances.tolist(), strict=True))
        for row, cell in zip(found, goals.cells.tolist(), strict=True):
            for side, sign in enumerate((1, -1)):
                if sign * at.get(cell, 0.0) > row[side]:
                    row[side], row[2 + side] = sign * at[cell], number
    return found


@pytest.mark.parametrize("min_fresh", [0, 40, 10_000])
def test_the_farthest_tables_are_those_of_looking_through_all(min_fresh: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MIN_FRESH", min_fresh)
    rng = np.random.default_rng(min_fresh)
    cells = np.sort(rng.choice(30, 9, replace=False))
    nothing = np.zeros(9)
    goals = Goals(np.arange(9), cells, nothing, nothing, nothing, 0.0)
    witnesses = Witnesses(30, goals)
    for _ in range(25):
        for _ in range(rng.integers(0, 4)):
            moved = np.sort(rng.choice(30, rng.integers(1, 6), replace=False))
            witnesses.add(Moves(moved, rng.integers(-4, 5, moved.size).astype(np.float64)))
        known = np.sort(rng.choice(30, rng.integers(0, 4), replace=False))
        found = np.stack(witnesses.farthest(known), axis=1)
        assert found.tolist() == looked_through(witnesses.tables, goals, known)
