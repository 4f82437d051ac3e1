"""What rows take is reckoned before a run, and is what a run then writes."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.execution.folders.exchange import frame_file, write_frame
from sfumato.execution.folders.sizes import frame_bytes

N = 20_000
RNG = np.random.default_rng(1)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(RNG.normal(size=N)),
        pl.Series(RNG.integers(0, 30, N)).cast(pl.String),
        pl.Series([f"a text of more than twelve letters, {number}" for number in range(N)]),
        pl.Series(RNG.integers(0, 3, N)).cast(pl.String).cast(pl.Enum(["0", "1", "2"])),
    ],
    ids=["numbers", "short texts", "long texts", "categories"],
)
def test_a_column_takes_what_is_reckoned(column: pl.Series, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": column, "b": column})
    write_frame(tmp_path / "rows", frame)
    assert frame_bytes(frame) == pytest.approx(frame_file(tmp_path / "rows").stat().st_size, rel=0.15)
