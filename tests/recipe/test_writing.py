"""A recipe written as YAML comes back as it was."""

from hypothesis import HealthCheck, given, settings

from sfumato.data import Schema, Variable, numeric
from sfumato.masking import RankSwapping, TopCoding
from sfumato.recipe import Recipe
from tests.recipe.strategies import recipes


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(recipe=recipes)
def test_any_recipe_comes_back_from_its_yaml(recipe: Recipe) -> None:
    text = recipe.to_yaml()
    assert Recipe.from_yaml(text) == recipe
    assert Recipe.from_yaml(text).to_yaml() == text
