from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sfumato.data import Kind, Microdata, Schema, Variable, categorical
from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.execution import run_step
from sfumato.masking.randomisation.invariant_pram import InvariantPram
from sfumato.masking.randomisation.pram import Pram, corrected_counts, equal_matrix, randomise
from sfumato.recipe import Recipe

SEX = {"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.2, "m": 0.8}}


def people(n: int = 4000) -> Microdata:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], n), "size": rng.integers(1, 5, n)})
    variables = (Variable(name="sex", kind=Kind.NOMINAL), Variable(name="size", kind=Kind.ORDINAL))
    return Microdata(frame, Schema(variables=variables))


def run(method: Pram, data: Microdata, seed: int = 7) -> pl.DataFrame:
    after: pl.DataFrame = run_step(method, data, seed=seed, step=0).frame
    return after


@given(seed=st.integers(0, 99), k=st.integers(2, 6))
def test_categories_turn_into_others_with_the_probabilities_of_the_matrix(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(k), k)
    codes = np.repeat(np.arange(k), 2000)
    after = randomise(codes, matrix, np.random.default_rng(seed + 1))
    for code, row in enumerate(matrix):
        counts = np.bincount(after[codes == code], minlength=k)
        assert chisquare(counts, 2000 * row).pvalue > 1e-6


def test_what_has_probability_zero_never_happens() -> None:
    matrix = np.array([[0.0, 0.1 + 0.2, 0.7, 0.0], [0, 0, 1, 0], [0.5, 0, 0, 0.5], [0, 0, 0, 1]])
    codes = np.repeat(np.arange(4), 5000)
    after = randomise(codes, matrix, np.random.default_rng(0))
    assert (matrix[codes, after] > 0).all()


@given(stay=st.floats(0, 0.999), k=st.integers(2, 8), absent=st.integers(0, 3))
def test_one_probability_makes_a_markov_matrix_over_the_categories_that_occur(stay: float, k: int, absent: int) -> None:
    matrix = equal_matrix(np.r_[np.ones(k, dtype=bool), np.zeros(absent, dtype=bool)], stay)
    assert np.allclose(matrix.sum(axis=1), 1)
    assert np.allclose(np.diag(matrix), np.r_[np.full(k, stay), np.ones(absent)])
    assert not matrix[:k, k:].any()


def test_a_matrix_serves_its_column_and_stay_the_others() -> None:
    data = people(40_000)
    masked = run(Pram(columns=("sex", "size"), stay=70, matrices={"sex": SEX}), data)
    kept = (masked["sex"] == data.frame["sex"]).to_numpy()
    is_woman = (data.frame["sex"] == "f").to_numpy()
    error = 5 * 0.5 / np.sqrt(15_000)  # five standard errors of a share of at least 15 000 records
    assert abs(kept[is_woman].mean() - 0.9) < error
    assert abs(kept[~is_woman].mean() - 0.8) < error
    assert abs((masked["size"] == data.frame["size"]).mean() - 0.7) < error


def test_corrected_counts_undo_the_expected_change() -> None:
    matrix = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
    counts = np.array([600.0, 300.0, 100.0])
    assert np.allclose(corrected_counts(counts @ matrix, matrix), counts)


def test_corrected_counts_are_unbiased() -> None:
    data = people(2000)
    method = Pram(columns=("size",), stay=60)
    matrix = method.matrix(data, "size")
    tallies = [np.bincount(run(method, data, seed)["size"].to_numpy() - 1, minlength=4) for seed in range(100)]
    estimates = np.array([corrected_counts(tally.astype(float), matrix) for tally in tallies])
    error = estimates.std(axis=0) / np.sqrt(100)
    assert (np.abs(estimates.mean(axis=0) - list(data.summary.counts("size").values())) < 5 * error).all()


