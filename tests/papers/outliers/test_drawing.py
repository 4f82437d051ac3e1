"""The pictures of the outliers paper as drawings."""

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from sfumato.errors import FileError
from sfumato.papers.outliers.drawing import draw_picture, sections, write_pictures
from sfumato.papers.outliers.runs import FAMILIES
from tests.papers.outliers.examples import drawn_at_random


def test_each_picture_is_drawn_with_its_words_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    seen = {number: picture for number, picture in drawn_at_random(3).items() if number in (2, 7)}
    paths = write_pictures(seen, tmp_path)
    assert [path.name for path in paths] == ["outliers-2.svg", "outliers-7.svg"]
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_pictures(seen, tmp_path)] == before
    for title, content in zip(("Fig. 2: IL1, EIA", "Fig. 7: RID, Census"), before, strict=True):
        words = content.decode()  # letters are outlines, with the words in comments
        assert title in words
        assert "(%)" in words
        assert "overall" in words
        assert "outliers (5 % of records)" in words
        assert all(f"{letter}: {family.name}" in words for letter, family in FAMILIES.items())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no folder"):
        write_pictures(drawn_at_random(3), tmp_path / "nowhere")


def test_sections_follow_each_other_with_a_gap() -> None:
    places = list(sections(drawn_at_random(3)[1].lines).values())
    assert all((np.diff(section) > 0).all() for section in places)
    assert all(after[0] - before[-1] >= 4 for before, after in pairwise(places))


@pytest.mark.parametrize("number", [1, 8])
def test_no_words_of_a_picture_overlap(number: int) -> None:
    drawing = draw_picture(number, drawn_at_random(3)[number])
    drawing.draw_without_rendering()
    [axes] = drawing.axes
    legend = axes.get_legend()
    assert legend is not None
    words = [*axes.get_xticklabels(), *axes.get_yticklabels(), *axes.texts, *legend.get_texts()]
    boxes = [text.get_window_extent() for text in (*words, axes.title, axes.yaxis.label) if text.get_text()]
    assert len(boxes) > 25
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))
