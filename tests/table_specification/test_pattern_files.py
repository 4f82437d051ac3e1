"""Patterns of any origin."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.table_specification.pattern_files import read_pattern, read_previous
from sfumato.tables import Table
from sfumato.tables.cells.linked_tables import LinkedTables, link
from tests.table_specification.firms import FIRMS


@pytest.fixture
def linked() -> LinkedTables:
    return link([Table.from_records(FIRMS, ["region", "sector"], "sales")])


def written(folder: Path, frame: pl.DataFrame) -> list[Path]:
    frame.write_csv(folder / "pattern.csv")
    return [folder / "pattern.csv"]


def cells(linked: LinkedTables) -> pl.DataFrame:
    return linked.tables[0].to_frame().select("region", "sector", "sales")


SUPPRESSED = [0, 3, 5]


@pytest.mark.parametrize(
    ("name", "yes", "no"),
    [
        ("status", "secondary", "published"),
        ("status", "suppressed", "published"),
        ("status", "M", "S"),
        ("status", "3", "1"),
        ("suppressed", "TRUE", "FALSE"),
        ("suppressed", "1", "0"),
    ],
)
def test_what_is_suppressed_is_told_by_words_letters_or_flags(
    name: str, yes: str, no: str, linked: LinkedTables, tmp_path: Path
) -> None:
    said = [yes if cell in SUPPRESSED else no for cell in range(linked.size)]
    frame = cells(linked).with_columns(pl.Series(name, said)).reverse()
    assert np.flatnonzero(read_pattern(written(tmp_path, frame), linked)).tolist() == SUPPRESSED


def test_else_by_empty_values(linked: LinkedTables, tmp_path: Path) -> None:
    frame = (
        cells(linked)
        .with_row_index()
        .with_columns(sales=pl.when(~pl.col("index").is_in(SUPPRESSED)).then(pl.col("sales")))
    )
    assert np.flatnonzero(read_pattern(written(tmp_path, frame.drop("index")), linked)).tolist() == SUPPRESSED


def test_rows_of_cells_without_records_are_passed_over(linked: LinkedTables, tmp_path: Path) -> None:
    more = pl.DataFrame({"region": ["S9"], "sector": ["farm"], "status": ["Z"]})
    frame = pl.concat([cells(linked).drop("sales").with_columns(status=pl.lit("S")), more])
    assert not read_pattern(written(tmp_path, frame), linked).any()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda frame: frame.rename({"region": "regio"}),
            "no column 'region' for the codes of that dimension; did you",
        ),
        (lambda frame: frame.drop("status", "sales"), "no column says which cells are suppressed"),
        (
            lambda frame: frame.slice(1),
            "no row for 1 cell, region=.* first; add a row for each, published or suppressed",
        ),
        (
            lambda frame: frame.with_columns(
                region=pl.when(pl.int_range(pl.len()) < 2).then(pl.lit("X")).otherwise("region")
            ),
            "no row for 2 cells, .*correct the codes of the 2 rows that the table has no cell for, region=X, .* first",
        ),
        (lambda frame: pl.concat([frame, frame.slice(0, 1)]), "has several rows; keep one"),
        (lambda frame: frame.with_columns(status=pl.lit("?")), "column 'status': statuses must be one of"),
        (
            lambda frame: pl.concat([frame, frame.slice(0, 1).with_columns(region=pl.lit("X"), status=pl.lit("M"))]),
            "1 of the suppressed cells do not exist in the table, region=X",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused(change: object, said: str, linked: LinkedTables, tmp_path: Path) -> None:
    frame = cells(linked).with_columns(status=pl.lit("S"))
    with pytest.raises(DataError, match=said):
        read_pattern(written(tmp_path, change(frame)), linked)  # type: ignore[operator]


def test_each_table_needs_a_file(linked: LinkedTables) -> None:
    with pytest.raises(DataError, match=r"there are 1 tables and 0 files: give one for each table"):
        read_pattern([], linked)


def test_of_several_earlier_releases_what_one_published_is_known(linked: LinkedTables, tmp_path: Path) -> None:
    frame = cells(linked).drop("sales")
    for name, suppressed in (("first", [0, 3, 5]), ("second", [0, 5, 6])):
        flags = np.isin(np.arange(len(frame)), suppressed)
        frame.with_columns(suppressed=pl.Series(flags)).write_csv(tmp_path / f"{name}.csv")
    both = [tmp_path / "first.csv", tmp_path / "second.csv"]
    assert np.flatnonzero(read_previous(both, linked)).tolist() == [0, 5]


def test_a_cell_that_one_of_the_linked_tables_published_is_known(tmp_path: Path) -> None:
    tables = [Table.from_records(FIRMS, [name], "sales") for name in ("region", "sector")]
    both = link(tables)
    files = []
    for table, total in zip(tables, ("suppressed", "published"), strict=True):
        names = table.to_frame().select(table.names)
        is_total = pl.col(table.names[0]) == "Total"
        files.append(tmp_path / f"{table.names[0]}.csv")
        names.with_columns(status=pl.when(is_total).then(pl.lit(total)).otherwise(pl.lit("suppressed"))).write_csv(
            files[-1]
        )
    shared = int(np.intersect1d(both.cells[0], both.cells[1])[0])
    assert np.flatnonzero(~read_previous(files, both)).tolist() == [shared]
    with pytest.raises(DataError, match="there are 2 tables and 3 files"):
        read_previous([*files, files[0]], both)


def test_a_file_with_other_values_is_no_earlier_release_of_the_table(linked: LinkedTables, tmp_path: Path) -> None:
    frame = cells(linked).with_columns(status=pl.lit("published"))
    assert not read_previous(written(tmp_path, frame), linked).any()
    revised = frame.with_columns(pl.col("sales") * 1.01)
    with pytest.raises(DataError, match="published cells have other values than the table of the specification"):
        read_previous(written(tmp_path, revised), linked)
