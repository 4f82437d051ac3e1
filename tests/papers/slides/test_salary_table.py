from itertools import combinations

import numpy as np
import pytest

from sfumato.papers import Files, Verdict
from sfumato.papers.slides.salary_table import (
    DOMINATED,
    PRINTED_PATTERN,
    SINGLE,
    TABLE,
    Cell,
    Pattern,
    cheapest_pattern,
    cost,
    intruder_interval,
    is_close,
    is_dominated,
    slides_tables,
)

CELLS = [(town, work) for town in range(3) for work in range(5)]


def is_on_a_cycle(pattern: Pattern, cell: Cell) -> bool:
    """Tell whether the towns and professions of a cell stay joined by the other suppressed cells.

    With all cells positive, a cell can move a little up or down exactly when it is.
    """
    joined = {("town", cell[0])}
    for _ in CELLS:
        for town, work in pattern - {cell}:
            if ("town", town) in joined or ("work", work) in joined:
                joined |= {("town", town), ("work", work)}
    return ("work", cell[1]) in joined


def test_every_figure_of_the_table_comes_out_exactly() -> None:
    assert {figure.verdict for figure in slides_tables(Files(), seed=0)} == {Verdict.REPRODUCED}


@pytest.mark.parametrize("cell", sorted(PRINTED_PATTERN))
def test_the_intruder_finds_what_trying_every_whole_number_finds(cell: Cell) -> None:
    possible = []
    for change in range(-1000, 1001):  # the four cells can only move together, by turns up and down
        moved = {(0, 2): -change, (0, 4): change, (1, 2): change, (1, 4): -change}
        if all(TABLE[other] + by >= 0 for other, by in moved.items()):
            possible.append(TABLE[cell] + moved[cell])
    assert intruder_interval(PRINTED_PATTERN, cell) == (min(possible), max(possible))


def test_a_published_cell_is_known() -> None:
    assert intruder_interval(PRINTED_PATTERN, DOMINATED) == (363.0, 363.0)


def test_a_cell_is_known_unless_it_is_on_a_cycle_of_suppressed_cells() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        pattern = frozenset(CELLS[place] for place in rng.choice(15, rng.integers(1, 9), replace=False))
        cell = min(pattern)
        low, high = intruder_interval(pattern, cell)
        assert (high - low > 1e-6) == is_on_a_cycle(pattern, cell)


def test_no_cheaper_pattern_suppresses_both_sensitive_cells() -> None:
    others = [cell for cell in CELLS if cell not in (SINGLE, DOMINATED)]
    sets = [chosen for size in range(len(others) + 1) for chosen in combinations(others, size)]
    patterns = [frozenset({SINGLE, DOMINATED, *chosen}) for chosen in sets]
    safe = [p for p in patterns if is_on_a_cycle(p, SINGLE) and is_on_a_cycle(p, DOMINATED)]
    assert min(map(cost, safe)) == cost(cheapest_pattern()) == 1058
    assert cheapest_pattern() in safe
    assert PRINTED_PATTERN not in safe


def test_a_cell_without_a_dominating_contributor_is_safe_by_both_rules() -> None:
    assert not is_dominated((90.0, 80.0, 70.0), largest=1, percent=50)
    assert is_dominated((90.0, 80.0, 70.0), largest=2, percent=50)
    assert not is_close((90.0, 80.0, 70.0), percent=50)
    assert is_close((90.0, 80.0, 40.0), percent=50)
