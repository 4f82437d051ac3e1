"""Function loss: each analysis against a plain computation, and the divergences by hand."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.loss import FunctionLoss, register_analysis
from sfumato.loss.analyses._functions import ANALYSES
from sfumato.loss.analyses.function_loss import Divergence, diverge
from tests.matrices import microdata, names_of

RNG = np.random.default_rng(1)
MATRIX = RNG.normal(10, 2, size=(80, 3)) @ np.array([[1, 0.4, 0.1], [0, 1, 0.5], [0, 0, 1]])
DATA, NAMES = microdata(MATRIX), names_of(MATRIX)


def test_divergences_by_hand() -> None:
    before, after = np.array([2.0, -4.0, 0.0]), np.array([3.0, -3.0, 0.0])
    assert diverge(before, after, Divergence.MEAN_VARIATION, 1) == pytest.approx((0.5 + 0.25) / 2)
    assert diverge(before, after, Divergence.MEAN_ABSOLUTE, 1) == pytest.approx(2 / 6)
    assert diverge(before, after, Divergence.ROOT_MEAN_SQUARE, 1) == pytest.approx(np.sqrt(2 / 20))
    assert diverge(before, after, Divergence.SYMMETRIC_VARIATION, 1) == pytest.approx((1 / 2.5 + 1 / 3.5) / 2)
    assert diverge(before, after, Divergence.MEAN_VARIATION, 3) == pytest.approx((3 * 0.5 + 0.25) / 4)
    assert diverge(np.zeros(2), np.array([0.0, 5.0]), Divergence.MEAN_ABSOLUTE, 1) == 0.5


def test_a_result_that_is_nearly_nothing_beside_the_other_counts_as_nothing() -> None:
    assert diverge(np.array([5e-324, 2.0]), np.array([1.0, 1.0]), Divergence.MEAN_VARIATION, 1) == 0.75


@pytest.mark.parametrize("divergence", Divergence)
def test_a_divergence_is_zero_only_for_equal_results_and_costs_more_for_what_grew(divergence: Divergence) -> None:
    results = RNG.normal(size=6)
    assert diverge(results, results, divergence, 5) == 0
    assert diverge(results, results + 0.1, divergence, 1) > 0
    mixed = np.array([1.5, 0.9, 1.0])  # what grew has moved further
    assert diverge(np.ones(3), mixed, divergence, 2) > diverge(np.ones(3), mixed, divergence, 1)
    assert diverge(np.ones(3), np.full(3, 1.25), divergence, 9) == diverge(np.ones(3), np.full(3, 1.25), divergence, 1)


def test_only_the_symmetric_variation_is_the_same_with_the_files_exchanged() -> None:
    one, other = np.array([10.0, 20.0, 0.0, 3.0]), np.array([20.0, 20.0, 1.0, 0.0])
    for divergence in Divergence:
        there, back = diverge(one, other, divergence, 1), diverge(other, one, divergence, 1)
        assert (there == pytest.approx(back)) == (divergence is Divergence.SYMMETRIC_VARIATION)
    assert diverge(one, other, Divergence.SYMMETRIC_VARIATION, 1) == pytest.approx((10 / 15 + 0 + 2 + 2) / 4)


def test_clusters_are_known_by_their_sizes_and_centres_in_any_order_of_records() -> None:
    middles = np.array([[0.0, 5.0], [10.0, 5.0], [20.0, 0.0], [30.0, 9.0], [40.0, 5.0]])
    of = np.repeat(np.arange(5), [10, 20, 30, 15, 25])
    matrix = middles[of] + RNG.normal(0, 0.1, (100, 2))
    found = ANALYSES["clusters"](microdata(matrix), ("v0", "v1"))
    assert [found[f"size of cluster {number}"] for number in range(1, 6)] == [10, 20, 30, 15, 25]
    for number in range(5):
        centre = [found[f"{name} of cluster {number + 1}"] for name in ("v0", "v1")]
        assert centre == pytest.approx(matrix[of == number].mean(axis=0))
    assert ANALYSES["clusters"](microdata(matrix[RNG.permutation(100)]), ("v0", "v1")) == pytest.approx(found)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ([1, 2], "must return numbers by name; got a list"),
        ({}, "must return numbers by name; got none"),
        ({"x": float("nan")}, "must return finite numbers for the original; 'x' is nan"),
        ({"x": float("inf")}, "must return finite numbers for the original; 'x' is inf"),
        ({"x": "high"}, "must return numbers by name; 'x' is a str"),
    ],
)
def test_refuses_results_that_are_no_finite_numbers_by_name(result: Any, message: str) -> None:
    register_analysis("odd", lambda data, names: result)
    try:
        with pytest.raises(DataError, match=f"^FunctionLoss.analysis: 'odd' {message}$"):
            FunctionLoss(columns=NAMES, analysis="odd").measure(DATA, DATA)
    finally:
        del ANALYSES["odd"]


@pytest.mark.parametrize("gone", [float("nan"), float("inf")])
def test_a_result_that_the_masked_file_no_longer_gives_is_wholly_lost(gone: float) -> None:
    register_analysis("odd", lambda data, names: {"x": 2.0, "y": 3.0 if data is DATA else gone})
    try:
        assert FunctionLoss(columns=NAMES, analysis="odd").measure(DATA, microdata(2 * MATRIX)).value == 50
    finally:
        del ANALYSES["odd"]


@pytest.mark.parametrize("analysis", ["variances", "covariances", "correlations", "slopes"])
def test_a_constant_column_has_nothing_to_lose(analysis: str) -> None:
    before = np.column_stack([np.full(60, 3.1), MATRIX[:60, :2]])
    after = before + np.array([0.0, 1.0, 1.0]) * np.random.default_rng(2).normal(size=(60, 3))
    files = [microdata(matrix) for matrix in (before, after)]
    found = [
        FunctionLoss(columns=names, analysis=analysis).measure(*files) for names in (("v0", "v1", "v2"), ("v1", "v2"))
    ]
    assert found[0].value == pytest.approx(found[1].value)


def test_refuses_a_variance_of_one_value() -> None:
    some, one = (Microdata(pl.DataFrame({"a": values})) for values in ([1.0, 2.0, 3.0], [None, None, 4.0]))
    with pytest.raises(DataError, match=r"^FunctionLoss.columns: 'a' needs at least 2 values in each file for a varia"):
        FunctionLoss(columns=("a",), analysis="variances").measure(some, one)


def test_analyses_are_those_of_numpy() -> None:
    assert list(ANALYSES["means"](DATA, NAMES).values()) == pytest.approx(MATRIX.mean(axis=0))
    assert list(ANALYSES["variances"](DATA, NAMES).values()) == pytest.approx(MATRIX.var(axis=0, ddof=1))
    upper = np.triu_indices(3, 1)
    assert list(ANALYSES["covariances"](DATA, NAMES).values()) == pytest.approx(np.cov(MATRIX.T)[upper])
    assert list(ANALYSES["correlations"](DATA, NAMES).values()) == pytest.approx(np.corrcoef(MATRIX.T)[upper])
    design = np.column_stack([np.ones(80), MATRIX[:, :2]])
    slopes = np.linalg.solve(design.T @ design, design.T @ MATRIX[:, 2])[1:]
    assert list(ANALYSES["slopes"](DATA, NAMES).values()) == pytest.approx(slopes)
    assert ANALYSES["quantiles"](DATA, NAMES[:1])["v0 50 %"] == pytest.approx(np.median(MATRIX[:, 0]))


def test_counts_are_of_combinations_and_one_that_is_new_counts_fully() -> None:
    original = Microdata(pl.DataFrame({"a": ["x", "x", "y", None], "b": ["1", "1", "2", "2"]}))
    masked = Microdata(pl.DataFrame({"a": ["x", "y", "y", None], "b": ["1", "1", "2", "2"]}))
    found = FunctionLoss(columns=("a", "b"), analysis="counts").measure(original, masked)
    assert found.value == pytest.approx(100 * (0.5 + 1 + 0 + 0) / 4)  # x 1: 2 to 1; y 1: none to 1; y 2; missing 2
    assert found.parts["FLlargest"] == 100


def test_files_of_other_records_can_be_compared() -> None:
    doubled = microdata(np.vstack([MATRIX, MATRIX]), list(range(160)))
    assert FunctionLoss(columns=NAMES, analysis="means").measure(DATA, doubled).value == pytest.approx(0, abs=1e-9)


def test_an_analysis_of_ones_own_is_known_by_its_name() -> None:
    register_analysis("largest", lambda data, names: {name: float(np.nanmax(data.values(name))) for name in names})
    try:
        found = FunctionLoss(columns=NAMES, analysis="largest").measure(DATA, microdata(2 * MATRIX))
        assert found.value == pytest.approx(100)
        with pytest.raises(DataError, match="there is an analysis called 'largest' already"):
            register_analysis("largest", ANALYSES["means"])
    finally:
        del ANALYSES["largest"]


def test_refuses_unknown_analyses_and_unfitting_columns() -> None:
    with pytest.raises(ParameterError, match=r"must be one of means, .*; got 'mean'.*did you mean 'means'"):
        FunctionLoss(columns=NAMES, analysis="mean")
    words = Microdata(pl.DataFrame({"a": ["x", "y"] * 9}))
    with pytest.raises(DataError, match="'a' is nominal; quantiles are of continuous columns"):
        FunctionLoss(columns=("a",), analysis="quantiles").measure(words, words)
    with pytest.raises(DataError, match="'v0' is continuous; counts are of categories"):
        FunctionLoss(columns=NAMES, analysis="counts").measure(DATA, DATA)
    with pytest.raises(DataError, match="slopes need at least 2 columns; got 1"):
        FunctionLoss(columns=NAMES[:1], analysis="slopes").measure(DATA, DATA)
