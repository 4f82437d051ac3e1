from types import MappingProxyType

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import SequentialSynthesis
from sfumato.recipe import Recipe

RNG = np.random.default_rng(1)
X = RNG.normal(size=600)
DATA = Microdata(pl.DataFrame({"x": X, "y": X + RNG.normal(0, 0.1, 600), "z": X + RNG.normal(0, 0.1, 600)}))
CHOSEN = MappingProxyType({"y": (), "z": ("x",)})


def related(masked: Microdata, first: str, second: str) -> float:
    return abs(float(np.corrcoef(masked.values(first), masked.values(second))[0, 1]))


def synthesis(**predictors: tuple[str, ...]) -> SequentialSynthesis:
    return SequentialSynthesis(columns=("x", "y", "z"), predictors=predictors)


def test_a_column_is_related_to_those_it_is_drawn_from_and_to_no_others() -> None:
    masked = run_step(synthesis(**CHOSEN), DATA, seed=1, step=0)
    assert related(masked, "x", "z") > 0.9
    assert related(masked, "x", "y") < 5 / np.sqrt(600)
    assert related(masked, "y", "z") < 5 / np.sqrt(600)


@pytest.mark.parametrize("model", ["tree", "forest", "linear", "pmm"])
def test_every_model_keeps_to_what_it_is_told(model: str) -> None:
    method = synthesis(z=("y",), y=()).replace(models={"y": model, "z": model})
    masked = run_step(method, DATA, seed=1, step=0)
    assert related(masked, "x", "y") < 5 / np.sqrt(600)
    assert related(masked, "y", "z") > 0.9


def test_naming_all_columns_before_changes_nothing() -> None:
    named, unnamed = (run_step(method, DATA, seed=1, step=0) for method in (synthesis(z=("y", "x")), synthesis()))
    assert named.frame.equals(unnamed.frame)


def test_predictors_are_written_into_recipes_by_column() -> None:
    recipe = Recipe(steps=[synthesis(**CHOSEN)])
    assert "predictors:" in recipe.to_yaml()
    assert Recipe.from_yaml(recipe.to_yaml()).steps == recipe.steps


@pytest.mark.parametrize(
    ("predictors", "message"),
    [
        ({"w": ("x",)}, "predictors: 'w' is not among the columns; name it there too"),
        ({"y": ("z",)}, "'y' cannot be drawn from 'z', which is not known before it; put it before it in columns"),
        ({"x": ("x",)}, "'x' cannot be drawn from 'x', which is not known before it"),
    ],
)
def test_what_is_not_known_when_a_column_is_drawn_is_refused(
    predictors: dict[str, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        run_step(synthesis(**predictors), DATA, seed=1, step=0)


def test_a_computed_column_has_no_predictors() -> None:
    method = synthesis(z=("x",)).replace(models={"z": {"formula": {"expression": "x + y"}}})
    with pytest.raises(DataError, match="'z' is computed by a formula, which names what it needs; leave it out"):
        run_step(method, DATA, seed=1, step=0)
