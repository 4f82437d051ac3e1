import ctypes
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from sfumato.execution.folders.freed_memory import _trim, give_back_freed_memory


@pytest.fixture(autouse=True)
def library_looked_for_anew() -> Iterator[None]:
    _trim.cache_clear()
    yield
    _trim.cache_clear()


def test_freed_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[int]()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace(malloc_trim=kept.append))
    assert give_back_freed_memory()
    assert kept == [0]


def test_another_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    assert not give_back_freed_memory()
