import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from sfumato.numerics.arrays import FloatColumn
from sfumato.tables.cells.repair import compute_totals, make_additive
from sfumato.tables.cells.table import Table
from tests.tables.records import OTHER, PLACES, SECTORS, firms


def least_change(values: FloatColumn, relations: FloatColumn) -> float:
    """Return the smallest sum of relative changes, by a linear program in the cells and the sizes of their changes."""
    cells = values.size
    size = np.abs(values)
    costs = np.concatenate([np.zeros(cells), 1 / np.where(size > 0, size, 1.0)])
    ones = np.eye(cells)
    bounds = [(0, 0) if value == 0 else (0, None) if value > 0 else (None, 0) for value in values]
    return float(
        linprog(
            costs,
            A_ub=np.block([[ones, -ones], [-ones, -ones]]),
            b_ub=np.concatenate([values, -values]),
            A_eq=np.hstack([relations, np.zeros(relations.shape)]),
            b_eq=np.zeros(relations.shape[0]),
            bounds=[*bounds, *[(0, None)] * cells],
        ).fun
    )


@given(firms(), st.integers(0, 2**32))
def test_repair_changes_as_little_as_a_plain_program_and_keeps_signs_and_zeros(frame: pl.DataFrame, seed: int) -> None:
    table = Table.from_records(frame, {"place": [PLACES, OTHER], "sector": SECTORS}, "sales")
    values = table.values + np.random.default_rng(seed).integers(-1, 2, table.size)
    changed = make_additive(values, table.relations)
    assert np.abs(table.relations @ changed).max() < 1e-9
    assert (np.sign(changed) * np.sign(values) >= 0).all()
    assert (changed[values == 0] == 0).all()
    size = np.where(values == 0, 1.0, np.abs(values))
    assert (np.abs(changed - values) / size).sum() <= least_change(values, table.relations.toarray()) + 1e-6


def test_whole_numbers_stay_whole() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"place": rng.choice(PLACES.leaves, 90), "sector": rng.choice(SECTORS.leaves, 90)})
    table = Table.from_records(frame, {"place": PLACES, "sector": SECTORS})
    changed = make_additive(table.values + rng.integers(-1, 2, table.size), table.relations)
    assert np.array_equal(changed, np.rint(changed))
    assert not (table.relations @ changed).any()


def test_cells_that_add_up_stay_as_they_are() -> None:
    frame = pl.DataFrame({"place": ["a", "b", "c"], "sales": [1.5, 2.5, 3.0]})
    table = Table.from_records(frame, {"place": PLACES}, "sales")
    assert np.array_equal(make_additive(table.values, table.relations), table.values)


@given(firms())
def test_totals_are_computed_from_the_finest_cells_up(frame: pl.DataFrame) -> None:
    table = Table.from_records(frame, {"place": [PLACES, OTHER], "sector": SECTORS}, "sales")
    leaves = np.ones(table.size, dtype=np.bool_)
    for place, dimension in enumerate(table.dimensions):
        leaves &= np.isin(table.codes[:, place], dimension.leaves)
    assert np.array_equal(compute_totals(np.where(leaves, table.values, -77.0), table.relations), table.values)
