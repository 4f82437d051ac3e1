"""Batches of tau-Argus as publications: primaries of its own examples come out."""

import re
from itertools import product
from pathlib import Path

import polars as pl
import pytest

from sfumato.datasets import reference_folder
from sfumato.errors import FileError
from sfumato.publication.argus_batch import load_batch
from sfumato.tables import ControlledRounding, HeuristicSuppression, Insiders, OptimalSuppression, protect_publication
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.publication.protect_publication import find_unsafe_clusters
from tests.tables.reference_files import reference_frame

METADATA = """\
<SEPARATOR> ","
h_id <HOLDING>
act "00" <RECODEABLE> <TOTCODE> "Total" <HIERARCHICAL> <HIERCODELIST> "act.hrc" <HIERLEADSTRING> "@"
product "00" <RECODEABLE> <TOTCODE> "Total"
region "00" <RECODEABLE> <TOTCODE> "Total" <HIERARCHICAL> <HIERCODELIST> "region.hrc" <HIERLEADSTRING> "@"
mun <RECODEABLE> <TOTCODE> "Total"
turnover <NUMERIC> <DECIMALS> 2
"""
TABLE_METADATA = """\
   <SEPARATOR> ";"
Size "99"
    <RECODEABLE>
    <TOTCODE> "Total"
Region "99"
    <RECODEABLE>
    <TOTCODE> "Total"
    <DISTANCE> 2 4 4 4 4
    <CODELIST> "REGION.CDL"
    <HIERARCHICAL>
    <HIERCODELIST> "region2.hrc"
    <HIERLEADSTRING> "@"
Var2
    <NUMERIC>
    <DECIMALS> 2
FreqVar
    <FREQUENCY>
Var2_Shadow
    <NUMERIC> <SHADOW>
Var2_Cost
    <NUMERIC> <COSTVAR>
Top1
    <MAXSCORE>
Top2
    <MAXSCORE>
StatusVar
    <STATUS>
LowerProtLevel
    <NUMERIC> <LOWERPL>
UpperProtLevel
    <NUMERIC> <UPPERPL>
"""
BATCH = """\
<OPENMICRODATA> "firms.csv"
<OPENMETADATA> "firms.rda"
<SPECIFYTABLE> "act""product"|"turnover"||
<SAFETYRULE> P(0,0)|P(0,0)|P(10,1)
<SPECIFYTABLE> "act""region"|"turnover"||
<SAFETYRULE> P(0,0)|P(0,0)|P(10,1)
<READMICRODATA>
<SUPPRESS> MOD(0,5,1,1,1)
<WRITETABLE> (1,3,AS+,"by_product.sbs")
<WRITETABLE> (2,3,AS+,"by_region.sbs")
"""


def hrc(name: str) -> str:
    """Return a hierarchy of the reference files as tau-Argus writes it."""
    rows = pl.read_csv(reference_folder() / "tables" / f"tauargus_{name}_hrc.csv", infer_schema=False)
    below: dict[str, list[str]] = {}
    for parent, child in rows.select("parent", "child").rows():
        below.setdefault(parent, []).append(child)

    def lines(code: str, depth: int) -> list[str]:
        return [line for child in below.get(code, ()) for line in ("@" * depth + child, *lines(child, depth + 1))]

    children = {child for group in below.values() for child in group}
    root = next(parent for parent in below if parent not in children)
    return "\n".join(lines(root, 0)) + "\n"


