"""Cuts hold for every safe pattern: all patterns of small tables are tried, and judged by an intruder written apart."""

from itertools import product

import numpy as np
import pytest

from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Cut
from sfumato.tables.suppression._cut_search.row_capacity import row_capacity_cuts
from sfumato.tables.suppression._cut_search.separation import Separator
from sfumato.tables.suppression._independent_parts import independent_parts
from tests.tables.audited_problems import crossed, make_problem
from tests.tables.suppression_problems import is_protected


def small(seed: int) -> Problem:
    """Return a table of two by two whose totals may be suppressed too, with an insider."""
    rng = np.random.default_rng(seed)
    values, relations = crossed(rng.integers(0, 9, (2, 2)).astype(float))
    above, below = rng.integers(0, 5, (2, 2))
    primaries = np.sort(rng.choice(values.size, 2, replace=False))
    problem = make_problem(
        values,
        relations,
        primaries.tolist(),
        above=above,
        below=np.minimum(below, values[primaries]),
        width=rng.integers(0, 9, 2).astype(np.float64),
        upper=20.0,
        insiders=[rng.choice(values.size, 1)],
    )
    return independent_parts(problem)[0].problem


def all_patterns(problem: Problem) -> list[Booleans]:
    """Return all patterns that suppress what must be suppressed."""
    free = np.flatnonzero(~problem.must_suppress)
    patterns = []
    for chosen in product([False, True], repeat=free.size):
        pattern = problem.must_suppress.copy()
        pattern[free] = chosen
        patterns.append(pattern)
    return patterns


@pytest.mark.parametrize("seed", range(4))  # tables that some pattern protects
def test_no_safe_pattern_violates_a_cut(seed: int) -> None:
    problem = small(seed)
    separator, rng = Separator(problem), np.random.default_rng(seed)
    cuts: list[Cut] = row_capacity_cuts(problem)
    for _ in range(4):
        shares = np.maximum(rng.random(problem.size) * (rng.random(problem.size) < 0.5), problem.must_suppress)
        every = [demand for intruder in range(len(problem.intruders)) for demand in separator.demands(intruder)]
        found = [made for demand in every if (made := separator.violated(demand, shares)) is not None]
        assert all(made.value(shares) < 1 for made in found)
        cuts += found
    patterns = all_patterns(problem)
    kept = [all(made.value(pattern.astype(float)) >= 1 - 1e-6 for made in cuts) for pattern in patterns]
    violating = [pattern for pattern, is_kept in zip(patterns, kept, strict=True) if not is_kept]
    assert violating
    assert not any(is_protected(problem, pattern) for pattern in violating)
    assert any(is_protected(problem, pattern) for pattern, is_kept in zip(patterns, kept, strict=True) if is_kept)
