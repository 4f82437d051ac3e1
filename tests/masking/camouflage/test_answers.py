"""Answers about a camouflaged column, held against all mixtures that can be the best ones, and against a search."""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import Camouflage
from sfumato.masking.camouflage._answers import CamouflagedAnswers, Interval
from sfumato.masking.camouflage._hull_optimisation import highest_median
from sfumato.masking.camouflage._hulls import camouflage_intervals
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

ALL = np.arange(5)
INCOMES = np.array([0.0, 10.0, 25.0, -4.0, 9.0])
OTHER = np.array([1.0, 3.0, 2.0, -1.0, 4.0])

seeds = given(seed=st.integers(0, 999), half_width=st.sampled_from([1.0, 15.0, 60.0]))


def answers(seed: int, half_width: float, records: int = 5) -> CamouflagedAnswers:
    column = INCOMES[:records]
    return CamouflagedAnswers("income", camouflage_intervals(column, 3, half_width, np.random.default_rng(seed)))


def corners_of_all_pieces(vectors: FloatMatrix) -> FloatMatrix:
    """Return the mixtures of 3 vectors at which two records and two others are equal, or at an edge, and its ends.

    Smallest values, largest values and medians are linear between them, so that their extremes are among these.
    """
    lines = [first - second for first, second in combinations(vectors.T, 2)]
    lines += list(np.eye(3))  # where a share is 0
    found = [*np.eye(3)]
    for first, second in combinations(lines, 2):
        system = np.stack([first, second, np.ones(3)])
        if abs(np.linalg.det(system)) > 1e-9:
            shares = np.linalg.solve(system, [0.0, 0.0, 1.0])
            if shares.min() >= -1e-9:
                found.append(shares)
    return np.array(found) @ vectors


@settings(max_examples=8)
@seeds
@pytest.mark.parametrize(
    ("query", "figure"),
    [
        (CamouflagedAnswers.minimum, np.min),
        (CamouflagedAnswers.maximum, np.max),
        (CamouflagedAnswers.median, np.median),
    ],
)
@pytest.mark.parametrize("records", [4, 5])
def test_smallest_and_largest_values_and_medians_are_the_extremes_over_all_mixtures(
    query: Callable[..., Interval], figure: Callable[..., FloatColumn], records: int, seed: int, half_width: float
) -> None:
    hidden = answers(seed, half_width, records)
    values = figure(corners_of_all_pieces(hidden.vectors), axis=1)
    found = query(hidden, np.arange(records))
    assert found.low <= values.min()
    assert values.max() <= found.high
    assert found == pytest.approx((values.min(), values.max()), abs=1e-4 * half_width + 1e-3)  # where a search gave up
    assert found.low < figure(INCOMES[:records]) < found.high


def searched(figure: Callable[[FloatColumn], float], vectors: FloatMatrix) -> tuple[float, float]:
    """Return the least and the most of a figure over mixtures of 3 vectors, by a grid and a search from its best."""
    grid = [np.array([a, b, 20 - a - b]) / 20 for a, b in product(range(21), repeat=2) if a + b <= 20]

    def least(figure: Callable[[FloatColumn], float]) -> float:
        start = min(grid, key=lambda shares: figure(shares @ vectors))
        found = minimize(
            lambda shares: figure(shares @ vectors),
            start,
            bounds=[(0, 1)] * 3,
            constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
            options={"ftol": 1e-13, "maxiter": 200},
        )
        return float(min(found.fun, figure(start @ vectors)))

    return least(figure), -least(lambda column: -figure(column))


def slope_on(column: FloatColumn) -> float:
    return float(np.cov(column, OTHER)[0, 1] / column.var(ddof=1))


@settings(max_examples=8)
@seeds
def test_variances_are_the_extremes_that_a_search_finds(seed: int, half_width: float) -> None:
    hidden = answers(seed, half_width)
    low, high = searched(lambda column: float(column.var(ddof=1)), hidden.vectors)
    found = hidden.variance(ALL)
    assert found == pytest.approx((low, high), rel=1e-4, abs=1e-3)
    assert found.low <= INCOMES.var(ddof=1) <= found.high


@settings(max_examples=8)
@given(seed=st.integers(0, 999), half_width=st.sampled_from([1.0, 4.0]), sign=st.sampled_from([1, -1]))
def test_slopes_on_the_column_are_the_extremes_that_a_search_finds(seed: int, half_width: float, sign: int) -> None:
    hidden = answers(seed, half_width)
    low, high = sorted(sign * end for end in searched(slope_on, hidden.vectors))
    found = hidden.slope(sign * OTHER, ALL)
    assert found == pytest.approx((low, high), rel=1e-4, abs=1e-5)
    assert found.low <= sign * slope_on(INCOMES) <= found.high


