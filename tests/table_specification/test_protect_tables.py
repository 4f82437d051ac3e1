"""Tables made and protected as a specification says."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.data.hierarchy_files import hierarchy_of_lines
from sfumato.errors import DataError, SchemaError
from sfumato.table_specification import TableSpecification, build_tables, find_unsafe_cells, protect_tables
from sfumato.table_specification.protect_tables import apply_pattern
from sfumato.table_specification.release_files import audit_fact, protection_facts, release_frame
from sfumato.tables import OptimalSuppression, PPercent, Table, protect
from tests.table_specification.firms import FIRMS, REGIONS, firm_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return firm_files(tmp_path)


def test_a_specification_does_what_the_same_calls_do(folder: Path) -> None:
    specification = TableSpecification.load(folder / "spec.yaml")
    from_file = protect_tables(specification, build_tables(specification))
    table = Table.from_records(FIRMS, {"region": hierarchy_of_lines(REGIONS), "sector": None}, "sales")
    called = protect(table, OptimalSuppression(), rule=PPercent(p=10))
    assert from_file.to_frame().equals(called.to_frame())
    assert from_file.problem.primaries.size > 0
    assert from_file.audit().is_safe


def test_numbers_in_the_data_are_the_codes_of_a_hierarchy(folder: Path) -> None:
    text = "{data: firms.csv, by: size, hierarchies: {size: {tree: {all: [1, 2]}}}, rules: [min_units: 3]}"
    (table,) = build_tables(TableSpecification.from_yaml(text, folder)).tables.values()
    assert table.dimensions[0].codes == ("Total", "all", "1", "2")


def test_digits_take_their_leaves_from_the_data(folder: Path) -> None:
    text = "{data: firms.csv, by: region, hierarchies: {region: {digits: [1, 1]}}}"
    (table,) = build_tables(TableSpecification.from_yaml(text, folder)).tables.values()
    assert table.dimensions[0].codes == ("Total", "N", "N1", "N2", "S", "S1", "S2")


def test_as_many_contributions_are_kept_as_the_rules_need(folder: Path) -> None:
    rules = "[p_percent: {p: 5, followers: 4}, dominance: {n: 2, max_percent: 80}]"
    text = f"{{data: firms.csv, by: region, value: sales, rules: {rules}}}"
    (table,) = build_tables(TableSpecification.from_yaml(text, folder)).tables.values()
    assert table.contributions is not None
    assert table.contributions.kept == 5


@pytest.mark.parametrize(
    ("insiders", "remark", "fact"),
    [
        ("all", "In 1 case a unit that is alone in a cell learns", "any unsafe cell that they must be kept from"),
        (
            "neighbours",
            "In 1 case a unit that is alone in a cell can work out",
            "1 insider, alone in some cell, cannot work",
        ),
    ],
)
def test_a_pattern_is_not_to_blame_for_what_an_insider_learns_anyway(
    tmp_path: Path, insiders: str, remark: str, fact: str
) -> None:
    sales = {"sector": [*"abbccc", *"ccc"], "sales": [5.0, 3.0, 4.0, 9.0, 9.0, 9.0, 8.0, 8.0, 8.0]}
    pl.DataFrame(sales).write_csv(tmp_path / "firms.csv")
    given = "[{where: {sector: Total}, status: publish}, {where: {sector: c}, status: publish}]"
    rules = "rules: [min_units: 3]"
    text = f"{{data: firms.csv, by: sector, value: sales, {rules}, given_cells: {given}, insiders: {insiders}}}"
    specification = TableSpecification.from_yaml(text, tmp_path)
    found = protect_tables(specification, build_tables(specification))
    assert protection_facts(found)[-1].startswith(remark)
    assert fact in audit_fact(found.audit())
    published = release_frame(found.tables[0], found.tables[0].values, found.suppressed())
    published.write_csv(tmp_path / "pattern.csv")
    again = apply_pattern(specification, build_tables(specification), [tmp_path / "pattern.csv"])
    assert again.audit().is_safe
    assert again.remarks == found.remarks


def test_linked_tables_are_protected_together(folder: Path) -> None:
    tables = "tables: {one: [region, sector], two: [region, size]}"
    text = f"{{data: firms.csv, {tables}, value: sales, rules: [p_percent: 10], protections: [optimal_suppression]}}"
    specification = TableSpecification.from_yaml(text, folder)
    both = protect_tables(specification, build_tables(specification))
    shared = both.linked.cells[0][both.tables[0].cell(region="N1", sector="Total")]
    assert shared == both.linked.cells[1][both.tables[1].cell(region="N1", size="Total")]
    assert both.audit().is_safe


def test_cells_may_be_given_in_place_of_records(folder: Path) -> None:
    table = Table.from_records(FIRMS, ["region", "sector"], "sales")
    table.to_frame().write_csv(folder / "cells.csv")
    text = "{cells: cells.csv, by: [region, sector], value: sales, count: count, rules: [min_units: 4]}"
    (given,) = build_tables(TableSpecification.from_yaml(text, folder)).tables.values()
    assert dict(zip(given.cell_names, given.values.tolist(), strict=True)) == dict(
        zip(table.cell_names, table.values.tolist(), strict=True)
    )


def test_cells_that_do_not_add_up_are_named(folder: Path) -> None:
    frame = Table.from_records(FIRMS, ["region", "sector"], "sales").to_frame()
    is_changed = (pl.col("region") == "N1") & (pl.col("sector") == "farm")
    frame.with_columns(sales=pl.col("sales") + pl.when(is_changed).then(7).otherwise(0)).write_csv(folder / "cells.csv")
    with pytest.raises(DataError, match=r"region=N1, sector=Total \(over sector\)"):
        build_tables(TableSpecification.from_yaml("{cells: cells.csv, by: [region, sector], value: sales}", folder))


def test_a_code_outside_the_hierarchy_is_named(folder: Path) -> None:
    text = "{data: firms.csv, by: region, hierarchies: {region: {tree: {North: [N1, N2]}}}}"
    with pytest.raises(SchemaError, match="dimension 'region': the hierarchy has no code 'S1'"):
        build_tables(TableSpecification.from_yaml(text, folder))


def test_without_rules_nothing_can_be_protected(folder: Path) -> None:
    specification = TableSpecification.from_yaml("{data: firms.csv, by: region}", folder)
    with pytest.raises(DataError, match="no rules and gives no cells to protect"):
        protect_tables(specification, build_tables(specification))


def test_cells_that_are_given_need_no_rule(folder: Path) -> None:
    given = "{where: {region: S1, sector: farm}, status: protect, protection_level: 5}"
    text = f"{{data: firms.csv, by: [region, sector], value: sales, insiders: false, given_cells: [{given}]}}"
    specification = TableSpecification.from_yaml(text, folder)
    problem = find_unsafe_cells(specification, build_tables(specification)).problem
    assert [problem.cell_name(int(cell)) for cell in problem.primaries] == ["region=S1, sector=farm"]
    np.testing.assert_array_equal(problem.upper_levels, [5.0])


def test_cells_that_must_be_published_are_named_when_they_stand_in_the_way(folder: Path) -> None:
    text = """\
