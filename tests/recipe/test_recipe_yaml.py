"""A recipe written as YAML comes back as it was."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from sfumato.data import Schema, Variable, numeric
from sfumato.errors import FileError
from sfumato.masking import Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe
from tests.recipe.strategies import recipes


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(recipe=recipes)
def test_any_recipe_comes_back_from_its_yaml(recipe: Recipe) -> None:
    text = recipe.to_yaml()
    assert Recipe.from_yaml(text) == recipe
    assert Recipe.from_yaml(text).to_yaml() == text


def test_yaml_reads_as_a_person_would_write_it() -> None:
    recipe = Recipe(
        steps=[RankSwapping(columns=("income", "tax"), window=10), TopCoding(columns=numeric, at=90)],
        seed=7,
        schema=Schema(variables=(Variable(name="sex", kind="nominal", role="key", value_labels={1: "female"}),)),
    )
    assert recipe.to_yaml() == (
        "seed: 7\n"
        "schema:\n"
        "  variables:\n"
        "    sex:\n"
        "      kind: nominal\n"
        "      role: key\n"
        "      value_labels: {1: female}\n"
        "steps:\n"
        "- rank_swapping:\n"
        "    columns: [income, tax]\n"
        "    window: 10.0\n"
        "- top_coding: {columns: numeric, at: 90.0}\n"
    )


def test_defaults_are_written_so_that_the_text_keeps_its_meaning() -> None:
    assert "k: 3" in Recipe(steps=[Mdav(columns=("income",))]).to_yaml()


def test_equal_lists_are_written_out_and_not_pointed_to() -> None:
    columns = ("income", "tax")
    text = Recipe(steps=[Mdav(columns=columns), RankSwapping(columns=columns)]).to_yaml()
    assert text.count("[income, tax]") == 2


def test_saved_recipes_are_loaded_as_they_were(tmp_path: Path) -> None:
    recipe = Recipe(steps=[Mdav(columns=("Größe",))], seed=2**127)
    recipe.save(tmp_path / "recipe.yaml")
    assert Recipe.load(tmp_path / "recipe.yaml") == recipe
    assert [path.name for path in tmp_path.iterdir()] == ["recipe.yaml"]


def test_saving_into_an_absent_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"recipe\.yaml cannot be written: there is no folder"):
        Recipe(steps=[Mdav(columns=("income",))]).save(tmp_path / "absent" / "recipe.yaml")
