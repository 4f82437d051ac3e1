from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.study.fingerprint import fingerprint


def test_equal_data_have_equal_fingerprints(
    as_backend: Callable[[pl.DataFrame], Any], awkward_frame: pl.DataFrame, awkward_schema: Schema
) -> None:
    first, second = (Microdata(as_backend(awkward_frame.clone()), awkward_schema) for _ in range(2))
    assert fingerprint(first) == fingerprint(second)
    assert len(fingerprint(first)) == 64


def changed(frame: pl.DataFrame, name: str, row: int) -> pl.DataFrame:
    """Return the frame with the value of another row in one cell."""
    values = frame[name].to_list()
    values[row] = next(value for value in values if value != values[row])
    return frame.with_columns(pl.Series(name, values, dtype=frame[name].dtype))


@pytest.mark.parametrize("name", ["person_id", "region", "health", "is_urban", "age", "income", "tax", "born"])
def test_a_change_of_any_cell_is_seen(
    as_backend: Callable[[pl.DataFrame], Any], awkward_frame: pl.DataFrame, awkward_schema: Schema, name: str
) -> None:
    before = Microdata(as_backend(awkward_frame), awkward_schema)
    after = Microdata(as_backend(changed(awkward_frame, name, 3)), awkward_schema)
    assert fingerprint(before) != fingerprint(after)


def test_order_ids_and_meaning_of_the_data_count(awkward_frame: pl.DataFrame, awkward_schema: Schema) -> None:
    data = Microdata(awkward_frame, awkward_schema)
    others = [
        Microdata(awkward_frame.reverse(), awkward_schema),
        Microdata(awkward_frame, awkward_schema, data.row_ids + 1),
        Microdata(awkward_frame, awkward_schema.with_roles(key=["tax"])),
    ]
    assert len({fingerprint(found) for found in (data, *others)}) == 4


def test_values_do_not_run_into_each_other() -> None:
    frames = [
        pl.DataFrame({"a": left, "b": right}) for left, right in ((["x", "yz"], ["w"] * 2), (["xy", "z"], ["w"] * 2))
    ]
    assert fingerprint(Microdata(frames[0])) != fingerprint(Microdata(frames[1]))
