"""Batches, records and a-priori files of tau-Argus."""

import re
from pathlib import Path

import pytest

from sfumato.errors import FileError
from sfumato.tables import Table
from sfumato.tables.tau_argus.batch import Call, read_batch
from sfumato.tables.tau_argus.microdata import read_argus_records

BATCH = """\
// a comment
<OPENMICRODATA> "C:\\data\\firms.asc"
<OPENMETADATA> "firms.rda"
<SPECIFYTABLE> "Size""Region"|"Var2"|"Var3"|-2
<SAFETYRULE> P(0,0)|P(0,0)|P(15,1)|FREQ(3,10)|WGT(1)
<READMICRODATA>
<APRIORI> "a.hst",1,";",0,0
<SUPPRESS> MOD(1,5,1,1,1)
<WRITETABLE> (1,3,AS+,"C:\\out\\simple.sbs")
"""
METADATA = """\
Size 1 2 99
  <RECODEABLE>
  <TOTCODE> "Tot"
Region 3 2
  <RECODEABLE>
  <TOTCODE> "Tot"
  <HIERARCHICAL>
  <HIERLEVELS> 1 1 0 0
Var2 5 6
  <NUMERIC> <DECIMALS> 1
Firm 11 2 <HOLDING>
Wgt 13 3 <NUMERIC> <WEIGHT>
Req 16 1 <REQUEST> "1" "2"
"""
RECORDS = " 1A1  12.5 71.50\n 2B2   7.0 82.01\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("job.arb", BATCH), ("firms.rda", METADATA), ("firms.asc", RECORDS), ("a.hst", "2;A1;u\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_batch_says_its_files_tables_rules_and_suppression(folder: Path) -> None:
    batch = read_batch(folder / "job.arb")
    (table,) = batch.tables
    assert batch.microdata == folder / "firms.asc"
    assert (table.dimensions, table.value, table.shadow, table.cost) == (("Size", "Region"), "Var2", "Var3", "-2")
    assert table.rules[2:4] == (Call("P", (15.0, 1.0)), Call("FREQ", (3.0, 10.0)))
    assert (table.apriori[0].separator, table.output) == (";", "simple.sbs")
    assert batch.suppression == Call("MOD", (1.0, 5.0, 1.0, 1.0, 1.0))
    assert not batch.is_linked


def test_heuristics_may_be_mixed_and_a_response_may_be_named_as_its_own_shadow_and_cost(folder: Path) -> None:
    text = BATCH.replace("<WRITETABLE>", "<SUPPRESS> GH(1,75,1)\n<SUPPRESS> MOD(1,5,0,0,0)\n<WRITETABLE>", 1)
    (folder / "job.arb").write_text(re.sub(r"\|[^\n]*", '|"Turnover"|"Turnover"|"Turnover"', text, count=1))
    batch = read_batch(folder / "job.arb")
    assert (batch.tables[0].value, batch.tables[0].shadow, batch.tables[0].cost) == ("Turnover", "", "")
    assert batch.suppression is not None
    assert batch.suppression.name == "MOD"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<READMICRODATA>", "<READMICRODAT>", r"line 6: there is no command '<READMICRODAT>'; did you mean"),
        ("<READMICRODATA>", "READ", "line 6: expected a command"),
        ('"firms.rda"', '"other.rda"', "line 3: there is no file other.rda"),
        ('"a.hst",1', '"a.hst",2', "line 7: there is no table 2 before this line; there are 1"),
        ('"Size""Region"|', "|", "line 4: expected dimensions in quotes"),
        ("<READMICRODATA>", "<RECODE> 1,Sizes,2", "line 6: table 1 has no dimension 'Sizes'; it has Size, Region"),
        ("<READMICRODATA>", "<RECODE> Size", "line 6: expected a table, a variable, and a level or a file"),
        ("<READMICRODATA>", '<RECODE> 1,Size,"s.grc"', r"line 6: there is no file s\.grc"),
        ("<WRITETABLE>", "<SUPPRESS> OPT(1,5)\n<WRITETABLE>", "protected in different ways"),
    ],
)
def test_a_wrong_batch_is_refused_with_the_line(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "job.arb").write_text(BATCH.replace(old, new, 1))
    with pytest.raises(FileError, match=message):
        read_batch(folder / "job.arb")


def test_records_of_fixed_width_are_read_with_their_roles(folder: Path) -> None:
    records = read_argus_records(folder / "firms.asc", folder / "firms.rda")
    assert records.frame.rows() == [("1", "A1", 12.5, "7", 1.5, False), ("2", "B2", 7.0, "8", 2.0, True)]
    assert records.hierarchies["Region"].codes == ("Tot", "A", "A1", "B", "B2")
    assert (records.weight, records.holding, records.request, records.total) == ("Wgt", "Firm", "Req", "Tot")


def test_each_dimension_keeps_the_code_of_its_own_total(folder: Path) -> None:
    metadata = METADATA.replace(
        "Size 1 2 99\n  <RECODEABLE>\n", "Legal 3 1\n  <RECODEABLE>\n  <TOTCODE> T\nSize 1 2\n  <RECODEABLE>\n"
    )
    (folder / "firms.rda").write_text(metadata.replace('"Tot"', '"NL"').replace('"NL"', '"All"', 1))
    records = read_argus_records(folder / "firms.asc", folder / "firms.rda")
    table = Table.from_records(
        records.frame,
        {name: records.hierarchies.get(name) for name in ("Legal", "Size", "Region")},
        total=records.total,
    )
    assert [dimension.codes for dimension in table.dimensions] == [
        ("T", "A", "B"),
        ("All", "1", "2"),
        ("NL", "A", "A1", "B", "B2"),
    ]


def test_fields_without_a_place_need_a_separator(folder: Path) -> None:
    (folder / "firms.rda").write_text("Size\n <RECODEABLE>\n")
    with pytest.raises(FileError, match="field 'Size' needs its place and width, or the file a <SEPARATOR>"):
        read_argus_records(folder / "firms.asc", folder / "firms.rda")
