"""An earlier release of the same tables: what it published is published, whatever is suppressed now."""

from dataclasses import replace

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.audit.audit import Intervals, audit
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, OnProgress, ProtectedCells, Protection
from sfumato.tables.suppression._infeasibility import CannotProtectError

DISCLOSED_BEFORE = (
    "the earlier release alone lets an intruder come too near to unsafe cells, and no choice of cells mends that now; "
    "suppressed is what it suppressed, and what is unsafe"
)


def check_previous(problem: Problem, previous: Booleans) -> None:
    """Refuse what does not say of each cell whether it was suppressed."""
    if previous.dtype != np.bool_ or previous.shape != (problem.size,):
        raise DataError(
            f"previous must be true or false for each of the {problem.size} cells, true where the earlier release "
            f"suppressed it; got {previous.size} entries of {previous.dtype}"
        )


def view_with_previous(problem: Problem, uncertain: Booleans, previous: Booleans) -> tuple[Problem, Booleans]:
    """Return a problem and its uncertain cells as somebody sees them who also has the earlier release.

    Cells that need not be protected but were to be suppressed are out already, and no reason to call the rest unsafe.
    """
    is_primary = np.isin(np.arange(problem.size), problem.primaries)
    return replace(problem, must_suppress=problem.must_suppress & (previous | is_primary)), uncertain & previous


def suppress_with_previous(
    protection: Protection, problem: Problem, previous: Booleans, rng: np.random.Generator, on_progress: OnProgress
) -> tuple[ProtectedCells, tuple[str, ...]]:
    """Return a pattern that is safe together with the earlier one, and what to say of it.

    Only what was suppressed before can protect a cell now. All of it protects the most: where that is not enough, it is
    suppressed once more, so that nothing further becomes known, and the audit says what is.
    """
    everything = previous | problem.must_suppress
    if previous[problem.primaries].all():
        known = replace(
            problem,
            must_publish=problem.must_publish | ~previous,
            must_suppress=problem.must_suppress & previous,
        )
        try:
            found = protection.protect(known, rng, on_progress)
            if isinstance(found, Pattern):
                found = replace(found, suppressed=found.suppressed | problem.must_suppress)
            return found, ()
        except CannotProtectError:
            if audit(*view_with_previous(problem, everything, previous), intervals=Intervals.UNPROTECTED).is_safe:
                raise  # what is given to be published stands in the way, not the earlier release
    return Pattern(everything, problem.cost(everything), 0.0, Ending.HEURISTIC), (DISCLOSED_BEFORE,)
