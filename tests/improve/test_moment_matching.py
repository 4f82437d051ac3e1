import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Microdata, numeric
from sfumato.improve import Improvement, ImprovementEnding, MomentMatching, _factor_search
from sfumato.improve._moment_map import second_moments, with_moments
from tests.improve.files import both, grouped, incomes, noisy
from tests.matrices import microdata


def improved(original: np.ndarray, masked: np.ndarray, **parameters: object) -> Improvement:
    method = MomentMatching(columns=numeric, **parameters)
    return method.improve(microdata(original), microdata(masked), np.random.default_rng(0))


def matrix(data: Microdata) -> np.ndarray:
    return data.matrix(data.select(numeric))


@given(seed=st.integers(0, 999), n=st.integers(6, 40), d=st.integers(1, 4))
def test_the_linear_map_gives_the_moments_and_moves_least(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    points, other = rng.normal(size=(n, d)), rng.normal(size=(50, d)) @ rng.normal(size=(d, d)) + 1
    moved = with_moments(points, other.mean(axis=0), second_moments(other))
    assert moved.mean(axis=0) == pytest.approx(other.mean(axis=0))
    assert second_moments(moved) == pytest.approx(second_moments(other), abs=1e-6)
    before, after = (np.cov(file.T, ddof=0).reshape(d, d) for file in (points, other))
    roots = np.linalg.eigvals(before @ after).real.clip(0)  # the distance of Olkin and Pukelsheim
    least = np.trace(before) + np.trace(after) - 2 * np.sqrt(roots).sum()
    shift = ((points.mean(axis=0) - other.mean(axis=0)) ** 2).sum()
    assert ((moved - points) ** 2).sum(axis=1).mean() == pytest.approx(least + shift, abs=1e-6)


def test_moments_that_no_records_can_have_are_come_near_to() -> None:
    points = np.random.default_rng(0).normal(size=(30, 2))
    moved = with_moments(points, np.zeros(2), np.diag([4.0, -1.0]))
    assert second_moments(moved) == pytest.approx(np.diag([4.0, 0.0]), abs=1e-6)


def test_columns_that_are_sums_of_others_are_matched_too() -> None:
    original = incomes(200, 2, 1)
    original = np.column_stack([original, original.sum(axis=1)])
    masked = noisy(original[:, :2], 1)
    masked = np.column_stack([masked, masked.sum(axis=1)])
    done = improved(original, masked)
    assert done.error < 0.01 * done.errors[0]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 99))
def test_equal_records_stay_equal(seed: int) -> None:
    original = incomes(90, 2, seed)
    masked = grouped(original, 4)
    done = improved(original, masked, record_percent=50)
    after = matrix(done.data)
    _, owner = np.unique(masked, axis=0, return_inverse=True)
    for group in range(owner.max() + 1):
        assert (after[owner == group] == after[owner == group][0]).all()
    assert not any("broken" in remark for remark in done.remarks)


def test_nothing_is_drawn() -> None:
    files = both(100, 2, seed=2)
    results = [
        MomentMatching(columns=numeric).improve(*files, np.random.default_rng(seed)).data.frame for seed in (0, 1)
    ]
    assert results[0].equals(results[1])


def test_il1_is_brought_to_its_target() -> None:
    original = incomes(400, 4, 3)
    masked = noisy(original, 3)
    for percent in (60, 100):
        done = improved(original, masked, target_percent=percent)
        assert done.loss == pytest.approx(percent / 100 * done.losses[0], rel=0.011)
        assert done.ended is ImprovementEnding.TARGET


def test_an_il1_out_of_reach_is_told() -> None:
    original = incomes(200, 2, 4)
    done = improved(original, noisy(original, 4), target_percent=1)
    assert any("was aimed at" in remark for remark in done.remarks)
    assert done.aimed_loss is not None
    assert done.loss > done.aimed_loss


def test_too_few_records_to_match_the_moments_is_told() -> None:
    original = incomes(200, 3, 5)
    done = improved(original, noisy(original, 5, scale=1.0), record_percent=2)
    assert done.ended is ImprovementEnding.SETTLED
    assert any("larger record_percent" in remark or "no change lowers E" in remark for remark in done.remarks)
    assert done.error <= done.errors[0]


def test_a_large_file_is_tried_on_some_records_and_measured_on_all(monkeypatch: pytest.MonkeyPatch) -> None:
    original = incomes(600, 3, 6)
    masked = noisy(original, 6)
    whole = improved(original, masked)
    monkeypatch.setattr(_factor_search, "SAMPLE", 150)
    sampled = improved(original, masked)
    assert sampled.loss == pytest.approx(whole.loss, rel=0.1)
    assert sampled.losses[-1] != sampled.losses[-2]  # the estimate, then the figure itself
    assert sampled.error < 0.001
