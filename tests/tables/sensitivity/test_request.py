"""The rule for units that asked for protection."""

import polars as pl

from sfumato.tables import Request, Table


def test_request_holds_above_its_share() -> None:
    firms = pl.DataFrame({"town": ["A", "A", "B", "B"], "sales": [60, 40, 60, 40], "asked": [0, 1, 1, 0]})
    table = Table.from_records(firms, ["town"], "sales", request="asked")
    found = Request(max_percent=50).find(table)
    assert not found.unsafe[table.cell(town="A")]
    assert found.unsafe[table.cell(town="B")]


def test_a_request_for_a_cell_of_value_0_has_a_level() -> None:
    frame = pl.DataFrame({"g": [*"AABB"], "v": [5.0, -5, 3, 4], "s": [5.0, 5, 3, 4], "r": [True, False, False, False]})
    table = Table.from_records(frame, ["g"], "v", shadow="s", request="r")
    assert Request(max_percent=10).find(table).levels[table.cell(g="A")] == 1
