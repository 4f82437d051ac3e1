"""The cell key method: the same records deviate alike everywhere, as often and as far as the table says."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError, FileError, ParameterError
from sfumato.table_specification import TableSpecification
from sfumato.table_specification.build_tables import build_tables
from sfumato.tables import CellKeyPerturbation, PerturbationTable, ProtectedTables, Table, draw_record_keys, protect

DEVIATING = CellKeyPerturbation(max_deviation=3, variance=1.5)
NOISE = PerturbationTable.of_maximum_entropy(3, 1.5)


def perturbed_table(
    frame: pl.DataFrame, by: list[str], value: str | None = None, **parameters: object
) -> ProtectedTables:
    return protect(Table.from_records(frame, by, value, key="key"), DEVIATING.replace(**parameters))


def people(size: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "town": rng.integers(0, 40, size).astype(str),
            "job": rng.integers(0, 25, size).astype(str),
            "pay": rng.integers(1, 900, size),
            "key": draw_record_keys(size, rng),
        }
    )


def test_the_same_records_deviate_alike_in_every_table_and_order() -> None:
    frame = people(300, 1).with_columns(side=pl.when(pl.col("town") == "7").then(pl.lit("in")).otherwise(pl.lit("out")))
    by_town, by_side = perturbed_table(frame, ["town"]), perturbed_table(frame.reverse(), ["side"])
    assert by_town.values()[by_town.cell(town="7")] == by_side.values()[by_side.cell(side="in")]
    assert by_town.values()[by_town.cell(town="Total")] == by_side.values()[by_side.cell(side="Total")]


def test_cells_that_linked_tables_share_deviate_alike() -> None:
    frame = people(300, 1)
    tables = [Table.from_records(frame, by, key="key") for by in (["town"], ["town", "job"])]
    both, one = protect(tables, DEVIATING), protect(tables[0], DEVIATING)
    assert np.array_equal(both.values(0), one.values())
    towns = [tables[1].cell(town=town, job="Total") for town in ("7", "8")]
    assert np.array_equal(both.values(1)[towns], one.values()[[tables[0].cell(town=town) for town in ("7", "8")]])


def test_deviations_are_as_frequent_as_the_perturbation_table_says_and_zeros_stay() -> None:
    frame = people(4000, 2)
    table = Table.from_records(frame, ["town", "job"], key="key", zeros=True)
    published = protect(table, DEVIATING).values()
    deviations = published - table.values
    inner = table.values >= 3
    seen = np.bincount(deviations[inner].astype(int) + 3, minlength=7) / inner.sum()
    error = 4 * np.sqrt(NOISE.probabilities[-1] * (1 - NOISE.probabilities[-1]) / inner.sum())
    assert (np.abs(seen - NOISE.probabilities[-1]) < error).all()
    assert (published[table.values == 0] == 0).all()
    assert (published >= 0).all()


def test_a_magnitude_deviates_by_a_share_of_its_largest_contribution() -> None:
    frame = people(500, 3)
    perturbed = perturbed_table(frame, ["town", "job"], "pay", max_percent=20)
    (table,), published = perturbed.tables, perturbed.values()
    for cell in range(0, table.size, 37):
        codes = dict(zip(table.names, table.to_frame().row(cell)[:2], strict=True))
        rows = frame.filter(pl.lit(code == "Total") | (pl.col(name) == code) for name, code in codes.items())
        ends = np.cumsum(NOISE.probabilities[-1])
        step = int(np.searchsorted(ends, float(rows["key"].sum() % 2**24) / 2**24, side="right")) - 3
        pay = rows["pay"].to_numpy()
        deviating = pay.sum() + step / 3 * 0.2 * pay.max()
        assert published[cell] == pytest.approx(deviating, abs=0.5 + 1e-9)
        assert published[cell] % 1 == 0, "what deviates must not be told by its decimals"


def test_the_result_says_that_it_does_not_add_up() -> None:
    frame = people(500, 4)
    perturbed = perturbed_table(frame, ["job"])
    published = perturbed.to_frame()
    parts = published.filter(pl.col("job") != "Total")["count"].sum()
    total = published.filter(pl.col("job") == "Total")["count"].item()
    assert perturbed.outcome.to_dict()["largest_break"] == abs(parts - total) > 0
    assert "does not add up" in str(perturbed.outcome)


def test_what_cannot_be_perturbed_is_refused() -> None:
    frame = people(60, 7).with_columns(weight=1.5)
    with pytest.raises(DataError, match="only whole counts can be perturbed; the table holds weighted counts"):
        protect(Table.from_records(frame, ["town"], weight="weight", key="key"), DEVIATING)
    with pytest.raises(DataError, match="only whole counts can be perturbed; the table holds magnitudes"):
        perturbed_table(frame, ["town"], "pay")
    with pytest.raises(DataError, match="`max_percent` goes with magnitudes"):
        perturbed_table(frame, ["town"], max_percent=10)
    with pytest.raises(DataError, match="the cells have no keys; name the column of keys"):
        protect(Table.from_records(frame, ["town"]), DEVIATING)
    with pytest.raises(ParameterError, match=r"CellKeyPerturbation.max_percent must be in \(0, 100\]; got 101"):
        DEVIATING.replace(max_percent=101)


PTABLE = """i,j,p,v,p_int_lb,p_int_ub,type
0,0,1,0,0,1,all
1,0,0.5,-1,0,0.5,all
1,2,0.5,1,0.5,1,all
2,1,0.25,-1,0,0.25,all
2,2,0.5,0,0.25,0.75,all
2,3,0.25,1,0.75,1,all
"""


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_ptable_file_and_given_cell_keys_deviate_as_the_intervals_of_the_file_say(
    separator: str, tmp_path: Path
) -> None:
    text = PTABLE if separator == "," else PTABLE.replace(",", ";").replace("0.", "0,")
    (tmp_path / "ptable.csv").write_text(text)
    (tmp_path / "cells.csv").write_text("town,people,ckey\nTotal,8,.74\nA,1,.49\nB,1,.5\nC,6,.9\n")
    (tmp_path / "towns.yaml").write_text(
        "cells: cells.csv\nby: town\ncount: people\nkey: ckey\n"
        "protections: [cell_key_perturbation: {ptable: ptable.csv}]"
    )
    specification = TableSpecification.load(tmp_path / "towns.yaml")
    tables = list(build_tables(specification).tables.values())
    found = protect(tables, specification.protection())
    assert [found.values()[found.cell(town=town)] for town in ("Total", "A", "B", "C")] == [8, 0, 2, 7]


def test_a_ptable_goes_with_no_other_parameters_and_must_have_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "ptable.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match=r"ptable stands in place of .*; leave out variance, or ptable"):
        CellKeyPerturbation(ptable=path, variance=1.0)
    with pytest.raises(ParameterError, match=r"max_deviation and variance are needed, or .* as ptable"):
        CellKeyPerturbation(max_deviation=2)
    with pytest.raises(FileError, match=r"must have the columns i and j and p, or count .*; it has a, b"):
        protect(Table.from_records(people(30, 1), ["town"], key="key"), CellKeyPerturbation(ptable=path))


def test_given_cell_keys_out_of_range_are_refused() -> None:
    frame = pl.DataFrame({"town": ["Total", "A"], "people": [3, 3], "key": [3.0, 2.5]})
    with pytest.raises(DataError, match=r"cell keys must all lie from 0 to below 1.*1 of the keys in 'key' are not"):
        Table.from_cells(frame, ["town"], count="people", key="key")
