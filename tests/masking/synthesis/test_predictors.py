from types import MappingProxyType

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.recipe import Recipe
from tests.masking.synthesis.made_households import COLUMNS, households

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


def test_members_are_drawn_from_the_named_columns_their_own_and_of_members_before() -> None:
    some = households(600)
    method = HouseholdSynthesis(columns=COLUMNS, relation="relation", predictors={"income": ("income",), "rooms": ()})
    masked = run_step(method, some, seed=1, step=0).frame
    adults = masked.filter(pl.col("age") >= 30)
    assert adults.filter(pl.col("income") == 0).height > 5  # of the file none: the own age is not known to it
    first, second = (masked.filter(pl.col("relation") == relation) for relation in ("head", "spouse"))
    couples = first.join(second, on="home", suffix="_other").filter(
        (pl.col("income") > 0) & (pl.col("income_other") > 0)
    )
    assert np.corrcoef(couples["income"].log(), couples["income_other"].log())[0, 1] > 0.4
    sizes = masked.group_by("home").agg(pl.len(), pl.col("rooms").first(), pl.col("region").first())
    assert np.corrcoef(sizes["len"], sizes["rooms"])[0, 1] > 0.5  # the size of a household is always known


def test_what_a_household_has_is_not_drawn_from_its_members() -> None:
    method = HouseholdSynthesis(columns=COLUMNS, predictors={"rooms": ("age",)})
    with pytest.raises(DataError, match=r"HouseholdSynthesis\.predictors: 'rooms' cannot be drawn from 'age'"):
        run_step(method, households(60), seed=1, step=0)
