"""Publication files: what they say, and what is wrong with them."""

from pathlib import Path

import pytest

from sfumato.errors import DataError, DocumentError, FileError
from sfumato.publication import PublicationSpecification, build_publication, protect_specified
from tests.publication.publication_files import PUBLICATION, firms, publication_files


def test_a_file_gives_its_tables_clusters_and_titles(tmp_path: Path) -> None:
    specified = build_publication(PublicationSpecification.load(publication_files(tmp_path)))
    assert [cluster.names for cluster in specified.publication.clusters] == [
        ("by_region", "by_size", "export", "north"),
        ("firms",),
    ]
    assert specified.publication.parts == {"north": "by_region"}
    assert specified.titles["by_region"] == "Turnover by region"
    assert specified.titles["north"] == "north (region=North)"


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    wrong = PUBLICATION.replace("{by: [sector, size], value: turnover}", "{by: 3, valeu: turnover}").replace(
        "turnover = domestic + export", "turnover"
    )
    with pytest.raises(DocumentError) as caught:
        PublicationSpecification.load(publication_files(tmp_path, wrong))
    assert "table 'by_size'" in str(caught.value)
    assert "did you mean 'value'" in str(caught.value)
    assert "an equation is written as 'turnover = domestic + export'" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("data: firms.csv", "", "needs records: name their file as 'data'"),
        ("tables:", "template: publication.yaml\ntables:", "give one of them"),
        ("  by_size: {", "  'by region': {by: size}\n  by_size: {", "would be written to the files of table"),
    ],
)
def test_a_publication_without_tables_or_records_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = PUBLICATION.replace("  by_region:", "  by_region:", 1).replace(old, new, 1)
    with pytest.raises(DocumentError, match=message):
        PublicationSpecification.load(publication_files(tmp_path, text))


def test_a_publication_without_rules_is_refused(tmp_path: Path) -> None:
    text = PUBLICATION.replace("rules: [p_percent: 15]", "").replace(", rules: [min_units: 3]", "")
    specification = PublicationSpecification.load(publication_files(tmp_path, text))
    with pytest.raises(DataError, match="the publication has no rules"):
        protect_specified(specification, build_publication(specification))


def test_cells_of_files_are_linked_as_records_are(tmp_path: Path) -> None:
    specification = PublicationSpecification.load(publication_files(tmp_path))
    made = build_publication(specification).publication
    for member in made.members[:2]:
        member.table.to_frame().write_csv(tmp_path / f"{member.name}.csv")
    text = """\
tables:
  by_region: {by: [region, sector], cells: by_region.csv, value: turnover, count: count}
  by_size: {by: [sector, size], cells: by_size.csv, value: turnover, count: count}
hierarchies:
  region: {tree: {North: [N1, N2], South: [S1, S2]}}
rules: [min_units: 3]
"""
    (tmp_path / "cells.yaml").write_text(text)
    found = build_publication(PublicationSpecification.load(tmp_path / "cells.yaml")).publication
    assert [cluster.names for cluster in found.clusters] == [("by_region", "by_size")]
    assert found.clusters[0].linked.size == 28 + 12 - 4


def test_a_template_has_a_row_for_each_table(tmp_path: Path) -> None:
    firms().write_csv(tmp_path / "firms.csv")
    (tmp_path / "region.hrc").write_text("North\n@N1\n@N2\nSouth\n@S1\n@S2\n")
    (tmp_path / "money.hrc").write_text("turnover\n@domestic\n@export\n")
    (tmp_path / "tables.csv").write_text(
        "table_name,field,indicator,hrc_indicator,spanning_1,hrc_spanning_1,spanning_2,hrc_spanning_2\n"
        "T1,firms,turnover,money,region,region,sector,NA\n"
        "T2,firms,export,money,region,region.hrc,sector,\n"
        "T3,firms,,NA,size,NA,NA,NA\n"
    )
    (tmp_path / "t.yaml").write_text("data: firms.csv\ntemplate: tables.csv\nrules: [min_units: 3]\n")
    found = build_publication(PublicationSpecification.load(tmp_path / "t.yaml")).publication
    assert [cluster.names for cluster in found.clusters] == [("T1", "T2"), ("T3",)]
    assert str(found.equations[0]) == "turnover = domestic + export"
    assert "North" in found.members[0].table.dimensions[0].codes


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("table,spanning_1\nT,region\n", "there is no column 'table_name'"),
        ("table_name,spanning_1,field\nT,region,a\nU,region,b\n", "its tables are of 2 fields"),
        ("table_name,spanning_1\nT,region\nT,size\n", "table 'T' has several rows"),
        ("table_name,spanning_1,hrc_spanning_1\nT,region,nowhere\n", "no hierarchy file nowhere.hrc"),
    ],
)
def test_a_wrong_template_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    firms().write_csv(tmp_path / "firms.csv")
    (tmp_path / "tables.csv").write_text(rows)
    (tmp_path / "t.yaml").write_text("data: firms.csv\ntemplate: tables.csv\nrules: [min_units: 3]\n")
    with pytest.raises(FileError, match=message):
        build_publication(PublicationSpecification.load(tmp_path / "t.yaml"))
