"""What attacks on membership find is a leak, unless it is chance or surely small: a trace."""

import numpy as np
import pytest

from sfumato.numerics.arrays import FloatColumn
from sfumato.risk.synthetic._membership_rates import Scores
from sfumato.risk.synthetic._membership_verdict import COPIES, judge_membership

N = 20_000


def normal(shift: float, n: int = N, seed: int = 1) -> FloatColumn:
    return np.random.default_rng(seed).normal(shift, 1, n)


def others(n: int = N) -> FloatColumn:
    return normal(0.0, n, 2)


def some(n: int, count: int) -> FloatColumn:
    """Return scores of which so many are 1, the others 0."""
    return (np.arange(n) < count).astype(np.float64)


@pytest.mark.parametrize("shift", [0.08, 0.1])
def test_what_a_large_file_shows_of_everybody_a_little_is_a_trace(shift: float) -> None:
    found = judge_membership({"nearest": Scores(normal(shift), others())})
    assert found.is_trace
    assert not found.is_leak


@pytest.mark.parametrize("n", [20_000, 60_000])
def test_any_table_of_enough_cells_that_is_drawn_anew_shows_a_trace_however_large_the_file(n: int) -> None:
    rng, cells = np.random.default_rng(3), 500
    people, strangers, reference = (rng.integers(0, cells, size) for size in (n, n // 2, n // 2))
    drawn = np.bincount(rng.choice(people, n), minlength=cells)
    ratio = np.log((drawn + 0.5) / (np.bincount(reference, minlength=cells) + 0.5))
    assert judge_membership({"single values": Scores(ratio[people], ratio[strangers])}).is_trace


def test_scores_of_one_distribution_show_nothing() -> None:
    found = judge_membership({"nearest": Scores(normal(0.0), others())})
    assert not found.is_beyond_chance
    assert not found.is_trace


@pytest.mark.parametrize(("shift", "n"), [(0.4, N), (0.5, 400)])
def test_a_wide_area_is_a_leak_and_so_is_one_that_few_persons_leave_open(shift: float, n: int) -> None:
    assert judge_membership({"nearest": Scores(normal(shift, n), others(n))}).is_leak


def test_few_persons_who_are_found_surely_are_a_leak_however_many_are_not() -> None:
    members = np.concatenate([normal(9.0, 60), normal(0.0, N - 60)])
    scores = Scores(members, others())
    assert scores.true_positives(0.01) < 0.02
    assert scores.area_interval(7)[1] < 0.55
    assert judge_membership({"nearest": scores}).is_leak


def test_copies_beyond_chance_are_a_leak_however_few() -> None:
    alike = {"nearest": Scores(normal(0.0), others())}
    assert judge_membership({**alike, COPIES: Scores(some(N, 70), some(N, 20))}).is_leak
    assert not judge_membership({**alike, COPIES: Scores(some(N, 25), some(N, 20))}).is_beyond_chance
