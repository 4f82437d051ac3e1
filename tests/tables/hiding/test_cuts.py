"""Cuts hold for every safe pattern: all patterns of small tables are tried."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Mask
from sfumato.tables.hiding.checking import PatternCheck
from sfumato.tables.hiding.cuts import Cut
from sfumato.tables.hiding.independent_parts import independent_parts
from sfumato.tables.hiding.row_capacity import row_capacity_cuts
from sfumato.tables.hiding.separation import Separator
from sfumato.tables.problem import Problem
from tests.tables.audited_problems import crossed, stated


def small(seed: int) -> Problem:
    """Return a table of two by two whose totals may be hidden too, with an insider."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(0, 9, (2, 2)).astype(float))
    above, below = rng.integers(0, 5, (2, 2))
    primaries = np.sort(rng.choice(values.size, 2, replace=False))
    problem = stated(
        values,
        relations,
        primaries.tolist(),
        above=above,
        below=np.minimum(below, values[primaries]),
        width=rng.integers(0, 9, 2),
        upper=20.0,
        insiders=[rng.choice(values.size, 1)],
    )
    return independent_parts(problem)[0].problem


def safe_patterns(problem: Problem) -> list[Mask]:
    """Return all safe patterns."""
    free = np.flatnonzero(~problem.hidden)
    patterns = []
    for chosen in product([False, True], repeat=free.size):
        pattern = problem.hidden.copy()
        pattern[free] = chosen
        patterns.append(pattern)
    return [pattern for pattern in patterns if PatternCheck(problem, pattern).is_safe()]


@given(st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_no_safe_pattern_violates_a_cut(seed: int) -> None:
    problem = small(seed)
    separator, rng = Separator(problem), np.random.default_rng(seed)
    cuts: list[Cut] = row_capacity_cuts(problem)
    for _ in range(4):
        shares = np.maximum(rng.random(problem.size) * (rng.random(problem.size) < 0.5), problem.hidden)
        every = [demand for attacker in range(len(problem.attackers)) for demand in separator.demands(attacker)]
        found = [made for demand in every if (made := separator.violated(demand, shares)) is not None]
        assert all(made.value(shares) < 1 for made in found)
        cuts += found
    for pattern in safe_patterns(problem):
        assert all(made.value(pattern.astype(float)) >= 1 - 1e-6 for made in cuts)
