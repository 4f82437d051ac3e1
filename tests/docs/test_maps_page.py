"""The page about maps: its studies are those of the paper, and what is computed stands between its marks."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from sfumato.papers.outliers.runs import FAMILIES
from sfumato.study import StudyPlan

ROOT = Path(__file__).parents[2]
NAMES = ("census", "eia")


@pytest.fixture(scope="module")
def maps_page() -> ModuleType:
    spec = spec_from_file_location("maps_page", ROOT / "docs/maps_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(candidate: str, family: str, **figures: float) -> dict[str, object]:
    intervals = {f"{symbol}_{end}": value for symbol, value in figures.items() for end in ("low", "high")}
    return {"candidate": candidate, "family": family, **figures, **intervals}


@pytest.mark.parametrize("name", NAMES)
def test_a_study_holds_the_families_and_parameters_of_the_paper(name: str) -> None:
    plan = StudyPlan.load(ROOT / f"docs/maps/{name}.yaml")
    methods = [family.method(parameter) for family in FAMILIES.values() for parameter in family.parameters]
    assert [recipe.steps for recipe in plan.candidates.values()] == [(method,) for method in methods]
    assert [measure.symbol for measure in plan.measures or ()] == ["IL", "IL1s", "DLD", "ID"]
    assert plan.outliers
    assert plan.replications >= 3


def test_the_front_is_sorted_by_loss_and_holds_nobody_that_is_beaten(maps_page: ModuleType) -> None:
    points = {"a": (1.0, 9.0), "b": (5.0, 5.0), "c": (6.0, 6.0), "d": (9.0, 1.0)}
    rows = [row(name, "mdav", IL=loss, DR=risk) for name, (loss, risk) in reversed(points.items())]
    assert [member["candidate"] for member in maps_page.front_of(rows, "IL", "DR")] == ["a", "b", "d"]


def test_a_family_on_a_front_is_counted_with_its_ends(maps_page: ModuleType) -> None:
    figures = {"IL1s": 1.0, "IL1s_outliers": 1.0, "DR_outliers": 1.0}
    rows = [row(f"mdav {size}", "mdav", IL=size, DR=20.0 - size, **figures) for size in (3, 4, 20)]
    rows.append(row("resampling 1", "resampling", IL=99.0, DR=99.0, IL1s=0.5, IL1s_outliers=2.0, DR_outliers=2.0))
    table = maps_page.front_table("census", rows)
    assert "| mdav | 3 of 3: 3 to 20 | 1 of 3: 20 | 3 of 3: 3 to 20 |\n" in table
    assert "| resampling | none | 1 of 1: 1 | none |\n" in table


@pytest.mark.parametrize(("outliers", "cell"), [(12.0, "8.0, 12.0"), (3.0, "8.0, 3.0 (paper: higher)")])
def test_a_direction_other_than_in_the_paper_is_told(maps_page: ModuleType, outliers: float, cell: str) -> None:
    figures = dict.fromkeys(("IL1s", "DLD", "ID"), 8.0)
    apart = {f"{symbol}_outliers": 12.0 for symbol in figures} | {"DLD_outliers": outliers}
    rows = [row(f"{family} 1", family, **figures, **apart) for family in maps_page.FAMILIES]
    table = maps_page.outliers_table("eia", rows)
    assert f"| lossy compression | 8.0, 12.0 | {cell} | 8.0, 12.0 |\n" in table


def test_intervals_are_shown_where_something_was_drawn(maps_page: ModuleType) -> None:
    drawn = {"IL": 2.0, "IL_low": 1.5, "IL_high": 2.5}
    assert maps_page._figure(drawn, "IL") == "2.0 (1.5 to 2.5)"
    assert maps_page._figure(drawn | {"IL_low": 2.0, "IL_high": 2.0}, "IL") == "2.0"
    assert maps_page._figure(drawn | {"IL_low": None, "IL_high": None}, "IL") == "2.0"


def test_paths_of_a_drawing_lose_decimals_and_nothing_else(maps_page: ModuleType) -> None:
    drawing = '<svg width="518.4567"/>\n<path d="M 1.23456 7 \nL 3.4 5.678 \nz\n" style="stroke-width: 0.3333"/>\n'
    shorter = '<svg width="518.4567"/>\n<path d="M 1.23 7 \nL 3.4 5.67 \nz\n" style="stroke-width: 0.3333"/>\n'
    assert maps_page.smaller(drawing) == shorter


def test_what_stands_between_the_marks_is_replaced(maps_page: ModuleType) -> None:
    begin, end = maps_page.BEGIN.format("fronts"), maps_page.END.format("fronts")
    once = maps_page.between(f"above\n{begin}old\n{end}below\n", "fronts", "new")
    assert once == f"above\n{begin}\nnew\n{end}below\n"
    with pytest.raises(SystemExit, match="the page needs the line"):
        maps_page.between("above\n", "fronts", "new")


def test_the_page_has_all_marks_and_shows_all_maps(maps_page: ModuleType) -> None:
    page = maps_page.PAGE.read_text(encoding="utf-8")
    for part in ("fronts", "outliers", "members on Census", "members on EIA"):
        maps_page.between(page, part, "")
    for name in NAMES:
        for ending in maps_page.MAPS.values():
            assert f"(maps/{name}{ending}.svg)" in page
            assert (ROOT / f"docs/maps/{name}{ending}.svg").is_file()
