import os
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import polars as pl

from sfumato.data import Microdata, Schema
from sfumato.study.worker_data import PREFIX, load_shared_data, process_lock, remove_stale_data, share_data
from tests.study.examples import people


def test_the_data_arrive_as_they_were_sent(
    as_backend: Callable[[pl.DataFrame], Any], awkward_frame: pl.DataFrame, awkward_schema: Schema
) -> None:
    sent = Microdata(as_backend(awkward_frame), awkward_schema).take_rows(slice(2, 7))
    with share_data(sent) as path:
        arrived = load_shared_data(path)
    assert type(arrived.frame) is type(sent.frame)
    assert arrived.frame.equals(sent.frame)
    assert arrived.schema == sent.schema
    assert arrived.row_ids.tolist() == [2, 3, 4, 5, 6]
    assert arrived.summary.mean("age") == sent.summary.mean("age")


def test_the_file_of_data_is_private_and_removed() -> None:
    with share_data(people()) as path:
        folder = path.parent
        assert os.name != "posix" or stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_process_loads_the_data_once() -> None:
    with share_data(people()) as path:
        assert load_shared_data(path) is load_shared_data(path)


def test_one_process_at_a_time_has_its_turn(tmp_path: Path) -> None:
    inside: list[int] = []
    together: list[int] = []

    def take_a_turn(number: int) -> None:
        with process_lock(tmp_path / "data.pickle"):
            inside.append(number)
            together.append(len(inside))
            sleep(0.01)
            inside.remove(number)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(take_a_turn, range(12)))
    assert together == [1] * 12
    assert not list(tmp_path.iterdir())


def test_only_what_killed_studies_left_long_ago_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    old_and_dead = tmp_path / f"{PREFIX}{ended.pid}-a"
    young_and_dead = tmp_path / f"{PREFIX}{ended.pid}-b"
    old_and_alive = tmp_path / f"{PREFIX}{os.getpid()}-c"
    foreign = tmp_path / f"{PREFIX}notes"
    for folder in (old_and_dead, young_and_dead, old_and_alive, foreign):
        folder.mkdir()
        if folder is not young_and_dead:
            os.utime(folder, (0, 0))
    remove_stale_data(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([young_and_dead, old_and_alive, foreign])
