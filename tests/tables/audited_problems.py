"""Problems to audit: small tables that are drawn, the slides' own, and those of the reference files."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from tests.tables.reference_files import reference_frame, with_numbers

SLIDES = np.array([[360, 450, 720, 400, 360], [1440, 540, 22, 570, 320], [722, 1178, 375, 800, 363]], dtype=float)
PRINTED = ("M1, P3", "M1, P5", "M2, P3", "M2, P5")


def crossed(core: FloatColumn) -> tuple[FloatColumn, sparse.csr_array]:
    """Return the values of a table with all its totals, the last in each direction, and its relations."""
    full = core
    for axis in range(core.ndim):
        full = np.concatenate([full, full.sum(axis=axis, keepdims=True)], axis=axis)
    cells = np.arange(full.size).reshape(full.shape)
    rows = []
    for axis in range(full.ndim):
        for line in np.moveaxis(cells, axis, -1).reshape(-1, full.shape[axis]):
            row = np.zeros(full.size)
            row[line[:-1]], row[line[-1]] = 1.0, -1.0
            rows.append(row)
    return full.ravel(), sparse.csr_array(np.array(rows))


def make_problem(
    values: FloatColumn,
    relations: sparse.csr_array,
    primaries: Sequence[int],
    *,
    above: Sequence[float] | FloatColumn | float = 1.0,
    below: Sequence[float] | FloatColumn | float = 1.0,
    width: Sequence[float] | FloatColumn | float = 0.0,
    upper: float = 1e5,
    insiders: Sequence[Sequence[int] | Rows] = (),
    names: tuple[str, ...] = (),
) -> Problem:
    """Return a problem in which intruders know that every cell is between 0 and `upper`."""
    size, count = values.size, len(primaries)
    suppressed = np.zeros(size, dtype=np.bool_)
    suppressed[list(primaries)] = True
    return Problem(
        values,
        relations,
        np.zeros(size),
        np.full(size, upper),
        values.copy(),
        np.array(primaries, dtype=np.int64),
        np.broadcast_to(np.array(above, dtype=float), count).copy(),
        np.broadcast_to(np.array(below, dtype=float), count).copy(),
        np.broadcast_to(np.array(width, dtype=float), count).copy(),
        suppressed,
        np.zeros(size, dtype=np.bool_),
        (NOBODY_KNOWS, *(np.array(known, dtype=np.int64) for known in insiders)),
        names,
    )


def slides_problem(primaries: Sequence[str] = ("M2, P3",), level: float = 20.0) -> Problem:
    """Return the table of the slides, with the primaries that are named."""
    values, relations = crossed(SLIDES)
    names = tuple(
        f"{row}, {column}" for row in ("M1", "M2", "M3", "T") for column in ("P1", "P2", "P3", "P4", "P5", "T")
    )
    places = sorted(names.index(name) for name in primaries)
    return make_problem(values, relations, places, above=level, below=level, names=names)


def masked(problem: Problem, names: Sequence[str]) -> Booleans:
    """Return the pattern that suppresses the cells of these names."""
    return np.isin(np.array(problem.names), names)


def reference_problem(name: str, insiders: Sequence[Sequence[int]] = ()) -> tuple[Problem, dict[str, Booleans]]:
    """Return one of the problems of the reference files with its known patterns."""
    cells = reference_frame(f"inst_{name}_cells")
    ties = with_numbers(reference_frame(f"inst_{name}_relations"), "relation", "cell", "coef").to_numpy()
    rows, columns = ties[:, 0].astype(int), ties[:, 1].astype(int)
    relations = sparse.csr_array((ties[:, 2], (rows, columns)), shape=(rows.max() + 1, len(cells)))
    values, costs, lower, upper, below, above, primary = (
        cells[column].cast(float).to_numpy() for column in ("value", "weight", "lb", "ub", "lpl", "upl", "primary")
    )
    is_primary = primary == 1
    primaries = np.flatnonzero(is_primary)
    problem = Problem(
        values,
        relations,
        lower,
        upper,
        costs,
        primaries,
        above[primaries],
        below[primaries],
        np.zeros(primaries.size),
        is_primary,
        np.zeros(values.size, dtype=np.bool_),
        (NOBODY_KNOWS, *(np.array(known, dtype=np.int64) for known in insiders)),
        tuple(f"{first}, {second}" for first, second in cells.select("dim1", "dim2").iter_rows()),
    )
    patterns = [column for column in cells.columns if column.startswith(("opt_", "lpheur_", "gauss"))]
    return problem, {pattern: (cells[pattern] == "1").to_numpy() for pattern in patterns}


def with_spared(problem: Problem, rng: np.random.Generator, share: float) -> Problem:
    """Return the problem with each insider spared some share of the primaries."""
    drawn = [problem.primaries[rng.random(problem.primaries.size) < share] for _ in problem.intruders[1:]]
    return replace(problem, spared=(NOBODY_KNOWS, *drawn))


def with_only_exact(problem: Problem, rng: np.random.Generator) -> Problem:
    """Return the problem with some of the insiders kept from nothing but exact values."""
    return replace(problem, only_exact=(False, *(rng.random(len(problem.intruders) - 1) < 0.7).tolist()))


def levels_asked(problem: Problem, intruder: int, primary: int) -> tuple[float, float, float]:
    """Return how far above and below a primary an intruder must look, and how wide; written apart from the package."""
    upper, lower, width = (
        float(levels[primary]) for levels in (problem.upper_levels, problem.lower_levels, problem.sliding_levels)
    )
    if not (problem.only_exact and problem.only_exact[intruder]):
        return upper, lower, width
    return min(upper, max(abs(float(problem.values[problem.primaries[primary]])), upper) / 1000), 0.0, 0.0


def is_kept_from(problem: Problem, intruder: int, cell: int) -> bool:
    """Tell whether an intruder must be kept from a cell."""
    is_spared = bool(problem.spared) and cell in problem.spared[intruder]
    return not is_spared and cell not in problem.intruders[intruder]


@st.composite
def audits(draw: st.DrawFn) -> tuple[Problem, Booleans]:
    """Draw a small table, a pattern, and intruders."""
    shape = draw(st.sampled_from([(2, 2), (2, 3), (3, 3), (3, 4), (2, 2, 2), (2, 2, 3)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    scale = draw(st.sampled_from([1.0, 0.01, 12345.678]))
    values, relations = crossed(np.round(rng.integers(0, 20, shape) * scale, 3))
    suppressed = rng.random(values.size) < draw(st.sampled_from([0.4, 0.7, 1.0]))
    suppressed[rng.integers(values.size)] = True
    cells = np.flatnonzero(suppressed)
    primaries = np.sort(rng.choice(cells, rng.integers(1, cells.size + 1), replace=False))
    above, below = scale * rng.integers(0, 12, (2, primaries.size))
    insiders = [rng.choice(values.size, rng.integers(1, 4), replace=False) for _ in range(draw(st.integers(0, 2)))]
    problem = make_problem(
        values,
        relations,
        primaries.tolist(),
        above=above,
        below=np.minimum(below, values[primaries]),
        width=(scale * rng.integers(0, 25, primaries.size)).astype(np.float64),
        upper=float(draw(st.sampled_from([1.0, 1.5, np.inf])) * values.max()),
        insiders=insiders,
    )
    if draw(st.booleans()):
        problem = with_only_exact(problem, rng)
    share = draw(st.sampled_from([0.0, 0.5]))
    return with_spared(problem, rng, share) if share else problem, suppressed


def attacked(problem: Problem, suppressed: Booleans, cell: int, intruder: int) -> tuple[float, float]:
    """Return the interval of a cell by a linear programme of all cells, written apart from the package."""
    is_free = suppressed.copy()
    is_free[problem.intruders[intruder]] = False
    bounds = np.column_stack([np.where(is_free, end, problem.values) for end in (problem.lower, problem.upper)])
    relations = problem.relations.toarray()  # to take in sparse ones takes as long as to solve these
    ends = []
    for sign in (1.0, -1.0):
        objective = np.zeros(problem.size)
        objective[cell] = sign
        found = linprog(objective, A_eq=relations, b_eq=np.zeros(len(relations)), bounds=bounds)
        ends.append(sign * found.fun if found.status == 0 else np.inf)
    return ends[0], ends[1]
