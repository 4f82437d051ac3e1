import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping
from sfumato.papers import Verdict
from sfumato.papers.draws import TOO_NOISY, Runs, drawn_figure, draws, report_figure, strengthen
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
    misses = 0
    for one, *runs in drawn.tolist():
        found = Runs(runs, [200.0], runs)
        misses += abs(one - np.mean(runs)) > found.tolerance(f"{one:.9f}")
        assert found.false_alarm(f"{one:.9f}") == pytest.approx(0.05, rel=1e-6)
    assert 25 < misses < 80  # 50 expected, with a standard deviation of 7


def test_the_tolerance_knows_rounding_and_is_never_wider_than_half_of_what_twice_the_noise_makes() -> None:
    assert Runs([4.0, 4.0], [9.0], [4.0]).tolerance("4.0") == pytest.approx(0.05)
    assert Runs([3.9, 4.1], [6.0, 6.0], [4.0]).tolerance("4.00") == pytest.approx(1.0 + 0.005)


def test_no_figure_that_agrees_does_so_with_twice_the_noise() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        plain, doubled = rng.normal(10, 0.3, 8).tolist(), rng.normal(10 + 4 * rng.random(), 0.4, 4).tolist()
        printed = f"{rng.normal(10, 0.6):.6f}"
        found, stronger = (drawn_figure("a", printed, Runs(plain, doubled, asked)) for asked in (plain, doubled))
        assert found.is_judged == stronger.is_judged
        assert not (found.verdict is stronger.verdict is Verdict.WITHIN)


def test_a_figure_is_judged_by_a_rule_that_does_not_look_at_print() -> None:
    steady, doubled = [9.9, 10.0, 10.1], [12.0, 12.0]
    for printed in ("10.0", "15.0", "99.0"):
        assert drawn_figure("a", printed, Runs(steady, doubled, steady)).is_judged
        noisy = drawn_figure("a", printed, Runs([8.0, 10.0, 12.0], doubled, steady))
        assert (noisy.is_judged, noisy.note) == (False, TOO_NOISY)
        assert not drawn_figure("a", printed, Runs(steady, [10.1, 10.1], steady)).is_judged  # twice the noise is alike


def test_a_drawn_figure_fails_when_it_is_far_and_is_reported_for_a_reason() -> None:
    near, far, doubled = [9.9, 10.0, 10.1], [15.9, 16.0, 16.1], [20.0, 20.2]
    assert drawn_figure("a", "10.0", Runs(near, doubled, near)).verdict is Verdict.WITHIN
    assert drawn_figure("a", "10.0", Runs(near, doubled, far)).verdict is Verdict.DEVIATES
    other = drawn_figure("a", "10.0", Runs(near, doubled, far), "read so", unjudged="not printed how")
    assert (other.verdict, other.note) == (Verdict.DIFFERS, "not printed how")
    known = drawn_figure("a", "10.0", Runs(near, doubled, near), outside="with other seeds")
    assert (known.verdict, known.note) == (Verdict.DIFFERS, "with other seeds")
    assert report_figure("a", 10.0, 11.9, "why").verdict is Verdict.EXPLAINED
    assert report_figure("a", 10.0, 12.1, "why").verdict is Verdict.DIFFERS
