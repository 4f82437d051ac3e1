from hypothesis import given
from hypothesis import strategies as st

from sfumato.catalogue import parse_docstring

WHOLE = """Do a thing
to a column.

It is done twice,
once for luck.

Parameters
----------
columns
    Continuous columns.
low, high
    The ends,
    both meant.

Effect on risk
    Falls.
Intruder
    Knows much:

    - the rank
    - the window

    and nothing else.

Examples
--------
>>> 1 / 0
Traceback (most recent call last):
    ...
ZeroDivisionError: division by zero
"""


def test_paragraphs_come_back_on_one_line() -> None:
    parsed = parse_docstring(WHOLE)
    assert parsed.summary == "Do a thing to a column."
    assert parsed.details == "It is done twice, once for luck."


def test_several_names_over_one_text_each_get_it() -> None:
    ends = "The ends, both meant."
    assert parse_docstring(WHOLE).parameters == {"columns": "Continuous columns.", "low": ends, "high": ends}


def test_a_heading_that_is_no_parameter_name_ends_the_parameters() -> None:
    assert list(parse_docstring(WHOLE).sections) == ["Effect on risk", "Intruder"]


def test_lists_inside_a_section_keep_their_lines() -> None:
    expected = "Knows much:\n\n- the rank\n- the window\n\nand nothing else."
    assert parse_docstring(WHOLE).sections["Intruder"] == expected


def test_an_example_stays_as_written_even_where_it_looks_like_a_heading() -> None:
    assert parse_docstring(WHOLE).example.splitlines()[1:3] == ["Traceback (most recent call last):", "    ..."]


def test_a_formula_below_a_sentence_is_no_section() -> None:
    parsed = parse_docstring("Do it.\n\nThe distance is\nalways\n    |x - y|\n\nin words:\n    far.")
    assert not parsed.sections
    assert "|x - y|" in parsed.details


def test_a_docstring_without_sections_is_a_summary() -> None:
    parsed = parse_docstring("Do it.")
    assert (parsed.summary, parsed.details, parsed.example) == ("Do it.", "", "")
    assert not parsed.parameters
    assert not parsed.sections


def test_an_absent_docstring_describes_nothing() -> None:
    assert parse_docstring("") == parse_docstring("\n \n")


words = st.text("abc xyz", min_size=1).map(str.strip).filter(bool)


@given(st.dictionaries(words.map(lambda text: f"On {text}"), words.map(lambda text: f"{text}."), max_size=5))
def test_sections_survive_writing_and_parsing(sections: dict[str, str]) -> None:
    blocks = [f"{heading}\n    {text}" for heading, text in sections.items()]
    parsed = parse_docstring("\n".join(["Do it.", "", *blocks]))
    assert parsed.sections == {heading: " ".join(text.split()) for heading, text in sections.items()}
