"""Text files larger than memory are copied as Parquet with the types of memory, and the copies go in the end."""

import gc
import gzip
from copy import deepcopy
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from sfumato import files
from sfumato.data import Schema
from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.files.folders import open_folder
from tests.masking.survey import survey

N = 400


def write_texts(folder: Path, ends: tuple[int, ...] = (150,)) -> Path:
    """Write the survey as CSV parts, with cells that change the type of their column far down."""
    frame = survey(N).with_columns(
        pl.Series("code", [f"{i}" for i in range(N - 1)] + ["0007"]),
        pl.Series("share", [f"{i}" for i in range(N - 1)] + ["0.5"]),
    )
    folder.mkdir()
    bounds = [0, *ends, N]
    for start, stop in pairwise(bounds):
        frame[start:stop].write_csv(folder / f"part-{start:03d}.csv")
    frame.write_csv(folder.with_name("whole.csv"))
    return folder


def test_the_parts_are_read_as_one_file_in_memory_is(tmp_path: Path) -> None:
    parts = write_texts(tmp_path / "people")
    whole = files.read(tmp_path / "whole.csv")
    for name in (parts, parts / "*.csv", sorted(parts.iterdir()), tmp_path / "whole.csv"):
        folder = open_folder(name, ReadOptions(schema=whole.schema), tmp_path)
        assert folder.read(0, N).frame.equals(whole.frame)
        assert folder.read(0, N).frame["code"][-1] == "0007"


def test_copies_are_private_are_not_kept_by_others_and_go_with_the_last_who_reads(tmp_path: Path) -> None:
    parts = write_texts(tmp_path / "people")
    schema = files.read(tmp_path / "whole.csv").schema
    folder = open_folder(parts, ReadOptions(schema=schema), tmp_path).with_schema(schema)
    (copies,) = tmp_path.glob(".sfumato-csv-*")
    assert copies.stat().st_mode & 0o077 == 0
    assert folder.sources == tuple(sorted(each.resolve() for each in parts.iterdir()))
    elsewhere = deepcopy(folder)  # by way of what other processes are sent
    assert elsewhere.read(0, N).frame.equals(folder.read(0, N).frame)
    del elsewhere
    gc.collect()
    assert copies.exists()
    del folder
    gc.collect()
    assert not copies.exists()


def test_packed_text_with_other_marks_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress("Ort;Wert\nKöln;1,5\n".encode("cp1252")))
    schema = Schema.from_yaml("variables: [{name: Ort, kind: nominal}, {name: Wert, kind: continuous}]")
    folder = open_folder(tmp_path / "a.csv.gz", ReadOptions(schema=schema), tmp_path)
    assert folder.read(0, 1).frame.rows() == [("Köln", 1.5)]


def test_parts_that_do_not_fit_together_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    parts = write_texts(tmp_path / "people")
    (parts / "part-999.csv").write_text("other\n1\n")
    with pytest.raises(FileError, match=r"part-999\.csv has other columns than part-000\.csv"):
        open_folder(parts, ReadOptions(schema=Schema(variables=())), tmp_path)
    gc.collect()
    assert not list(tmp_path.glob(".sfumato*"))
    survey(3).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FileError, match="some of the files are Parquet and some are text"):
        open_folder([tmp_path / "a.parquet", parts / "part-000.csv"], ReadOptions(), tmp_path)
    with pytest.raises(FileError, match="named twice"):
        open_folder([tmp_path / "a.parquet"] * 2, ReadOptions(), tmp_path)