def test_a_regression_of_the_column_holds_the_exact_coefficients() -> None:
    hidden = answers(3, 15.0)
    explanatory = np.column_stack([OTHER, OTHER**2])
    design = np.column_stack([np.ones(5), explanatory])
    exact = np.linalg.lstsq(design, INCOMES, rcond=None)[0]
    found = hidden.regression(explanatory, ALL)
    mixtures = np.random.default_rng(0).dirichlet([0.3] * 3, 4000) @ hidden.vectors
    drawn = np.linalg.lstsq(design, mixtures.T, rcond=None)[0]
    for place, interval in enumerate(found):
        assert interval.low <= min(exact[place], drawn[place].min())
        assert max(exact[place], drawn[place].max()) <= interval.high
        assert np.ptp(interval) == pytest.approx(np.ptp(drawn[place]), rel=0.05)


def test_a_slope_of_one_column_is_the_regression_on_it() -> None:
    hidden = answers(8, 15.0)
    weights = (OTHER - OTHER.mean()) / ((OTHER - OTHER.mean()) ** 2).sum()
    assert hidden.regression(OTHER[:, None], ALL)[1] == pytest.approx(hidden.linear(weights))


def test_a_row_that_is_given_twice_counts_once() -> None:
    hidden = answers(1, 15.0)
    assert hidden.median(np.array([0, 0, 1, 4])) == hidden.median(np.array([4, 1, 0]))


def test_a_median_of_many_records_is_found_and_lies_within_the_medians_of_the_ends() -> None:
    column = np.random.default_rng(0).lognormal(3, 1, 301)
    vectors = camouflage_intervals(column, 3, 10.0, np.random.default_rng(1))
    found = CamouflagedAnswers("income", vectors).median(np.arange(301))
    drawn = np.median(np.random.default_rng(2).dirichlet([0.5] * 3, 2000) @ vectors, axis=1)
    assert np.median(vectors.min(axis=0)) < found.low <= drawn.min()
    assert drawn.max() <= found.high < np.median(vectors.max(axis=0))
    assert np.ptp(found) < 1.05 * np.ptp(drawn)


@pytest.mark.parametrize("query", [CamouflagedAnswers.median, CamouflagedAnswers.minimum, CamouflagedAnswers.maximum])
def test_answers_are_as_narrow_for_values_that_are_far_from_0(query: Callable[..., Interval]) -> None:
    near = answers(3, 15.0)
    far = CamouflagedAnswers("income", near.vectors + 1e9)
    assert np.array(query(far, ALL)) - 1e9 == pytest.approx(query(near, ALL), abs=1e-4)


def test_a_median_over_many_vectors_is_bounded_from_outside() -> None:
    vectors = camouflage_intervals(INCOMES, 40, 15.0, np.random.default_rng(1))
    drawn = np.median(np.random.default_rng(2).dirichlet([0.05] * 40, 2000) @ vectors, axis=1)
    assert drawn.max() <= highest_median(vectors) <= np.median(vectors.max(axis=0))


def test_the_answers_of_a_file_hold_what_is_exact_about_it() -> None:
    rng = np.random.default_rng(5)
    data = Microdata(pl.DataFrame({"income": rng.lognormal(3, 1, 60)}))
    hidden = Camouflage(columns=("income",), vectors=5).answers(data, rng)["income"]
    column, rows = data.values("income"), np.arange(0, 60, 2)
    for interval, exact in (
        (hidden.minimum(rows), column[rows].min()),
        (hidden.maximum(rows), column[rows].max()),
        (hidden.variance(rows), column[rows].var(ddof=1)),
        (hidden.median(rows), np.median(column[rows])),
    ):
        assert interval.low < exact < interval.high


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (lambda hidden: hidden.variance(np.array([2])), "must be about at least 2 records; got 1"),
        (lambda hidden: hidden.slope(np.ones(3), ALL), "needs a number for each of the 5 records in the other columns"),
        (lambda hidden: hidden.regression(np.ones((5, 1)), ALL), "that vary and do not determine each other"),
        (lambda hidden: hidden.slope(OTHER, np.array([0, 4])), "can be anything, as its values may all be equal"),
    ],
)
def test_refuses_queries_without_an_answer(query: Callable[[CamouflagedAnswers], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        query(answers(0, 60.0))


@pytest.mark.parametrize("rows", [[-1], [9999], [0.5], [[0], [1]], [True, False], 1, None])
def test_refuses_rows_that_the_file_does_not_have(rows: object) -> None:
    answers = CamouflagedAnswers("pay", np.array([[3.0, 5.0, 9.0], [1.0, 3.0, 7.0]]))
    for query in (answers.sum, answers.mean, answers.minimum, answers.median, answers.variance):
        with pytest.raises(DataError, match="must give rows from 0 to 2 as a list of whole numbers, or true or false"):
            query(rows)  # type: ignore[arg-type]


def test_records_may_be_told_by_true_and_false_and_one_column_needs_no_matrix() -> None:
    answers = CamouflagedAnswers("pay", np.array([[3.0, 5.0, 9.0], [1.0, 3.0, 7.0]]))
    assert answers.sum(np.array([True, False, True])) == answers.sum(np.array([0, 2]))
    age = np.array([20.0, 30.0, 50.0])
    assert answers.regression(age, np.arange(3)) == answers.regression(age[:, None], np.arange(3))