data: firms.csv
by: [region, sector]
value: sales
rules: [p_percent: 10]
insiders: false
protections: [optimal_suppression]
given_cells:
  - {where: {region: S1}, status: publish}
  - {where: {region: S2}, status: publish}
  - {where: {region: N2}, status: publish}
  - {where: {region: Total}, status: publish}
"""
    specification = TableSpecification.from_yaml(text, folder)
    with pytest.raises(DataError, match=r"region=N1, sector=\w+ cannot be protected.*need not: "):
        protect_tables(specification, build_tables(specification))


def test_the_same_seed_gives_the_same_cell_keys(folder: Path) -> None:
    specification = TableSpecification.load(folder / "spec.yaml")
    keyed = specification.protection("cell_key_perturbation")
    first, again = (protect_tables(specification, build_tables(specification), keyed) for _ in range(2))
    np.testing.assert_array_equal(first.values(), again.values())
    assert (first.values() != first.tables[0].values).any()


def test_given_cells_without_a_column_of_keys_are_refused(folder: Path) -> None:
    Table.from_records(FIRMS, ["region", "sector"], "sales").to_frame().write_csv(folder / "cells.csv")
    keyed = "cell_key_perturbation: {max_deviation: 3, variance: 2, max_percent: 30}"
    text = f"{{cells: cells.csv, by: [region, sector], value: sales, protections: [{keyed}]}}"
    specification = TableSpecification.from_yaml(text, folder)
    with pytest.raises(DataError, match="the cells have no keys; name the column of keys"):
        protect_tables(specification, build_tables(specification))
