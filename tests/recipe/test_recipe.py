"""What a recipe promises when it runs."""

import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable, numeric
from sfumato.errors import DataError, DocumentError, ParameterError
from sfumato.execution import run_step
from sfumato.improve import MomentMatching
from sfumato.masking import AdditiveNoise, Mdav, RankSwapping, TopCoding
from sfumato.recipe import Recipe, RecipeProgress
from tests.recipe.examples import NOISE, RECIPE, SWAPPING, survey

EXAMPLE = "'- mdav: {columns: [income]}'"


@pytest.fixture
def data() -> Microdata:
    return Microdata(survey())


def test_the_same_seed_gives_the_same_data(data: Microdata) -> None:
    assert RECIPE.run(data).frame.equals(RECIPE.run(data).frame)


def test_another_seed_gives_other_data(data: Microdata) -> None:
    assert not RECIPE.run(data).frame.equals(RECIPE.replace(seed=8).run(data).frame)


def test_the_number_of_threads_does_not_matter() -> None:
    data = Microdata(survey(140_000))  # three blocks of noise
    recipe = Recipe(steps=[AdditiveNoise(columns=("income", "tax")), RankSwapping(columns=numeric)], seed=1)
    assert recipe.run(data, threads=1).frame.equals(recipe.run(data, threads=2).frame)


def test_threads_are_as_many_as_the_process_may_use_unless_told(data: Microdata) -> None:
    assert RECIPE.run(data).frame.equals(RECIPE.run(data, threads=1).frame)


def test_the_input_is_left_untouched(data: Microdata) -> None:
    before = data.frame.clone()
    RECIPE.run(data)
    assert data.frame.equals(before)


def test_each_step_masks_what_the_step_before_left(data: Microdata) -> None:
    expected = data
    for number, step in enumerate(RECIPE.steps):
        expected = run_step(step, expected, seed=7, step=number)
    assert RECIPE.run(data).frame.equals(expected.frame)


def test_a_later_step_never_changes_the_result_of_an_earlier_one(data: Microdata) -> None:
    alone = Recipe(steps=[NOISE], seed=7).run(data).frame
    followed = Recipe(steps=[NOISE, SWAPPING], seed=7).run(data).frame
    assert followed["income"].equals(alone["income"])
    assert not followed["tax"].equals(alone["tax"])


def test_equal_steps_draw_different_numbers(data: Microdata) -> None:
    once = Recipe(steps=[NOISE], seed=7).run(data).frame["income"] - data.frame["income"]
    twice = Recipe(steps=[NOISE, NOISE], seed=7).run(data).frame["income"] - data.frame["income"]
    assert not (twice - 2 * once).abs().max() < 1e-6


def test_without_a_seed_each_run_draws_its_own(data: Microdata) -> None:
    recipe = RECIPE.replace(seed=None)
    assert not recipe.run(data).frame.equals(recipe.run(data).frame)
    assert recipe.seed is None


def test_a_drawn_seed_makes_a_run_repeatable(data: Microdata) -> None:
    recipe = RECIPE.replace(seed=None).with_seed()
    assert recipe.seed is not None
    assert 0 <= recipe.seed < 2**128
    assert recipe.with_seed() == recipe
    assert recipe.run(data).frame.equals(recipe.run(data).frame)
    assert recipe.seed != RECIPE.replace(seed=None).with_seed().seed


def test_progress_tells_steps_and_blocks(data: Microdata) -> None:
    told: list[RecipeProgress] = []
    Recipe(steps=[NOISE, RankSwapping(columns=("income", "tax"))], seed=7).run(data, threads=1, on_progress=told.append)
    assert told == [
        RecipeProgress(step=1, steps=2, name="additive_noise", block=1, blocks=1),
        RecipeProgress(step=2, steps=2, name="rank_swapping", block=1, blocks=2),
        RecipeProgress(step=2, steps=2, name="rank_swapping", block=2, blocks=2),
    ]


def test_all_steps_are_checked_before_the_first_one_runs(data: Microdata) -> None:
    told: list[RecipeProgress] = []
    recipe = Recipe(
        steps=[
            NOISE,
            Mdav(columns=("incme", "tax", "aeg")),
            TopCoding(columns=("income", "region"), at=90),
            RankSwapping(columns=("tax",), within=("regoin",)),
        ],
        seed=7,
    )
    with pytest.raises(DocumentError) as refused:
        recipe.run(data, on_progress=told.append)
    assert refused.value.problems == (
        "step 2 (mdav): there is no column 'incme'; did you mean 'income'?",
        "step 2 (mdav): there is no column 'aeg'; did you mean 'age'?",
        "step 3 (top_coding): TopCoding.columns: 'region' is nominal; expected continuous or ordinal columns; "
        "for nominal columns there are pram, recoding and local_suppression",
        "step 4 (rank_swapping): there is no column 'regoin'; did you mean 'region'?",
    )
    assert told == []


