"""No released file holds text that its cells no longer show."""

from pathlib import Path

import polars as pl
import pyarrow
import pytest

from sfumato import files
from sfumato.data import Microdata
from sfumato.files.hidden_text import without_hidden_text
from sfumato.masking import AdditiveNoise
from sfumato.recipe import Recipe

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


@pytest.mark.parametrize("make", [pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_other_frames_stay_as_they_are(make) -> None:  # type: ignore[no-untyped-def]
    frame = make(SUPPRESSED)
    assert without_hidden_text(frame) is frame
