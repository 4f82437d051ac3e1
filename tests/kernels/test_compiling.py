"""Compiling: a message when it takes long, and only then."""

import logging
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sfumato.kernels.compiling import MESSAGE, Announcement, compiled

COLD = """
import numpy as np
from sfumato.kernels.randomisation.transition import draw_transitions
print(draw_transitions(np.array([0, 1, 0]), np.array([[0.5, 1.0], [0.0, 1.0]]), np.array([0.7, 0.2, 0.4])).tolist())
"""  # the smallest loop there is: larger ones take many seconds


def test_says_once_that_it_takes_long(caplog: pytest.LogCaptureFixture) -> None:
    announcement = Announcement(seconds=0.01)
    with caplog.at_level(logging.WARNING, logger="sfumato"):
        for _ in range(2):
            announcement.on_start(None)
            time.sleep(0.2)
            announcement.on_end(None)
    assert caplog.messages == [MESSAGE]


def test_says_nothing_when_it_is_quick(caplog: pytest.LogCaptureFixture) -> None:
    announcement = Announcement(seconds=0.5)
    with caplog.at_level(logging.WARNING, logger="sfumato"):
        announcement.on_start(None)
        announcement.on_start(None)
        announcement.on_end(None)
        announcement.on_end(None)
        time.sleep(0.8)
    assert caplog.messages == []


def test_a_cold_start_gives_the_same_values_and_keeps_its_machine_code(tmp_path: Path) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    assert ran.stdout.strip() == "[1, 1, 0]"
    assert list(tmp_path.rglob("transition.*.nbc"))


def test_a_loop_is_compiled_once_for_all_constants_that_loops_give_it() -> None:
    inner: Any = compiled(_scale)

    @compiled
    def outer(value: float) -> float:
        return float(inner(value, 2) + inner(value, 3))

    assert outer(1.5) == 7.5
    assert len(inner.for_loops.overloads) == 1


def test_a_loop_that_loops_alone_have_called_can_be_called_by_python_too() -> None:
    inner: Any = compiled(_scale)

    @compiled
    def outer(value: float) -> float:
        return float(inner(value, 2))

    assert outer(1.5) == 3.0
    assert not inner.overloads
    assert inner(1.5, 4) == 6.0


def test_an_error_inside_a_loop_that_a_loop_calls_reaches_python() -> None:
    root: Any = compiled(_root)

    @compiled
    def outer(value: float) -> float:
        return float(root(value) + 1.0)

    assert outer(4.0) == 3.0
    with pytest.raises(ValueError, match="no root"):
        outer(-4.0)


def test_a_loop_that_calls_itself_is_compiled_where_a_loop_calls_it() -> None:
    @compiled
    def outer(number: int) -> int:
        return _factorial(number)

    assert (outer(5), _factorial(4)) == (120, 24)


def _root(value: float) -> float:
    if value < 0.0:
        raise ValueError("there is no root")
    return math.sqrt(value)


@compiled
def _factorial(number: int) -> int:
    if number < 2:
        return 1
    return number * _factorial(number - 1)


def _scale(value: float, factor: int) -> float:
    return value * factor
