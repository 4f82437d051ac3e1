"""Every figure of every paper, once, with the reference files.

Fewer draws are taken than `sfumato papers` takes, as every figure that is judged comes out with these too. PLD of the
slides is not judged: one known column shows that it can be computed.
"""

from importlib import import_module

import pytest

from sfumato.papers import PAPERS, FigureKind, Files

TESTED_APART = {"outliers paper"}
FEWER = {
    ("slides.rank_swapping", "DRAWS"): 2,
    ("slides.rank_swapping", "MAX_KEYS"): 1,
    ("census_report.tables", "TABLE_1_DRAWS"): 6,
    ("census_report.tables", "TABLE_2_DRAWS"): 1,
    ("post_masking.optimised", "DRAWS"): 4,
}


@pytest.fixture(scope="module")
def files() -> Files:
    return Files()


@pytest.mark.reference
@pytest.mark.parametrize("name", [name for name in PAPERS if name not in TESTED_APART])
def test_every_figure_comes_out_as_its_kind_asks(files: Files, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for (module, setting), number in FEWER.items():
        monkeypatch.setattr(import_module(f"sfumato.papers.{module}"), setting, number)
    figures = list(PAPERS[name](files, 0))
    assert [figure for figure in figures if not figure.agrees] == []
    assert all(figure.figure.startswith(name) for figure in figures)
    assert len({figure.figure for figure in figures}) == len(figures)
    assert all(figure.note for figure in figures if figure.kind is FigureKind.REPORT)  # says why it is not judged


@pytest.mark.reference
def test_the_files_are_those_that_the_papers_mask(files: Files) -> None:
    assert (files.census.n, len(files.census.schema.names)) == (1080, 13)
    assert (files.eia.n, len(files.eia.schema.names)) == (4092, 10)
    assert files.census is files.census  # read once
