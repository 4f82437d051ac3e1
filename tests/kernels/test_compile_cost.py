"""A quick loop is compiled only where the plain one would cost more, and both give the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sfumato.kernels import compile_cost
from sfumato.kernels.compile_cost import CompileCost, is_compiled
from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation import mdav
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.neighbours import search_parts
from sfumato.kernels.neighbours.nearest import nearest_rows, nearest_share


@pytest.fixture
def is_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_cost, "is_compiled", lambda _loop: False)


@pytest.mark.usefixtures("is_cold")
def test_a_loop_is_compiled_once_doing_without_has_cost_as_much() -> None:
    cost = CompileCost(len, seconds=3.0)
    assert [cost.is_worth(1.0) for _ in range(4)] == [False, False, True, True]


@pytest.mark.usefixtures("is_cold")
def test_large_data_are_worth_compiling_for_at_once() -> None:
    assert CompileCost(len, seconds=3.0).is_worth(5.0)


def test_a_loop_that_is_compiled_is_always_taken() -> None:
    assert CompileCost(compiled_here(), seconds=1e9).is_worth(0.0)


def test_knows_a_loop_that_nobody_has_compiled() -> None:
    def loop(x: int) -> int:
        return x

    assert not is_compiled(compiled(loop))


def test_knows_machine_code_that_an_earlier_process_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    first, again = compiled(_twice), compiled(_twice)
    assert not is_compiled(again)
    assert first(2) == 4
    assert is_compiled(again)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize(("gaps", "many"), [(0.0, search_parts.MANY), (0.2, search_parts.MANY), (0.2, 0)])
def test_neighbours_are_the_same_before_and_after_compiling(
    monkeypatch: pytest.MonkeyPatch, columns: int, gaps: float, many: int
) -> None:
    monkeypatch.setattr(search_parts, "MANY", many)
    rng = np.random.default_rng(5)
    points = np.where(rng.random((400, columns)) < gaps, np.nan, rng.normal(size=(400, columns)).round(1) / 3)
    queries, rows = points[rng.permutation(400)] + rng.choice([0.0, 1 / 3], size=(400, 1)), rng.permutation(400)
    found = [nearest_rows(points, queries).tolist(), nearest_share(points, queries, rows).tolist()]
    monkeypatch.setattr(search_parts, "TREE", CompileCost(_never, seconds=1e9))
    monkeypatch.setattr(search_parts, "grow_tree", _never)
    monkeypatch.setattr(compile_cost, "is_compiled", lambda _loop: False)
    assert [nearest_rows(points, queries).tolist(), nearest_share(points, queries, rows).tolist()] == found


def test_groups_are_the_same_before_and_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(6).normal(size=(mdav.MIN_TREE_RECORDS + 5, 2)).round(2)
    found = mdav_groups(points, 4)
    monkeypatch.setattr(mdav, "TREE", CompileCost(_never, seconds=1e9))
    monkeypatch.setattr(compile_cost, "is_compiled", lambda _loop: False)
    monkeypatch.setattr(mdav, "group_by_tree", _never)
    assert mdav_groups(points, 4).tolist() == found.tolist()


def compiled_here() -> Callable[[int], int]:
    """Return a loop that this process has compiled."""
    loop = compiled(_twice)
    loop(1)
    return loop


def _twice(x: int) -> int:
    return 2 * x


def _never(*_: Any) -> Any:
    raise AssertionError("compiled although it is not worth it")


def test_a_user_who_cannot_write_to_the_package_keeps_machine_code_in_a_folder_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Any) -> None:
        raise OSError("read-only")

    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    monkeypatch.setattr("numba.core.caching.InTreeCacheLocator.ensure_cache_path", refuse)
    monkeypatch.setattr("numba.core.caching.InTreeCacheLocatorFsAgnostic.ensure_cache_path", refuse)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiled(_twice)(2) == 4
    assert list(tmp_path.rglob("*.nbc"))
