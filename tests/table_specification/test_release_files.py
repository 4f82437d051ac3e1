"""What is written of protected tables, and above all what is not."""

import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.table_specification import TableSpecification, build_tables, protect_tables
from sfumato.table_specification.file_names import file_name
from sfumato.table_specification.release_files import (
    REVIEW,
    protection_facts,
    release_frame,
    released_tables,
    review_tables,
    write_release,
    write_review,
)
from sfumato.tables import ControlledRounding, ProtectedTables, Table, protect
from tests.table_specification.firms import firm_files


@pytest.fixture(scope="module")
def suppression(tmp_path_factory: pytest.TempPathFactory) -> ProtectedTables:
    specification = TableSpecification.load(firm_files(tmp_path_factory.mktemp("firms")) / "spec.yaml")
    return protect_tables(specification, build_tables(specification))


@pytest.fixture(scope="module")
def folder(suppression: ProtectedTables, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all that is written of a protected table."""
    output = tmp_path_factory.mktemp("out")
    write_release(output, released_tables(["sales"], suppression))
    laid = review_tables(["sales"], suppression, with_reasons=True)
    write_review(output, ["sales"], suppression, laid, suppression.audit())
    return output


def numbers_in(text: str) -> set[float]:
    """Return all numbers of a text, with and without marks of thousands."""
    return {float(word.replace(",", "")) for word in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def test_no_file_holds_a_figure_of_a_suppressed_cell(suppression: ProtectedTables, folder: Path) -> None:
    table, suppressed = suppression.tables[0], suppression.suppressed()
    secret = set(table.values[suppressed].tolist()) - set(table.values[~suppressed].tolist())
    secret |= {float(np.abs(value)) for value in suppression.problem.upper_levels}
    secret |= {suppression.pattern.cost}
    assert len(secret) > 4
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 4
    for path in files:
        assert not numbers_in(path.read_text(encoding="utf-8")) & secret, path.name
        assert (
            table.values[~suppressed].max() in numbers_in(path.read_text(encoding="utf-8")) or "statuses" in path.name
        )


def test_a_figure_that_was_left_in_would_be_seen() -> None:
    assert numbers_in('<td title="was 1,234.5">x</td>') == {1234.5}


def test_what_is_published_does_not_tell_unsafe_cells_from_others(folder: Path) -> None:
    public = [path for path in folder.iterdir() if path.is_file()]
    assert {path.name for path in public} == {"sales.csv", "sales.html"}
    for path in public:
        assert not re.search(
            "primary|secondary|p_percent|unsafe", re.sub("<style>.*</style>", "", path.read_text(), flags=re.DOTALL)
        )


def test_the_published_file_has_codes_value_and_status(suppression: ProtectedTables, folder: Path) -> None:
    frame = pl.read_csv(folder / "sales.csv")
    assert frame.columns == ["region", "sector", "sales", "status"]
    assert frame["sales"].dtype == pl.Int64
    assert frame["sales"].is_null().to_list() == suppression.suppressed().tolist()
    assert (frame["status"] == "suppressed").to_list() == suppression.suppressed().tolist()


def test_counts_of_magnitudes_are_not_published(suppression: ProtectedTables) -> None:
    assert "count" not in release_frame(suppression.tables[0], suppression.tables[0].values, suppression.suppressed())


class Cells(HTMLParser):
    """Collects the hints of suppressed cells, and whether all that was opened was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.hints: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "td" and "title" in found:
            self.hints.append(found["title"] or "")
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_for_review_says_why_each_cell_is_suppressed(suppression: ProtectedTables, folder: Path) -> None:
    cells = Cells()
    cells.feed((folder / REVIEW / "protection.html").read_text(encoding="utf-8"))
    assert not cells.open
    assert len(cells.hints) == int(suppression.suppressed().sum())
    assert sum(hint.startswith("unsafe by p_percent(10)") for hint in cells.hints) == suppression.problem.primaries.size
    assert sum(hint.startswith("protects region=") for hint in cells.hints) == suppression.secondaries


def test_codes_that_look_like_markup_are_escaped(tmp_path: Path) -> None:
    table = Table.from_records(pl.DataFrame({"a": ["<b>", "&"], "b": ["x", '"']}), ["a", "b"])
    write_release(tmp_path, released_tables(["odd <name>"], protect(table, ControlledRounding(base=1))))
    text = (tmp_path / "odd_name.html").read_text()
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


@pytest.mark.parametrize(("name", "file"), [("by region", "by_region"), ("../x", "x"), ("..", "table")])
def test_names_become_plain_file_names(name: str, file: str) -> None:
    assert file_name(name) == file


def test_a_cell_of_two_tables_is_counted_once(tmp_path: Path) -> None:
    folder = firm_files(tmp_path)
    tables = "tables: {one: [region, sector], two: [region, size]}"
    rest = "value: sales, rules: [p_percent: 10], protections: [optimal_suppression], insiders: false"
    text = f"{{data: firms.csv, {tables}, {rest}}}"
    specification = TableSpecification.from_yaml(text, folder)
    both = protect_tables(specification, build_tables(specification))
    assert sum(int(found.unsafe.sum()) for found in both.sensitivities) > both.problem.primaries.size
    assert f"({both.problem.primaries.size} by p_percent(10))" in protection_facts(both)[0]


def test_reviewers_see_which_changed_cells_are_unsafe_and_the_public_does_not(tmp_path: Path) -> None:
    specification = TableSpecification.load(firm_files(tmp_path) / "spec.yaml")
    rounded = protect_tables(
        specification, build_tables(specification), specification.protection("controlled_rounding")
    )
    write_release(tmp_path / "out", released_tables(["sales"], rounded))
    write_review(
        tmp_path / "out", ["sales"], rounded, review_tables(["sales"], rounded, with_reasons=True), rounded.audit()
    )
    review = (tmp_path / "out" / REVIEW / "protection.html").read_text()
    assert " [p]</td>" in review
    assert "unsafe by p_percent(10)" in review
    assert "[p]" not in (tmp_path / "out" / "sales.html").read_text()
    statuses = pl.read_csv(tmp_path / "out" / REVIEW / "sales_statuses.csv")["status"]
    assert (statuses == "primary").sum() == rounded.problem.primaries.size


def test_published_sums_have_the_decimals_of_what_was_added_up() -> None:
    firms = pl.DataFrame({"town": ["A"] * 3 + ["B"] * 3, "sales": [0.1, 0.1, 0.1, 0.7, 0.1, 0.2]})
    table = Table.from_records(firms, ["town"], "sales")
    assert 0.30000000000000004 in table.values.tolist()
    frame = release_frame(table, table.values, np.zeros(table.size, dtype=np.bool_))
    assert sorted(frame["sales"].to_list()) == [0.3, 1.0, 1.3]
