"""No released file holds text or numbers that its cells no longer show."""

import pickle
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow
import pytest

from sfumato import files
from sfumato.data import Microdata
from sfumato.data.column_recoding import set_missing
from sfumato.files.hidden_values import without_hidden_values
from sfumato.masking import AdditiveNoise
from sfumato.recipe import Recipe
from tests.data.frames import AsBackend

SECRETS = ("abbot", "keeper of the northern lighthouse")  # short text lies in the column, long text beside it
PEOPLE = pl.DataFrame({"job": [*SECRETS, "nurse"] * 4, "age": range(12)})
SUPPRESSED = PEOPLE.with_columns(pl.when(pl.col("age") >= 2).then(pl.col("job")).replace(SECRETS[0], None).alias("job"))


def bytes_below(table: pyarrow.Table) -> bytes:
    buffers = [buffer for chunk in table["job"].chunks for buffer in chunk.buffers() if buffer is not None]
    return b"".join(buffer.to_pybytes() for buffer in buffers)


def test_an_arrow_file_holds_no_text_below_suppressed_cells(tmp_path: Path) -> None:
    files.write(Microdata(SUPPRESSED), tmp_path / "people.arrow")
    with pyarrow.ipc.open_file(tmp_path / "people.arrow") as reader:
        held = bytes_below(reader.read_all())
    assert SECRETS[0].encode() not in held
    assert held.count(SECRETS[1].encode()) == 3
    assert files.read(tmp_path / "people.arrow").frame.equals(SUPPRESSED)


def test_a_released_frame_holds_no_text_of_cells_and_rows_that_are_gone() -> None:
    some = Microdata(SUPPRESSED.filter(pl.col("job").is_null() | (pl.col("job") == "nurse")))
    released = Recipe(steps=[AdditiveNoise(columns=("age",))], seed=1).release(some)
    held = bytes_below(released.frame.to_arrow(compat_level=pl.CompatLevel.newest()))
    assert not any(secret.encode() in held for secret in SECRETS)


COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "income": (pl.Float64, [5.5, 6.5, 7.5]),
    "age": (pl.Int32, [55, 66, 77]),
    "born": (pl.Date, [date(1990, 1, 1), date(1980, 2, 2), date(1970, 3, 3)]),
    "health": (pl.Enum(["bad", "fair", "good"]), ["bad", "fair", "good"]),
    "area": (pl.Categorical, ["north", "south", "west"]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_an_arrow_file_holds_no_number_below_suppressed_cells(name: str, tmp_path: Path) -> None:
    dtype, values = COLUMNS[name]
    shown = pl.Series(name, values, dtype=dtype)
    suppressed = shown.to_frame().with_columns(pl.when(pl.Series([True, False, True])).then(pl.col(name)).alias(name))
    files.write(Microdata(suppressed), tmp_path / "people.arrow")
    with pyarrow.ipc.open_file(tmp_path / "people.arrow") as reader:
        held = reader.read_all()[name].combine_chunks()
    below, secret = numbers_below(held), numbers_below(shown.to_arrow(compat_level=pl.CompatLevel.oldest()))[1]
    assert below[1] != secret
    assert files.read(tmp_path / "people.arrow").frame[name].to_list() == [values[0], None, values[2]]


def numbers_below(column: pyarrow.Array) -> list[Any]:
    """Return what the memory of a column holds for each row, whether its cell shows it or not."""
    plain = column.indices if isinstance(column, pyarrow.DictionaryArray) else column
    kind = pyarrow.int32() if pyarrow.types.is_date32(plain.type) else plain.type
    return list(np.frombuffer(plain.buffers()[1], kind.to_pandas_dtype())[: len(column)])


def test_a_suppressed_cell_leaves_no_number_in_the_dataframe(as_backend: AsBackend) -> None:
    secret = 123_456_789
    people = Microdata(as_backend(pl.DataFrame({"income": [55, secret, 77]})))
    suppressed = set_missing(people.column("income"), np.array([False, True, False]))
    assert suppressed.null_count() == 1
    assert secret.to_bytes(8, "little") in pickle.dumps(people.frame)
    assert secret.to_bytes(8, "little") not in pickle.dumps(suppressed.to_native())


@pytest.mark.parametrize("make", [pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_other_frames_show_the_same_as_before(make: Callable[[pl.DataFrame], Any]) -> None:
    frame = make(SUPPRESSED)
    assert without_hidden_values(frame).equals(frame)
