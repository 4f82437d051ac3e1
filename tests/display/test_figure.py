"""One style for all figures: drawn, coloured and saved alike."""

import re
from pathlib import Path

import pytest

import sfumato
from sfumato.display.figure import new_figure
from sfumato.display.figure_style import FORMATS, GRID, INK, draw_frame, draw_title


@pytest.mark.parametrize("kind", FORMATS)
def test_saved_figures_hold_neither_dates_nor_versions(kind: str, tmp_path: Path) -> None:
    figure = new_figure(3, 2)
    draw_frame(figure.add_subplot(), "x", "y")
    paths = [tmp_path / f"{name}.{kind}" for name in ("one", "two")]
    for path in paths:
        figure.save(path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert b"Matplotlib" not in first.replace(b"Created with matplotlib", b"")
    assert not re.search(rb"20\d\d-\d\d-\d\d|CreationDate", first)


def test_the_frame_has_lines_at_the_left_and_below_only() -> None:
    axes = new_figure(3, 2).add_subplot()
    draw_frame(axes, "x", "y", grid="y")
    assert {side for side, spine in axes.spines.items() if spine.get_visible()} == {"left", "bottom"}
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.yaxis.label.get_color()) == ("x", "y", INK)
    assert axes.yaxis.get_gridlines()[0].get_visible()
    assert axes.yaxis.get_gridlines()[0].get_color() == GRID
    assert not axes.xaxis.get_gridlines()[0].get_visible()


def test_a_title_is_never_read_as_a_formula(tmp_path: Path) -> None:
    figure = new_figure(3, 2)
    draw_title(figure.add_subplot(), "$no formula")
    figure.save(tmp_path / "title.svg")
    assert "$no formula" in (tmp_path / "title.svg").read_text(encoding="utf-8")


def test_notebooks_show_the_figure_as_svg() -> None:
    assert new_figure(3, 2)._repr_svg_().startswith("<?xml")


def test_figures_are_saved_in_one_place_only() -> None:
    root = Path(sfumato.__file__).parent
    saving = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if "savefig" in path.read_text(encoding="utf-8")
    ]
    assert saving == ["display/figure.py"]
