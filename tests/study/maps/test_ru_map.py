import re
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

import sfumato
from sfumato.display.figure_style import MARK_SIZE
from sfumato.errors import FileError, ParameterError
from sfumato.study import Result, Study
from sfumato.study.labels import labels_of
from tests.study.examples import eighty, mdav, study, study_of, swapping, twenty


def labels(figure: Figure) -> list[Annotation]:
    return [child for child in figure.axes[0].get_children() if isinstance(child, Annotation)]


@cache
def drawn_twenty() -> Figure:
    return study(twenty(), replications=3, spread=0.5).ru_map()


@cache
def drawn_eighty() -> Figure:
    return study(eighty(), replications=3, spread=4.0).ru_map()  # scattered, so that labels are in each other's way


def marks(figure: Figure) -> list[Line2D]:
    """Return the marks that are drawn, those alike together."""
    return [line for line in figure.axes[0].lines if line.get_marker() != "None"]


def places(figure: Figure) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for alike in marks(figure) for x, y in np.asarray(alike.get_xydata())]


def text_box(label: Annotation) -> Bbox:
    """Return the box of the letters alone, without the line that leads to them."""
    label.update_positions(label.figure.canvas.get_renderer())  # type: ignore[attr-defined]
    return super(Annotation, label).get_window_extent()


def mark_boxes(figure: Figure) -> list[Bbox]:
    half = MARK_SIZE / 2 * figure.dpi / 72
    centres = figure.axes[0].transData.transform(places(figure))
    return [Bbox.from_extents(x - half, y - half, x + half, y + half) for x, y in centres]


def overlapping(one: Bbox, other: Bbox) -> bool:
    across, up = min(one.x1, other.x1) - max(one.x0, other.x0), min(one.y1, other.y1) - max(one.y0, other.y0)
    return bool(across > 0 and up > 0)


