"""Tables to the files of tau-Argus and back, and files as tau-Argus and its users write them."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from sfumato.errors import DataError, FileError, ParameterError
from sfumato.tables.cells.table import Table
from sfumato.tables.tau_argus.reader import ArgusStatus, ArgusTable, read_tau_argus, statuses_of
from sfumato.tables.tau_argus.writer import write_tau_argus
from tests.tables.records import OTHER, PLACES, SECTORS, firms

METADATA = """
<SEPARATOR> ";"
  <SAFE>   s
  <UNSAFE> x
region 4 "99"
  <RECODEABLE>
  <TOTCODE>  "T"
  <HIERARCHICAL>
  <HIERCODELIST> "C:\\data\\region.hrc"
  <HIERLEADSTRING> "#"
nace
  <RECODEABLE>
  <TOTCODE> T
  <HIERARCHICAL>
  <HIERLEVELS> 1 1
sales
  <NUMERIC>
  <DECIMALS> 1
cost
  <NUMERIC> <COST>
status
  <STATUS>
"""
REGIONS = "North\n#N1\n#N2\nSouth\n"
CELLS = """
"T";T;10.5;3;s
T;1;10.5;3;s
T;11;4.5;1;s
T;12;6.0;1;x
North;T;8.0;1;s
North;1;8.0;1;s
North;11;3.0;1;s
North;12;5.0;1;s
N1 ;T;8.0;1;s
N1;1;8.0;1;s
N1;11;3.0;1;s
N1;12;5.0;1;p
South;T;2.5;1;s
South;1;2.5;1;s
South;11;1.5;1;11
South;12;1.0;1;z
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "region.hrc").write_text(REGIONS)
    (tmp_path / "table.rda").write_text(METADATA)
    (tmp_path / "table.tab").write_text(CELLS)
    return tmp_path


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(firms())
def test_a_table_comes_back_as_it_was_written(tmp_path: Path, frame: pl.DataFrame) -> None:
    frame = frame.with_columns(pl.col("sales").abs() / 4)
    table = Table.from_records(frame, {"place": PLACES, "sector": SECTORS}, "sales")
    statuses = tuple(ArgusStatus.UNSAFE if count == 1 else ArgusStatus.SAFE for count in table.counts)
    given_table = ArgusTable(table, statuses, table.counts * 1.5, table.values / 8, table.values / 4)
    write_tau_argus(given_table, tmp_path / "firms.tab", separator=";")
    back = read_tau_argus(tmp_path / "firms.tab")
    assert back.table.cell_names == table.cell_names
    assert np.array_equal(back.table.values, table.values)
    assert np.array_equal(back.table.counts, table.counts)
    assert back.statuses == statuses
    for before, after in (
        (given_table.costs, back.costs),
        (given_table.lower_levels, back.lower_levels),
        (given_table.upper_levels, back.upper_levels),
    ):
        assert before is not None
        assert after is not None
        assert np.array_equal(before, after)
    assert back.table.contributions is not None
    assert table.contributions is not None
    assert np.array_equal(back.table.contributions.amounts, table.contributions.amounts)
    assert np.array_equal(back.table.contributions.totals, table.contributions.totals)
    assert (back.table.relations != table.relations).nnz == 0


def test_a_table_of_counts_comes_back_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"place": ["a", "b", "c", "a"], "sector": ["f", "f", "g", "g"]})
    table = Table.from_records(frame, {"place": PLACES, "sector": SECTORS})
    write_tau_argus(table, tmp_path / "counts.tab")
    back = read_tau_argus(tmp_path / "counts.tab")
    assert back.table.value_name is None
    assert back.statuses is None
    assert np.array_equal(back.table.values, table.values)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["counts.rda", "counts.tab", "counts_place.hrc"]


def test_metadata_as_others_write_them_are_read(folder: Path) -> None:
    read = read_tau_argus(folder / "table.tab")
    table = read.table
    assert table.dimensions[0].codes == ("T", "North", "N1", "N2", "South")
    assert table.dimensions[1].codes == ("T", "1", "11", "12")
    assert table.values[table.cell(region="N1", nace="12")] == 5
    assert read.statuses is not None
    assert read.statuses[3] is ArgusStatus.UNSAFE
    assert read.statuses[11:] == tuple(ArgusStatus(letter) for letter in "PSSMZ")
    assert read.costs is not None
    assert read.costs.tolist() == [3.0, 3.0] + [1.0] * 14
    assert read.lower_levels is None


def with_decimal_commas(text: str) -> str:
    return re.sub(r"(\d)\.(\d)", r"\1,\2", text)


def test_decimals_after_a_comma_are_the_same_numbers(folder: Path) -> None:
    before = read_tau_argus(folder / "table.tab").table
    (folder / "table.tab").write_text(with_decimal_commas(CELLS))
    assert np.array_equal(read_tau_argus(folder / "table.tab").table.values, before.values)


def test_commas_that_could_part_thousands_are_refused(folder: Path) -> None:
    thousands = re.sub(r";(\d+)\.(\d);", r";\1,\g<2>00;", CELLS)
    (folder / "table.tab").write_text(thousands)
    with pytest.raises(FileError, match=r"field 'sales' must hold a number in every line.*no sign between thousands"):
        read_tau_argus(folder / "table.tab")


