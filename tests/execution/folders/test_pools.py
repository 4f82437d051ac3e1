import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sfumato.errors import DataError, SfumatoError
from sfumato.execution.folders import pools
from sfumato.execution.folders.pools import Pool, Processes, ThisProcess


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as pool:
        yield pool


def kill_once(mark: Path) -> int:
    try:
        mark.mkdir()
    except FileExistsError:
        return 1
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def refuse(_: int) -> None:
    raise DataError("no records")


def test_any_executor_is_a_pool() -> None:
    with ThreadPoolExecutor(2) as threads:
        pools: list[Pool] = [threads, ThisProcess()]
        assert [list(pool.map(abs, [-1, 2, -3])) for pool in pools] == [[1, 2, 3]] * 2


def test_processes_give_results_in_order_and_hand_errors_on(processes: Processes) -> None:
    assert list(processes.map(abs, range(-5, 0))) == [5, 4, 3, 2, 1]
    with pytest.raises(DataError, match="no records"):
        list(processes.map(refuse, [1]))


def test_what_a_killed_process_left_is_done_by_another(processes: Processes, tmp_path: Path) -> None:
    assert list(processes.map(kill_once, [tmp_path / "mark"])) == [1]


def test_processes_that_die_again_and_again_are_given_up(
    processes: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "MAX_DEATHS", 0)
    with pytest.raises(SfumatoError, match="a process died, and so did those"):
        list(processes.map(kill_once, [tmp_path / "mark"]))
