"""The recipes that newcomers meet first keep what they promise, gaps included."""

import re
from pathlib import Path

import polars as pl
import pytest

from sfumato import datasets
from sfumato.jobs.demo import CANDIDATES
from sfumato.masking import RecordMicroaggregation
from sfumato.recipe import Recipe

README = Path(__file__).parents[2] / "README.md"


def first_recipe() -> Recipe:
    found = re.search(r'```yaml title="recipe.yaml"\n(.*?)```', README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return Recipe.from_yaml(found.group(1))


def smallest_group(recipe: Recipe) -> int:
    """Return how few records are alike in everything that is released, which values are missing included."""
    frame: pl.DataFrame = recipe.replace(seed=1).run(datasets.demo(n=500)).frame
    smallest = frame.group_by(frame.columns).len()["len"].min()
    assert isinstance(smallest, int)
    return smallest


def test_the_first_recipe_of_the_readme_leaves_ten_records_alike_in_everything() -> None:
    assert smallest_group(first_recipe()) >= 10


@pytest.mark.parametrize("k", [3, 10])
def test_the_grouping_candidates_of_the_demo_leave_k_records_alike_in_everything(k: int) -> None:
    found = [
        recipe
        for recipe in CANDIDATES
        if any(isinstance(step, RecordMicroaggregation) and step.k == k for step in recipe.steps)
    ]
    assert [smallest_group(recipe) >= k for recipe in found] == [True]
