from hypothesis import given
from hypothesis import strategies as st

from sfumato.display import Cell, Column, Table, detail_column, header_column, split_columns, text_column

words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


def test_numbers_are_set_to_the_right_and_text_to_the_left() -> None:
    table = Table((text_column("key"), Column("risk", unit="%")), (("town", 1.5), ("a", 1200.0), ("sex", None)))
    assert table.to_text().splitlines() == [
        "key    risk, %",
        "town      1.50",
        "a     1,200.00",
        "sex          -",
    ]


def test_rows_below_a_title_are_indented_and_notes_follow() -> None:
    table = Table((text_column("key"),), (("town",),), title="Keys", notes=("A note.",))
    assert table.to_text() == "Keys\n  key\n  town\n\nA note."


def test_columns_without_titles_have_no_line_of_headings() -> None:
    assert Table((text_column(), Column()), (("a", 1),)).to_text() == "a  1"


def test_groups_have_the_headings_of_columns_beside_their_own() -> None:
    table = Table(
        (text_column(), text_column(), Column("all")), ("Risk", ("DLD", "linkage", 1.0), "Loss", ("IL", "", 20.0))
    )
    assert table.to_text().splitlines() == [
        "Risk              all",
        "  DLD  linkage   1.00",
        "",
        "Loss              all",
        "  IL            20.00",
    ]


def test_a_heading_of_a_group_that_is_long_takes_its_line_alone() -> None:
    table = Table((text_column(), Column("all")), ("What an intruder learns", ("DLD", 1.0)))
    assert table.to_text().splitlines() == ["What an intruder learns", "  DLD  1.00"]


def test_details_stand_below_their_row_with_their_parts() -> None:
    meaning = Cell("word " * 30, parts=tuple(f"part {number}: 1.00" for number in range(12)))
    text = Table((header_column(), Column(), detail_column()), (("IL", 1.0, meaning), ("CD", 2.0, ""))).to_text()
    lines = text.splitlines()
    assert lines[0] == "IL  1.00"
    assert lines[-1] == "CD  2.00"
    assert all(line.startswith("    ") and len(line) <= 100 for line in lines[1:-1])
    assert "part 11: 1.00" in text  # no part is broken between lines


def test_parts_with_commas_of_their_own_are_told_apart_by_semicolons() -> None:
    table = Table((header_column(), detail_column()), (("a", Cell("All.", parts=("one, two: 1", "three: 2"))),))
    assert "one, two: 1; three: 2" in table.to_text()


def test_the_spanner_begins_where_the_numbers_do() -> None:
    table = Table((header_column("town"), Column("n"), Column("y")), (("A", 1, 2),), spanner="ill")
    assert table.to_text().splitlines() == ["      ill", "town  n  y", "A     1  2"]


@given(st.lists(st.tuples(words, words, words, words), min_size=1, max_size=5), st.integers(1, 60))
def test_blocks_have_every_column_once_beside_the_names_of_rows(rows: list[tuple[str, ...]], width: int) -> None:
    table = Table((header_column("id"), Column("one"), Column("two"), Column("three")), tuple(rows))
    blocks = split_columns(table, width)
    assert [column.title for block in blocks for column in block.columns[1:]] == ["one", "two", "three"]
    assert all(block.columns[0].title == "id" for block in blocks)
    for block in blocks:
        assert len(block.columns) == 2 or max(map(len, block.to_text().splitlines())) <= width


def test_a_table_that_fits_is_not_split() -> None:
    table = Table((header_column("id"), Column("one"), Column("two")), (("a", 1, 2),))
    assert split_columns(table, 100) == [table]
    assert split_columns(table, None) == [table]
