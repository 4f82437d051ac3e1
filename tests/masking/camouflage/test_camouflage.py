from itertools import chain, combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking.camouflage._answers import CamouflagedAnswers
from sfumato.masking.camouflage._hulls import camouflage_intervals
from sfumato.masking.camouflage.camouflage import Camouflage

INCOMES = np.array([0.0, 10.0, 250.0, -40.0, 90.0, 90.0])


def hull(seed: int, vectors: int = 4, half_width: float = 15.0) -> np.ndarray:
    return camouflage_intervals(INCOMES, vectors, half_width, np.random.default_rng(seed))


@given(seed=st.integers(0, 999), vectors=st.integers(3, 8))
def test_the_column_is_a_mixture_of_the_vectors(seed: int, vectors: int) -> None:
    spanned = hull(seed, vectors)
    found = linprog(np.zeros(vectors), A_eq=np.vstack([spanned.T, np.ones(vectors)]), b_eq=[*INCOMES, 1], bounds=(0, 1))
    assert found.status == 0


@given(seed=st.integers(0, 999), vectors=st.integers(3, 8))
def test_the_answer_about_every_set_of_records_holds_the_exact_one_strictly_inside(seed: int, vectors: int) -> None:
    answers = CamouflagedAnswers("income", hull(seed, vectors))
    for rows in chain.from_iterable(combinations(range(6), size) for size in range(1, 7)):
        chosen = np.array(rows)
        low, high = answers.sum(chosen)
        assert low < INCOMES[chosen].sum() < high
        low, high = answers.mean(chosen)
        assert low < INCOMES[chosen].mean() < high


@given(seed=st.integers(0, 999), signs=st.lists(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 3.0]), min_size=6, max_size=6))
def test_a_linear_query_is_answered_as_by_optimisation_over_the_hull(seed: int, signs: list[float]) -> None:
    weights, spanned = np.array(signs), hull(seed)
    if not weights.any():
        weights[0] = 1.0
    found = CamouflagedAnswers("income", spanned).linear(weights)
    for end, sign in zip(found, (1, -1), strict=True):
        wanted = linprog(sign * spanned @ weights, A_eq=np.ones((1, 4)), b_eq=[1], bounds=(0, 1))
        assert end == pytest.approx(sign * wanted.fun, abs=1e-6)
    assert found.low - 1e-9 <= weights @ INCOMES <= found.high + 1e-9


@given(seed=st.integers(0, 999), half_width=st.sampled_from([0.01, 1.0, 1e6]))
def test_every_interval_has_the_given_width(seed: int, half_width: float) -> None:
    assert np.allclose(np.ptp(hull(seed, half_width=half_width), axis=0), 2 * half_width)


def test_the_place_of_a_value_in_its_interval_tells_nothing_about_that_of_others() -> None:
    column = np.zeros(5000)
    spanned = camouflage_intervals(column, 3, 1.0, np.random.default_rng(2))
    place = -spanned.min(axis=0) / 2
    assert place.std() > 0.05
    assert abs(np.corrcoef(place[:-1], place[1:])[0, 1]) < 5 / np.sqrt(5000)


def test_the_file_has_the_ends_of_the_intervals_that_the_answers_have() -> None:
    data = Microdata(pl.DataFrame({"id": ["a", "b", "c", "d", "e", "f"], "income": INCOMES}))
    method = Camouflage(columns=("income",), scale=0.2)
    masked = method.mask(data, np.random.default_rng(5)).frame
    assert masked.columns == ["id", "income_low", "income_high"]
    answers = method.answers(data, np.random.default_rng(5))["income"]
    for row in range(6):
        assert answers.sum(np.array([row])) == pytest.approx(masked.row(row)[1:])
    assert np.allclose(masked["income_high"] - masked["income_low"], 2 * 0.2 * INCOMES.std(ddof=1))
    assert (masked["income_low"] < data.frame["income"]).all()
    assert (masked["income_high"] > data.frame["income"]).all()


def test_missing_values_stay_missing_and_cannot_be_asked_for() -> None:
    data = Microdata(pl.DataFrame({"x": [1.0, None, 3.5]}))
    method = Camouflage(columns=("x",))
    assert run_step(method, data, seed=1, step=0).frame["x_low"].is_null().to_list() == [False, True, False]
    answers = method.answers(data, np.random.default_rng(0))["x"]
    with pytest.raises(
        DataError, match=r"^a query about 'x' must be about records that have a value; 1 of them have none$"
    ):
        answers.mean(np.array([0, 1]))


def test_refuses_a_query_about_nobody() -> None:
    with pytest.raises(DataError, match=r"^a query about 'income' must be about at least one record; got none$"):
        CamouflagedAnswers("income", hull(0)).sum(np.array([], dtype=np.int64))


def test_refuses_another_number_of_weights() -> None:
    with pytest.raises(
        DataError,
        match=r"one weight, a number, for each of the 6 records; got an array of shape \(2,\)$",
    ):
        CamouflagedAnswers("income", hull(0)).linear(np.ones(2))


def test_the_vectors_are_never_shown() -> None:
    assert repr(CamouflagedAnswers("income", hull(0))) == "CamouflagedAnswers(column='income')"


def test_refuses_a_constant_column() -> None:
    with pytest.raises(DataError, match=r"^Camouflage.columns: 'x' is constant, so its intervals would have no width$"):
        Camouflage(columns=("x",)).mask(Microdata(pl.DataFrame({"x": [1.5, 1.5]})), np.random.default_rng(0))


def test_refuses_intervals_that_rounding_would_close() -> None:
    data = Microdata(pl.DataFrame({"x": [1e15, 1e15 + 1, 1e15 + 2]}))
    with pytest.raises(
        DataError, match=r"^Camouflage.scale: intervals for 'x' are too narrow to be told from its values"
    ):
        Camouflage(columns=("x",), scale=1e-3).mask(data, np.random.default_rng(0))


def test_refuses_to_replace_a_column_that_has_the_name_of_an_end() -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, 2.5], "x_low": [0.5, 0.25]}))
    with pytest.raises(
        DataError, match=r"'x' needs a new column 'x_low', but the file has one of that name; rename it"
    ):
        Camouflage(columns=("x",)).mask(data, np.random.default_rng(0))


def test_refuses_fewer_than_three_vectors() -> None:
    with pytest.raises(ParameterError, match=r"^Camouflage.vectors must be in \[3, 10000\]; got 2$"):
        Camouflage(columns=("x",), vectors=2)


def test_refuses_intervals_that_hold_a_single_whole_number() -> None:
    kids = np.random.default_rng(1).poisson(0.6, 1000)
    schema = Schema(variables=(Variable(name="kids", kind="continuous"),))
    with pytest.raises(DataError, match="some intervals hold just one of them; choose a larger scale"):
        Camouflage(columns=("kids",)).mask(Microdata(pl.DataFrame({"kids": kids}), schema), np.random.default_rng(0))
