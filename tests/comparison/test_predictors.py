"""Columns of both files as predictors."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.comparison.predictors import BLOCK, blocks, independent, main_effects, stacked_predictor
from sfumato.data import Kind, Microdata, Schema, Variable
from tests.matrices import microdata

NAN = float("nan")
WHOLE = slice(0, 4)


def towns(values: list[str | None]) -> Microdata:
    return Microdata(pl.DataFrame({"town": values}), Schema(variables=(Variable(name="town", kind=Kind.NOMINAL),)))


def test_a_continuous_column_is_one_predictor_original_records_first() -> None:
    files = [microdata(np.array([[1.0], [2.0]])), microdata(np.array([[3.0], [4.0]]))]
    assert main_effects([stacked_predictor(*files, "v0")], WHOLE).tolist() == [[1.0], [2.0], [3.0], [4.0]]


def test_a_missing_number_is_zero_and_has_an_indicator() -> None:
    files = [microdata(np.array([[1.0], [NAN]])), microdata(np.array([[3.0], [4.0]]))]
    found = main_effects([stacked_predictor(*files, "v0")], WHOLE)
    assert found.tolist() == [[1.0, 0.0], [0.0, 1.0], [3.0, 0.0], [4.0, 0.0]]


def test_categories_have_an_indicator_each_but_the_commonest_of_the_original() -> None:
    found = main_effects([stacked_predictor(towns(["A", "B", "B"]), towns(["C", None, "B"]), "town")], slice(0, 6))
    # A, C and missing; B is what they are held against
    assert found.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


def test_predictors_stand_side_by_side_with_room_for_more() -> None:
    number = stacked_predictor(microdata(np.array([[5.0], [6.0]])), microdata(np.array([[7.0], [8.0]])), "v0")
    town = stacked_predictor(towns(["A", "A"]), towns(["B", "A"]), "town")
    assert main_effects([number, town], slice(1, 4), more=1).tolist() == [[6, 0, 0, 0], [7, 1, 0, 0], [8, 0, 0, 0]]
    assert main_effects([number.take(np.array([3, 0]))], slice(0, 2)).tolist() == [[8.0], [5.0]]


def test_blocks_cover_every_row_once() -> None:
    rows = [row for run in blocks(2 * BLOCK + 3) for row in range(run.start, run.stop)]
    assert rows == list(range(2 * BLOCK + 3))


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_keeps_as_many_predictors_as_the_rank_and_those_give_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(40, 4))
    mixed = np.column_stack([base, base @ rng.integers(-2, 3, size=(4, 3)), np.zeros(40)])[:, rng.permutation(8)]
    kept = independent(mixed.T @ mixed)
    assert len(kept) == np.linalg.matrix_rank(mixed) == 4
    solution = np.linalg.lstsq(mixed[:, kept], mixed, rcond=None)[0]
    assert np.abs(mixed[:, kept] @ solution - mixed).max() < 1e-6


def test_of_dependent_predictors_the_last_is_left_out_whatever_the_units() -> None:
    parts = np.random.default_rng(0).normal(size=(50, 2)) * [1e-6, 1e6]
    table = np.column_stack([parts, parts @ [1e12, 1.0]])
    assert independent(table.T @ table) == [0, 1]
