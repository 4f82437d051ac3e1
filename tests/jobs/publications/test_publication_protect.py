"""Protecting a publication from files to files."""

from pathlib import Path

import fastexcel
import polars as pl
import pytest

from sfumato.errors import DataError, FileError
from sfumato.jobs.publications.publication_protect import PublicationProtectResult, publication_protect
from sfumato.jobs.result import JobEnding
from tests.publication.publication_files import PUBLICATION, publication_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("publication")


@pytest.fixture(scope="module")
def result(folder: Path) -> PublicationProtectResult:
    return publication_protect(publication_files(folder), folder / "out")


def test_every_cluster_is_audited_and_safe(result: PublicationProtectResult) -> None:
    facts = result.to_dict()
    assert [cluster["is_safe"] for cluster in facts["clusters"]] == [True, True]
    assert result.ending is JobEnding.DONE
    assert "Cluster 1: by_region, by_size, export, north, and 1 that could be worked out" in str(result)
    assert "Table north is a part of table by_region." in str(result)


def test_a_cell_of_two_tables_is_suppressed_in_both_or_in_none(result: PublicationProtectResult, folder: Path) -> None:
    by_region, north = (pl.read_csv(folder / "out" / f"{name}.csv") for name in ("by_region", "north"))
    shared = by_region.filter(pl.col("region") == "North").join(north, on="sector", suffix="_north")
    assert shared.height == 4
    assert (shared["status"] == shared["status_north"]).all()
    assert (shared["turnover"] == shared["turnover_north"]).drop_nulls().all()


def test_no_file_to_be_published_tells_unsafe_cells_from_others(result: PublicationProtectResult, folder: Path) -> None:
    by_region = pl.read_csv(folder / "out/by_region.csv")
    assert set(by_region["status"]) <= {"published", "suppressed"}
    sheet = fastexcel.read_excel(folder / "out/publication.xlsx").load_sheet("by_region", header_row=None).to_polars()
    marks = {str(value) for row in sheet.rows() for value in row}
    assert "x" in marks
    assert not {"[p]", "[s]"} & marks
    inside = fastexcel.read_excel(folder / "out/review/publication.xlsx").load_sheet("by_region", header_row=None)
    lines = {str(value) for row in inside.to_polars().rows() for value in row}
    assert {"[p]", "[s]", "For review only: do not publish."} <= lines


def test_the_workbook_has_a_sheet_for_each_table_with_the_published_figures(
    result: PublicationProtectResult, folder: Path
) -> None:
    book = fastexcel.read_excel(folder / "out/publication.xlsx")
    assert book.sheet_names == ["Contents", *result.protected.names]
    sheet = book.load_sheet("by_size", header_row=None, dtypes="string").to_polars()
    total = next(row for row in sheet.rows() if row[0] == "Total")
    published = pl.read_csv(folder / "out/by_size.csv").filter(pl.col("sector") == "Total")["turnover"].to_list()
    assert [float(figure) for figure in total[1:]] == published


def test_observations_carry_their_confidentiality(result: PublicationProtectResult, folder: Path) -> None:
    found = pl.read_csv(folder / "out/review/by_region_observations.csv")
    statuses = [status.value for status in result.protected.statuses("by_region")]
    words = {"published": "F", "primary": "C", "secondary": "D"}
    assert found["CONF_STATUS"].to_list() == [words[status] for status in statuses]
    assert "C" in found["CONF_STATUS"].to_list()
    assert found.filter(pl.col("OBS_VALUE").is_null())["OBS_STATUS"].unique().to_list() == ["Q"]
    assert found.filter(pl.col("CONF_STATUS") == "F")["OBS_VALUE"].null_count() == 0


def test_the_release_of_another_run_is_set_aside(folder: Path, result: PublicationProtectResult) -> None:
    again = publication_protect(publication_files(folder), folder / "out")
    assert not (folder / "out/earlier-1").exists()
    text = PUBLICATION.replace("p_percent: 15", "p_percent: 40")
    other = publication_protect(publication_files(folder, text), folder / "out")
    assert (folder / "out/earlier-1/by_region.csv").exists()
    assert "earlier-1" in " ".join(other.notices)
    assert again.to_dict()["tables"] == result.to_dict()["tables"]


def test_the_pattern_of_the_period_before_is_kept(
    folder: Path, result: PublicationProtectResult, tmp_path: Path
) -> None:
    publication_protect(publication_files(folder), folder / "first")
    (tmp_path / "now").mkdir()
    file = publication_files(tmp_path / "now")
    later = pl.read_csv(tmp_path / "now/firms.csv").with_columns(pl.col("domestic") + 1, pl.col("turnover") + 1)
    later.write_csv(tmp_path / "now/firms.csv")
    kept = publication_protect(file, tmp_path / "out", last_period=folder / "first")
    assert all(audit.is_safe for audit in kept.audits)
    assert "are those of the period before" in str(kept)
    other = pl.read_csv(folder / "first/by_region.csv").with_columns(pl.col("region").replace("S2", "S9"))
    other.write_csv(folder / "first/by_region.csv")
    with pytest.raises(DataError, match="dimension 'region' has no code 'S9' now"):
        publication_protect(publication_files(folder), last_period=folder / "first")
    publication_protect(publication_files(folder), folder / "first")
    moved = PUBLICATION.replace("[N1, N2]", "[N1]").replace("[S1, S2]", "[N2, S1, S2]")
    assert moved != PUBLICATION
    with pytest.raises(DataError, match=r"has changed .*: there region=North, sector=.* else than the sum of N1"):
        publication_protect(publication_files(folder, moved), last_period=folder / "first")
    with pytest.raises(FileError, match="has no table of the publication"):
        publication_protect(publication_files(folder), last_period=tmp_path)
