"""Markov matrices that suppress values, and that turn categories into ones which the column did not have."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import chisquare

from sfumato.contracts import Knowledge
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.loss import EntropyLoss, RecordEntropyLoss
from sfumato.masking import Pram, Recoding
from sfumato.masking.randomisation.pram import corrected_counts
from sfumato.recipe import Recipe
from sfumato.risk import LikelihoodLinkage

SUPPRESSING = {"a": {"a": 0.6, None: 0.4}, "b": {"b": 0.9, "a": 0.1}, "c": {"c": 0.5, "b": 0.25, None: 0.25}}
JOINING = {"a": {"a or b": 1.0}, "b": {"a or b": 0.75, "b": 0.25}, "c": {"c": 0.5, "a or b": 0.5}}
MADE = {"town": ("a or b",)}


def towns(n: int = 9000) -> Microdata:
    return Microdata(pl.DataFrame({"town": ["a", "b", "c"] * (n // 3)}))


def run(method: Pram, data: Microdata, seed: int = 3) -> Microdata:
    return run_step(method, data, seed=seed, step=0)


@pytest.mark.parametrize(("matrix", "made"), [(SUPPRESSING, {}), (JOINING, MADE)])
def test_values_turn_into_new_and_missing_ones_with_the_probabilities_of_the_matrix(
    matrix: dict[str, dict[str | None, float]], made: dict[str, tuple[str, ...]]
) -> None:
    data = towns()
    masked = run(Pram(columns=("town",), matrices={"town": matrix}, new_categories=made), data).frame
    both = pl.DataFrame({"before": data.frame["town"], "after": masked["town"]})
    for category, row in matrix.items():
        after = both.filter(pl.col("before") == category)["after"].to_list()
        assert set(after) == set(row)
        counts, expected = [after.count(target) for target in row], [3000 * share for share in row.values()]
        assert counts == expected or chisquare(counts, expected).pvalue > 1e-6


def test_a_matrix_of_ones_recodes() -> None:
    data, becomes = towns(60), {"a": "a or b", "b": "a or b", "c": "c"}
    matrix = {category: {target: 1.0} for category, target in becomes.items()}
    by_matrix = run(Pram(columns=("town",), matrices={"town": matrix}, new_categories=MADE), data)
    by_map = run_step(Recoding(columns=("town",), map=becomes), data, seed=1, step=0)
    assert by_matrix.frame.equals(by_map.frame)


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_numbered_categories_become_missing_and_get_new_numbers(frame: type) -> None:
    schema = Schema(variables=(Variable(name="code", kind=Kind.NOMINAL, missing_codes=(9,)),))
    data = Microdata(frame({"code": [1, 2, 9, 1, 2, 9]}), schema)
    matrix = {1: {12: 1.0}, 2: {None: 1.0}}
    masked = run(Pram(columns=("code",), matrices={"code": matrix}, new_categories={"code": (12,)}), data)
    assert masked.observed("code").tolist() == [True, False, False, True, False, False]
    assert masked.codes("code")[1] == (12,)
    assert masked.table["code"].to_list()[2] == 9


def test_all_new_categories_are_listed_where_the_schema_lists_categories() -> None:
    variable = Variable(name="town", kind=Kind.NOMINAL, categories=("a", "b", "c"))
    data = Microdata(towns(60).frame, Schema(variables=(variable,)))
    masked = run(Pram(columns=("town",), matrices={"town": JOINING}, new_categories=MADE), data)
    assert masked.schema["town"].categories == ("a", "b", "c", "a or b")


def test_a_recipe_keeps_suppression_and_new_categories() -> None:
    both = {**JOINING, "a": {"a or b": 0.5, None: 0.5}}
    recipe = Recipe(steps=[Pram(columns=("town",), matrices={"town": both}, new_categories=MADE)], seed=1)
    again = Recipe.from_yaml(recipe.to_yaml())
    assert again == recipe
    assert again.run(towns(60)).frame.equals(recipe.run(towns(60)).frame)


@pytest.mark.parametrize(("matrix", "made"), [(SUPPRESSING, {}), (JOINING, MADE)])
def test_counts_are_corrected_from_new_and_missing_values_too(
    matrix: dict[str, dict[str | None, float]], made: dict[str, tuple[str, ...]]
) -> None:
    array = Pram(columns=("town",), matrices={"town": matrix}, new_categories=made).matrix(towns(90), "town")
    assert array.shape == (3, 4)
    counts = np.array([600.0, 300.0, 100.0])
    assert corrected_counts(counts @ array, array) == pytest.approx(counts)


def test_the_likelihood_is_that_of_the_matrix_also_where_a_value_is_suppressed() -> None:
    data = towns(6)
    method = Pram(columns=("town",), matrices={"town": SUPPRESSING})
    masked = Microdata(pl.DataFrame({"town": ["a", None, "b", "c", None, "a"]}))
    (coordinate,) = method.likelihood(data, masked, ("town",))
    found = np.exp(coordinate.density.log_density(coordinate.before[:3, None], coordinate.after[None, :]))
    assert found == pytest.approx(
        np.array(
            [
                [0.6, 0.4, 0.0, 0.0, 0.4, 0.6],
                [0.1, 0.0, 0.9, 0.0, 0.0, 0.1],
                [0.0, 0.25, 0.25, 0.5, 0.25, 0.0],
            ]
        )
    )


def test_no_value_comes_from_a_cell_that_was_empty_and_codes_for_missing_stay_themselves() -> None:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL, missing_codes=("?",)),))
    data = Microdata(pl.DataFrame({"town": ["a", "b", "c", None, "?"]}), schema)
    masked = Microdata(pl.DataFrame({"town": ["a", None, "c", None, "?"]}), schema)
    (coordinate,) = Pram(columns=("town",), matrices={"town": SUPPRESSING}).likelihood(data, masked, ("town",))
    found = np.exp(coordinate.density.log_density(coordinate.before[:, None], coordinate.after[None, :]))
    expected = [[0.6, 0.4, 0, 0.4, 0], [0.1, 0, 0, 0, 0], [0, 0.25, 0.5, 0.25, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1]]
    assert found == pytest.approx(np.array(expected))


def test_the_likelihood_knows_new_categories() -> None:
    data, method = towns(3), Pram(columns=("town",), matrices={"town": JOINING}, new_categories=MADE)
    (coordinate,) = method.likelihood(data, Microdata(pl.DataFrame({"town": ["a or b", "c", "b"]})), ("town",))
    found = np.exp(coordinate.density.log_density(coordinate.before[:, None], coordinate.after[None, :]))
    assert found == pytest.approx(np.array([[1, 0, 0], [0.75, 0, 0.25], [0.5, 0.5, 0]]))


def test_an_intruder_links_by_suppression_that_depends_on_the_category() -> None:
    rng = np.random.default_rng(0)
    data = Microdata(pl.DataFrame({f"v{place}": rng.choice(["a", "b", "c"], 80) for place in range(6)}))
    names = data.schema.names
    method = Pram(columns=names, matrices={name: {**SUPPRESSING, "b": {"b": 1.0}} for name in names})
    masked = run(method, data)
    known = LikelihoodLinkage(columns=names).informed_by(Knowledge(steps=(method,)))
    assert known.measure(data, masked).value > 25


@pytest.mark.parametrize("measure", [EntropyLoss, RecordEntropyLoss])
def test_losses_by_the_matrix_know_what_a_missing_value_tells(measure: type[EntropyLoss | RecordEntropyLoss]) -> None:
    matrix = {"a": {"a": 0.5, None: 0.5}, "b": {"b": 1.0}, "c": {"c": 0.5, None: 0.5}}
    data = Microdata(pl.DataFrame({"town": ["a", "b", "c", "b"]}))
    masked = Microdata(pl.DataFrame({"town": ["a", "b", None, "b"]}))
    found = measure(columns=("town",), matrices={"town": matrix}).measure(data, masked)
    # of a missing value one bit is open (a or c), of the others nothing
    assert found.parts[measure.part_symbols[0]] == pytest.approx(1.0)
    with pytest.raises(DataError, match="has suppressed values, which has probability 0 in its matrix"):
        measure(columns=("town",), matrices={"town": {**matrix, "c": {"c": 1.0}}}).measure(data, masked)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"new_categories": {"town": ("a",)}}, "'town' has one of its new categories already"),
        ({"new_categories": {"town": (7,)}}, "the categories of 'town' must be all text or all numbers"),
    ],
)
def test_refuses_new_categories_that_are_none(parameters: dict[str, object], message: str) -> None:
    method = Pram(columns=("town",), matrices={"town": SUPPRESSING}, **parameters)
    with pytest.raises(DataError, match=message):
        method.mask(towns(6), np.random.default_rng(0))


def test_refuses_a_new_category_without_a_place_in_the_order() -> None:
    variable = Variable(name="town", kind=Kind.ORDINAL, categories=("a", "b", "c"))
    data = Microdata(towns(6).frame, Schema(variables=(variable,)))
    with pytest.raises(DataError, match="'town' is ordinal, so that a new category has no place in its order"):
        Pram(columns=("town",), matrices={"town": JOINING}, new_categories=MADE).mask(data, np.random.default_rng(0))


def test_refuses_a_target_that_is_listed_nowhere() -> None:
    with pytest.raises(DataError, match="'town' has no category a or b; list it in the 'categories' of the schema, or"):
        Pram(columns=("town",), matrices={"town": JOINING}).mask(towns(6), np.random.default_rng(0))


def test_refuses_new_categories_of_a_column_without_a_matrix() -> None:
    with pytest.raises(ParameterError, match=r"^Pram.new_categories must be of columns that have a matrix; got town$"):
        Pram(columns=("town",), stay=50, new_categories=MADE)
