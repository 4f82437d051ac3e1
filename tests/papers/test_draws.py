import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping
from sfumato.papers import Verdict
from sfumato.papers.draws import drawn_figure, draws, strengthen, tolerance_of
from tests.matrices import microdata

DATA = microdata(np.random.default_rng(0).normal(size=(50, 2)))
NOISE = CorrelatedNoise(columns=numeric, variance_ratio=0.1)


def matrices(seed: int, times: int) -> list[np.ndarray]:
    return [masked.matrix(("v0", "v1")) for masked in draws(NOISE, DATA, seed, times)]


def test_the_same_seed_draws_the_same_and_more_draws_begin_alike() -> None:
    for one, other in zip(matrices(7, 2), matrices(7, 3), strict=False):
        assert np.array_equal(one, other)


def test_draws_differ_among_themselves_and_with_the_seed() -> None:
    drawn = matrices(7, 3) + matrices(8, 3)
    assert len({matrix.tobytes() for matrix in drawn}) == 6


def test_twice_the_strength_is_twice_the_window_ratio_or_group_size() -> None:
    assert strengthen(RankSwapping(columns=numeric, window=7), 2).window == 14  # type: ignore[attr-defined]
    assert strengthen(CorrelatedNoise(columns=numeric, variance_ratio=0.1), 2).variance_ratio == 0.2  # type: ignore[attr-defined]
    assert strengthen(Mdav(columns=numeric, k=3), 2).k == 6  # type: ignore[attr-defined]
    method = RankSwapping(columns=numeric, window=7)
    assert strengthen(method, 1.0) == method


def test_the_tolerance_is_the_prediction_interval_of_one_more_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.papers.draws.UNLIKELY", 0.05)
    drawn = 100 + np.random.default_rng(1).standard_normal((1000, 6))
    misses = sum(abs(one - np.mean(runs)) > tolerance_of(f"{one:.9f}", runs) for one, *runs in drawn.tolist())
    assert 25 < misses < 80  # 50 expected, with a standard deviation of 7


def test_the_tolerance_knows_rounding_and_never_exceeds_its_share_of_the_figure() -> None:
    assert tolerance_of("4.0", [4.0, 4.0]) == pytest.approx(0.05)
    assert tolerance_of("4.00", [1.0, 9.0]) == pytest.approx(0.8 + 0.005)
    assert tolerance_of("4.00", [1.0, 9.0], widest=0.5) == pytest.approx(2.0 + 0.005)


def test_a_drawn_figure_fails_when_it_is_far_and_is_reported_for_a_reason() -> None:
    near, far = [9.9, 10.0, 10.1], [14.9, 15.0, 15.1]
    assert drawn_figure("a", "10.0", near).verdict is Verdict.WITHIN
    assert drawn_figure("a", "10.0", far).verdict is Verdict.DEVIATES
    noisy = drawn_figure("a", "10.0", far, "read so", unjudged="too noisy")
    assert (noisy.verdict, noisy.note, noisy.tolerance) == (Verdict.EXPLAINED, "too noisy", 0.0)
