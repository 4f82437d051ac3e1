"""Freed memory is kept where the C library can be told to, and nothing happens where it cannot."""

import ctypes
import platform
import subprocess
import sys
from types import SimpleNamespace

import pytest

from sfumato.cli import freed_memory

FAULTS = """
import resource
import numpy as np
from sfumato.cli.freed_memory import keep_freed_memory
if {keeps}:
    keep_freed_memory()
np.ones(2_000_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    np.ones(2_000_000)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def count_page_faults(*, keeps: bool) -> int:
    """Return how often the system had to clear pages for 20 arrays, one after the other."""
    command = [sys.executable, "-c", FAULTS.format(keeps=keeps)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only the GNU C library can be told")
def test_pages_that_were_freed_are_not_cleared_again() -> None:
    assert count_page_faults(keeps=True) < 0.2 * count_page_faults(keeps=False)


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError])
def test_nothing_happens_with_another_c_library(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def library(_: None) -> SimpleNamespace:
        if error is AttributeError:
            return SimpleNamespace()
        raise error

    monkeypatch.setattr(ctypes, "CDLL", library)
    assert not freed_memory.keep_freed_memory()


def test_an_older_library_is_asked_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def set_option(option: int, value: int) -> int:
        asked.append((option, value))
        return int(value != freed_memory.MAX_BLOCK)

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mallopt=set_option))
    assert freed_memory.keep_freed_memory()
    assert [value for _, value in asked] == [1 << 27, 1 << 25, 1 << 28]
