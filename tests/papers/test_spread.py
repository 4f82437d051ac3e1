from pathlib import Path

import numpy as np
import pytest

from sfumato.papers.spread import SPREADS, Spread, read_spreads, write_spreads

RUNS = 16


def test_the_reach_is_the_prediction_interval_of_one_more_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.papers.spread.UNLIKELY", 0.05)
    spread = Spread(10_000, mean=100.0, deviation=1.0, halved=50.0, doubled=200.0)
    one, *runs = 100 + np.random.default_rng(1).standard_normal((7, 2000))
    misses = (np.abs(one - np.mean(runs, axis=0)) > spread.reach(6)).sum()
    assert 60 < misses < 140  # 100 expected, with a standard deviation of 10
    assert spread.false_alarm(spread.reach(6), 6) == pytest.approx(0.05, rel=1e-6)


def test_the_reach_is_never_wider_than_half_of_what_twice_or_half_the_noise_makes() -> None:
    upwards = Spread(50, mean=10.0, deviation=0.4, halved=0.0, doubled=12.0)
    assert upwards.reach(RUNS) == pytest.approx(1.0)
    downwards = Spread(50, mean=10.0, deviation=0.4, halved=8.2, doubled=20.0)
    assert downwards.reach(RUNS) == pytest.approx(0.9)


def test_half_the_noise_counts_only_where_one_run_can_tell_it() -> None:
    untold = Spread(50, mean=10.0, deviation=0.4, halved=9.9, doubled=12.0)
    assert untold.is_steady(RUNS)
    assert not untold.is_two_sided(RUNS)
    assert untold.reach(RUNS) == pytest.approx(1.0)


def test_what_twice_the_noise_hardly_changes_is_not_steady() -> None:
    assert not Spread(50, mean=10.0, deviation=0.4, halved=5.0, doubled=10.1).is_steady(RUNS)


def test_spreads_are_stored_and_read_again(tmp_path: Path) -> None:
    spreads = {"a table, a row: a column": Spread(48, 0.125, 0.0625, 0.0, -1.5)}
    write_spreads(spreads, tmp_path / "stored.csv")
    assert read_spreads(tmp_path / "stored.csv") == spreads
    assert SPREADS
