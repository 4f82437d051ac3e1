import os
import stat
from collections.abc import Callable
from typing import Any

import polars as pl

from sfumato.data import Microdata, Schema
from sfumato.study import running
from tests.study.examples import people


def test_the_data_arrive_as_they_were_sent(
    as_backend: Callable[[pl.DataFrame], Any], awkward_frame: pl.DataFrame, awkward_schema: Schema
) -> None:
    sent = Microdata(as_backend(awkward_frame), awkward_schema).take_rows(slice(2, 7))
    with running._handed_over(sent) as path:
        received = running._received(path)
    assert type(received.frame) is type(sent.frame)
    assert received.frame.equals(sent.frame)
    assert received.schema == sent.schema
    assert received.row_ids.tolist() == [2, 3, 4, 5, 6]
    assert received.summary.mean("age") == sent.summary.mean("age")


def test_the_file_of_data_is_private_and_removed() -> None:
    with running._handed_over(people()) as path:
        folder = path.parent
        assert os.name != "posix" or stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_a_process_loads_the_data_once() -> None:
    with running._handed_over(people()) as path:
        assert running._received(path) is running._received(path)
