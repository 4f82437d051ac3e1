"""Marginals of random one-to-one matchings, held against the sum over all of them."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.linkage.matching_marginals import CUT, matching_marginals
from sfumato.numerics.arrays import Floats, Integers

Problem = tuple[Integers, Floats, Integers, Integers]


def sum_over_all(candidates: Integers, logs: Floats, row_counts: Integers, column_counts: Integers) -> Floats | None:
    """Return the marginals from all ways to give each masked record an original of its own; None if there is none."""
    table = np.zeros((len(row_counts), len(column_counts)))
    for row, (columns, row_logs) in enumerate(zip(candidates, logs, strict=True)):
        best = max(row_logs[columns >= 0], default=0.0)
        for column, log in zip(columns, row_logs, strict=True):
            if column >= 0 and log >= best - CUT:
                table[row, column] = np.exp(log - best)
    masked, originals = (
        np.repeat(np.arange(len(row_counts)), row_counts),
        np.repeat(np.arange(len(column_counts)), column_counts),
    )
    if len(masked) > len(originals):
        return None
    taken = originals[np.array(list(permutations(range(len(originals)), len(masked))))]
    weights = np.prod(table[masked, taken], axis=1)
    if weights.sum() == 0.0:
        return None
    shares = np.zeros(table.shape)
    for place, row in enumerate(masked.tolist()):
        shares[row] += np.bincount(taken[:, place], weights, len(column_counts)) / weights.sum() / row_counts[row]
    return np.where(candidates >= 0, np.take_along_axis(shares, np.maximum(candidates, 0), axis=1), 0.0)


def full(logs: Floats) -> Problem:
    """Return the problem in which every column is a candidate of every row, all records different."""
    rows, columns = logs.shape
    candidates = np.tile(np.arange(columns), (rows, 1))
    return candidates, logs, np.ones(rows, dtype=np.int64), np.ones(columns, dtype=np.int64)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    column_counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6).filter(lambda counts: sum(counts) <= 7))
    row_counts = draw(st.lists(st.integers(1, 2), min_size=1, max_size=6).filter(lambda counts: sum(counts) <= 6))
    rows, columns = len(row_counts), len(column_counts)
    places = draw(st.lists(st.permutations(range(columns)), min_size=rows, max_size=rows))
    log = draw(st.sampled_from([st.floats(-3, 3), st.floats(-60, 0), st.floats(-1e6, 0), st.just(0.0)]))
    logs = draw(st.lists(st.lists(log, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    widths = np.array(draw(st.lists(st.integers(1, columns), min_size=rows, max_size=rows)))
    candidates = np.where(np.arange(columns) < widths[:, None], np.array(places), -1)
    return candidates, np.array(logs), np.array(row_counts), np.array(column_counts)


@given(problem=problems())
def test_is_the_sum_over_all_matchings_where_records_are_few(problem: Problem) -> None:
    expected = sum_over_all(*problem)
    marginals, is_exact = matching_marginals(*problem)
    assert marginals.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    if expected is not None:
        assert is_exact.all()
        assert marginals == pytest.approx(expected, rel=1e-11, abs=1e-300)


@given(problem=problems())
def test_propagation_gives_probabilities_whatever_the_problem(problem: Problem) -> None:
    marginals, _ = matching_marginals(*problem, exact_rows=1)
    assert np.all((marginals >= 0.0) & (marginals <= 1.0 + 1e-12))
    assert marginals.sum(axis=1) == pytest.approx(1.0, abs=1e-12)


@given(logs=st.lists(st.floats(-30, 0), min_size=9, max_size=9))
def test_propagation_is_exact_on_a_tree(logs: list[float]) -> None:
    candidates = np.array([[0, 1, 2], [2, 3, 4], [4, 5, 6]])
    problem = candidates, np.array(logs).reshape(3, 3), np.ones(3, dtype=np.int64), np.ones(7, dtype=np.int64)
    marginals, is_exact = matching_marginals(*problem, exact_rows=1)
    assert not is_exact.any()
    assert marginals == pytest.approx(sum_over_all(*problem), abs=1e-5)


def random_logs(kind: str, columns: int, rng: np.random.Generator) -> Floats:
    if kind == "exponential":
        return np.asarray(np.log(rng.exponential(size=(14, columns))))
    if kind == "lognormal":
        return 2.0 * rng.normal(size=(14, columns))
    originals = rng.normal(size=(columns, 2))
    masked = originals[:14] + 0.5 * rng.normal(size=(14, 2))
    return np.asarray(-2.0 * ((masked[:, None] - originals) ** 2).sum(axis=2))


def mean_distance(one: Floats, other: Floats) -> float:
    """Return the total variation between the marginals of a row, on average over rows."""
    return float(np.abs(one - other).sum(axis=1).mean() / 2)


@pytest.mark.parametrize(
    ("kind", "columns", "bound"),
    [
        ("exponential", 14, 0.006),
        ("exponential", 20, 0.003),
        ("lognormal", 14, 0.03),
        ("lognormal", 20, 0.01),
        ("noise in a plane", 14, 0.06),
        ("noise in a plane", 20, 0.035),
    ],
)
def test_propagation_is_near_the_exact_marginals(kind: str, columns: int, bound: float) -> None:
    rng, distances, by_row = np.random.default_rng(5), [], []
    for _ in range(10):
        problem = full(random_logs(kind, columns, rng))
        exact, is_exact = matching_marginals(*problem, exact_rows=14)
        near, is_near_exact = matching_marginals(*problem)
        assert is_exact.all()
        assert not is_near_exact.any()
        assert near.sum(axis=0).max() < 1.0 + 1e-3
        weights = np.exp(problem[1])
        distances.append(mean_distance(near, exact))
        by_row.append(mean_distance(weights / weights.sum(axis=1, keepdims=True), exact))
    assert np.mean(distances) < bound
    assert np.mean(distances) < np.mean(by_row) / 4


def test_two_rows_that_may_swap_are_as_certain_as_both_matchings_leave_them() -> None:
    ones, every = np.ones(3, dtype=np.int64), np.array([[0, 1, -1], [0, 1, -1], [2, -1, -1]])
    logs = np.log(np.array([[1.0, 0.6, 1.0], [0.5, 0.9, 1.0], [1.0, 1.0, 1.0]]))
    found = [matching_marginals(every, logs, ones, ones, exact_rows=rows)[0] for rows in (1, 12)]
    assert found[0] == pytest.approx(found[1])
    assert found[1][0] == pytest.approx([0.75, 0.25, 0.0])


def test_equal_records_are_the_same_as_classes_or_one_by_one() -> None:
    rng = np.random.default_rng(2)
    logs, row_counts, column_counts = (
        rng.normal(size=(6, 7)),
        np.array([4, 3, 2, 3, 1, 2]),
        np.array([5, 1, 2, 4, 3, 1, 2]),
    )
    candidates = np.tile(np.arange(7), (6, 1))
    classes, _ = matching_marginals(candidates, logs, row_counts, column_counts)
    rows, columns = np.repeat(np.arange(6), row_counts), np.repeat(np.arange(7), column_counts)
    single, is_exact = matching_marginals(*full(logs[np.ix_(rows, columns)]))
    assert not is_exact.any()
    assert classes[rows] == pytest.approx(
        np.stack([single[:, columns == i].sum(axis=1) for i in range(7)], axis=1), abs=1e-5
    )


def test_many_equal_records_need_few_states() -> None:
    row_counts, column_counts = np.array([8, 4]), np.array([1000, 2000])
    marginals, is_exact = matching_marginals(np.tile([0, 1], (2, 1)), np.zeros((2, 2)), row_counts, column_counts)
    assert is_exact.all()
    assert marginals == pytest.approx(np.tile([1 / 3, 2 / 3], (2, 1)), rel=1e-12)


def test_a_row_alone_has_its_own_posterior() -> None:
    marginals, is_exact = matching_marginals(
        np.array([[0, 1, -1]]), np.array([[-1e6, -1e6 + np.log(3.0), 0.0]]), np.array([1]), np.array([3, 1])
    )
    assert marginals[0] == pytest.approx([0.5, 0.5, 0.0])
    assert is_exact.all()


def test_a_row_that_must_have_its_column_leaves_the_other_to_its_neighbour() -> None:
    ones = np.ones(2, dtype=np.int64)
    marginals, _ = matching_marginals(np.array([[0, -1], [0, 1]]), np.array([[0.0, 0.0], [0.0, -30.0]]), ones, ones)
    assert marginals.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("exact_rows", [1, 12])
def test_rows_without_a_matching_go_by_themselves(exact_rows: int) -> None:
    candidates, logs = np.array([[0, 1], [0, 1], [1, 0]]), np.log([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])
    counts = np.ones(3, dtype=np.int64), np.ones(2, dtype=np.int64)
    marginals, is_exact = matching_marginals(candidates, logs, *counts, exact_rows=exact_rows)
    assert marginals == pytest.approx(np.exp(logs))
    assert not is_exact.any()


@pytest.mark.parametrize("exact_rows", [1, 12])
def test_too_few_candidates_for_some_rows_is_no_matching_even_with_columns_to_spare(exact_rows: int) -> None:
    candidates = np.array([[0, -1, -1], [0, -1, -1], [0, 1, 2]])
    counts = np.ones(3, dtype=np.int64), np.ones(3, dtype=np.int64)
    marginals, is_exact = matching_marginals(candidates, np.zeros((3, 3)), *counts, exact_rows=exact_rows)
    assert marginals == pytest.approx(np.array([[1, 0, 0], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]]))
    assert not is_exact.any()


def test_a_large_component_keeps_its_matching_where_one_row_is_too_many() -> None:
    candidates = 2 * np.arange(400)[:, None] + np.arange(3)
    candidates[-2:] = [0, -1, -1]
    ones = np.ones(400, dtype=np.int64), np.ones(801, dtype=np.int64)
    marginals, _ = matching_marginals(candidates, np.zeros((400, 3)), *ones)
    assert marginals[-2:, 0] == pytest.approx(1.0)
    assert marginals[0, 0] == pytest.approx(0.0, abs=1e-6)  # they must have it
    assert marginals[0, 1] > marginals[0, 2] > 0.3


def test_a_cut_that_is_nearer_leaves_smaller_components() -> None:
    logs = np.where(np.arange(16)[:, None] // 2 == np.arange(16) // 2, 0.0, -30.0)
    near, is_exact = matching_marginals(*full(logs), cut=20.0)
    assert is_exact.all()
    assert near == pytest.approx(np.where(logs == 0.0, 0.5, 0.0))
    assert not matching_marginals(*full(logs))[1].any()


def test_rows_without_candidates_have_none_and_columns_without_records_are_none() -> None:
    candidates, logs = np.array([[-1, -1], [0, 1], [0, 1]]), np.array([[0.0, 0.0], [0.0, 9.0], [-np.inf, -np.inf]])
    marginals, is_exact = matching_marginals(candidates, logs, np.ones(3, dtype=np.int64), np.array([1, 0]))
    assert marginals.tolist() == [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    assert is_exact.tolist() == [False, True, False]


def test_magnitudes_far_apart_give_numbers() -> None:
    rng = np.random.default_rng(3)
    problem = full(-(10.0 ** rng.uniform(-3, 6, size=(60, 60))))
    marginals, _ = matching_marginals(*problem)
    assert np.isfinite(marginals).all()
    assert marginals.sum(axis=1) == pytest.approx(1.0)


def test_leaves_its_input_as_it_was() -> None:
    problem = full(np.random.default_rng(4).normal(size=(15, 16)))
    before = [array.copy() for array in problem]
    matching_marginals(*problem)
    assert all(np.array_equal(array, copy) for array, copy in zip(problem, before, strict=True))


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_nothing_to_match_gives_nothing(shape: tuple[int, int]) -> None:
    marginals, is_exact = matching_marginals(
        np.zeros(shape, dtype=np.int64), np.zeros(shape), np.ones(shape[0], dtype=np.int64), np.ones(3, dtype=np.int64)
    )
    assert marginals.shape == shape
    assert is_exact.tolist() == [False] * shape[0]


def test_what_is_outside_the_candidates_is_weighed_as_if_it_were_among_them() -> None:
    rng = np.random.default_rng(8)
    logs = -0.5 * (rng.normal(size=(60, 1)) * 6 + rng.normal(size=(60, 60)) * 2) ** 2
    np.fill_diagonal(logs, logs.max(axis=1) + rng.normal(size=60))
    every, _ = matching_marginals(*full(logs))
    order = np.argsort(-logs, axis=1)[:, :6]
    near = np.take_along_axis(logs, order, axis=1)
    rest = np.log(np.exp(logs).sum(axis=1) - np.exp(near).sum(axis=1))
    ones = np.ones(60, dtype=np.int64)
    found, is_exact = matching_marginals(order, near, ones, ones, outside=rest)
    alone, _ = matching_marginals(order, near, ones, ones)
    truth = np.take_along_axis(every, order, axis=1)
    assert not is_exact.any()
    assert np.abs(found - truth).mean() < 0.3 * np.abs(alone - truth).mean()
    assert found.sum(axis=1) == pytest.approx(truth.sum(axis=1), abs=0.1)


def test_a_row_by_itself_shares_with_what_is_outside() -> None:
    found, _ = matching_marginals(
        np.array([[0, 1]]), np.zeros((1, 2)), np.array([1]), np.array([1, 1]), outside=np.log(np.array([2.0]))
    )
    assert found.tolist() == [[0.25, 0.25]]
