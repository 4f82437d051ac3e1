import pytest

from sfumato.papers import Files, Verdict
from sfumato.papers.slides.salary_table import (
    PRINTED_PATTERN,
    SALARIES,
    Cell,
    audit_of,
    place_of,
    salary_table,
    slides_tables,
)

CELLS = [(town, work) for town in range(3) for work in range(5)]


def test_every_figure_of_the_table_comes_out_exactly() -> None:
    assert {figure.verdict for figure in slides_tables(Files(), seed=0)} == {Verdict.REPRODUCED}


def test_the_table_is_the_printed_one() -> None:
    for town, work in CELLS:
        assert salary_table().values[place_of((town, work))] == pytest.approx(SALARIES[town][work])


@pytest.mark.parametrize("cell", sorted(PRINTED_PATTERN))
def test_the_intruder_finds_what_trying_every_whole_number_finds(cell: Cell) -> None:
    possible = []
    for change in range(-1000, 1001):  # the four cells can only move together, by turns up and down
        moved = {(0, 2): -change, (0, 4): change, (1, 2): change, (1, 4): -change}
        if all(SALARIES[town][work] + by >= 0 for (town, work), by in moved.items()):
            possible.append(SALARIES[cell[0]][cell[1]] + moved[cell])
    assert audit_of(PRINTED_PATTERN).interval(place_of(cell)) == pytest.approx((min(possible), max(possible)))
