"""Columns that stay real beside synthetic ones leave the house only where the recipe says so."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import DropIdentifiers, Sampling, SequentialSynthesis, TopCoding
from sfumato.recipe import Recipe

RNG = np.random.default_rng(4)
PEOPLE = Microdata(
    pl.DataFrame(
        {
            "sex": RNG.choice(["m", "f"], 80),
            "wage": RNG.normal(size=80),
            "total": RNG.normal(size=80),
            "tax": RNG.normal(size=80),
        }
    )
)
WAGES = SequentialSynthesis(columns=("wage",), given=("sex",))


def test_real_columns_beside_synthetic_ones_are_refused_on_release_with_what_to_add() -> None:
    recipe = Recipe(steps=[WAGES], seed=1)
    masked = recipe.run(PEOPLE)
    with pytest.raises(DataError, match=r"^total, tax would stay real .*drop_identifiers.* keep_real_columns: true"):
        recipe.release(masked)
    assert recipe.replace(keep_real_columns=True).release(masked).schema.names == PEOPLE.schema.names


def test_they_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(DataError, match="total, tax would stay real"):
        Recipe(steps=[WAGES]).refuse_release(PEOPLE.schema)


@pytest.mark.parametrize("releases", [1, 2])
def test_columns_that_are_given_masked_by_another_step_or_dropped_are_meant(releases: int) -> None:
    drawn = SequentialSynthesis(columns=("wage",), within=("sex",), releases=releases)
    steps = [DropIdentifiers(columns=("total",)), TopCoding(columns=("tax",), at=1.0), drawn]
    recipe = Recipe(steps=steps, seed=1)
    recipe.refuse_release(PEOPLE.schema)
    assert recipe.release(recipe.run(PEOPLE)).n == 80 * releases


def test_a_sample_makes_no_column_another_one() -> None:
    steps = [Sampling(percent=50, columns=("tax",)), SequentialSynthesis(columns=("sex", "wage", "total"))]
    with pytest.raises(DataError, match="tax would stay real"):
        Recipe(steps=steps).refuse_release(PEOPLE.schema)


def test_recipes_that_draw_nothing_keep_what_they_do_not_name() -> None:
    Recipe(steps=[TopCoding(columns=("tax",), at=1.0)]).refuse_release(PEOPLE.schema)