@pytest.fixture
def enterprises(tmp_path: Path) -> Path:
    records = pl.read_csv(reference_folder() / "tables/tauargus_example_enterprise_micro.csv", infer_schema=False)
    records.write_csv(tmp_path / "firms.csv")
    (tmp_path / "firms.rda").write_text(METADATA)
    (tmp_path / "job.arb").write_text(BATCH)
    (tmp_path / "act.hrc").write_text(hrc("nace_divisions"))
    (tmp_path / "region.hrc").write_text(hrc("KohStatReg"))
    return tmp_path / "job.arb"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    combinations = product(("A", "00"), "xyz", "NS")
    rows = [
        f"h{number},{act},{made},{region},m,{10 + number}" for number, (act, made, region) in enumerate(combinations)
    ]
    (tmp_path / "firms.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "firms.rda").write_text(re.sub(r" <HIERARCHICAL>.*", "", METADATA))
    return tmp_path / "job.arb"


@pytest.mark.reference
def test_the_linked_tables_of_the_enterprise_example_have_its_primaries_and_cost_less(enterprises: Path) -> None:
    batch = load_batch(enterprises)
    assert batch.insiders is Insiders.NEIGHBOURS
    (cluster,) = batch.specified.publication.clusters
    assert cluster.names == ("by_product", "by_region")
    protected = protect_publication(
        batch.specified.publication, HeuristicSuppression(), rules=batch.specified.rules, insiders=False
    )
    primaries = [sum(status.value == "primary" for status in protected.statuses(name)) for name in cluster.names]
    assert primaries == [290, 346]
    assert all(audit.is_safe for audit in protected.audit())
    assert protected.clusters[0].pattern.cost < 0.7 * (524_093 + 838_706)


@pytest.mark.reference
def test_with_missing_codes_taken_as_safe_the_primaries_are_cell_by_cell_those_published(enterprises: Path) -> None:
    enterprises.write_text(BATCH.replace("P(10,1)", "P(10,1)|MIS(1)"))
    specified = load_batch(enterprises).specified
    for member, name in zip(specified.publication.members, ("2a", "2b"), strict=True):
        problem = build_problem(
            link([member.table]),
            [specified.rules[member.name].find(member.table)],
            given_cells=[cell for cell in specified.given_cells if set(cell.where) <= set(member.table.names)],
        )
        published = reference_frame(f"REF_tauargus_enterprise_test_{name}")
        unsafe = {tuple(row[:2]) for row in published.rows() if row[3] == "3"}
        found = [member.table.cell_names[cell] for cell in problem.primaries]
        assert {tuple(part.split("=")[1] for part in cell.split(", ")) for cell in found} == unsafe


@pytest.mark.reference
def test_the_table_that_tau_argus_comes_with_is_read_as_it_is_and_protected_at_the_least_cost(tmp_path: Path) -> None:
    lines = [
        ";".join([f'"{size:>2}"', f'"{region:>2}"', *(word.replace(".", ",") for word in others)])
        for size, region, *others in reference_frame("tauargus_pp_table").iter_rows()
    ]
    (tmp_path / "pp.tab").write_text("\n".join(lines) + "\n")
    (tmp_path / "pp.rda").write_text(TABLE_METADATA)
    (tmp_path / "region2.hrc").write_text(hrc("region2"))
    (tmp_path / "job.arb").write_text(
        '<OPENTABLEDATA> "pp.tab"\n<OPENMETADATA> "pp.rda"\n'
        '<SPECIFYTABLE> "Size""Region"|"Var2"|"Var2_Shadow"|"Var2"\n<READTABLE> 1T\n<GOINTERACTIVE>\n'
    )
    (protected,) = load_batch(tmp_path / "job.arb").protect().clusters
    assert protected.problem.primaries.size == 9
    assert protected.pattern.cost == 521_926


@pytest.mark.reference
def test_what_a_batch_says_of_costs_and_ways_is_taken_over(enterprises: Path) -> None:
    text = BATCH.replace("||", "||-2").replace("MOD(0,5,1,1,1)", "OPT(1,5)")
    enterprises.write_text(text)
    assert isinstance(load_batch(enterprises).protection, OptimalSuppression)
    assert load_batch(enterprises).cost.value == "unity"
    enterprises.write_text(BATCH.replace("MOD(0,5,1,1,1)", "RND(1,5)"))
    assert load_batch(enterprises).protection == ControlledRounding(base=5)
    enterprises.write_text(BATCH.replace("P(10,1)", "Q(10,1)"))
    with pytest.raises(FileError, match="there is no safety rule Q"):
        load_batch(enterprises)


def test_cells_that_somebody_calls_unsafe_have_the_manual_margin_and_at_least_the_level_of_rules(
    tmp_path: Path,
) -> None:
    rows = "".join(f"A,{40 + number}\nB,{90 if number == 1 else 2}\n" for number in range(4))
    (tmp_path / "firms.csv").write_text(rows)
    (tmp_path / "firms.rda").write_text('<SEPARATOR> ","\nact <RECODEABLE> <TOTCODE> "T"\nturnover <NUMERIC>\n')
    (tmp_path / "a.hst").write_text("A,u\nB,u\n")
    batch = '<OPENMICRODATA> "firms.csv"\n<OPENMETADATA> "firms.rda"\n<SPECIFYTABLE> "act"|"turnover"||\n'
    levels = []
    for rules in ("P(20,1)|MAN(5)", "P(20,1)"):
        (tmp_path / "job.arb").write_text(f'{batch}<SAFETYRULE> {rules}\n<READMICRODATA>\n<APRIORI> "a.hst",1,","\n')
        levels.append([cell.protection_level for cell in load_batch(tmp_path / "job.arb").specified.given_cells])
    of_rule = 0.2 * 90 - (2 + 2)
    assert levels == [[pytest.approx(0.05 * 166), of_rule], [pytest.approx(0.2 * 166), pytest.approx(0.2 * 96)]]


def test_what_cannot_be_taken_over_from_a_batch_says_what_to_do(made: Path) -> None:
    made.write_text(BATCH.replace("P(10,1)", "P(10,1)|MIS(1)", 1))
    with pytest.raises(FileError, match=r"need the same MIS\(0\) or MIS\(1\)"):
        load_batch(made)
    made.write_text(BATCH.replace("MOD(0,5,1,1,1)", 'CKM(1) "ptable.txt"'))
    with pytest.raises(FileError, match=r"cell_key_perturbation: \{ptable: FILE\}"):
        load_batch(made)


def test_a_recoding_holds_for_all_tables_with_the_variable(made: Path) -> None:
    (made.parent / "region.grc").write_text("all: N-S\n")
    made.write_text(BATCH.replace("<READMICRODATA>", '<READMICRODATA>\n<RECODE> 2, Region, "region.grc"'))
    (by_product, by_region) = load_batch(made).specified.publication.members
    assert by_region.table.dimensions[1].codes == ("Total", "all")
    assert by_product.table.values.max() == by_region.table.values.max()


def test_codes_of_totals_that_differ_between_dimensions_link_and_protect_the_same_cells(tmp_path: Path) -> None:
    records = "".join(
        f"{act},{region},{10 + 7 * number % 23 + 90 * (number == 5)}\n"
        for number, (act, region) in enumerate(product("ABC", "NNNSSW"))
    )
    (tmp_path / "firms.csv").write_text(records)
    batch = BATCH.replace('"act""product"', '"act"').replace("P(0,0)|P(0,0)|P(10,1)", "P(10,1)|FREQ(3,30)")
    (tmp_path / "job.arb").write_text(batch)
    fields = (
        '<SEPARATOR> ","\nact <RECODEABLE> <TOTCODE> "{}"\nregion <RECODEABLE> <TOTCODE> "{}"\nturnover <NUMERIC>\n'
    )
    statuses = []
    for totals in (("Total", "Total"), ("All", "NL")):
        (tmp_path / "firms.rda").write_text(fields.format(*totals))
        protected = load_batch(tmp_path / "job.arb").protect()
        (cluster,) = protected.publication.clusters
        assert protected.to_frame("by_region").select("act", "region").row(0) == totals
        statuses.append([[status.value for status in protected.statuses(name)] for name in cluster.names])
    assert statuses[0] == statuses[1]
    assert {"primary", "secondary", "published"} <= set(statuses[0][1])


def test_a_table_of_cells_with_other_names_than_the_batch_says_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.tab").write_text("T;T;10;9;1\nA;T;10;9;1\nT;x;10;9;1\nA;x;10;9;1\n")
    codes = "".join(f"{name}\n<RECODEABLE>\n<TOTCODE> T\n" for name in ("act", "size"))
    fields = f"{codes}sales\n<NUMERIC>\nn\n<FREQUENCY>\nm\n<MAXSCORE>\n"
    (tmp_path / "t.rda").write_text(f'<SEPARATOR> ";"\n{fields}')
    for asked, rules, expected in (
        ('"act""Size"|"sales"', "FREQ(3,10)", "asks for act, Size, and the .* are act, size; did you mean 'size'"),
        ('"act"|"sales"', "FREQ(3,10)", "asks for act, and the .* are act, size; name all of them"),
        ('"act""size"|"turnover"', "FREQ(3,10)", "asks for turnover, and .* holds sales; correct the name"),
        ('"act""size"|"sales"', "FRQ(3,10)", "no safety rule FRQ; did you mean 'FREQ'"),
    ):
        (tmp_path / "job.arb").write_text(
            f'<OPENTABLEDATA> "t.tab"\n<OPENMETADATA> "t.rda"\n<SPECIFYTABLE> {asked}||\n<SAFETYRULE> {rules}\n'
        )
        with pytest.raises(FileError, match=expected):
            load_batch(tmp_path / "job.arb")


def test_codes_that_do_not_fit_the_levels_of_their_digits_are_told_with_their_field(tmp_path: Path) -> None:
    (tmp_path / "firms.csv").write_text("113,5\n212,6\n")
    (tmp_path / "firms.rda").write_text(
        '<SEPARATOR> ","\nact <RECODEABLE> <HIERARCHICAL> <HIERLEVELS> 3 1 1 0 0\nsales <NUMERIC>\n'
    )
    batch = '<OPENMICRODATA> "firms.csv"\n<OPENMETADATA> "firms.rda"\n<SPECIFYTABLE> "act"|"sales"||\n'
    (tmp_path / "job.arb").write_text(batch)
    with pytest.raises(FileError, match=r"firms\.rda, <HIERLEVELS> of 'act': code '113' must have 5 characters"):
        load_batch(tmp_path / "job.arb")


def test_what_an_a_priori_file_says_concerns_the_cells_of_its_own_table_alone(tmp_path: Path) -> None:
    rows = [
        f"{act},{size},{sales},{staff}\n" for act, size, sales, staff in product("AB", "xy", (50, 60, 1), (7, 8, 1))
    ]
    (tmp_path / "firms.csv").write_text("".join(rows))
    codes = "".join(f'{name} <RECODEABLE> <TOTCODE> "T"\n' for name in ("act", "size"))
    (tmp_path / "firms.rda").write_text(f'<SEPARATOR> ","\n{codes}sales <NUMERIC>\nstaff <NUMERIC>\n')
    (tmp_path / "a.hst").write_text("A,u\n")
    tables = ('"act"|"sales"||', '"act""size"|"sales"||', '"act"|"staff"||')
    (tmp_path / "job.arb").write_text(
        '<OPENMICRODATA> "firms.csv"\n<OPENMETADATA> "firms.rda"\n'
        + "".join(f"<SPECIFYTABLE> {asked}\n<SAFETYRULE> FREQ(1,10)\n" for asked in tables)
        + '<READMICRODATA>\n<APRIORI> "a.hst",1,","\n'
    )
    specified = load_batch(tmp_path / "job.arb").specified
    found = find_unsafe_clusters(specified.publication, given_cells=specified.given_cells)
    unsafe = {each.problem.names[cell] for each in found for cell in each.problem.primaries.tolist()}
    assert unsafe == {"act=A"}
    assert [each.problem.primaries.size for each in found] == [1, 0]
