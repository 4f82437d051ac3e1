"""Codes of records are made coarser by levels and files, as tau-Argus does."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Hierarchy
from sfumato.errors import FileError
from sfumato.tables.tau_argus.batch import Recoding
from sfumato.tables.tau_argus.microdata import ArgusRecords
from sfumato.tables.tau_argus.recodings import recode_records

TREE = Hierarchy.from_pairs(
    [("T", "A"), ("A", "A1"), ("A1", "A11"), ("A1", "A12"), ("A", "A2"), ("T", "B"), ("B", "B1")]
)


@pytest.fixture
def records() -> ArgusRecords:
    frame = pl.DataFrame({"nace": ["A11", "A12", "A2", "B1", None], "size": ["1", "9", "10", "2", "4"]})
    return ArgusRecords(frame, {"nace": TREE}, None, None, None, "T", "99")


def grc(folder: Path, text: str) -> Path:
    path = folder / "codes.grc"
    path.write_text(text)
    return path


def test_a_level_closes_all_that_is_below_it(records: ArgusRecords) -> None:
    coarser = recode_records(records, Recoding("nace", depth=1))
    assert coarser.frame["nace"].to_list() == ["A", "A", "A", "B", None]
    assert coarser.hierarchies["nace"].codes == ("T", "A", "B")


def test_a_tree_file_closes_the_codes_that_it_names(records: ArgusRecords, tmp_path: Path) -> None:
    coarser = recode_records(records, Recoding("nace", path=grc(tmp_path, "<TREERECODE>\nA1\n")))
    assert coarser.frame["nace"].to_list() == ["A1", "A1", "A2", "B1", None]
    assert coarser.hierarchies["nace"].codes == ("T", "A", "A1", "A2", "B", "B1")
    again = recode_records(coarser, Recoding("nace", path=grc(tmp_path, "<TREERECODE>\nA\nA1\n")))
    assert again.frame["nace"].to_list() == ["A", "A", "A", "B1", None]


def test_a_file_of_codes_takes_spans_and_leaves_what_it_does_not_name(records: ArgusRecords, tmp_path: Path) -> None:
    coarser = recode_records(records, Recoding("size", path=grc(tmp_path, "small: -2\nlarge: 9-\n<MISSING> 99\n")))
    assert coarser.frame["size"].to_list() == ["small", "large", "large", "small", "4"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("nace", "<TREERECODE>\nA3\n", "codes.grc: nace has no code 'A3'; did you mean"),
        ("size", "<TREERECODE>\n1\n", "<TREERECODE> is for variables with a hierarchy"),
        ("nace", "1: A1-A2\n", "the file does not fit nace"),
        ("size", "small 1-2\n", "line 1: expected a new code and the old ones"),
        ("size", "small: 1-2\nlarge: 2-9\n", "line 2: code '2' has a new code already"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    records: ArgusRecords, tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(FileError, match=message):
        recode_records(records, Recoding(name, path=grc(tmp_path, text)))


def test_a_level_needs_a_hierarchy(records: ArgusRecords) -> None:
    with pytest.raises(FileError, match="a level is for variables with a hierarchy, and size has none"):
        recode_records(records, Recoding("size", depth=1))
