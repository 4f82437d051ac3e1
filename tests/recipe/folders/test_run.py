from pathlib import Path

import pytest

from sfumato.data import Schema, Variable
from sfumato.errors import DocumentError
from sfumato.files.folders import Folder
from sfumato.improve import MomentMatching
from sfumato.masking import AdditiveNoise, Sampling, TopCoding
from sfumato.recipe import Recipe
from sfumato.recipe.folders.run import prepare_folder
from tests.files.folders.parts import folder_of
from tests.masking.survey import SCHEMA, survey


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return folder_of(survey(90), SCHEMA, tmp_path / "parts", [30])


def test_all_that_cannot_run_is_told_at_once(folder: Folder) -> None:
    recipe = Recipe(
        steps=[TopCoding(columns=("income",), at=9.0), Sampling(percent=50)],
        improve=MomentMatching(columns=("income",)),
        schema=Schema(variables=(Variable(name="wealth", kind="continuous"),)),
    )
    with pytest.raises(DocumentError) as refused:
        prepare_folder(recipe, folder)
    told = refused.value.problems
    assert [problem.partition(":")[0] for problem in told] == ["schema", "step 2 (sampling)", "improve"]


def test_steps_are_held_against_all_records(folder: Folder) -> None:
    with pytest.raises(DocumentError, match="'note' is nominal; expected continuous"):
        prepare_folder(Recipe(steps=[AdditiveNoise(columns=("note",))]), folder)


def test_what_the_recipe_says_of_columns_goes_first(folder: Folder) -> None:
    recipe = Recipe(
        steps=[TopCoding(columns=("income",), at=9.0)],
        schema=Schema(variables=(SCHEMA["income"].replace(label="per year"),)),
    )
    assert prepare_folder(recipe, folder).schema["income"].label == "per year"
