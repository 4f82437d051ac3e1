import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping
from sfumato.papers import FigureKind, Verdict
from sfumato.papers.draws import TOO_NOISY, drawn_figure, draws, report_figure, strengthen
from sfumato.papers.spread import Spread
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


STEADY = Spread(50, mean=10.0, deviation=0.1, halved=6.0, doubled=16.0)
NOISY = Spread(50, mean=10.0, deviation=2.0, halved=6.0, doubled=16.0)
NEAR, FAR = [9.9, 10.0, 10.1], [15.9, 16.0, 16.1]


def test_a_figure_is_judged_by_a_rule_that_looks_neither_at_print_nor_at_the_run() -> None:
    for printed in ("10.0", "15.0", "99.0"):
        for runs in (NEAR, FAR):
            assert drawn_figure("a", printed, runs, spread=STEADY).is_judged
            noisy = drawn_figure("a", printed, runs, spread=NOISY)
            assert (noisy.is_judged, noisy.note) == (False, TOO_NOISY)


def test_the_tolerance_is_that_of_the_calibration_and_of_rounding_whatever_the_run() -> None:
    for runs in (NEAR, FAR, [10.0] * 3):
        tolerance = drawn_figure("a", "10.0", runs, spread=STEADY).tolerance
        assert tolerance == pytest.approx(STEADY.reach(3) + 0.05, abs=1e-4)
    of_two = drawn_figure("a", "10.0", NEAR, spread=STEADY, roundings=2)
    assert of_two.tolerance == pytest.approx(STEADY.reach(3) + 0.1, abs=1e-4)


def test_a_drawn_figure_fails_when_it_is_far_and_is_reported_for_a_reason() -> None:
    assert drawn_figure("a", "10.0", NEAR, spread=STEADY).verdict is Verdict.WITHIN
    assert drawn_figure("a", "10.0", FAR, spread=STEADY).verdict is Verdict.DEVIATES
    other = drawn_figure("a", "10.0", FAR, "read so", unjudged="not printed how", spread=STEADY)
    assert (other.verdict, other.note) == (Verdict.DIFFERS, "not printed how")
    known = drawn_figure("a", "10.0", NEAR, why="a bias", is_outside=True, spread=STEADY)
    assert (known.verdict, known.note) == (Verdict.DIFFERS, "a bias")
    assert report_figure("a", 10.0, 11.9, "why").verdict is Verdict.EXPLAINED
    assert report_figure("a", 10.0, 12.1, "why").verdict is Verdict.DIFFERS


def test_what_the_calibration_has_outside_differs_where_that_can_be_explained_and_fails_elsewhere() -> None:
    for printed in ("12.0", f"{10 + STEADY.reach(3) - 0.05:.2f}"):  # outside, and inside by less than draws move it
        assert drawn_figure("a", printed, NEAR, why="not printed", spread=STEADY).kind is FigureKind.OUTSIDE
        assert drawn_figure("a", printed, NEAR, spread=STEADY).kind is FigureKind.STATISTICAL
    assert drawn_figure("a", "10.1", NEAR, why="not printed", spread=STEADY).verdict is Verdict.WITHIN


def test_a_figure_that_the_calibration_does_not_know_is_never_judged() -> None:
    assert not drawn_figure("a figure of no paper", "10.0", NEAR).is_judged
