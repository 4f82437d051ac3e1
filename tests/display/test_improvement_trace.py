"""The trace of an improvement, as a picture and as a table."""

from pathlib import Path

import numpy as np
import pytest

from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import numeric
from sfumato.errors import FileError
from sfumato.improve import MomentMatching
from tests.improve.files import both

STEPS, FALLING = np.arange(5), np.array([1.0, 0.5, 0.2, 0.01, 0.001])


def improvement(aim: float | None = 40.0, **figures: list[float]) -> Improvement:
    followed = {symbol: np.array(values) for symbol, values in figures.items()}
    losses = np.array([80.0, 60.0, 50.0, 45.0, 42.0])
    return Improvement(both(5, 1, 0)[1], "mdav", ImprovementEnding.LIMIT, STEPS, FALLING, losses, aim, 3, (), followed)


def test_shows_e_and_il1_over_the_steps_and_what_was_aimed_at() -> None:
    upper, lower = improvement().figure().axes
    assert np.array_equal(upper.lines[0].get_xydata(), np.column_stack([STEPS, FALLING]))
    assert upper.get_yscale() == "log"
    assert [text.get_text() for text in lower.texts] == ["aimed at 40"]
    low, high = lower.get_ylim()
    assert low < 40 < 80 < high


def test_without_an_aim_none_is_shown_and_further_figures_have_a_panel() -> None:
    _, middle, lowest = improvement(None, IL=[9, 8, 7, 6, 5], DLD=[3, 3, 2, 2, 2]).figure().axes
    assert list(middle.texts) == []
    assert [line.get_label() for line in lowest.lines] == ["IL", "DLD"]


def test_the_same_trace_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        improvement().figure(tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_an_error_of_zero_is_shown_on_a_plain_scale() -> None:
    original, _ = both(20, 2, 0)
    done = MomentMatching(columns=numeric).improve(original, original, np.random.default_rng(0))
    assert done.error == 0
    assert done.figure().axes[0].get_yscale() == "linear"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trace.txt", "a figure is saved as .svg, .png or .pdf; got 'trace.txt'"),
        ("nowhere/trace.svg", "there is no folder"),
    ],
)
def test_a_place_where_it_cannot_be_saved_is_refused(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=words):
        improvement().figure(tmp_path / name)


def test_a_trace_that_cannot_be_written_whole_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "trace.svg"
    path.write_text("old")

    def half(unfinished: Path, content: bytes) -> int:
        with unfinished.open("wb") as stream:
            stream.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(FileError, match="the disk is full"):
        improvement().figure(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["trace.svg"]


def test_the_table_has_a_row_per_point_of_the_trace() -> None:
    table = improvement(IL=[9, 8, 7, 6, 5]).to_frame()
    assert table.columns == ["step", "E", "IL1", "IL"]
    assert table["E"].to_list() == FALLING.tolist()
