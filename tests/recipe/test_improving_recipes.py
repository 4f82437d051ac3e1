"""What a recipe promises that improves the masked data in the end."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.contracts.improvement import Improvement, ImprovementEnding
from sfumato.data import Microdata, numeric
from sfumato.errors import DataError, DocumentError, ParameterError
from sfumato.improve import MomentMatching, PostMaskingOptimisation
from sfumato.jobs.mask import mask
from sfumato.jobs.verify import verify
from sfumato.masking import Discretisation, DropIdentifiers, Mdav
from sfumato.recipe import ImprovementFacts, Manifest, Recipe, RecipeProgress
from tests.recipe.examples import NOISE, RECIPE, SWAPPING, survey

CLIMBING = PostMaskingOptimisation(columns=("tax", "age"), record_percent=50, target=0, max_steps=5_000)
STEPS = Recipe(steps=[SWAPPING, Mdav(columns=("age",), k=6)], seed=7)
IMPROVING = STEPS.replace(improve=CLIMBING)
TEXT = """\
seed: 7
steps:
  - mdav: {columns: [tax]}
improve:
  moment_matching: {columns: [tax, age]}
"""


@pytest.fixture
def data() -> Microdata:
    return Microdata(survey())


def problems(text: str) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        Recipe.from_yaml(text)
    return list(refused.value.problems)


def test_what_the_steps_give_is_improved_as_if_by_hand(data: Microdata) -> None:
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(2, 0)))
    by_hand = CLIMBING.improve(data, STEPS.run(data), rng)
    assert IMPROVING.run(data).frame.equals(by_hand.data.frame)
    assert by_hand.records > 0


def test_the_improvement_is_told_with_its_remarks(data: Microdata) -> None:
    told: list[Improvement] = []
    improved = IMPROVING.run(data, on_improvement=told.append)
    (improvement,) = told
    assert improvement.data is improved
    assert any("groups of equal records were broken in age" in remark for remark in improvement.remarks)
    STEPS.run(data, on_improvement=told.append)
    assert len(told) == 1


def test_columns_that_are_not_improved_are_as_the_steps_left_them(data: Microdata) -> None:
    improved = RECIPE.replace(improve=MomentMatching(columns=("tax",))).run(data).frame
    assert improved.drop("tax").equals(RECIPE.run(data).frame.drop("tax"))


def test_progress_counts_the_improving_as_one_more_step(data: Microdata) -> None:
    told: list[RecipeProgress] = []
    Recipe(steps=[NOISE], improve=CLIMBING, seed=7).run(data, on_progress=told.append)
    assert told == [
        RecipeProgress(step=1, steps=2, name="additive_noise", block=1, blocks=1),
        RecipeProgress(step=2, steps=2, name="post_masking_optimisation", block=0, blocks=1),
        RecipeProgress(step=2, steps=2, name="post_masking_optimisation", block=1, blocks=1),
    ]


def test_the_yaml_has_the_improver_after_the_steps() -> None:
    recipe = Recipe.from_yaml(TEXT)
    assert recipe.improve == MomentMatching(columns=("tax", "age"))
    assert recipe.to_yaml().endswith(
        "improve:\n"
        "  moment_matching:\n"
        "    columns: [tax, age]\n"
        "    target_percent: 100.0\n"
        "    record_percent: 100.0\n"
        "    target: 0.001\n"
        "    max_steps: 8\n"
    )
    assert "improve" not in STEPS.to_yaml()


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (
            "improve: moment_maching",
            "line 2, improve: there is no improver 'moment_maching'; did you mean 'moment_matching'?",
        ),
        (
            "improve:",
            "line 2: 'improve' has nothing behind it; give it a value, or leave the key out",
        ),
        ("improve: moment_matching", "line 2, improve (moment_matching): MomentMatching.columns is required"),
        (
            "improve:\n  moment_matching:\n    columns: [tax]\n    max_step: 3",
            "line 5, improve (moment_matching): MomentMatching has no parameter 'max_step'; did you mean 'max_steps'?",
        ),
        (
            "improve:\n  moment_matching:\n  columns: [tax]",
            "line 2, improve: expected one improver, got the keys moment_matching, columns; "
            "keep one, and indent its parameters",
        ),
        (
            "improve:\n  moment_matching: {columns: [tax]}\n  moment_matching: {columns: [age]}",
            "line 4, improve: the key 'moment_matching' is already in line 3; keep one of them",
        ),
        ("improv: moment_matching", "line 2: a recipe has no key 'improv'; did you mean 'improve'?"),
    ],
)
def test_what_is_wrong_with_the_improver_is_told_with_its_line(written: str, problem: str) -> None:
    assert problems(f"steps: [mdav: {{columns: [tax]}}]\n{written}\n") == [problem]


def test_a_method_is_no_improver() -> None:
    with pytest.raises(ParameterError, match=r"Recipe\.improve must be an instance of Improver; got a AdditiveNoise"):
        Recipe(steps=[NOISE], improve=NOISE)


def test_columns_are_checked_before_the_first_step_runs(data: Microdata) -> None:
    told: list[RecipeProgress] = []
    recipe = Recipe(steps=[NOISE, Mdav(columns=("aeg",))], improve=MomentMatching(columns=("taxx",)))
    with pytest.raises(DocumentError) as refused:
        recipe.run(data, on_progress=told.append)
    assert refused.value.problems == (
        "step 2 (mdav): there is no column 'aeg'; did you mean 'age'?",
        "improve (moment_matching): there is no column 'taxx'; did you mean 'tax'?",
    )
    with pytest.raises(DocumentError) as refused:
        Recipe(steps=[NOISE], improve=MomentMatching(columns=("region",))).run(data, on_progress=told.append)
    assert "'region' is nominal; expected continuous columns" in str(refused.value)
    with pytest.raises(DocumentError, match="numeric picks no column"):
        Recipe(steps=[DropIdentifiers(columns=("region",))], improve=MomentMatching(columns=numeric)).run(
            Microdata(pl.DataFrame({"region": ["a", "b"]}))
        )
    assert told == []


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (DropIdentifiers(columns=("tax",)), "the masked file has no column 'tax'"),
        (Discretisation(columns=("tax",), breaks=(500, 1000)), "'tax' is ordinal in the masked file"),
    ],
)
def test_a_column_that_the_steps_took_away_is_told_as_the_improvers(
    data: Microdata, step: DropIdentifiers | Discretisation, words: str
) -> None:
    with pytest.raises(DataError, match=rf"^improve \(moment_matching\): .*{words}"):
        Recipe(steps=[step], improve=MomentMatching(columns=("tax",))).run(data)


def test_a_masked_file_has_the_improvement_in_its_manifest_and_is_verified(tmp_path: Path) -> None:
    survey().write_csv(tmp_path / "people.csv")
    IMPROVING.save(tmp_path / "recipe.yaml")
    manifest = mask(tmp_path / "people.csv", tmp_path / "recipe.yaml", tmp_path / "masked.csv").manifest
    facts = manifest.improvement
    assert facts is not None
    assert (facts.name, facts.steps_taken <= 5_000, facts.records > 0) == ("post_masking_optimisation", True, True)
    assert facts.error_after < facts.error_before
    assert facts.remarks
    written = tmp_path / "masked.csv.manifest.json"
    assert Manifest.load(written) == manifest
    assert json.loads(written.read_text())["improvement"]["ended"] in set(ImprovementEnding)
    assert verify(written).passed


def test_a_manifest_without_improvement_has_no_such_key(tmp_path: Path) -> None:
    survey().write_csv(tmp_path / "people.csv")
    mask(tmp_path / "people.csv", STEPS, tmp_path / "masked.csv")
    assert "improvement" not in json.loads((tmp_path / "masked.csv.manifest.json").read_text())


def test_facts_have_the_ends_of_the_trace(data: Microdata) -> None:
    improvement = CLIMBING.improve(data, STEPS.run(data), np.random.default_rng(0))
    facts = ImprovementFacts.of(improvement)
    assert (facts.error_before, facts.error_after) == (improvement.errors[0], improvement.errors[-1])
    assert (facts.loss_before, facts.loss_after) == (improvement.losses[0], improvement.losses[-1])
    assert (facts.steps_taken, facts.aimed_loss) == (improvement.steps[-1], improvement.aimed_loss)