def test_a_rule_that_picks_no_column_is_told_with_its_step() -> None:
    with pytest.raises(DocumentError, match=r"step 1 \(mdav\): Mdav\.columns: numeric picks no column of this file"):
        Recipe(steps=[Mdav(columns=numeric)]).run(Microdata(pl.DataFrame({"region": ["a", "b"]})))


def test_the_schema_goes_before_what_the_data_say(data: Microdata) -> None:
    schema = Schema(variables=(Variable(name="age", kind="ordinal", role="key"),))
    recipe = Recipe(steps=[RankSwapping(columns=("age",))], seed=7, schema=schema)
    masked = recipe.run(data)
    assert masked.schema["age"].role is Role.KEY
    assert masked.schema["age"].kind is Kind.ORDINAL
    assert masked.schema["income"] == data.schema["income"]
    assert data.schema["age"].kind is Kind.CONTINUOUS
    with pytest.raises(DocumentError, match="'age' is ordinal; expected continuous columns"):
        recipe.replace(steps=[Mdav(columns=("age",))]).run(data)


def test_a_schema_of_absent_columns_is_told_with_the_problems_of_steps(data: Microdata) -> None:
    schema = Schema(variables=(Variable(name="ages", kind="continuous"), Variable(name="age", kind="nominal")))
    with pytest.raises(DocumentError) as refused:
        Recipe(steps=[Mdav(columns=("age",))], schema=schema).run(data)
    assert refused.value.problems == (
        "schema: there is no column 'ages'; did you mean 'age'?",
        "step 1 (mdav): Mdav.columns: 'age' is nominal; expected continuous columns; "
        "for nominal columns there are pram, recoding and local_suppression; "
        "if its numbers are amounts, say in the schema that it is continuous",
    )


def test_what_goes_wrong_in_a_run_is_told_with_its_step(data: Microdata) -> None:
    recipe = Recipe(steps=[NOISE, Mdav(columns=("tax",), k=61)], seed=7)
    with pytest.raises(DataError, match=r"^step 2 \(mdav\): .*k must be at most the number of records"):
        recipe.run(data)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(steps=[Mdav(columns=("name",))]),
        Recipe(steps=[Mdav(columns=("income",), k=9)]),
        Recipe(steps=[AdditiveNoise(columns=("flat",))]),
        Recipe(
            steps=[Mdav(columns=("income",))], schema=Schema(variables=(Variable(name="name", kind="continuous"),))
        ).replace(steps=[Mdav(columns=("name",))]),
    ],
)
def test_no_message_holds_a_record_value(recipe: Recipe) -> None:
    data = Microdata(
        pl.DataFrame({"name": ["Zoltan", "Brunhild"], "income": [98761.5, 98762.5], "flat": [98761.5] * 2})
    )
    with pytest.raises((DataError, DocumentError)) as refused:
        recipe.run(data)
    assert not any(value in str(refused.value) for value in ("Zoltan", "Brunhild", "9876"))


@pytest.mark.parametrize("threads", [0, -2])
def test_fewer_than_one_thread_is_refused(data: Microdata, threads: int) -> None:
    with pytest.raises(ParameterError, match=rf"threads must be in \[1, inf\); got {threads}"):
        RECIPE.run(data, threads=threads)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"steps": []}, f"Recipe.steps must be a list of methods, as in {EXAMPLE}; got nothing"),
        ({"steps": NOISE}, f"Recipe.steps must be a list of methods, as in {EXAMPLE}; got a AdditiveNoise"),
        ({"steps": [7]}, f"expected a method, as in {EXAMPLE}; got a number"),
        (
            {"steps": [MomentMatching(columns=("tax",))]},
            "Recipe.steps.0 must be an instance of MaskingMethod; got a MomentMatching",
        ),
        ({}, "Recipe.steps is required"),
        ({"steps": [NOISE], "seed": -1}, "Recipe.seed must be in [0, inf); got -1"),
        ({"steps": [NOISE], "sead": 1}, "Recipe has no parameter 'sead'; did you mean 'seed'?"),
    ],
)
def test_a_recipe_that_makes_no_sense_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        Recipe(**values)
    assert str(refused.value) == message


def test_a_recipe_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(RECIPE, "seed", 8)  # noqa: B010  # as an assignment does