@pytest.mark.parametrize(
    ("suffix", "beginning"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_is_saved_by_the_suffix(suffix: str, beginning: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"map.{suffix}"
    study([swapping(2), mdav(3)]).ru_map(path)
    assert path.read_bytes().startswith(beginning)
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    suffixes = ("svg", "png", "pdf")
    for name in ("first", "second"):
        figure = study(twenty(), replications=3, spread=0.5).ru_map()
        for suffix in suffixes:
            figure.save(tmp_path / f"{name}.{suffix}")
    for suffix in suffixes:
        assert (tmp_path / f"first.{suffix}").read_bytes() == (tmp_path / f"second.{suffix}").read_bytes()


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a figure is saved as \.svg, \.png or \.pdf; got 'map\.bmp'"):
        study([swapping(2)]).ru_map(tmp_path / "map.bmp")


def test_an_absent_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no folder"):
        study([swapping(2)]).ru_map(tmp_path / "absent" / "map.svg")


def test_an_unknown_figure_is_refused() -> None:
    with pytest.raises(ParameterError, match="no figure 'ILL'"):
        study([swapping(2)]).ru_map(loss="ILL")


def test_there_is_a_mark_per_candidate_at_its_means() -> None:
    found = study(twenty(), replications=3, spread=1.0)
    assert sorted(places(found.ru_map())) == sorted((c.mean("IL"), c.mean("DR")) for c in found.candidates)


def test_marks_on_the_front_are_filled_and_the_others_are_not() -> None:
    found = study_of([(1.0, 9.0), (9.0, 1.0), (9.0, 9.0)])
    filled = {
        tuple(place): to_hex(alike.get_markerfacecolor()) == to_hex(alike.get_markeredgecolor())
        for alike in marks(found.ru_map())
        for place in np.asarray(alike.get_xydata()).tolist()
    }
    assert filled == {(9.0, 1.0): True, (1.0, 9.0): True, (9.0, 9.0): False}


def test_families_differ_in_colour_and_in_shape() -> None:
    drawn = marks(drawn_twenty())
    styles = {(alike.get_marker(), to_hex(alike.get_markeredgecolor())) for alike in drawn}
    assert len(styles) == len({shape for shape, _ in styles}) == len({colour for _, colour in styles}) == 3


def test_bars_reach_one_standard_deviation() -> None:
    found = study([swapping(2)], replications=5, spread=1.0)
    (candidate,) = found.candidates
    ends = [segment for bars in found.ru_map().axes[0].collections[1:] for segment in bars.get_segments()]  # type: ignore[attr-defined]
    across, up = ends
    assert (across[1][0] - across[0][0]) / 2 == pytest.approx(candidate.deviation("IL"))
    assert (up[1][1] - up[0][1]) / 2 == pytest.approx(candidate.deviation("DR"))


def test_limits_are_dashed_lines_with_their_names_outside_the_axes() -> None:
    figure = study_of([(1.0, 9.0), (9.0, 1.0)]).ru_map(limits=["DR<=5", "IL<=12.5"])
    (axes,) = figure.axes
    dashed = {tuple(map(tuple, np.asarray(line.get_data()))) for line in axes.lines if line.is_dashed()}
    assert dashed == {((12.5, 12.5), (0, 1)), ((0, 1), (5, 5))}
    assert axes.get_xlim()[1] > 12.5
    names = {label.get_text(): label for label in labels(figure) if "≤" in label.get_text()}
    assert set(names) == {"DR ≤ 5", "IL ≤ 12.5"}
    for name in names.values():
        assert not overlapping(text_box(name), axes.bbox)
        assert figure.bbox.contains(*text_box(name).min)
        assert figure.bbox.contains(*text_box(name).max)


def test_the_title_and_the_name_of_a_limit_do_not_overlap() -> None:
    figure = study_of([(1.0, 9.0), (9.0, 1.0)]).ru_map(limits=["IL<=1.5"], title="A title that is not short at all")
    (name,) = [label for label in labels(figure) if "≤" in label.get_text()]
    (title,) = [t for t in figure.axes[0].get_children() if isinstance(t, Text) and t.get_text().startswith("A title")]
    assert not overlapping(text_box(name), title.get_window_extent())


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (["DRR<=5"], "ru_map.limits: there is no figure 'DRR'; did you mean 'DR'"),
        (["score<=5"], "ru_map.limits must be of the figures on the axes, DR and IL; got score"),
    ],
)
def test_limits_of_what_is_not_on_the_axes_are_refused(limits: list[str], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        study([swapping(2)]).ru_map(limits=limits)


def test_the_front_goes_down_in_stairs() -> None:
    axes = study_of([(1.0, 9.0), (9.0, 1.0), (5.0, 5.0), (8.0, 8.0)]).ru_map().axes[0]
    (front,) = [line for line in axes.lines if line.get_drawstyle() == "steps-post"]
    right, top = axes.get_xlim()[1], axes.get_ylim()[1]
    assert np.asarray(front.get_xydata()).tolist() == [[1.0, top], [1.0, 9.0], [5.0, 5.0], [9.0, 1.0], [right, 1.0]]


SQUEEZED = [(90.0, 1.0), (60.0, 2.0), (30.0, 4.0), (20.0, 8.0), (19.0, 300.0)]


def test_a_front_squeezed_against_the_ordinate_is_spread_by_logarithms() -> None:
    figure = study_of(SQUEEZED).ru_map(limits=["IL<=30"])
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "Information loss (IL, %), logarithmic scale"
    assert {"1", "10", "100"} <= {text.get_text() for text in axes.get_xticklabels()}
    pixels = axes.transData.transform([(loss, risk) for risk, loss in SQUEEZED])[:, 0]
    assert pixels[1] - pixels[0] == pytest.approx(pixels[2] - pixels[1])
    boxes = [text_box(label) for label in labels(figure)]
    assert len(boxes) == len(SQUEEZED) + 1
    assert not any(overlapping(one, other) for one, other in combinations([*boxes, *mark_boxes(figure)], 2))


@pytest.mark.parametrize(
    ("points", "limits"),
    [
        ([(90.0, 1.0), (60.0, 4.0), (30.0, 9.0), (20.0, 14.0)], []),
        ([*SQUEEZED, (99.0, 0.0)], []),
        ([*SQUEEZED, (99.0, -1.0)], []),
        (SQUEEZED, ["IL<=0"]),
    ],
)
def test_losses_that_fit_or_have_no_logarithm_are_on_an_even_scale(
    points: list[tuple[float, float]], limits: list[str]
) -> None:
    axes = study_of(points).ru_map(limits=limits).axes[0]
    assert axes.get_xscale() == "linear"
    assert axes.get_xlabel() == "Information loss (IL, %)"


def test_axes_have_names_and_units() -> None:
    axes = study([swapping(2)]).ru_map().axes[0]
    assert axes.get_xlabel() == "Information loss (IL, %)"
    assert axes.get_ylabel() == "Disclosure risk (DR, %)"


@pytest.mark.parametrize("drawn", [drawn_twenty, drawn_eighty])
def test_labels_overlap_neither_each_other_nor_marks(drawn: Callable[[], Figure]) -> None:
    figure = drawn()
    boxes = [text_box(label) for label in labels(figure)]
    assert len(boxes) >= 10
    assert not any(overlapping(one, other) for one, other in combinations(boxes, 2))
    assert not any(overlapping(box, mark) for box in boxes for mark in mark_boxes(figure))
    assert all(figure.bbox.containsx(box.x1) and figure.bbox.containsy(box.y1) for box in boxes)


def test_twenty_candidates_are_all_labelled_in_full() -> None:
    written = {label.get_text() for label in labels(drawn_twenty())}
    assert written == set(labels_of(twenty()))


def test_a_crowd_is_labelled_at_the_front_and_the_ends_only() -> None:
    figure, families = drawn_eighty(), 3
    front = sum(len(np.asarray(alike.get_xdata())) for alike in marks(figure) if alike.get_markerfacecolor() != "white")
    assert 10 < len(labels(figure)) <= front + 2 * families < 80


def test_lines_lead_from_labels_in_a_crowd_to_ends_only() -> None:
    found = study(eighty(), replications=3, spread=4.0)
    front = {candidate.label for candidate in found.front_members()}
    ends = set()
    for family in {candidate.family for candidate in found.candidates}:
        line = [candidate for candidate in found.candidates if candidate.family == family]
        of_front = [candidate for candidate in line if candidate.label in front]
        ends |= {(c.mean("IL"), c.mean("DR")) for part in (line, of_front) for c in part[:1] + part[-1:]}
    led = {tuple(label.xy) for label in labels(drawn_eighty()) if label.arrow_patch is not None}
    assert led
    assert led <= ends


def test_labels_lose_the_methods_name_where_it_is_crowded() -> None:
    crowd = study([swapping(1 + step / 100) for step in range(50)])
    texts = {label.get_text() for label in labels(crowd.ru_map())}
    assert texts
    assert not any(text.startswith("rank swapping") for text in texts)


def test_labels_that_the_user_gave_stay_whole() -> None:
    given = [f"variant {number} of the office" for number in range(50)]
    crowd = study([swapping(1 + step / 100) for step in range(50)], labels=given)
    assert {label.get_text() for label in labels(crowd.ru_map())} <= set(given)


def test_a_dollar_sign_is_no_formula(tmp_path: Path) -> None:
    study([mdav(3)], labels=["$\\odd$"]).ru_map(tmp_path / "map.png", title="5 $ of _ $")


def test_the_legend_names_the_families_and_lies_outside_the_axes() -> None:
    figure = drawn_twenty()
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts[:3] == ["rank swapping (window)", "mdav (k)", "correlated noise (variance ratio)"]
    assert "± 1 standard deviation over 3 runs" in texts
    assert not overlapping(legend.get_window_extent(), figure.axes[0].bbox)
    assert legend.get_window_extent().x1 <= figure.bbox.x1


def test_candidates_without_figures_are_counted_not_drawn() -> None:
    found = study([swapping(2), swapping(4)])
    failed = Result("mdav 99", "mdav", mdav(99).replace(seed=0), 0, 0, error="too few records")
    figure = Study((*found.results, failed), 0, found.titles).ru_map()
    assert len(places(figure)) == 2
    assert "not shown: 1 without these figures" in [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize("point", [(0.0, 0.0), (5.0, 5.0), (-3.0, 120.0)])
def test_a_single_candidate_is_a_map_too(point: tuple[float, float]) -> None:
    figure = study_of([point]).ru_map()
    assert [label.get_text() for label in labels(figure)] == ["c0"]


def test_a_notebook_shows_the_map() -> None:
    assert "<svg" in study([swapping(2)]).ru_map()._repr_svg_()


def test_drawing_leaves_pyplot_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = Path(str(sfumato.__file__)).parent.rglob("*.py")
    imports = re.compile(r"^\s*(from|import) .*(pyplot|pylab)", re.MULTILINE)
    assert not [source.name for source in sources if imports.search(source.read_text(encoding="utf-8"))]
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)  # and what is used cannot import it either
    monkeypatch.delattr(matplotlib, "pyplot", raising=False)
    assert study([swapping(2)]).ru_map().to_svg()
