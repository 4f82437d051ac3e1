"""What a specification may say, and what is said of one that is wrong."""

from pathlib import Path

import pytest

from sfumato.data import Hierarchy
from sfumato.errors import DocumentError, ParameterError
from sfumato.table_specification import TableSpecification
from sfumato.table_specification.hierarchies import Digits
from sfumato.tables import (
    AutomaticSuppression,
    ControlledRounding,
    HeuristicSuppression,
    Insiders,
    MinUnits,
    OptimalSuppression,
    PPercent,
    Status,
)
from sfumato.tables.problem.build_problem import Cost
from tests.table_specification.firms import firm_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return firm_files(tmp_path)


def problems(text: str, folder: Path) -> tuple[str, ...]:
    with pytest.raises(DocumentError, match="the specification has") as caught:
        TableSpecification.from_yaml(text, folder)
    return caught.value.problems


def test_a_file_is_read_whole(folder: Path) -> None:
    specification = TableSpecification.load(folder / "spec.yaml")
    assert specification.table_dimensions == {"spec": ("region", "sector")}
    assert specification.data == folder / "firms.csv"
    assert specification.rules == (PPercent(p=10),)
    assert specification.protection() == OptimalSuppression()
    assert specification.protection("controlled_rounding") == ControlledRounding(base=50)
    assert specification.protection("heuristic_suppression") == HeuristicSuppression()
    (region,) = specification.hierarchies["region"]
    assert isinstance(region, Hierarchy)
    assert region.children("North") == ("N1", "N2")


def test_a_rule_takes_a_number_or_its_parameters(folder: Path) -> None:
    specification = TableSpecification.from_yaml(
        "{data: firms.csv, by: region, rules: [min_units: 3, p_percent: {p: 5, followers: 2}]}", folder
    )
    assert specification.rules == (MinUnits(units=3), PPercent(p=5, followers=2))
    assert specification.table_dimensions == {"table": ("region",)}


def test_codes_are_text_wherever_they_stand(folder: Path) -> None:
    text = "{data: firms.csv, by: size, total: 0, missing: 9, given_cells: [{where: {size: 1}, status: safe}]}"
    specification = TableSpecification.from_yaml(text, folder)
    assert (specification.total, specification.missing) == ("0", "9")
    assert specification.given_cells[0].where == {"size": "1"}
    assert specification.given_cells[0].status is Status.SAFE


@pytest.mark.parametrize(
    ("written", "leaves"),
    [
        ("{tree: {North: [N1, N2], South: [S1, {S2: [x, y]}]}}", ("N1", "N2", "S1", "x", "y")),
        ("{tree: [1, 2]}", ("1", "2")),
        ("{file: region.hrc, root: All}", ("N1", "N2", "S1", "S2")),
        ("pairs.csv", ("N1", "S1")),
        ("levels.csv", ("N1", "S1")),
    ],
)
def test_a_hierarchy_is_a_tree_or_a_file(written: str, leaves: tuple[str, ...], folder: Path) -> None:
    (folder / "pairs.csv").write_text("parent,child\nTotal,North\nTotal,South\nNorth,N1\nSouth,S1\n")
    (folder / "levels.csv").write_text("leaf,group,all\nN1,North,Total\nS1,South,Total\n")
    specification = TableSpecification.from_yaml(
        f"{{data: firms.csv, by: region, hierarchies: {{region: {written}}}}}", folder
    )
    (region,) = specification.hierarchies["region"]
    assert isinstance(region, Hierarchy)
    assert region.leaves == leaves
    assert region.root == ("All" if "All" in written else "Total")


def test_a_dimension_may_have_several_hierarchies_and_some_by_digits(folder: Path) -> None:
    text = (
        "{data: firms.csv, by: region, hierarchies: {region: [{digits: [1, 1]}, {tree: {A: [N1, S1], B: [N2, S2]}}]}}"
    )
    first, second = TableSpecification.from_yaml(text, folder).hierarchies["region"]
    assert first == Digits(digits=(1, 1))
    assert isinstance(second, Hierarchy)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("true", Insiders.ALL), ("false", Insiders.NONE), ("neighbours", Insiders.NEIGHBOURS), ("null", Insiders.ALL)],
)
def test_insiders_are_said_by_a_word_or_by_true_and_false(folder: Path, written: str, meant: Insiders) -> None:
    specification = TableSpecification.from_yaml(f"{{data: firms.csv, by: region, insiders: {written}}}", folder)
    assert specification.insiders is meant


