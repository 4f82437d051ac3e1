"""A record written as YAML comes back as it was."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sfumato.documents import dump, dump_plain, load
from sfumato.documents.document import Document
from tests.documents.examples import Box, Circle, Drawing, Frame

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
boxes = st.builds(Box, width=st.floats(0.1, 9), names=st.lists(texts, max_size=3))
circles = st.builds(Circle, radius=st.floats(0.1, 9))
drawings = st.builds(
    Drawing,
    title=texts,
    shapes=st.lists(boxes | circles, min_size=1, max_size=3),
    outline=st.none() | boxes,
    frame=st.none() | st.builds(Frame, colour=texts, wide=st.booleans()),
    copies=st.integers(1, 5),
)


@given(drawing=drawings)
def test_any_record_comes_back_from_its_yaml(drawing: Drawing) -> None:
    text = dump(drawing)
    assert load(text, Drawing, "drawing") == drawing
    assert dump(load(text, Drawing, "drawing")) == text


def test_entries_aliases_and_defaults_are_written_and_what_is_absent_is_not() -> None:
    drawing = Drawing(title="x", shapes=[Box(names=("a", "b"))], source=Path("/data/a.svg"))
    assert dump(drawing) == (
        "title: x\nshapes:\n- box:\n    width: 1.0\n    names: [a, b]\ncopies: 1\nfrom: /data/a.svg\n"
    )


@given(content=st.dictionaries(st.integers() | st.booleans() | texts, st.lists(texts, max_size=3), max_size=3))
def test_keys_and_texts_come_back_with_their_types(content: dict[str, list[str]]) -> None:
    assert Document.parse(dump_plain({"all": content}), "content").value == {"all": content}
