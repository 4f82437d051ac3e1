import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.errors import DataError, ParameterError
from sfumato.masking import SequentialSynthesis
from sfumato.recipe import Recipe


def people(n: int = 3000) -> Microdata:
    rng = np.random.default_rng(1)
    group = rng.choice(["a", "b", "c"], n)
    x = rng.normal(size=n) + 2 * (group == "b")
    y = 100 * np.exp(0.5 * x + 0.3 * rng.normal(size=n))
    y[rng.random(n) < 0.2] = 0.0
    kind = np.where(rng.random(n) < 1 / (1 + np.exp(-x)), "high", "low")
    return Microdata(pl.DataFrame({"group": group, "x": x, "y": y, "kind": kind}))


def synthetic(**models: object) -> Microdata:
    return SequentialSynthesis(columns=people().schema.names, models=models).mask(people(), np.random.default_rng(2))


@pytest.mark.parametrize("model", ["tree", "forest", "linear", "pmm"])
def test_every_model_of_numbers_keeps_the_relation_and_the_zeros(model: str) -> None:
    original, masked = people(), synthetic(y=model)
    rank_correlations = []
    for file in (original, masked):
        y, x = file.values("y"), file.values("x")
        assert np.mean(y == 0) == pytest.approx(0.2, abs=0.04)
        ranks = [np.argsort(np.argsort(values[y > 0])) for values in (x, y)]
        rank_correlations.append(np.corrcoef(ranks[0], ranks[1])[0, 1])
    assert rank_correlations[1] == pytest.approx(rank_correlations[0], abs=0.12)


@pytest.mark.parametrize("model", ["tree", "forest", "linear", "pmm", "resample"])
def test_no_model_hands_out_a_number_of_one_record(model: str) -> None:
    values = synthetic(x=model, y=model).values("y")
    assert set(values[np.isin(values, people().values("y"))]) == {0.0}


@pytest.mark.parametrize("model", ["tree", "forest", "logistic"])
def test_every_model_of_categories_keeps_the_relation(model: str) -> None:
    masked = synthetic(kind=model)
    shares = [np.mean(masked.frame["kind"].to_numpy()[side] == "high") for side in (masked.values("x") > 1,)]
    x = people().values("x")
    assert shares[0] == pytest.approx(np.mean(people().frame["kind"].to_numpy()[x > 1] == "high"), abs=0.08)


def test_a_resampled_column_is_unrelated_to_the_others() -> None:
    masked = synthetic(y="resample")
    assert abs(np.corrcoef(masked.values("x"), masked.values("y"))[0, 1]) < 5 / np.sqrt(3000)


def test_a_logistic_model_draws_missing_as_a_category() -> None:
    method = SequentialSynthesis(columns=("age", "education", "occupation"), models={"education": "logistic"})
    masked = method.mask(demo(3000), np.random.default_rng(3)).frame
    assert masked["education"].null_count() == pytest.approx(demo(3000).frame["education"].null_count(), abs=60)


def test_models_stand_in_recipes() -> None:
    models = {"x": "linear", "y": {"forest": {"trees": 5}}, "z": {"formula": {"expression": "x + 2 * y"}}}
    recipe = Recipe(steps=[SequentialSynthesis(columns=("x", "y", "z"), models=models)], seed=1)
    assert "forest: {trees: 5}" in recipe.to_yaml()
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ({"age": "logistic"}, "'age' is continuous, but logistic takes nominal or ordinal columns"),
        ({"tax": "tree"}, "'tax' is not among the columns"),
        ({"age": {"formula": {"expression": "tax + 1"}}}, "the formula of 'age' needs 'tax'"),
    ],
)
def test_refuses_models_that_do_not_fit_the_file(models: dict[str, object], said: str) -> None:
    with pytest.raises(DataError, match=said):
        SequentialSynthesis(columns=("age", "sex"), models=models).mask(demo(200), np.random.default_rng(0))


@pytest.mark.parametrize("models", [{"x": "lineer"}, {"x": {"formula": {"expression": "import os"}}}, {"x": 3}, {}])
def test_refuses_what_is_no_model(models: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        SequentialSynthesis(columns=("x",), models=models)


def test_the_names_of_synthpop_are_told_as_what_they_are_here() -> None:
    with pytest.raises(ParameterError, match="synthpop's normrank is linear here"):
        SequentialSynthesis(columns=("x",), models={"x": "normrank"})


def test_a_normal_model_keeps_coefficients_and_residuals() -> None:
    rng = np.random.default_rng(6)
    x = rng.uniform(size=4000)
    data = Microdata(pl.DataFrame({"x": x, "y": np.round(3 + 2 * x + 0.5 * rng.normal(size=4000), 2)}))
    masked = SequentialSynthesis(columns=("x", "y"), models={"y": "normal"}).mask(data, np.random.default_rng(7))
    slope, constant = np.polyfit(masked.values("x"), masked.values("y"), 1)
    error = 0.5 / np.sqrt(4000 / 12)
    assert (slope, constant) == pytest.approx((2, 3), abs=5 * np.sqrt(2) * error)
    assert np.std(masked.values("y") - constant - slope * masked.values("x")) == pytest.approx(0.5, rel=0.06)
    assert np.array_equal(np.round(masked.values("y"), 2), masked.values("y"))


def test_a_normal_model_of_few_records_is_a_tree_so_that_it_fits_nobody() -> None:
    frame = {f"x{i}": np.random.default_rng(i).normal(size=40) for i in range(5)}
    data = Microdata(pl.DataFrame({**frame, "y": sum(frame.values())}))
    given = tuple(frame)
    masked = SequentialSynthesis(columns=("y",), given=given, models={"y": "normal"}).mask(
        data, np.random.default_rng(1)
    )
    assert not np.isclose(masked.values("y"), data.values("y"), rtol=1e-6).any()