@pytest.mark.parametrize(
    ("masked", "matrix", "message"),
    [
        ([1, 2], np.full((2, 2), 0.5), "matrix is singular"),
        ([1, -2], np.eye(2), "none of them negative or missing; got a negative or missing one"),
        ([1, np.nan], np.eye(2), "none of them negative or missing"),
        (np.eye(2), np.eye(2), "one row of counts.*got 2 dimensions"),
        (["a", "b"], np.eye(2), "masked must be numbers; got a list of others"),
        ([1, 2], [0.5, 0.5], "a row of probabilities"),
        ([1, 2], 2 * np.eye(2), "probabilities that add up to 1"),
        ([1, 2], [[np.nan, 1], [0, 1]], "probabilities that add up to 1"),
        ([1, 2, 3], np.eye(2), "each of the 2 columns of the matrix.*got 3: the matrix is of another column"),
        ([1], np.eye(2), "each of the 2 columns of the matrix.*got 1"),
    ],
)
def test_counts_that_do_not_fit_the_matrix_are_refused(masked: Any, matrix: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        corrected_counts(masked, matrix)


def test_a_column_that_is_not_masked_has_no_matrix() -> None:
    for method in (Pram(columns=("size",), stay=60), InvariantPram(columns=("size",))):
        with pytest.raises(UnknownColumnError, match=r"matrix: 'sex' is not masked, .* masked are size"):
            method.matrix(people(10), "sex")


def test_a_category_that_only_the_schema_lists_can_be_a_target() -> None:
    variable = Variable(name="sex", kind=Kind.NOMINAL, categories=("f", "m", "unknown"))
    data = Microdata(pl.DataFrame({"sex": ["f", "m"] * 50}), Schema(variables=(variable,)))
    hidden = {"f": {"unknown": 1.0}, "m": {"m": 1.0}}
    assert run(Pram(columns=("sex",), matrices={"sex": hidden}), data)["sex"].to_list() == ["unknown", "m"] * 50


def test_numbered_categories_survive_a_recipe() -> None:
    matrix = {1: {1: 0.5, 2: 0.5}, 2: {2: 1.0}, 3: {3: 1.0}, 4: {4: 0.25, 1: 0.75}}
    recipe = Recipe(steps=[Pram(columns=("size",), matrices={"size": matrix})], seed=1)
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe
    assert recipe.run(people()).frame["size"].value_counts().height == 4


def test_a_rule_for_columns_is_served_once_it_is_named() -> None:
    method = Pram(columns=categorical, matrices={"sex": SEX})
    with pytest.raises(ParameterError, match=r"^Pram.stay must be given for columns without a matrix: size$"):
        method.mask(people(), np.random.default_rng(0))


@pytest.mark.parametrize("stay", [-10, 100])
def test_refuses_a_percentage_out_of_range(stay: float) -> None:
    with pytest.raises(ParameterError, match=r"^Pram.stay must be in \[0, 100\); got"):
        Pram(columns=("sex",), stay=stay)


def test_refuses_a_row_that_does_not_add_up_to_one() -> None:
    with pytest.raises(
        ParameterError, match=r"^Pram.matrices must have rows that add up to 1; the row 'f' of 'sex' adds"
    ):
        Pram(columns=("sex",), matrices={"sex": {**SEX, "f": {"f": 0.5, "m": 0.4}}})


def test_refuses_a_negative_probability() -> None:
    with pytest.raises(ParameterError, match=r"Pram.matrices.sex.f.m must be greater than or equal to 0; got -0.5"):
        Pram(columns=("sex",), matrices={"sex": {**SEX, "f": {"f": 1.5, "m": -0.5}}})


def test_refuses_a_matrix_of_a_column_that_is_not_masked() -> None:
    with pytest.raises(
        ParameterError, match=r"^Pram.matrices must be of columns that are masked; got sex beside them$"
    ):
        Pram(columns=("size",), stay=50, matrices={"sex": SEX})


def test_needs_a_probability_or_a_matrix() -> None:
    with pytest.raises(ParameterError, match=r"^Pram.stay must be given for columns without a matrix: size$"):
        Pram(columns=("sex", "size"), matrices={"sex": SEX})


def test_refuses_a_matrix_without_a_row_for_each_category_and_names_none() -> None:
    with pytest.raises(DataError, match=r"^Pram.matrices: 'sex' has 1 category without a row in its matrix; add a row"):
        run(Pram(columns=("sex",), matrices={"sex": {"f": {"f": 1.0}}}), people())


def test_refuses_a_category_that_the_column_does_not_have() -> None:
    with pytest.raises(DataError, match=r"^Pram.matrices: 'sex' has no category x; list it in the 'categories'"):
        run(Pram(columns=("sex",), matrices={"sex": {**SEX, "f": {"x": 1.0}}}), people())


def test_refuses_a_column_of_one_category() -> None:
    data = Microdata(pl.DataFrame({"sex": ["f", "f"]}))
    with pytest.raises(DataError, match=r"^Pram.columns: 'sex' has a single category, which could only stay as it is"):
        run(Pram(columns=("sex",), stay=50), data)


def test_refuses_a_continuous_column() -> None:
    data = Microdata(pl.DataFrame({"income": [1.5, 2.5, 3.25]}))
    with pytest.raises(KindError, match=r"^Pram.columns: 'income' is continuous; expected nominal or ordinal columns"):
        run(Pram(columns=("income",), stay=50), data)
