"""The page about the intruder: what is computed stands between its marks."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def intruder_page() -> ModuleType:
    spec = spec_from_file_location("intruder_page", ROOT / "docs/intruder_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_masked_file_is_attacked_in_every_way(intruder_page: ModuleType) -> None:
    data = intruder_page.complete_survey()
    found = intruder_page.attack(data, intruder_page.DEMO_COLUMNS, intruder_page.MIXTURE, 0.2)
    assert found.distance <= found.other < found.likelihood <= found.strongest
    assert 0 < found.certain < 100
    assert found.right > 85


def test_a_row_without_certain_links_leaves_their_figure_out(intruder_page: ModuleType) -> None:
    row = intruder_page.Attacked("MDAV", 3, 11.45, 31.3, 32.4, 33.3, 0.0, None, 33.3)
    assert "| MDAV 3 | 11.4 | 31.3 | 32.4 | 33.3 | 0.0 |  |\n" in intruder_page.attack_table([row])


def test_the_page_has_all_marks_and_figures_between_them(intruder_page: ModuleType) -> None:
    page = intruder_page.PAGE.read_text(encoding="utf-8")
    for part in ("figures of Census", "figures of demo survey", "figures of EIA", "columns known"):
        assert len(intruder_page.between(page, part, "")) < len(page) - 200
    with pytest.raises(SystemExit, match="the page needs the line"):
        intruder_page.between(page, "nothing", "")


def test_the_page_shows_the_picture(intruder_page: ModuleType) -> None:
    assert "(intruder/linked.svg)" in intruder_page.PAGE.read_text(encoding="utf-8")
    assert intruder_page.PICTURE.is_file()
