"""The report on protected tables: explained like that on a file, honest about whom the audit had, and all text."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.jobs.reports.check_report import check_report
from sfumato.jobs.tables.table_protect import table_protect
from sfumato.reports.release.words.audit_words import ALONE_FINDS, NOBODY_ALONE, NOBODY_FINDS
from tests.reports.release.rendering.test_page import Elements
from tests.reports.release.test_release_report import numbers

MARKUP = "<script>alert(1)</script>"


def specification(folder: Path, *, region: str = "region", insiders: str = "none") -> Path:
    """Write firms with names of markup, and the specification of a table of them."""
    rng = np.random.default_rng(0)
    lines = [f"{region},sector,sales"]
    lines += [f"{MARKUP}{rng.integers(4)},S{rng.integers(3)},{rng.integers(1, 900)}" for _ in range(60)]
    lines.append(f"{MARKUP}4,S0,500")  # alone in its cell
    (folder / "firms.csv").write_text("\n".join(lines))
    content = {
        "data": "firms.csv",
        "by": [region, "sector"],
        "value": "sales",
        "rules": [{"p_percent": {"p": 10}}],
        "insiders": insiders,
    }
    (folder / "spec.yaml").write_text(json.dumps(content))
    return folder / "spec.yaml"


def content_of(folder: Path, **given: Any) -> dict[str, Any]:
    table_protect(specification(folder, **given), folder / "out", report=folder / "report.html")
    content: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return content


def test_no_number_stands_without_unit_sentence_and_definition(tmp_path: Path) -> None:
    around = list(numbers(content_of(tmp_path)))
    assert len(around) >= 7
    for mappings in around:
        assert any(all(one.get(name) for name in ("unit", "sentence", "definition")) for one in mappings)


def test_markup_in_names_and_categories_is_shown_as_text(tmp_path: Path) -> None:
    content_of(tmp_path, region="<img src=x onerror=alert(1)>")
    html = (tmp_path / "report.html").read_text()
    elements = Elements(html)
    assert not [name for name, _ in elements.found if name in {"script", "img"}]
    assert "&lt;img" in html


@pytest.mark.parametrize(("insiders", "are_listed"), [("none", False), ("all", True)])
def test_contributors_are_listed_as_intruders_only_where_the_audit_had_them(
    tmp_path: Path, insiders: str, are_listed: bool
) -> None:
    sections = {one["key"]: json.dumps(one) for one in content_of(tmp_path, insiders=insiders)["sections"]}
    assert ("A contributor" in sections["intruders"]) is are_listed
    assert ("Contributors who know what they gave" in sections["untested"]) is not are_listed


def test_the_public_edition_tells_neither_the_unsafe_cells_nor_those_that_protect_them(tmp_path: Path) -> None:
    table_protect(specification(tmp_path), tmp_path / "out", public_report=tmp_path / "public.html")
    content = json.loads((tmp_path / "public.json").read_text())
    paths = {figure["path"] for figure in content["figures"]}
    assert "utility/published" in paths
    assert not paths & {"risk/unsafe/before", "utility/secondary"}
    told = json.dumps(content)
    assert not [secret for secret in ("p_percent", "firms.csv", "spec.yaml") if secret in told]
    assert {one["role"] for one in content["files"]} == {"released file 1", "released file 2", "page"}


def test_a_public_report_on_tables_is_checked_with_the_specification(tmp_path: Path) -> None:
    table_protect(specification(tmp_path), tmp_path / "out", public_report=tmp_path / "public.html")
    assert not check_report(tmp_path / "public.json").passed
    assert check_report(tmp_path / "public.json", original=tmp_path / "spec.yaml").passed
    with (tmp_path / "out" / "spec.csv").open("ab") as released:
        released.write(b" ")
    assert not check_report(tmp_path / "public.json", original=tmp_path / "spec.yaml").passed


def test_the_page_shows_the_table_as_it_is_published_and_no_suppressed_value(tmp_path: Path) -> None:
    shown = next(
        part for section in content_of(tmp_path)["sections"] for part in section["parts"] if part["type"] == "CellTable"
    )
    released = pl.read_csv(tmp_path / "out" / "spec.csv")["sales"]
    cells = [cell for row in shown["rows"] for cell in row[1:] if cell]
    assert cells.count("x") == released.null_count() > 0
    assert sorted(float(cell.replace(",", "")) for cell in cells if cell != "x") == sorted(released.drop_nulls())


def test_the_house_learns_how_wide_an_interval_is_left_and_how_much_is_not_published(tmp_path: Path) -> None:
    found = {figure["path"]: figure["value"] for figure in content_of(tmp_path)["figures"]}
    assert 0 < found["risk/interval/needed"] <= found["risk/interval/found"]
    released = pl.read_csv(tmp_path / "out" / "spec.csv")
    inner = released.filter((pl.col("region") != "Total") & (pl.col("sector") != "Total"))
    total = released.filter((pl.col("region") == "Total") & (pl.col("sector") == "Total"))["sales"][0]
    assert found["utility/amount"] == pytest.approx(100 * (1 - inner["sales"].sum() / total))


def test_both_editions_say_whom_figures_add_up_and_who_was_not_audited(tmp_path: Path) -> None:
    given = specification(tmp_path, insiders="all")
    table_protect(given, tmp_path / "out", report=tmp_path / "report.html", public_report=tmp_path / "public.html")
    for name in ("report.json", "public.json"):
        content = json.loads((tmp_path / name).read_text())
        sections = {one["key"]: json.dumps(one) for one in content["sections"]}
        assert "It is unweighted over 61 contributors" in sections["contents"]
        assert '"Contributors who share a cell", "not audited"' in sections["verdict"]
        assert "NOT safe" not in sections["verdict"]
        assert "contributors who share a cell" in sections["untested"]
        assert "spec.csv" in sections["provenance"]
        assert "utility/amount" in {figure["path"] for figure in content["figures"]}  # total less what is published


@pytest.mark.parametrize(("zeros", "is_safe"), [(False, False), (True, True)])
def test_counts_beside_empty_places_are_not_called_safe(tmp_path: Path, zeros: bool, is_safe: bool) -> None:
    frame = pl.DataFrame(
        {"town": ["A"] * 20 + ["B"] * 20 + ["C"] * 20, "job": [*"x" * 19, "y", *"z" * 19, "y", *"xyz" * 6, "x", "z"]}
    )
    frame.write_csv(tmp_path / "people.csv")
    content = {"data": "people.csv", "by": ["town", "job"], "rules": [{"min_units": {"units": 3}}], "zeros": zeros}
    (tmp_path / "spec.yaml").write_text(json.dumps(content))
    table_protect(tmp_path / "spec.yaml", tmp_path / "out", report=tmp_path / "report.html")
    verdict = json.dumps(json.loads((tmp_path / "report.json").read_text())["sections"][0])
    assert ("NOT SHOWN TO BE SAFE: combinations without records are no cells" in verdict) is not is_safe
    assert ('"The public", "not shown to be safe"' in verdict) is not is_safe


def test_only_the_amounts_are_called_safe_and_what_empty_places_tell_is_not_tested(tmp_path: Path) -> None:
    given = specification(tmp_path, insiders="all")
    table_protect(given, tmp_path / "out", report=tmp_path / "report.html", public_report=tmp_path / "public.html")
    for name in ("report.json", "public.json"):
        content = json.loads((tmp_path / name).read_text())
        sections = {one["key"]: json.dumps(one) for one in content["sections"]}
        assert "The amounts are safe against" in sections["verdict"]
        assert "The tables are safe" not in sections["verdict"]
        assert "not about who is in a cell" in sections["verdict"]
        assert "What empty places and cells that are not published tell of who is there" in sections["untested"]


def test_the_house_is_told_that_nobody_is_alone_and_not_that_such_contributors_were_not_tested(
    tmp_path: Path,
) -> None:
    given = specification(tmp_path, insiders="all")
    lines = (tmp_path / "firms.csv").read_text().splitlines()
    in_cells = Counter(line.rpartition(",")[0] for line in lines)
    several = [line for line in lines if line.startswith("region") or in_cells[line.rpartition(",")[0]] > 1]
    (tmp_path / "firms.csv").write_text("\n".join(several))
    table_protect(given, tmp_path / "out", report=tmp_path / "report.html", public_report=tmp_path / "public.html")
    inside, outside = ((tmp_path / name).read_text() for name in ("report.html", "public.html"))
    assert NOBODY_FINDS in inside.partition("What this comes to")[0]
    assert NOBODY_ALONE in inside
    assert ALONE_FINDS not in inside
    assert "Contributors who know what they gave" not in inside
    assert NOBODY_ALONE not in outside
    assert NOBODY_FINDS not in outside
    assert ALONE_FINDS in outside
    assert "Whether any contributor is alone in a cell" in outside.partition("What this edition leaves out")[2]
    assert "other contributors were not audited" not in inside + outside


def test_a_row_of_one_category_alone_is_named_in_both_editions_as_everybody_sees_it(tmp_path: Path) -> None:
    towns = ["A"] * 20 + ["B"] * 20 + ["C"] * 12
    frame = pl.DataFrame(
        {"town": towns, "job": ["cook", "smith"] * 20 + ["cook"] * 12, "pay": [3.0 + i for i in range(52)]}
    )
    frame.write_csv(tmp_path / "people.csv")
    content = {"data": "people.csv", "by": ["town", "job"], "value": "pay", "rules": [{"min_units": {"units": 3}}]}
    (tmp_path / "spec.yaml").write_text(json.dumps(content))
    given, out = tmp_path / "spec.yaml", tmp_path / "out"
    table_protect(given, out, report=tmp_path / "report.html", public_report=tmp_path / "public.html")
    for name in ("report.json", "public.json"):
        verdict = json.dumps(json.loads((tmp_path / name).read_text())["sections"][0])
        assert "In 1 row one category alone is filled (C: cook): the table tells it of everybody there." in verdict
        assert "which the verdict names" in (tmp_path / name).read_text()


def test_no_count_of_rows_is_said_to_be_in_the_verdict_where_none_is(tmp_path: Path) -> None:
    given, out = specification(tmp_path), tmp_path / "out"
    lines = (tmp_path / "firms.csv").read_text().splitlines()
    (tmp_path / "firms.csv").write_text("\n".join(lines[:-1]))  # without the one that is alone in its row
    table_protect(given, out, report=tmp_path / "report.html", public_report=tmp_path / "public.html")
    for name in ("report.json", "public.json"):
        sections = {one["key"]: json.dumps(one) for one in json.loads((tmp_path / name).read_text())["sections"]}
        assert "one category alone is filled" not in sections["verdict"] + sections["untested"]
