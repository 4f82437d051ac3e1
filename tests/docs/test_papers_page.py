"""The page about the papers: what is computed stands between its two marks, and nothing else changes."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from sfumato.papers import Figure, FigureKind
from sfumato.papers.inventory import INVENTORY

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def papers_page() -> ModuleType:
    spec = spec_from_file_location("papers_page", ROOT / "docs/papers_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_figure_is_a_row_under_its_paper(papers_page: ModuleType) -> None:
    figure = Figure("chapter 5, Table 2, a | b", FigureKind.STATISTICAL, 73.52, 72.2, tolerance=2.5, note="mean of 3")
    table = papers_page.paper_table("chapter 5", [figure])
    assert table.startswith("### Chapter 5\n\n| Figure |")
    assert table.endswith("| Table 2, a \\| b | statistical | 73.52 | 72.2 | 2.5 | within | mean of 3 |\n")


def test_only_what_stands_between_the_marks_is_replaced(papers_page: ModuleType) -> None:
    begin, end = papers_page.MARKS["figures"]
    page = f"above\n{begin}old\n{end}below\n"
    figures = papers_page.all_figures({"slides": [Figure("slides, count", FigureKind.EXACT, 4, 4)]})
    once = papers_page.with_block(page, "figures", figures)
    assert once.startswith("above\n")
    assert once.endswith("below\n")
    assert "old" not in once
    assert "| count | exact | 4 | 4 |  | reproduced |  |" in once
    assert papers_page.with_block(once, "figures", figures) == once


def test_a_page_without_the_marks_is_left_alone(papers_page: ModuleType) -> None:
    with pytest.raises(SystemExit, match="the page needs the line"):
        papers_page.with_block("above\nbelow\n", "figures", "")


def test_the_contents_count_figures_and_list_every_item_of_every_paper(papers_page: ModuleType) -> None:
    figures = [
        Figure("slides, table: one", FigureKind.EXACT, 4, 4),
        Figure("slides, table: two", FigureKind.REPORT, 4, 5, note="a misprint"),
    ]
    text = papers_page.contents({"slides, table": figures})
    assert text.startswith(
        "2 figures, of which 1 are computed again and judged (1 exact): 1 reproduced, 0 within, 0 undecided"
    )
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 3 + sum(len(items) + 2 for items in INVENTORY.values())  # with head and rule; no part is drawn
    assert any("| figures | below | 1 reproduced, 1 differs |" in row for row in rows)


def test_the_page_has_the_marks_and_shows_all_pictures(papers_page: ModuleType) -> None:
    page = papers_page.PAGE.read_text(encoding="utf-8")
    places = [page.index(mark) for name in ("contents", "figures") for mark in papers_page.MARKS[name]]
    assert places == sorted(places)
    assert all(f"papers/outliers-{number}.svg" in page for number in range(1, 11))


def test_the_page_lists_all_that_the_papers_have(papers_page: ModuleType) -> None:
    page = papers_page.PAGE.read_text(encoding="utf-8")
    for item in (item for items in INVENTORY.values() for item in items):
        text = item.text.replace("|", "\\|")
        assert f"| {text} | {item.kind.value} |" in page, "run `make papers`"
