"""The figures of the papers that are quickly computed, with the reference files: they agree, and can fail."""

import pytest

from sfumato.papers import PAPERS, Figure, FigureKind, Files
from sfumato.papers.inventory import INVENTORY
from sfumato.papers.power import DOUBLED, HALVED, STATISTICAL, power
from sfumato.papers.spread import SPREADS

QUICK = [name for name in PAPERS if name.startswith(("chapter", "slides, t", "slides, e", "Census report, from"))]


@pytest.fixture(scope="module")
def files() -> Files:
    return Files()


def check(name: str, figures: list[Figure]) -> None:
    assert [figure for figure in figures if not figure.agrees] == []
    assert all(figure.figure.startswith(name) for figure in figures)
    assert len({figure.figure for figure in figures}) == len(figures)
    assert all(figure.note for figure in figures if not figure.is_judged)  # says why it is not judged
    assert all(figure.false_alarm <= 0.06 for figure in figures)
    items = [item for part in INVENTORY.values() for item in part]
    assert {sum(item.includes(figure) for item in items) for figure in figures} == {1}


@pytest.mark.reference
@pytest.mark.parametrize("name", QUICK)
def test_every_figure_comes_out_as_its_kind_asks(files: Files, name: str) -> None:
    check(name, list(PAPERS[name](files, 3)))


@pytest.mark.reference
def test_losses_agree_and_no_judged_one_does_with_twice_the_noise_and_few_do_with_half(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.papers.census_report.runs.RUNS", 6)
    name = "Census report, Table 1"
    figures = list(PAPERS[name](files, 5))
    check(name, figures)
    drawn = [figure for figure in figures if figure.runs]
    assert {figure.figure for figure in drawn} <= set(SPREADS)
    judged = [figure for figure in drawn if figure.kind is FigureKind.STATISTICAL]
    assert len(judged) >= 50  # none drops out unseen
    stronger, weaker = (power(files, 5, [name], strength) for strength in (DOUBLED, HALVED))
    assert stronger.judged == weaker.judged == len(judged)
    assert stronger.failed_percent == 100, [figure.figure for figure in stronger.passed]
    assert not [figure.figure for figure in weaker.passed if SPREADS[figure.figure].is_two_sided(6)]


def test_the_calibration_knows_a_spread_of_every_part_and_no_other() -> None:
    assert {part for part in STATISTICAL if any(name.startswith(part) for name in SPREADS)} == set(STATISTICAL)
    assert all(name.startswith(STATISTICAL) for name in SPREADS)
    assert len(SPREADS) == 376


def test_the_parts_that_are_said_to_depend_on_noise_are_parts_of_papers() -> None:
    assert set(STATISTICAL) < set(PAPERS)


def test_the_figures_that_need_no_file_are_judged_but_for_misprints() -> None:
    found = list(PAPERS["Census report, from print"](Files(), 0))
    kinds = [figure.kind for figure in found]
    assert (kinds.count(FigureKind.PRINT), kinds.count(FigureKind.MISPRINT)) == (398, 38)
    assert all("misprint" in figure.note or "with the rate" in figure.note for figure in found if not figure.is_judged)


@pytest.mark.reference
def test_the_files_are_those_that_the_papers_mask(files: Files) -> None:
    assert (files.census.n, len(files.census.schema.names)) == (1080, 13)
    assert (files.eia.n, len(files.eia.schema.names)) == (4092, 10)
    assert files.census is files.census  # read once
