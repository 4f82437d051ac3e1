"""Tables that tau-Argus and GaussSuppression made of the same records: the same cells, values and unsafe cells."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Hierarchy
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables.cells.table import Table
from tests.tables.reference_files import grouped, reference_frame, reference_hierarchy, with_numbers
from tests.tables.reference_tables import enterprises, industries, simple_2d

pytestmark = pytest.mark.reference


def unsafe(table: Table, p: float) -> Booleans:
    """Return the cells in which the second largest contributor can estimate the largest to within p percent."""
    contributions = table.contributions
    assert contributions is not None
    rest = contributions.totals - contributions.largest(2)
    found: Booleans = p / 100 * contributions.largest(1) - rest > 1e-9 * contributions.totals
    return found


def by_name(table: Table, frame: pl.DataFrame, columns: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the rows of a frame by what the table calls the cell."""
    rows = frame.iter_rows(named=True)
    pairs = list(zip(table.names, columns, strict=True))
    return {", ".join(f"{name}={row[column]}" for name, column in pairs): row for row in rows}


def assert_same_cells(table: Table, frame: pl.DataFrame, columns: tuple[str, ...], value: str, digits: float) -> None:
    """Check that every cell of the table has its value in a frame, and that all others there are empty."""
    given = by_name(table, frame, columns)
    for name, held in zip(table.cell_names, table.values, strict=True):
        assert held == pytest.approx(float(given.pop(name)[value]), abs=digits)
    assert all(row[value] in (None, "-") or float(row[value]) == 0 for row in given.values())


def assert_same_relations(table: Table, name: str) -> None:
    """Check that the relations of an instance are those of the table, row by row in whatever order."""
    cells = reference_frame(f"inst_{name}_cells")
    number = [
        table.cell(**dict(zip(table.names, codes, strict=True))) for codes in cells.select("dim1", "dim2").iter_rows()
    ]
    assert sorted(number) == list(range(table.size))
    given: dict[str, set[tuple[int, int]]] = {}
    for relation, cell, sign in reference_frame(f"inst_{name}_relations").iter_rows():
        given.setdefault(relation, set()).add((number[int(cell)], int(sign)))
    matrix = table.relations
    found = {
        frozenset(zip(matrix.indices[start:end].tolist(), matrix.data[start:end].astype(int).tolist(), strict=True))
        for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    }
    assert found == {frozenset(entries) for entries in given.values()}
    assert table.counts[number].tolist() == [float(count) for count in cells["freq"]]
    assert table.values[number] == pytest.approx(cells["value"].cast(pl.Float64).to_numpy(), rel=1e-12)


def test_size_by_region_has_the_cells_relations_and_nine_unsafe_cells_of_tau_argus() -> None:
    table = simple_2d()
    result = reference_frame("REF_tauargus_Simple2D_modular_p15")
    assert_same_cells(table, result, ("Size", "Region"), "Var2", 1e-6)
    assert_same_relations(table, "simple2d")
    found = unsafe(table, 15)
    given = by_name(table, result, ("Size", "Region"))
    assert found.tolist() == [given[name]["status"] == "3" for name in table.cell_names]
    assert found.sum() == 9


def test_the_nine_unsafe_cells_are_found_without_weights_and_none_with_them() -> None:
    assert unsafe(simple_2d(weight="Wgt"), 15).sum() == 0


def test_gauss_suppression_has_the_same_cells_and_unsafe_cells_of_size_by_region() -> None:
    table = simple_2d()
    result = reference_frame("REF_gauss_simple2d")
    assert_same_cells(table, result, ("Size", "Region"), "Var2", 1e-6)
    given = by_name(table, result, ("Size", "Region"))
    assert unsafe(table, 15).tolist() == [given[name]["primary"] == "TRUE" for name in table.cell_names]


def test_activity_by_product_on_holdings_has_the_cells_and_relations_and_290_unsafe_cells() -> None:
    table = enterprises("product")
    for name in ("1", "2a"):
        assert_same_cells(
            table, reference_frame(f"REF_tauargus_enterprise_test_{name}"), ("v1", "v2"), "turnover", 0.005
        )
    assert_same_relations(table, "ent_ap")
    found = unsafe(table, 10)
    given = reference_frame("inst_ent_ap_cells").filter(pl.col("primary") == "1").select("dim1", "dim2").rows()
    assert set(np.flatnonzero(found)) == {table.cell(act=act, product=product) for act, product in given}
    assert found.sum() == 290
    missing_taken_as_safe = found.copy()
    missing_taken_as_safe[table.cells_with(act="00")] = False
    assert missing_taken_as_safe.sum() == 283


def test_activity_by_region_on_holdings_has_the_cells_and_346_unsafe_cells() -> None:
    table = enterprises("region")
    assert_same_cells(table, reference_frame("REF_tauargus_enterprise_test_2b"), ("v1", "v2"), "turnover", 0.005)
    found = unsafe(table, 10)
    assert found.sum() == 346
    found[table.cells_with(act="00")] = False
    assert found.sum() == 339


def test_industry_by_region_has_8259_cells_and_1676_unsafe_ones() -> None:
    assert industries().size == 8259
    assert unsafe(industries(), 15).sum() == 1676


@pytest.mark.parametrize(("name", "few"), [("z1", 3), ("z2", 9), ("z3", 350)])
def test_counts_by_groupings_that_are_not_nested_are_those_of_gauss_suppression(name: str, few: int) -> None:
    frame = with_numbers(reference_frame(f"ssbtools_{name}"), "ant")
    regions = [grouped(frame, "region", group) for group in ("fylke", "kostragr") if group in frame.columns]
    by: dict[str, Hierarchy | list[Hierarchy] | None] = {"region": regions or None, "hovedint": None}
    by |= {"mnd": grouped(frame, "mnd", "mnd2")} if "mnd2" in frame.columns else {}
    table = Table.from_records(frame, by, count="ant")
    given = with_numbers(reference_frame(f"REF_gauss_{name}"), "ant")
    assert len(given) == table.size
    primaries = set()
    for *codes, count, primary, _ in given.iter_rows():
        cell = table.cell(**dict(zip(table.names, codes, strict=True)))
        assert table.values[cell] == count
        primaries |= {cell} if primary == "TRUE" else set()
    assert len(primaries) == few
    assert not (table.relations @ table.values).any()


def test_a_perturbed_table_of_tau_argus_is_refused_and_repaired_by_few_units() -> None:
    frame = with_numbers(reference_frame("tauargus_pp_table"), "Var2", "freq", "top1", "top2", "shadow")
    regions = reference_hierarchy("tauargus_region2_hrc")
    by = {"Size": None, "Region": type(regions)(regions.root, (*regions.pairs, (regions.root, "99")))}
    with pytest.raises(DataError, match="they do not for Size=Total, Region=Os"):
        Table.from_cells(frame, by, "Var2")
    table = Table.from_cells(
        frame, by, "Var2", count="freq", largest=["top1", "top2"], shadow="shadow", tolerance=1, repair=True
    )
    assert np.abs(table.relations @ table.values).max() < 1e-9 * table.values.max()
    assert np.abs(table.values - frame["Var2"].to_numpy()).sum() == pytest.approx(4)
