"""Sparse assignment, checked against scipy's for full tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.kernels.linkage import assignment
from sfumato.kernels.linkage.assignment import assign
from sfumato.numerics.arrays import Floats, Integers


def largest_total(candidates: Integers, gains: Floats, columns: int) -> float:
    """Return the largest total gain, from a full table in which not being linked gains 0."""
    table = np.zeros((len(candidates), columns + len(candidates)))
    for row, (places, row_gains) in enumerate(zip(candidates, gains, strict=True)):
        for column, gain in zip(places, row_gains, strict=True):
            if column >= 0:
                table[row, column] = max(gain, 0.0)
    rows, taken = linear_sum_assignment(table, maximize=True)
    return float(table[rows, taken].sum())


def total(candidates: Integers, gains: Floats, taken: Integers) -> float:
    """Return the total gain of an assignment, after looking that it is one."""
    used = taken[taken >= 0]
    assert len(set(used.tolist())) == len(used)
    assert all(taken[row] in candidates[row] for row in np.flatnonzero(taken >= 0))
    return float(gains[(candidates == taken[:, None]) & (taken[:, None] >= 0)].sum())


@st.composite
def problems(draw: st.DrawFn) -> tuple[Integers, Floats, int]:
    columns, rows = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    width = draw(st.integers(1, columns))
    places = draw(st.lists(st.permutations(range(columns)), min_size=rows, max_size=rows))
    gain = draw(st.sampled_from([st.integers(-1, 3).map(float), st.floats(-1, 10, allow_subnormal=False)]))
    gains = draw(st.lists(st.lists(gain, min_size=width, max_size=width), min_size=rows, max_size=rows))
    candidates = np.array([row[:width] for row in places])
    none = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
    candidates[np.array(none), -1] = -1
    return candidates, np.array(gains), columns


@given(problem=problems())
def test_reaches_the_largest_total_with_and_without_ties(problem: tuple[Integers, Floats, int]) -> None:
    candidates, gains, columns = problem
    taken, left = assign(candidates, gains, columns)
    assert left == 0
    assert total(candidates, gains, taken) == pytest.approx(largest_total(*problem))


@given(problem=problems())
def test_the_chains_alone_reach_it_too(problem: tuple[Integers, Floats, int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "WORTH_A_ROUND", 2.0)  # no round is
        taken, _ = assign(*problem)
    assert total(*problem[:2], taken) == pytest.approx(largest_total(*problem))


@pytest.mark.parametrize("levels", [2, 5, 1_000_000])
@pytest.mark.parametrize("columns", [150, 400])
def test_reaches_the_largest_total_where_many_want_the_same(levels: int, columns: int) -> None:
    rng = np.random.default_rng(levels + columns)
    centres = rng.integers(columns - 20, size=300)
    candidates = np.array([centre + rng.permutation(20)[:8] for centre in centres])
    gains = rng.integers(1, levels + 1, size=candidates.shape) / levels
    taken, _ = assign(candidates, gains, columns)
    assert total(candidates, gains, taken) == pytest.approx(largest_total(candidates, gains, columns))


def test_a_gain_that_is_not_above_nothing_is_never_taken() -> None:
    assert assign(np.array([[0, 1], [1, 0]]), np.array([[0.0, -2.0], [0.0, 0.5]]), 2).columns.tolist() == [-1, 0]


def test_a_row_without_candidates_stays_by_itself() -> None:
    assert assign(np.array([[-1, -1], [1, -1]]), np.ones((2, 2)), 2).columns.tolist() == [-1, 1]


def test_leaves_its_input_as_it_was() -> None:
    candidates, gains = np.array([[0, 1], [0, -1]]), np.array([[2.0, 1.0], [2.0, 9.0]])
    before = candidates.copy(), gains.copy()
    assert assign(candidates, gains, 2).columns.tolist() == [1, 0]
    assert np.array_equal(candidates, before[0])
    assert np.array_equal(gains, before[1])


def test_rows_that_no_chain_may_bring_in_take_what_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    candidates = np.array([[0, 1], [0, 1], [0, 1], [0, 2], [0, 2]])
    gains = np.array([[5.0, 5.0], [5.0, 5.0], [5.0, 5.0], [5.0, 1.0], [5.0, 1.0]])
    monkeypatch.setattr(assignment, "WORTH_A_ROUND", 2.0)  # no bids
    monkeypatch.setattr(assignment, "MAX_SETTLED", 1)
    taken, left = assign(candidates, gains, 3)
    assert left > 0
    assert sorted(taken[taken >= 0].tolist()) == [0, 1, 2]
    assert total(candidates, gains, taken) <= largest_total(candidates, gains, 3)


@given(problem=problems(), room=st.integers(0, 5))
def test_what_is_cut_off_leaves_links_one_to_one(problem: tuple[Integers, Floats, int], room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "MAX_SETTLED", room)
        taken, left = assign(*problem)
    found, largest = total(*problem[:2], taken), largest_total(*problem)
    assert found == pytest.approx(largest) if left == 0 else found <= largest + 1e-9
