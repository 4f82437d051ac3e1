"""The page about the papers: what is computed stands between its two marks, and nothing else changes."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from sfumato.papers import Figure, FigureKind

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
    page = f"above\n{papers_page.BEGIN}old\n{papers_page.END}below\n"
    figures = {"slides": [Figure("slides, count", FigureKind.EXACT, 4, 4)]}
    once = papers_page.with_figures(page, figures)
    assert once.startswith("above\n")
    assert once.endswith("below\n")
    assert "old" not in once
    assert "| count | exact | 4 | 4 |  | reproduced |  |" in once
    assert papers_page.with_figures(once, figures) == once


def test_a_page_without_the_marks_is_left_alone(papers_page: ModuleType) -> None:
    with pytest.raises(SystemExit, match="the page needs the line"):
        papers_page.with_figures("above\nbelow\n", {})


def test_the_page_has_the_marks_and_shows_all_pictures(papers_page: ModuleType) -> None:
    page = papers_page.PAGE.read_text(encoding="utf-8")
    assert page.index(papers_page.BEGIN) < page.index(papers_page.END)
    assert all(f"papers/outliers-{number}.svg" in page for number in range(1, 11))
