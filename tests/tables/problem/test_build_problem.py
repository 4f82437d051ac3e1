"""From tables to the problem of protecting them: bounds, and what is given."""

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError, ParameterError
from sfumato.tables import GivenCell, PPercent, Table, protect
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.problem.build_problem import build_problem

FRAME = pl.DataFrame({"g": [*"AABBBCCCCCCCCC"], "v": [10.0, 0, 1, 1, 1, *[30.0] * 9]})
TABLE = Table.from_records(FRAME, ["g"], "v")


def test_what_intruders_know_within_many_percent_does_not_make_them_forget_signs() -> None:
    problem = protect(TABLE, rule=PPercent(p=50), insiders=False, known_within=200).problem
    assert (problem.lower >= 0).all()
    suppressed = protect(TABLE, rule=PPercent(p=50), insiders=False, known_within=200).pattern.suppressed
    assert np.array_equal(suppressed, protect(TABLE, rule=PPercent(p=50), insiders=False).pattern.suppressed)


@pytest.mark.parametrize("percent", [-5.0, 0.0, float("nan"), float("inf")])
def test_a_percentage_that_is_none_is_refused(percent: float) -> None:
    with pytest.raises(ParameterError, match="known_within must be a percentage above 0"):
        build_problem(link([TABLE]), [PPercent(p=50).find(TABLE)], known_within=percent)


def test_a_cell_given_to_be_protected_keeps_the_level_of_its_rule_where_that_is_more() -> None:
    found = PPercent(p=50).find(TABLE)
    cell = TABLE.cell(g="A")
    problem = build_problem(link([TABLE]), [found], given_cells=[GivenCell(where={"g": "A"}, status="protect")])
    assert problem.upper_levels[list(problem.primaries).index(cell)] == found.levels[cell] > 1


def test_a_given_cell_that_names_a_table_is_refused_where_tables_have_no_names() -> None:
    given = [GivenCell(where={"g": "A"}, table="sales", status="protect")]
    with pytest.raises(DataError, match=r"cells of table 'sales' are given, .* only in publications; leave it out"):
        build_problem(link([TABLE]), [PPercent(p=50).find(TABLE)], given_cells=given)
