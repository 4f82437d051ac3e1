"""Tables: what attackers can work out, and the cheapest pattern that keeps them from it."""

from functools import cache

import numpy as np
from scipy import sparse

from benchmarks.case import Case, cpu_seconds
from sfumato.tables.attacker import Attacker
from sfumato.tables.optimal import suppress_optimally
from sfumato.tables.pattern import Ending
from sfumato.tables.problem import Problem

SLIDES = ((360.0, 450, 720, 400, 360), (1440, 540, 22, 570, 320), (722, 1178, 375, 800, 363))


def crossed(inner: np.ndarray) -> tuple[np.ndarray, sparse.csr_array]:  # type: ignore[type-arg]
    """Return the values of a table of two dimensions with its totals, and its relations."""
    full = np.vstack([inner, inner.sum(axis=0)])
    full = np.column_stack([full, full.sum(axis=1)])
    cells = np.arange(full.size).reshape(full.shape)
    lines = [*cells, *cells.T]
    signs = np.concatenate([np.append(np.ones(line.size - 1), -1.0) for line in lines])
    rows = np.repeat(np.arange(len(lines)), [line.size for line in lines])
    return full.ravel(), sparse.csr_array((signs, (rows, np.concatenate(lines))))


def stated(inner: np.ndarray, primaries: np.ndarray, share: float) -> Problem:  # type: ignore[type-arg]
    """Return the problem of a table whose primaries must be unknown to within a share of their values."""
    values, relations = crossed(inner)
    hidden = np.isin(np.arange(values.size), primaries)
    level = share * values[primaries]
    return Problem(
        values=values,
        relations=relations,
        lower=np.zeros(values.size),
        upper=np.full(values.size, 1.5 * values.max()),
        costs=values,
        primaries=primaries,
        upper_levels=level,
        lower_levels=level,
        sliding_levels=np.zeros(primaries.size),
        hidden=hidden,
        published=np.zeros(values.size, dtype=np.bool_),
    )


@cache
def drawn(size: int, primaries: int) -> Problem:
    """Return a square table of lognormal values, seed 0, with so many primaries among its inner cells."""
    rng = np.random.default_rng(0)
    inner = np.round(np.exp(rng.normal(4, 1.5, (size, size)))) + 1
    cells = np.arange((size + 1) ** 2).reshape(size + 1, size + 1)[:-1, :-1].ravel()
    return stated(inner, np.sort(rng.choice(cells, primaries, replace=False)), 0.15)


def attacks() -> float:
    """Return how far 250 primaries of 50 x 50 move up and down in all, with 500 further cells hidden."""
    problem = drawn(50, 250)
    others = np.random.default_rng(1).choice(problem.size, 500, replace=False)
    cells = np.flatnonzero(problem.hidden | np.isin(np.arange(problem.size), others))
    attacker = Attacker(problem.relations[:, cells], -problem.room_below[cells], problem.room_above[cells])
    places = np.searchsorted(cells, problem.primaries).tolist()
    return sum(attacker.furthest(place, sign) for place in places for sign in (1, -1))


def optimised(problem: Problem) -> None:
    """Find the cheapest pattern and see that it is proven."""
    assert suppress_optimally(problem).ended is Ending.OPTIMAL


CASES = [
    Case("tables, 500 attacks on 50 x 50 of which 750 cells are hidden", lambda: cpu_seconds(attacks), target=0.3),
    Case(
        "tables, optimal suppression, 3 x 5 of the slides",
        lambda: cpu_seconds(lambda: optimised(stated(np.array(SLIDES), np.array([8]), 0.5))),
        target=0.1,
    ),
    Case(
        "tables, optimal suppression, 20 x 20 with 20 primaries",
        lambda: cpu_seconds(lambda: optimised(drawn(20, 20)), repeats=1),
        target=10.0,
    ),
]
