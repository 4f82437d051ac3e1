"""Verify certificates: additions and comparisons only, apart from whatever made them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.certificate import Certificates
from sfumato.tables.audit.components import check_pattern, tolerances
from sfumato.tables.audit.goals import NO_WITNESS, Goals
from sfumato.tables.problem.problem import Problem

MAX_NAMED = 3  # in one sentence


def verify(problem: Problem, suppressed: Booleans, certificates: Certificates) -> tuple[str, ...]:
    """Check certificates without a solver, and return what is wrong with them: nothing when the pattern is safe.

    Every witness must keep what is published and the intruders' bounds, and add up; every claim must be of witnesses
    that its intruder cannot rule out and that reach the levels; and there must be claims for every primary and
    intruder who must be kept from it. Two figures count as equal when they differ by at most a trillionth of the
    largest suppressed value that they are tied to, a sum by as much for each suppressed cell in it.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is suppressed.
    certificates
        Its certificates.
    """
    check_pattern(problem, suppressed)
    if not _is_sound(problem, certificates):
        return ("the certificates are of another table, or damaged: they name cells or witnesses that do not exist",)
    moves = _moves(problem, certificates)
    allowed = tolerances(problem, suppressed)
    return (
        *_impossible(problem, suppressed, moves, allowed),
        *_unreached(problem, certificates, moves, allowed),
        *_unclaimed(problem, suppressed, certificates, moves),
    )


def _is_sound(problem: Problem, certificates: Certificates) -> bool:
    starts, claims = certificates.starts, certificates.intruders.size
    numbers = np.concatenate([certificates.above, certificates.below])
    return (
        starts.size > 0
        and starts[0] == 0
        and starts[-1] == certificates.cells.size == certificates.values.size
        and bool((np.diff(starts) >= 0).all())
        and all(getattr(certificates, name).size == claims for name in ("primaries", "above", "below"))
        and _are_within(certificates.cells, 0, problem.size)
        and _are_within(certificates.intruders, 0, len(problem.intruders))
        and _are_within(numbers, NO_WITNESS, certificates.size)
        and bool(np.isin(certificates.primaries, problem.primaries).all())
    )


def _are_within(numbers: Rows, start: int, end: int) -> bool:
    return bool(((numbers >= start) & (numbers < end)).all())


def _moves(problem: Problem, certificates: Certificates) -> Any:
    """Return witnesses by cells: by how much each cell differs from the truth; the last row is the true table."""
    from scipy import sparse

    starts = np.append(certificates.starts, certificates.starts[-1])
    moved = certificates.values - problem.values[certificates.cells]
    return sparse.csr_array((moved, certificates.cells, starts), shape=(certificates.size + 1, problem.size))


def _impossible(problem: Problem, suppressed: Booleans, moves: Any, allowed: FloatColumn) -> Iterator[str]:
    """Yield in what way witnesses do not fit what every intruder knows."""
    moved = moves.tocoo()
    values = problem.values[moved.col] + moved.data
    is_out = values < np.minimum(problem.lower, problem.values)[moved.col] - allowed[moved.col]
    is_out |= values > np.maximum(problem.upper, problem.values)[moved.col] + allowed[moved.col]
    rests = (moves @ problem.relations.T).tocoo()
    is_broken = ~(np.abs(rests.data) <= ((problem.relations != 0) @ allowed)[rests.col])
    for is_wrong, witnesses, wrong in (
        (~np.isfinite(values), moved.row, "hold no number for some cell"),
        (~suppressed[moved.col], moved.row, "change a cell that is published"),
        (is_out, moved.row, "leave the bounds that every intruder knows"),
        (is_broken, rests.row, "do not add up"),
    ):
        if is_wrong.any():
            yield f"there are witnesses ({np.unique(witnesses[is_wrong]).size}) that {wrong}"


def _unreached(problem: Problem, certificates: Certificates, moves: Any, allowed: FloatColumn) -> Iterator[str]:
    """Yield which claims do not hold: the witnesses do not reach the levels."""
    order = np.argsort(problem.primaries, kind="stable")
    cells = certificates.primaries
    places = order[np.searchsorted(problem.primaries, cells, sorter=order)]
    goals = Goals.of(problem, places, cells, allowed[cells], certificates.intruders)
    above, below = (moves[_rows(certificates, by), cells] for by in (certificates.above, certificates.below))
    yield from _about(problem, cells[~goals.are_met(above, -below)], "the witnesses do not reach the levels of")
    yield from _about(problem, cells[~goals.are_resolvable], "rounding leaves open whether the levels are reached of")


def _unclaimed(problem: Problem, suppressed: Booleans, certificates: Certificates, moves: Any) -> Iterator[str]:
    """Yield which primaries lack a claim of witnesses that an intruder cannot rule out."""
    yield from _about(problem, problem.primaries[~suppressed[problem.primaries]], "the pattern publishes")
    is_moved = moves.tocsc()
    for intruder, known in enumerate(problem.intruders):
        is_ruled_out = np.zeros(certificates.size + 1, dtype=np.bool_)
        is_ruled_out[is_moved[:, known].nonzero()[0]] = True
        is_own = np.isin(certificates.intruders, (0, intruder))
        for by in (certificates.above, certificates.below):
            is_own &= ~is_ruled_out[_rows(certificates, by)]
        lacking = np.setdiff1d(
            problem.primaries, np.concatenate([certificates.primaries[is_own], problem.open_to(intruder)])
        )
        yield from _about(problem, lacking, f"intruder {intruder} is not shown to be kept from")


def _rows(certificates: Certificates, numbers: Rows) -> Rows:
    return np.where(numbers == NO_WITNESS, certificates.size, numbers)


def _about(problem: Problem, cells: Rows, wrong: str) -> Iterator[str]:
    if cells.size:
        yield f"{wrong} {problem.name_cells(np.unique(cells), MAX_NAMED)}"