def test_every_problem_is_told_at_once_with_its_line(folder: Path) -> None:
    text = """\
dta: firms.csv
by: [region, sector]
by: region
rules:
  - p_precent: 10
  - min_units: {unit: 3}
  - pq: [1, 2]
  - p_percent: -4
given_cells:
  - {where: {region: N1}, status: publsh}
  - {where: {}, status: safe}
  - region
protections:
  - optimal_supression
  - controlled_rounding: {bse: 5}
  - controlled_adjustment: [3]
cost: values
insiders: neighbors
known_within: -3
hierarchies:
  region: nothing.hrc
  sector: {digit: [1]}
zeros: missing.csv
"""
    assert problems(text, folder) == (
        "line 1: a specification has no key 'dta'; did you mean 'data'?",
        "line 1: a specification needs 'data' (a file of records) or 'cells' (a file of cells)",
        "line 3: the key 'by' is already in line 2; keep one of them",
        "line 5, rule 1: there is no rule 'p_precent'; did you mean 'p_percent'?",
        "line 6, rule 2 (min_units): MinUnits.units is required",
        "line 6, rule 2 (min_units): MinUnits has no parameter 'unit'; did you mean 'units'?",
        "line 7, rule 3 (pq): pq expects parameters by their names: p, q, followers; got a list",
        "line 8, rule 4 (p_percent): PPercent.p must be in (0, 1000]; got -4",
        "line 10, given_cell 1: GivenCell.status must be 'safe', 'protect', 'suppress' or 'publish'; got 'publsh'",
        "line 11, given_cell 2: GivenCell.where must name at least one dimension with its code; got none",
        "line 12, given_cell 3: expected cells and what is decided of them, as in '- {where: {region: North}, "
        "status: publish}'; got text",
        "line 14, protection 1: there is no protection 'optimal_supression'; did you mean 'optimal_suppression'?",
        "line 15, protection 2 (controlled_rounding): ControlledRounding.base is required",
        "line 15, protection 2 (controlled_rounding): ControlledRounding has no parameter 'bse'; did you mean 'base'?",
        "line 16, protection 3 (controlled_adjustment): controlled_adjustment expects parameters by their names: cost, "
        "keeps, time_limit, max_gap; "
        "got a list",
        "line 17: 'cost' must be 'value', 'frequency' or 'unity'; got 'values'",
        "line 18: 'insiders' must be 'none', 'neighbours' or 'all'; got 'neighbors'",
        "line 19: 'known_within' must be in (0, inf); got -3",
        f"line 21: hierarchy of 'region': there is no file {folder}/nothing.hrc; "
        "paths begin at the specification's folder",
        "line 22: a hierarchy has no key 'digit'; did you mean 'digits'?",
        f"line 23: 'zeros' must be a file that exists; there is no {folder}/missing.csv: "
        "paths begin at the folder of the document",
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "parent,child\nTotal,x\nTotal,y\nx,N1\ny,N1\n",
            "h.csv: code 'N1' has several parents: 'x', 'y'; a code may have one",
        ),
        ("parent,child\nx,y\ny,x\nx,N1\n", "h.csv: code 'y' is its own ancestor: 'y' under 'x' under 'y'"),
    ],
)
def test_a_hierarchy_that_is_no_tree_is_told_with_its_code(content: str, said: str, folder: Path) -> None:
    (folder / "h.csv").write_text(content)
    found = problems("data: firms.csv\nby: region\nhierarchies:\n  region: h.csv\n", folder)
    assert found == (f"line 4: hierarchy of 'region': {said}",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: a specification needs 'data' (a file of records) or 'cells' (a file of cells)"),
        ("data: x\n\tby: y", "line 2: a tab cannot indent YAML; use spaces"),
        (
            "{data: firms.csv, by: 3}",
            "line 1: 'by' must list the columns that are its dimensions, as in '[region, sector]'; got a number",
        ),
        (
            "{data: firms.csv, by: region, tables: {a: region}}",
            "line 1: 'by' is for one table and 'tables' for several; keep one",
        ),
        (
            "{data: firms.csv, cells: firms.csv, by: region}",
            "line 1: 'data' is for records and 'cells' for cells; keep one",
        ),
        (
            "data: firms.csv\ntables:\n  a b: [region, sector]\n  c: [region]\n  A_b: [region, size]\n",
            "line 5: table 'A_b' would be written to the files of table 'a b', a_b.csv and so on; rename one of them",
        ),
    ],
)
def test_what_is_no_specification_is_refused(text: str, said: str, folder: Path) -> None:
    assert problems(text, folder) == (said,)


def test_a_list_is_no_specification(folder: Path) -> None:
    first, *_ = problems("[a]", folder)
    assert first.startswith("line 1: the specification must be a mapping with the keys data, schema, name, by, tables")
    assert first.endswith("; got a list")


def test_every_table_of_cells_needs_its_file(folder: Path) -> None:
    text = "{tables: {one: [region, sector], two: [region, size]}, cells: {one: firms.csv}}"
    assert problems(text, folder) == (
        "line 1: 'cells' must name a file for each table, as in '{one: FILE, two: FILE}'; got a mapping",
    )


def test_a_table_is_called_as_its_file_unless_it_has_a_name(folder: Path) -> None:
    assert list(TableSpecification.load(folder / "spec.yaml").table_dimensions) == ["spec"]
    (folder / "spec.yaml").write_text("{data: firms.csv, by: region, name: firms}")
    assert list(TableSpecification.load(folder / "spec.yaml").table_dimensions) == ["firms"]


def test_linked_tables_and_costs_are_read(folder: Path) -> None:
    specification = TableSpecification.from_yaml(
        "{data: firms.csv, tables: {one: [region, sector], two: [region, size]}, cost: unity}", folder
    )
    assert specification.table_dimensions == {"one": ("region", "sector"), "two": ("region", "size")}
    assert specification.cost is Cost.UNITY


def test_a_protection_that_needs_parameters_says_which(folder: Path) -> None:
    specification = TableSpecification.from_yaml("{data: firms.csv, by: region}", folder)
    assert specification.protection() == AutomaticSuppression()
    with pytest.raises(ParameterError, match=r"no parameters for controlled_rounding; .*base is required"):
        specification.protection("controlled_rounding")
    with pytest.raises(ParameterError, match=r"no protection 'rounding'"):
        specification.protection("rounding")
