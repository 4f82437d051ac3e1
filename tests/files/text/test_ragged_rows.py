import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import FileError
from sfumato.files.text import ragged_rows
from sfumato.files.text.ragged_rows import count_rows, header_of, regular_copy
from tests.files.examples import written

fields = st.text(st.sampled_from('a1ü,; "\n'), max_size=4)
awkward_texts = st.text(st.sampled_from('ab",\n\r;'), max_size=30)


def records(text: str, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    width = draw(st.integers(2, 4))
    return draw(st.lists(st.lists(fields, min_size=width, max_size=width), min_size=1, max_size=8))


@given(
    tables(), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from(["\n", "\r\n"]), st.integers(1, 9)
)
def test_what_a_writer_of_tables_writes_is_regular(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[str]], quoting: int, ends: str, chunk: int
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, lineterminator=ends).writerows(table)  # type: ignore[arg-type]
    path = written(tmp_path_factory.mktemp("tables") / "a.csv", text.getvalue())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ragged_rows, "CHUNK", chunk)
        if "\n" in "".join(table[-1]) or ends == "\r\n":  # quotes and line ends may straddle the chunks
            patch.setattr(ragged_rows, "CHUNK", 1 + chunk % 3)
        assert count_rows(path, ",", len(table[0])) == len(table) - 1


@settings(max_examples=60)
@given(awkward_texts, st.integers(1, 4))
def test_a_text_that_counts_as_regular_is_what_the_careful_reader_finds(
    tmp_path_factory: pytest.TempPathFactory, text: str, chunk: int
) -> None:
    path = written(tmp_path_factory.mktemp("texts") / "a.csv", text)
    found = [record for record in records(text) if record]
    width = len(found[0]) if found else 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ragged_rows, "CHUNK", chunk)
        rows = count_rows(path, ",", width)
    if rows is not None and width > 1 and found:
        assert rows == len(found) - 1
        assert all(len(record) == width for record in found)


@settings(max_examples=60)
@given(awkward_texts)
def test_a_copy_is_regular_and_says_the_same_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("copies")
    path = written(folder / "a.csv", text)
    width = len(header_of(path, path, ","))
    expected = [record for record in records(text) if record]
    try:
        copy = regular_copy(path, path, ",", folder / "copy.csv")
    except FileError:
        assert any(len(record) != width for record in records(text))
        return
    if width > 1:
        assert records(copy.read_bytes().decode()) == expected
        assert count_rows(copy, ",", width) == len(expected) - 1 or '\r"' in copy.read_bytes().decode()


@pytest.mark.parametrize(
    "text",
    [
        'a,b\n1" x,2\n',
        'a,b\n"1"x,2\n',
        'a,b\n"1,2\n',
        "a,b\n1\n",
        "a,b\n1,2,3\n",
        "a,b\n\n1,2\n",
        "a,b\r1,2\r",
        "a,b\n1\r,2\n",
        'a,b\n5" x,2\n6" y,3\n',
    ],
)
def test_what_readers_understand_differently_is_not_regular(tmp_path: Path, text: str) -> None:
    assert count_rows(written(tmp_path / "a.csv", text), ",", 2) is None


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_is_no_part_of_the_first_field(tmp_path: Path, mark: str) -> None:
    path = written(tmp_path / "a.csv", f'{mark}"a","b"\n1,2\n')
    assert header_of(path, path, ",") == ["a", "b"]
    assert count_rows(path, ",", 2) == 1


def test_a_field_that_is_too_long_is_told_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'a,b\n1,2\n3,"' + "x" * (csv.field_size_limit() + 1) + '" 5\n')
    with pytest.raises(FileError, match=r"line 3 cannot be read.*longer than 131072 characters"):
        regular_copy(path, path, ",", tmp_path / "copy.csv")
