"""Problems to protect: small tables that are drawn, and what protects them by a programme written apart."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.tables.problem.problem import Problem
from tests.tables.audited_problems import (
    attacked,
    crossed,
    is_kept_from,
    levels_asked,
    make_problem,
    with_only_exact,
    with_spared,
)


def with_groupings(
    values: FloatColumn, relations: Any, rng: np.random.Generator, count: int
) -> tuple[FloatColumn, Any]:
    """Return a table with further cells, each the sum of some others: a hierarchy or a linked table, nested or not."""
    for _ in range(count):
        parts = rng.choice(values.size, 3, replace=False)
        row = np.zeros((1, values.size + 1))
        row[0, parts], row[0, -1] = 1.0, -1.0
        padded = sparse.hstack([relations, sparse.csr_array((relations.shape[0], 1))])
        values, relations = np.append(values, values[parts].sum()), sparse.csr_array(sparse.vstack([padded, row]))
    return values, relations


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a small table in two or three dimensions, with groupings, levels of all kinds, insiders and fixed cells."""
    shape = draw(st.sampled_from([(2, 3), (3, 3), (2, 2, 2)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values, relations = crossed(rng.integers(0, 20, shape).astype(float))
    values, relations = with_groupings(values, relations, rng, draw(st.integers(0, 2)))
    primaries = np.sort(rng.choice(np.flatnonzero(values > 0), 2, replace=False))
    above, below, width = rng.integers(0, 6, (3, primaries.size)) * np.array([[1], [1], [draw(st.integers(0, 2))]])
    insiders = [rng.choice(values.size, rng.integers(1, 3), replace=False) for _ in range(draw(st.integers(0, 2)))]
    made = make_problem(
        values,
        relations,
        primaries.tolist(),
        above=above,
        below=np.minimum(below, values[primaries]),
        width=width,
        upper=float(2 * values.max()),
        insiders=insiders,
    )
    published = rng.random(values.size) < draw(st.sampled_from([0.0, 0.1, 0.3]))
    made = replace(
        made, costs=rng.integers(0, 30, values.size).astype(float), must_publish=published & ~made.must_suppress
    )
    if draw(st.booleans()):
        made = with_only_exact(made, rng)
    share = draw(st.sampled_from([0.0, 0.5]))
    return with_spared(made, rng, share) if share else made


def cheapest(problem: Problem) -> float:
    """Return the cost of the cheapest safe pattern, by one programme with a copy of the deviations per demand.

    It is infinite where no pattern is safe.
    """
    demands = [demand for intruder in range(len(problem.intruders)) for demand in _demands(problem, intruder)]
    n, copies = problem.size, [(known, cell, sign) for known, ends, _ in demands for cell, sign in ends]
    size = n * (1 + len(copies))
    costs = np.concatenate([np.where(problem.must_suppress, 0.0, problem.costs), np.zeros(size - n)])
    lines, relations = _Lines(), problem.relations.toarray()
    for place, (known, _, _) in enumerate(copies, start=1):
        room_above, room_below = problem.room_above.copy(), problem.room_below.copy()
        room_above[known] = room_below[known] = 0.0
        lines.add(0, 0, (relations, n * place))
        for sign, room in ((1, room_above), (-1, room_below)):
            lines.add(-np.inf, 0, (sign * np.eye(n), n * place), (-np.diag(room), 0))
    place = 0
    for _, moves, level in demands:
        row = np.zeros((1, size))
        for cell, sign in moves:
            row[0, n * (1 + place) + cell] = sign
            place += 1
        lines.add(level, np.inf, (row, 0))
    # The rooms bound the moves already; without bounds of their own the solver has called dearer patterns the cheapest.
    lower, upper = -np.tile(problem.room_below, 1 + len(copies)), np.tile(problem.room_above, 1 + len(copies))
    lower[:n], upper[:n] = problem.must_suppress, ~problem.must_publish
    found = milp(
        costs,
        integrality=np.arange(size) < n,
        bounds=Bounds(lower, upper),
        constraints=lines.constraint(size),
        options={"presolve": False},  # with it the solver has been seen to miss a cheaper pattern that is safe
    )
    return float(found.fun) if found.status == 0 else np.inf


def is_protected(problem: Problem, suppressed: Booleans) -> bool:
    """Tell whether a pattern is safe, by two linear programmes per primary and intruder."""
    for intruder in range(len(problem.intruders)):
        for primary, cell in enumerate(problem.primaries.tolist()):
            if not is_kept_from(problem, intruder, cell):
                continue
            low, high = attacked(problem, suppressed, cell, intruder)
            value, (above, below, width) = problem.values[cell], levels_asked(problem, intruder, primary)
            if high < value + above - 1e-6 or low > value - below + 1e-6 or high - low < width - 1e-6:
                return False
    return True


def _demands(problem: Problem, intruder: int) -> list[tuple[Any, list[tuple[int, int]], float]]:
    """Return what an intruder must not rule out: known cells, the moves whose sum must reach a level, the level."""
    known, found = problem.intruders[intruder], []
    for primary, cell in enumerate(problem.primaries.tolist()):
        above, below, width = levels_asked(problem, intruder, primary)
        if is_kept_from(problem, intruder, cell):
            found += [
                (known, [(cell, 1)], above),
                (known, [(cell, -1)], below),
                (known, [(cell, 1), (cell, -1)], width),
            ]
    return found


class _Lines:
    """The lines of a programme, gathered cell by cell: to stack sparse blocks takes longer than to solve."""

    def __init__(self) -> None:
        self.cells: list[FloatMatrix] = [np.empty((3, 0))]
        self.ends: list[tuple[float, float]] = []

    def add(self, low: float, high: float, *blocks: tuple[FloatMatrix, int]) -> None:
        """Ask that the sum of some blocks of coefficients, each with its first variable, is between two ends."""
        for block, first in blocks:
            rows, columns = np.nonzero(block)
            self.cells.append(np.stack([rows + len(self.ends), columns + first, block[rows, columns]]))
        self.ends += [(low, high)] * len(blocks[0][0])

    def constraint(self, size: int) -> LinearConstraint:
        """Return all of them, for so many variables."""
        rows, columns, values = np.concatenate(self.cells, axis=1)
        places = rows.astype(np.int64), columns.astype(np.int64)
        low, high = np.reshape(self.ends, (-1, 2)).T
        return LinearConstraint(sparse.csr_array((values, places), shape=(len(self.ends), size)), low, high)
