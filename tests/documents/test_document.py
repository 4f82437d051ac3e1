"""A document knows the line of each of its values."""

import pytest

from sfumato.documents import Document
from sfumato.errors import DocumentError

TEXT = "a: 1\nb:\n  - x\n  - {y: 2,\n     z: 3}\nc:\nd: ''\n"


@pytest.mark.parametrize(
    ("path", "line"),
    [((), 1), (("a",), 1), (("b",), 2), (("b", 0), 3), (("b", 1, "z"), 5), (("b", 1, "absent"), 4), (("b", 7), 2)],
)
def test_a_path_leads_to_the_line_of_its_last_part_that_is_there(path: tuple[str | int, ...], line: int) -> None:
    assert Document.parse(TEXT, "text").line(path) == line


def test_a_key_with_nothing_behind_it_is_told_from_one_with_empty_text() -> None:
    document = Document.parse(f"{TEXT}e: null\n", "text")
    assert [document.is_empty(key) for key in ("a", "b", "c", "d", "e", "absent")] == [False] * 2 + [True] + [False] * 3


def test_what_is_not_yaml_is_refused_by_the_name_of_the_document() -> None:
    with pytest.raises(DocumentError, match=r"the study has 1 problem:\n  - line 1: not valid YAML"):
        Document.parse("a: [", "study")