def test_the_code_of_records_without_one_stands_below_the_total(folder: Path) -> None:
    (folder / "table.rda").write_text(METADATA.replace("<COST>", "<COSTVAR>"))
    with_missing = CELLS.replace("T;10.5;3", "T;11.5;3").replace("T;1;10.5", "T;1;11.5").replace("T;11;4.5", "T;11;5.5")
    rows = "".join(f"99;{code};{value};1;s\n" for code, value in (("T", 1), ("1", 1), ("11", 1)))
    (folder / "table.tab").write_text(with_missing.replace('"T";"T";10.5', '"T";"T";11.5') + rows)
    read = read_tau_argus(folder / "table.tab")
    assert read.table.dimensions[0].codes == ("T", "North", "N1", "N2", "South", "99")
    assert read.costs is not None


def test_totals_that_do_not_add_up_can_be_computed_anew(folder: Path) -> None:
    (folder / "table.tab").write_text(CELLS.replace("T;11;4.5", "T;11;4.6").replace('"T";10.5', '"T";10.4'))
    with pytest.raises(DataError, match="the parts of a total must add up"):
        read_tau_argus(folder / "table.tab")
    table = read_tau_argus(folder / "table.tab", computes_totals=True).table
    assert table.values[table.cell(region="T", nace="T")] == 10.5
    assert table.values[table.cell(region="T", nace="11")] == 4.5


def test_files_from_windows_are_read(folder: Path) -> None:
    for name in ("region.hrc", "table.tab"):
        text = (folder / name).read_text().replace("South", "Süden")
        (folder / name).write_bytes(text.replace("\n", "\r\n").encode("cp1252"))
    table = read_tau_argus(folder / "table.tab").table
    assert table.values[table.cell(region="Süden", nace="T")] == 2.5


def test_the_numbers_of_statuses_are_those_of_the_program() -> None:
    names = [status.name for status in statuses_of(range(1, 15))]
    assert names == ["SAFE"] * 2 + ["UNSAFE"] * 7 + ["PROTECTED"] + ["SECONDARY"] * 2 + ["EMPTY"] * 2
    with pytest.raises(DataError, match=r"statuses must be one of S, U, P, M, Z, E, 1, .*; got 'Q'"):
        statuses_of(["S", "q"])


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("table.rda", "  <STATUS>", "", "table.rda: variable 'status' has none of <RECODEABLE>, <NUMERIC>"),
        ("table.rda", "cost\n", "sales\n", "line 19: variable 'sales' is described already"),
        ("table.rda", "<NUMERIC> <COST>", "<NUMERIC>", "one variable must be <NUMERIC> alone; got sales, cost"),
        ("table.tab", "South;12;1.0;1;z", "South;12;1.0;z", "line 17: 5 fields are described, parted by ';'; got 4"),
        ("table.tab", "South;12;1.0", "South;12;1,0", "field 'sales' must hold a number in every line"),
        ("table.tab", CELLS, "\n", "table.tab holds no cells"),
        (
            "table.rda",
            "<DECIMALS> 1",
            "<DECIMALS> two",
            "'sales': <DECIMALS> must be a whole number, 0 or more; got 'two'",
        ),
        ("table.rda", '";"', '";;"', "table.rda: <SEPARATOR> must be one character, such as a comma; got ';;'"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(folder: Path, name: str, old: str, new: str, message: str) -> None:
    (folder / name).write_text((folder / name).read_text().replace(old, new))
    with pytest.raises(FileError, match=message):
        read_tau_argus(folder / "table.tab")


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "region.hrc").unlink()
    with pytest.raises(FileError, match=r"region\.hrc cannot be read: No such file or directory"):
        read_tau_argus(folder / "table.tab")


def test_what_tau_argus_does_not_know_is_not_written(tmp_path: Path) -> None:
    frame = pl.DataFrame({"place": ["a"], "n k": [1.0]})
    twice = Table.from_records(frame, {"place": [PLACES, OTHER]})
    with pytest.raises(DataError, match="'place' has several groupings, and tau-Argus knows one; write a table for"):
        write_tau_argus(twice, tmp_path / "x.tab")
    named = Table.from_records(frame, ["place"], "n k")
    with pytest.raises(ParameterError, match="a name of its own, in one word; rename 'n k' in the table"):
        write_tau_argus(named, tmp_path / "x.tab")
    once = Table.from_records(frame, ["place"])
    with pytest.raises(ParameterError, match="reads no secondary cells"):
        write_tau_argus(ArgusTable(once, (ArgusStatus.SECONDARY,) * 2), tmp_path / "x.tab")
    for separator in (";;", "", "\n", '"'):
        with pytest.raises(ParameterError, match=r"write_tau_argus\.separator must be one character"):
            write_tau_argus(once, tmp_path / "x.tab", separator=separator)
    with pytest.raises(FileError, match="there is no folder"):
        write_tau_argus(once, tmp_path / "no" / "x.tab")
    assert not list(tmp_path.iterdir())
