import csv
from io import StringIO
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.files.text.dialect import quoting_of
from sfumato.files.write_options import Quoting

STYLES: dict[Quoting, Literal[0, 1, 2]] = {
    Quoting.ALL: csv.QUOTE_ALL,
    Quoting.TEXT: csv.QUOTE_NONNUMERIC,
    Quoting.NECESSARY: csv.QUOTE_MINIMAL,
}
cells = st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1)


@given(
    st.lists(st.tuples(cells, st.integers(0, 99)), min_size=1), st.sampled_from(list(STYLES)), st.sampled_from(",;|")
)
def test_the_quoting_of_any_writer_is_found(records: list[tuple[str, int]], quoting: Quoting, separator: str) -> None:
    stream = StringIO()
    csv.writer(stream, delimiter=separator, quoting=STYLES[quoting]).writerows([("town", "age"), *records])
    assert quoting_of(stream.getvalue(), separator) is quoting


@pytest.mark.parametrize("text", ["", "x\n1\n2\n", "1;2\n3;4\n"])
def test_a_file_without_quotation_marks_needs_none(text: str) -> None:
    assert quoting_of(text, ";") is Quoting.NECESSARY


def test_line_ends_and_doubled_marks_inside_quotes_are_part_of_the_cell() -> None:
    assert quoting_of('"a";"b"\n"one\ntwo ""x"" ;";"3"\n', ";") is Quoting.ALL
