"""Which primaries of an adjustment move up and which down: drawn at first, then the cheapest that can be found."""

from dataclasses import replace

import numpy as np

from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.perturbation._integer_programme import Outcome, Solution, solve
from sfumato.tables.perturbation._moves import Moves

ATTEMPTS = 6  # at making drawn directions possible, each with more of them free
ATTEMPT_TIME = 20.0  # seconds
SHORTFALL_TOLERANCE = 1e-7  # of the largest level: a shortfall below it is rounding
LINEAR_TIME_LIMIT = 3600.0  # seconds for a programme without whole numbers
FIRST_SOLUTION_GAP = 1.0  # gap with which the first solution is good enough


def draw_directions(moves: Moves, rng: np.random.Generator) -> Booleans | None:
    """Return for each primary whether it moves up, such that all can move far enough; None when no way was found.

    By descending level each primary goes the way that balances those it shares relations with, by a coin where both
    ways do. Those that then cannot move far enough, and the primaries that share a relation with them, are directed by
    the solver; where that is not enough, their neighbours too, and so on.
    """
    is_up = _balance(moves, rng)
    relaxed = solve(moves.directed_programme(is_up, may_fall_short=True), time_limit=LINEAR_TIME_LIMIT, gap=0.0)
    free = relaxed.unknowns[2 * moves.prices.size :] > SHORTFALL_TOLERANCE
    if not free.any():
        return is_up
    ties = abs(moves.relations[:, moves.primaries])
    for _ in range(ATTEMPTS):
        free = ties.T @ (ties @ free.astype(np.float64)) + free > 0
        found = _redirect(moves, is_up, free)
        if found is not None:
            return found
        if free.all():
            break
    return None


def cheapest(moves: Moves, is_up: Booleans) -> Solution:
    """Return the cheapest moves with given directions; its first unknowns are the moves up and down."""
    return solve(moves.directed_programme(is_up, may_fall_short=False), time_limit=LINEAR_TIME_LIMIT, gap=0.0)


def search_directions(
    moves: Moves, is_up: Booleans | None, *, time_limit: float, gap: float
) -> tuple[Booleans, Solution]:
    """Return the cheapest directions that are found in time, and what is proven of them.

    Parameters
    ----------
    moves
        What may move.
    is_up
        Directions that are known to be possible.
    time_limit, gap
        When to stop.
    """
    cells = moves.prices.size
    known_cost, start = np.inf, None
    if is_up is not None:
        known = cheapest(moves, is_up)
        known_cost, start = known.cost, np.concatenate([known.unknowns[: 2 * cells], is_up])
    found = solve(moves.undirected_programme(known_cost), time_limit=time_limit, gap=gap, start=start)
    if found.is_found:
        return _is_up(moves, found.unknowns), found
    if is_up is not None:
        return is_up, replace(found, outcome=Outcome.TIME)
    if found.outcome is Outcome.IMPOSSIBLE:
        raise DataError(
            "the primaries cannot all move as far as they must while all sums hold; keep fewer cells as they are, "
            "widen the bounds, or suppress cells instead"
        )
    raise DataError(
        f"no adjustment was found within {format_compact(time_limit)} seconds; allow more, or keep fewer cells as "
        "they are"
    )


def _balance(moves: Moves, rng: np.random.Generator) -> Booleans:
    """Return directions, the largest levels first, such that what moves up and down in a relation nearly cancels.

    Cells that can only move together, as a total and its one part that moves, go one way.
    """
    from scipy.sparse import csr_array

    group = _moving_together(moves)
    cells = group.size
    columns = (moves.relations @ csr_array((np.ones(cells), (np.arange(cells), group)))).tocsc()
    groups, own = columns.shape[1], group[moves.primaries]
    up, down = np.zeros(groups), np.zeros(groups)
    np.maximum.at(up, own, moves.upper_levels)
    np.maximum.at(down, own, moves.lower_levels)
    may_rise, may_fall = np.ones(groups, dtype=np.bool_), np.ones(groups, dtype=np.bool_)
    np.logical_and.at(may_rise, own, moves.may_rise)
    np.logical_and.at(may_fall, own, moves.may_fall)
    rests = np.zeros(moves.relations.shape[0])
    is_up = rng.integers(0, 2, groups) == 1
    numbers = np.unique(own)
    for number in numbers[np.argsort(-up[numbers], kind="stable")].tolist():
        entries = slice(columns.indptr[number], columns.indptr[number + 1])
        lines, signs = columns.indices[entries], columns.data[entries]
        risen, fallen = rests[lines] + signs * up[number], rests[lines] - signs * down[number]
        gain = np.abs(fallen).sum() - np.abs(risen).sum()
        if may_rise[number] != may_fall[number]:
            is_up[number] = may_rise[number]
        elif abs(gain) > SHORTFALL_TOLERANCE:
            is_up[number] = gain > 0
        rests[lines] = risen if is_up[number] else fallen
    return np.where(moves.may_rise & moves.may_fall, is_up[own], moves.may_rise)


def _moving_together(moves: Moves) -> Rows:
    """Return a number for each cell, the same for cells that relations of two let move only by the same amount."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    cells = moves.prices.size
    movable = np.flatnonzero(moves.room_above + moves.room_below > 0)
    entries = csr_array(moves.relations[:, movable])
    pairs = entries[(np.diff(entries.indptr) == 2) & (entries.sum(axis=1) == 0)]
    ends = movable[pairs.indices.reshape(-1, 2)]
    ties = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(cells, cells))
    return np.asarray(connected_components(ties, directed=False)[1], dtype=np.int64)


def _redirect(moves: Moves, is_up: Booleans, free: Booleans) -> Booleans | None:
    """Return directions that are possible and differ from the given ones only where they are free to."""
    programme = moves.undirected_programme(np.inf)
    fixed = np.concatenate([np.zeros(2 * moves.prices.size, dtype=np.bool_), ~free])
    wanted = np.concatenate([np.zeros(2 * moves.prices.size), is_up])
    lower, upper = np.where(fixed, wanted, programme.lower), np.where(fixed, wanted, programme.upper)
    found = solve(replace(programme, lower=lower, upper=upper), time_limit=ATTEMPT_TIME, gap=FIRST_SOLUTION_GAP)
    return _is_up(moves, found.unknowns) if found.is_found else None


def _is_up(moves: Moves, unknowns: FloatColumn) -> Booleans:
    return np.asarray(unknowns[2 * moves.prices.size :] > 0.5)
