"""Columns of both files as predictors."""

import numpy as np
import polars as pl

from sfumato.comparison.predictors import main_effects, stacked_predictor
from sfumato.data import Kind, Microdata, Schema, Variable
from tests.matrices import microdata

NAN = float("nan")
WHOLE = slice(0, 4)


def towns(values: list[str | None]) -> Microdata:
    return Microdata(pl.DataFrame({"town": values}), Schema(variables=(Variable(name="town", kind=Kind.NOMINAL),)))


def test_a_continuous_column_is_one_predictor_original_records_first() -> None:
    files = [microdata(np.array([[1.0], [2.0]])), microdata(np.array([[3.0], [4.0]]))]
    assert main_effects([stacked_predictor(files[0], files[1], "v0")], WHOLE).tolist() == [[1.0], [2.0], [3.0], [4.0]]


def test_a_missing_number_is_zero_and_has_an_indicator() -> None:
    files = [microdata(np.array([[1.0], [NAN]])), microdata(np.array([[3.0], [4.0]]))]
    found = main_effects([stacked_predictor(files[0], files[1], "v0")], WHOLE)
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
