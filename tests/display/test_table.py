from sfumato.display import Cell, Column, Table, header_column, text_column

TOWNS = Table((header_column("town"), Column("risk", unit="%")), (("A", 1.5), ("B", None), ("C", 1200)), notes=("n",))


def test_the_first_rows_say_how_many_there_are_beyond() -> None:
    assert TOWNS.first(1).rows == (("A", 1.5),)
    assert TOWNS.first(1).notes == ("and 2 more rows", "n")
    assert TOWNS.first(2).notes[0] == "and 1 more row"
    assert TOWNS.first(3) == TOWNS


def test_taken_columns_leave_headings_of_groups() -> None:
    grouped = Table((text_column("a"), Column("b")), ("north", ("x", 1), ("y", 2)))
    assert grouped.take_columns([1]).rows == ("north", (1,), (2,))


def test_the_unit_stands_behind_the_title() -> None:
    assert [column.heading for column in TOWNS.columns] == ["town", "risk, %"]


def test_all_ways_to_show_a_table_show_every_cell() -> None:
    table = Table((text_column("a"), Column("b")), ((Cell("north"), 1.5),))
    for shown in (table.to_text(), table.to_html(), table.to_markdown()):
        assert "north" in shown
        assert "1.50" in shown
