"""Effort counts what solvers do, is the same on every machine, and looks at the clock only when asked to."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.tables.protection import Ending
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._intruder_programme import IntruderProgramme


def work(effort: Effort) -> None:
    """Solve a small linear programme."""
    room = np.full(4, 5.0)
    IntruderProgramme(csr_array([[1.0, 1.0, 1.0, -1.0]]), -room, room, effort).furthest(0, 1)


def test_work_is_over_when_the_limit_is_reached_and_the_same_work_counts_the_same() -> None:
    effort, again = Effort(1e-3), Effort(1e-3)
    for each in (effort, again):
        assert not each.is_over
        work(each)
        assert not each.is_over
        work(each)
        work(each)
        assert each.is_over
    assert effort.share(1).nodes_left == again.share(1).nodes_left == 1
    assert effort.ending is Ending.EFFORT


def test_the_clock_is_not_looked_at_without_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> float:
        raise AssertionError("the clock was looked at")

    monkeypatch.setattr("time.monotonic", look)
    effort = Effort(1.0)
    work(effort)
    assert not effort.is_over
    assert effort.seconds_left == math.inf
    assert not effort.share(2).is_over


def test_a_time_limit_ends_it_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    effort = Effort(time_limit=10.0)
    assert effort.nodes_left is None
    assert effort.share(2).seconds_left == 5.0
    now[0] = 10.0
    assert effort.is_over
    assert effort.ending is Ending.TIME


def test_parts_share_what_is_left() -> None:
    whole = Effort(1e-3)
    part = whole.share(4)
    work(part)
    assert part.is_over
    whole.add(part)
    assert not whole.is_over
    work(whole)
    work(whole)
    assert whole.share(3).is_over
