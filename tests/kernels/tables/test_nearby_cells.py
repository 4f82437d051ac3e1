"""The cells around one cell, and those of them that can move, are the same by plain loops over small tables."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from sfumato.kernels.tables.nearby_cells import nearest_cells, tied_cells


def graph(relations: Any) -> tuple[Any, Any, Any, Any]:
    lines, cells = csr_array(relations), csr_array(relations).tocsc()
    line_starts, line_cells = lines.indptr.astype(np.int64), lines.indices.astype(np.int64)
    return line_starts, line_cells, cells.indptr.astype(np.int64), cells.indices.astype(np.int64)


def drawn(seed: int) -> tuple[Any, Any]:
    """Return relations of nine cells, and costs of which some are infinite."""
    rng = np.random.default_rng(seed)
    relations = rng.choice([-1.0, 0.0, 1.0], (6, 9), p=[0.2, 0.6, 0.2])
    return relations, np.where(rng.random(9) < 0.2, np.inf, rng.integers(1, 50, 9).astype(float))


def distances(relations: Any, steps: Any, start: int) -> Any:
    """Return what coming to each cell costs, by as many rounds as there are cells."""
    found = np.full(steps.size, np.inf)
    found[start] = 0.0
    for _ in range(steps.size):
        for line in relations:
            on_line = np.flatnonzero(line)
            least = found[on_line].min(initial=np.inf)
            found[on_line] = np.minimum(found[on_line], least + steps[on_line])
    return found


def near(relations: Any, costs: Any, *, unit: float = 0.0, start: int = 0, farthest: float = np.inf, most: int) -> Any:
    work = np.zeros(9, dtype=np.bool_), np.zeros(6, dtype=np.bool_)
    found = nearest_cells(*graph(relations), costs, unit, start, farthest, most, *work)
    assert not work[0].any()
    assert not work[1].any()
    return found


@given(st.integers(0, 2**32), st.sampled_from([0.0, 3.0]), st.sampled_from([np.inf, 60.0]), st.integers(1, 9))
def test_finds_the_nearest_cells_in_the_order_of_their_distance(
    seed: int, unit: float, farthest: float, most: int
) -> None:
    relations, costs = drawn(seed)
    found = near(relations, costs, unit=unit, farthest=farthest, most=most)
    expected = distances(relations, costs if unit == 0 else 1 + np.log1p(costs / unit), 0)
    within = np.sort(expected[np.isfinite(expected) & (expected <= farthest)])
    assert found[0] == 0
    assert np.unique(found).size == found.size
    assert expected[found] == pytest.approx(within[:most])


@given(st.integers(0, 2**32), st.booleans())
def test_keeps_the_cells_that_no_relation_leaves_alone_and_their_relations(seed: int, with_outside: bool) -> None:
    relations, costs = drawn(seed)
    inside = np.flatnonzero(np.isfinite(costs) & (np.random.default_rng(seed + 1).random(9) < 0.7))
    others = np.setdiff1d(np.flatnonzero(np.isfinite(costs)), inside)
    binding = ~relations[:, others].any(axis=1) if with_outside else np.ones(6, dtype=np.bool_)
    kept = inside
    while (lone := np.count_nonzero(relations[binding][:, kept], axis=1) == 1).any():
        kept = kept[~relations[binding][lone][:, kept].any(axis=0)]
    work = np.zeros(6, dtype=np.int64), np.full(9, -1, dtype=np.int64)
    signs = csr_array(relations).tocsc().data
    cells, starts, rows, coefficients, lines = tied_cells(
        *graph(relations), signs, costs, inside.astype(np.int64), with_outside, *work
    )
    assert cells.tolist() == kept.tolist()
    matrix = np.zeros((lines, cells.size))
    for place in range(cells.size):
        matrix[rows[starts[place] : starts[place + 1]], place] = coefficients[starts[place] : starts[place + 1]]
    expected = relations[binding][:, kept]
    assert sorted(matrix.tolist()) == sorted(expected[expected.any(axis=1)].tolist())
    assert not work[0].any()
    assert (work[1] == -1).all()
