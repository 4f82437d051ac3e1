"""Tables of two dimensions with all their totals, as problems."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from sfumato.numerics.arrays import FloatMatrix
from sfumato.tables.problem.problem import Problem


def grid_problem(
    inner: Sequence[Sequence[float]] | FloatMatrix,
    levels: Mapping[tuple[int, int], float | tuple[float, float]] | None = None,
    upper: float = np.inf,
) -> Problem:
    """Return a table with its totals in the last row and column; levels of cells by their place, upper or both."""
    values = np.asarray(inner, dtype=np.float64)
    values = np.vstack([values, values.sum(axis=0)])
    values = np.hstack([values, values.sum(axis=1, keepdims=True)])
    rows, columns = values.shape
    numbers = np.arange(values.size).reshape(rows, columns)
    lines = [*numbers, *numbers.T]
    relations = np.zeros((len(lines), values.size))
    for line, cells in enumerate(lines):
        relations[line, cells] = 1.0
        relations[line, cells[-1]] = -1.0
    both = {
        numbers[place]: level if isinstance(level, tuple) else (level, level) for place, level in (levels or {}).items()
    }
    primaries = np.array(sorted(both), dtype=np.int64)
    suppressed = np.isin(np.arange(values.size), primaries)
    flat = values.ravel()
    return Problem(
        values=flat,
        relations=csr_array(relations),
        lower=np.zeros(flat.size),
        upper=np.full(flat.size, upper if np.isfinite(upper) else 1.5 * flat.max()),
        costs=flat,
        primaries=primaries,
        upper_levels=np.array([both[cell][0] for cell in primaries.tolist()]),
        lower_levels=np.array([min(both[cell][1], flat[cell]) for cell in primaries.tolist()]),
        sliding_levels=np.zeros(primaries.size),
        must_suppress=suppressed,
        must_publish=np.zeros(flat.size, dtype=np.bool_),
        names=tuple(f"r{row} c{column}" for row in range(rows) for column in range(columns)),
    )
