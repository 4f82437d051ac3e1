"""Sliding levels: how wide an interval must be, shared out between above and below."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._infeasibility import infeasibility_error
from sfumato.tables.suppression._pattern_check import PatternCheck
from sfumato.tables.suppression._reach import DOWN, TOLERANCE, UP, WIDTH, levels_of


def levels_with_sliding(problem: Problem) -> FloatMatrix | None:
    """Return levels up and down that give every interval the width it needs, as two rows.

    What is lacking goes above as far as it can for all intruders, and the rest below. Where no share suits all of them,
    though each could be kept out by another, nothing is returned.
    """
    levels = levels_of(problem)
    lacking = np.flatnonzero(problem.sliding_levels > levels.sum(axis=0) * (1 + TOLERANCE))
    if not lacking.size:
        return levels
    everything = PatternCheck(problem, ~problem.must_publish)
    for primary in lacking.tolist():
        cell, wanted = problem.primaries[primary], float(problem.sliding_levels[primary])
        asking = problem.levels_for(problem.everybody, primary)[WIDTH] > 0
        others = [place for place in np.flatnonzero(asking).tolist() if cell not in problem.open_to(place)]
        above = np.array([everything.furthest(intruder, primary, UP) for intruder in others])
        below = np.array([everything.furthest(intruder, primary, DOWN) for intruder in others])
        too_narrow = np.flatnonzero(above + below < wanted * (1 - TOLERANCE))
        if too_narrow.size:
            raise infeasibility_error(problem, primary, others[int(too_narrow[0])])
        up = min(wanted - float(levels[DOWN, primary]), float(above.min()) * (1 - TOLERANCE))
        levels[:, primary] = up, wanted * (1 - TOLERANCE) - up
        if levels[DOWN, primary] > below.min() or up < problem.upper_levels[primary] * (1 - TOLERANCE):
            return None
    return levels
