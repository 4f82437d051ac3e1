"""Any record is loaded from YAML, and everything that is wrong with it is raised at once, with lines."""

from pathlib import Path

import pytest

from sfumato.documents import Record, dump, load, load_file
from sfumato.errors import DocumentError, FileError
from tests.documents.examples import SHAPES, Box, Circle, Drawing, Frame, Shape

WHOLE = """\
title: Two shapes
from: sketch.svg
shapes:
  - circle: {radius: 2}
  - box
outline: {box: {width: 9}}
frame: {wide: true}
"""
SHORT = "title: x\nshapes: [box]\n"


def problems(text: str, record: type[Record] = Drawing) -> list[str]:
    with pytest.raises(DocumentError, match="the drawing has") as refused:
        load(text, record, "drawing")
    return list(refused.value.problems)


def test_fields_entries_and_records_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "drawing.yaml").write_text(WHOLE)
    assert load_file(tmp_path / "drawing.yaml", Drawing, "drawing") == Drawing(
        title="Two shapes",
        shapes=(Circle(radius=2), Box()),
        outline=Box(width=9),
        frame=Frame(wide=True),
        source=tmp_path / "sketch.svg",
    )


def test_every_problem_is_raised_at_once_with_line_and_place() -> None:
    text = """\
title: [1]
titel: x
shapes:
  - circle: {radius: -1, radios: 2}
  - crcle
  - box: {}
    circle: {}
  - box: 7
outline:
  box:
    width: wide
    width: 0
frame: {colour: 3, wde: true}
copies: 0
from: 7
"""
    assert problems(text) == [
        "line 1: 'title' must be text; got [1]",
        "line 2: a drawing has no key 'titel'; did you mean 'title'?",
        "line 4, shape 1 (circle): Circle.radius must be in (0, inf); got -1",
        "line 4, shape 1 (circle): Circle has no parameter 'radios'; did you mean 'radius'?",
        "line 5, shape 2: there is no shape 'crcle'; did you mean 'circle'?",
        "line 6, shape 3: expected one shape, got the keys box, circle; "
        "begin each shape with '-', indent its parameters",
        "line 8, shape 4 (box): box expects parameters by their names: width, names; got a number",
        "line 12, outline (box): the key 'width' is already in line 11; keep one of them",
        "line 12, outline (box): Box.width must be in (0, inf); got 0",
        "line 13: Frame.colour must be text; got 3",
        "line 13: Frame has no parameter 'wde'; did you mean 'wide'?",
        "line 14: 'copies' must be in [1, inf); got 0",
        "line 15: 'from' must be the name of a file; got a number",
    ]


def test_what_is_required_is_asked_for_with_an_example() -> None:
    assert problems("") == [
        "line 1: 'title' must be text; got nothing",
        "line 1: 'shapes' must be a list of shapes, as in '- circle: {radius: 3}'; got nothing",
    ]


@pytest.mark.parametrize(("text", "got"), [("7", "a number"), ("[a]", "a list"), ("words", "text")])
def test_what_is_not_a_mapping_is_refused_with_the_keys(text: str, got: str) -> None:
    keys = "title, shapes, outline, frame, copies, from"
    assert problems(text)[0] == f"line 1: the drawing must be a mapping with the keys {keys}; got {got}"


def test_null_leaves_a_field_at_its_default_but_an_empty_key_is_refused() -> None:
    assert load(f"{SHORT}copies: null\noutline: ~\n", Drawing, "drawing").copies == 1
    assert problems(f"{SHORT}copies:\n") == [
        "line 3: 'copies' has nothing behind it; give it a value, or leave the key out"
    ]


def test_a_record_in_the_document_must_be_a_mapping() -> None:
    assert problems(f"{SHORT}frame: 3") == [
        "line 3: 'frame' must be a mapping with the keys colour, wide; got a number"
    ]


def test_a_key_that_is_no_text_is_refused_as_unknown() -> None:
    assert problems(f"{SHORT}frame: {{3: 4}}\n") == ["line 3: Frame has no parameter '3'; it has colour, wide"]
    assert problems(f"{SHORT}3: 4\n")[0].startswith("line 3: a drawing has no key '3'; its keys are title, shapes,")


def test_names_are_looked_up_when_a_document_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Star(Shape):
        points: int = 5

    monkeypatch.setitem(SHAPES, "star", Star)
    drawing = load("title: x\nshapes: [star]", Drawing, "drawing")
    assert drawing.shapes == (Star(),)
    assert load(dump(drawing), Drawing, "drawing") == drawing


@pytest.mark.parametrize(("content", "words"), [(None, "cannot be read: No such file"), (b"\xff\xfe", "is not UTF-8")])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / "a.yaml").write_bytes(content)
    with pytest.raises(FileError, match=rf"the drawing .*a\.yaml {words}"):
        load_file(tmp_path / "a.yaml", Drawing, "drawing")
