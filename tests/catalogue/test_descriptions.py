"""Descriptions of everything that there is, and of records made to be awkward."""

import json
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

import pytest
from pydantic import Field, model_validator

from sfumato.catalogue import describe, recipe_snippet, sample_values
from sfumato.catalogue.parameters import parameters_of
from sfumato.contracts import Improver, MaskingMethod, Measure, Named
from sfumato.data import Kind, Variable
from sfumato.datasets import demo
from sfumato.errors import ParameterError
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS, RankSwapping
from sfumato.parameters import Columns, Percent
from sfumato.parameters.vocabulary import PARAMETERS
from sfumato.recipe import Recipe
from sfumato.risk import RISKS

EVERYTHING = {**METHODS, **RISKS, **LOSSES, **IMPROVERS}
everything = pytest.mark.parametrize("record", EVERYTHING.values(), ids=EVERYTHING)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Awkward(Named):
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.NOMINAL})

    columns: Columns
    colour: Colour
    side: Literal["left", "right"] = "left"
    shares: tuple[Percent, ...]
    pair: tuple[int, float]
    count: Annotated[int, Field(gt=20, lt=30)]
    low: Annotated[float, Field(ge=50)]
    high: Annotated[float, Field(lt=-4)]
    labels: dict[str, str] = Field(default={})
    exact: bool = False
    limit: Percent | None = None
    pattern: Annotated[str, Field(examples=["a*"])]


def ranges() -> dict[str, str]:
    return {parameter.name: parameter.range for parameter in parameters_of(Awkward, {})}


@everything
def test_every_parameter_has_a_text(record: type[MaskingMethod | Measure]) -> None:
    assert [parameter.name for parameter in describe(record).parameters if not parameter.text] == []


@everything
def test_every_parameter_that_is_described_exists(record: type[MaskingMethod | Measure]) -> None:
    assert [parameter.name for parameter in describe(record).parameters] == list(record.model_fields)


@everything
def test_every_description_has_a_summary_a_source_and_an_example(record: type[MaskingMethod | Measure]) -> None:
    description = describe(record)
    assert description.summary.endswith(".")
    assert description.sections["Source"]
    assert description.example.startswith(">>>")


@everything
def test_every_description_fits_into_json(record: type[MaskingMethod | Measure]) -> None:
    description = describe(record)
    plain = json.loads(json.dumps(description.to_dict()))
    assert plain["name"] == record.name()
    assert plain["sections"] == dict(description.sections)
    assert plain["parameters"][0]["name"] == description.parameters[0].name


@everything
def test_every_sample_is_accepted(record: type[MaskingMethod | Measure]) -> None:
    record(**sample_values(record))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_snippet_is_a_recipe_of_that_method_which_masks_the_demo_survey(method: type[MaskingMethod]) -> None:
    recipe = Recipe.from_yaml(recipe_snippet(method))
    born = [date(2000, 1, 1) - timedelta(days=37 * number) for number in range(500)]
    survey = demo(500).with_column(Variable(name="birth_date", kind=Kind.DATE), born)  # the survey has no dates
    assert [type(step) for step in recipe.steps] == [method]
    assert not recipe.run(survey).frame.equals(survey.frame)


@pytest.mark.parametrize("improver", IMPROVERS.values(), ids=IMPROVERS)
def test_every_snippet_of_an_improver_is_a_recipe_that_ends_with_it(improver: type[Improver]) -> None:
    recipe = Recipe.from_yaml(recipe_snippet(improver))
    assert type(recipe.improve) is improver
    assert recipe.improve.columns == ("expenditure", "savings")


def test_rank_swapping_is_described_in_words() -> None:
    description = describe(RankSwapping)
    window = description.parameters[1]
    assert (description.title, description.family, description.layout) == ("Rank swapping", "swapping", "ranks")
    assert (window.range, window.default) == ("percent, above 0, at most 100", "5.0")
    assert description.sections["Missing values"] == "Stay missing; ranks are of the observed values."


def test_a_required_parameter_has_no_default_and_an_empty_one_is_none() -> None:
    columns, _, within = describe(RankSwapping).parameters
    assert (columns.default, within.default) == (None, "none")


def test_the_title_falls_back_on_the_class_name() -> None:
    assert describe(type("HotDeck", (RankSwapping,), {"__module__": "json"})).title == "Hot deck"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("columns", "columns"),
        ("colour", "one of red, blue"),
        ("side", "one of left, right"),
        ("shares", "list of percent, above 0, at most 100"),
        ("pair", "list of whole number and number"),
        ("count", "whole number above 20, below 30"),
        ("low", "number at least 50"),
        ("labels", "mapping of text"),
        ("exact", "true or false"),
        ("limit", "percent, above 0, at most 100"),
    ],
)
def test_ranges_read_as_words(name: str, words: str) -> None:
    assert ranges()[name] == words


def test_defaults_read_as_recipes_write_them() -> None:
    defaults = {parameter.name: parameter.default for parameter in parameters_of(Awkward, {})}
    assert (defaults["side"], defaults["exact"], defaults["limit"], defaults["low"]) == ("left", "false", "none", None)


def test_samples_lie_in_awkward_ranges() -> None:
    values = sample_values(Awkward)
    assert Awkward(**values).columns == ("region", "occupation")
    assert (values["count"], values["low"], values["high"], values["pattern"]) == (25, 51, -5, "a*")


def test_a_sample_adds_an_optional_parameter_only_where_the_record_needs_one() -> None:
    class Demanding(Awkward):
        @model_validator(mode="after")
        def _limited(self) -> Self:
            if self.limit is None:
                raise ValueError("must have a limit")
            return self

    assert "limit" not in sample_values(Awkward)
    assert sample_values(Demanding)["limit"] == 10


def test_a_record_that_accepts_no_sample_asks_for_an_example() -> None:
    class Impossible(Awkward):
        @model_validator(mode="after")
        def _never(self) -> Self:
            raise ValueError("must be something else")

    with pytest.raises(ParameterError, match=r"Impossible: no example .* Field\(examples"):
        sample_values(Impossible)


@everything
def test_the_help_gives_every_parameter_the_unit_that_its_word_has(record: type[MaskingMethod | Measure]) -> None:
    units = {"percent", "standard deviations", "seconds", "records"}
    for parameter in describe(record).parameters:
        unit = PARAMETERS[parameter.name].unit
        if unit in units:
            assert unit in parameter.range, f"{record.__name__}.{parameter.name}: take a type of {unit} for it"
        elif unit:
            assert not units & set(parameter.range.split(", ")), f"{record.__name__}.{parameter.name} has another unit"
