"""Paths in a document begin at its folder."""

from pathlib import Path

import pytest

from sfumato.documents import ExistingFile, FilePath, Record, load
from sfumato.errors import DocumentError


class Source(Record):
    output: FilePath
    data: ExistingFile | None = None


def test_a_path_begins_at_the_folder_unless_it_is_whole(tmp_path: Path) -> None:
    assert load("output: a.csv", Source, "source", tmp_path).output == tmp_path / "a.csv"
    assert load("output: /data/a.csv", Source, "source", tmp_path).output == Path("/data/a.csv")
    assert load("output: ~/a.csv", Source, "source", tmp_path).output == Path.home() / "a.csv"


def test_a_path_of_a_record_made_in_python_stays_as_it_is() -> None:
    assert Source(output="a.csv").output == Path("a.csv")


def test_a_file_must_be_there_where_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "there.csv").touch()
    assert load("{output: a.csv, data: there.csv}", Source, "source", tmp_path).data == tmp_path / "there.csv"
    with pytest.raises(DocumentError) as refused:
        load("output: a.csv\ndata: absent.csv", Source, "source", tmp_path)
    (problem,) = refused.value.problems
    assert problem.startswith(f"line 2: 'data' must be a file that exists; there is no {tmp_path}/absent.csv: paths")
