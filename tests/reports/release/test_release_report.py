"""A release report: a board's order, and no figure without its unit, sentence, definition and origin."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.catalogue.descriptions import title_of
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.acquaintance import TOLD_MORE
from sfumato.reports.release.words.glossary import GLOSSARY
from sfumato.reports.release.words.table_words import RULE_MEANINGS, RULE_NAMES
from tests.reports.release.surveys import RECIPE, made, released, survey

ORDER = ["verdict", "contents", "intruders", "risk", "utility", "trade_off", "standards", "untested", "provenance"]
NO_FIGURES = {"request", "format", "made_by"}  # what was asked, and parameters of measures


def numbers(value: Any, above: tuple[dict[str, Any], ...] = ()) -> Iterator[tuple[dict[str, Any], ...]]:
    """Yield the mappings around each number, outermost first."""
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in NO_FIGURES:
                yield from numbers(one, (*above, value))
    elif isinstance(value, list):
        for one in value:
            yield from numbers(one, above)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield above


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_no_number_stands_without_unit_sentence_and_definition(edition: str) -> None:
    around = list(numbers(made(edition).to_dict()))
    assert len(around) > 50
    for mappings in around:
        assert any(all(one.get(name) for name in ("unit", "sentence", "definition")) for one in mappings)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_nor_does_one_in_the_report_on_a_synthetic_file(edition: str) -> None:
    drawn = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    inside, control = survey().take_rows(np.arange(0, 240, 2)), survey().take_rows(np.arange(1, 240, 2))
    report = sf.report(inside, drawn.run(inside), recipe=drawn, control=control, edition=edition, standards=["wp216"])
    around = list(numbers(report.to_dict()))
    assert len(around) > 30
    for mappings in around:
        assert any(all(one.get(name) for name in ("unit", "sentence", "definition")) for one in mappings)


def test_units_of_the_schema_and_labels_of_codes_are_on_the_page() -> None:
    variables = [one.replace(unit="EUR a year") if one.name == "income" else one for one in survey().schema.variables]
    data = survey().with_schema(survey().schema.with_variables(*variables))
    report = sf.report(data, RECIPE.run(data), recipe=RECIPE)
    assert report["utility/means/income/mean/after"].unit == "EUR a year"
    assert report["utility/means/income/mean/after"].sentence.endswith("EUR a year.")
    told = str(report.sections)
    assert "income (Yearly income), EUR a year" in told
    assert "sex: f (female)" in told
    assert "town (Town of residence)" in told


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_every_figure_says_what_is_good_and_bad_and_how_it_was_made(edition: str) -> None:
    report = made(edition)
    paths = [figure.path for figure in report.figures]
    assert len(set(paths)) == len(paths)
    for figure in report.to_dict()["figures"]:
        assert all(figure[name] for name in ("label", "unit", "sentence", "good", "bad", "definition", "text"))
        assert figure["made_by"]["measure"]
        assert figure["link"].removeprefix("#term-").replace("-", " ") in {word.replace("-", " ") for word in GLOSSARY}


def test_the_sections_come_in_a_boards_order_with_the_glossary_last() -> None:
    assert [section.key for section in made().sections] == [*ORDER, "glossary"]


def test_the_smallest_group_is_that_of_an_independent_count() -> None:
    frame = survey().frame
    smallest = frame.group_by("sex", "town").len()["len"].min()
    assert made()["risk/keys/k/before"].value == smallest
    towns = released().frame.drop_nulls(["sex", "town"]).group_by("sex", "town").len()["len"]
    assert made()["risk/keys/strict_k/after"].value <= towns.min()


def test_means_are_those_of_the_dataframes() -> None:
    for when, data in (("before", survey()), ("after", released())):
        figure = made()[f"utility/means/income/mean/{when}"]
        assert figure.value == pytest.approx(data.frame["income"].mean())


def test_what_became_of_each_variable_is_told() -> None:
    table = next(part for part in made().to_dict()["sections"][1]["parts"] if part["type"] == "WordTable")
    words = {row[0]: row[-1] for row in table["rows"]}
    assert words["ill"] == "as it was"
    assert "elsewhere = Dell, Ely" in words["town"]
    assert "rank swapping" in words["income"].lower()


def test_limits_are_met_or_not_as_the_figures_say() -> None:
    assert made().meets_limits
    unmet = sf.report(survey(), released(), recipe=RECIPE, limits=["DLD<=0.001"])
    assert not unmet.meets_limits
    assert "NOT MET" in str(unmet)


def test_a_limit_on_a_figure_that_there_is_not_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ParameterError, match="global_risk"):
        sf.report(survey(), released(), recipe=RECIPE, limits=["global_rsk<=1"])
    no_keys = survey().with_schema(survey().schema.with_roles(other=["sex", "town"]))
    with pytest.raises(DataError, match="role key"):
        sf.report(no_keys, no_keys, limits=["k>=3"])


def test_an_edition_or_standard_that_there_is_not_is_refused() -> None:
    with pytest.raises(ParameterError, match="did you mean 'public'"):
        sf.report(survey(), released(), edition="pulbic")
    with pytest.raises(ParameterError, match="wp216"):
        sf.report(survey(), released(), standards=["wp217"])


def test_no_seed_is_in_any_edition_nor_in_what_a_notebook_shows() -> None:
    for edition in ("internal", "public"):
        report = made(edition)
        for text in (report.to_json(), repr(report), str(report), report._repr_html_()):
            assert str(RECIPE.seed) not in text


def test_hipaa_asks_for_a_group_that_is_large_enough() -> None:
    largest = made()["standards/hipaa/largest/after"]
    k = made()["risk/keys/k/after"].value
    assert k is not None
    assert largest.value == pytest.approx(100 / k)


def test_figures_come_as_a_dataframe_too() -> None:
    frame = made().to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == len(made().figures)
    assert "verdict/limits/k" in frame["path"].to_list()


def test_a_k_that_other_columns_undo_is_never_told_as_one_that_holds() -> None:
    n = 240
    rng = np.random.default_rng(5)
    town = np.array(["Dell", "Dell", *rng.choice(["Aston", "Brill", "Corby"], n - 2)])
    data = Microdata(pl.DataFrame({"town": town, "post": np.char.add("post of ", town), "pay": rng.lognormal(7, 1, n)}))
    data = data.with_schema(data.schema.with_roles(key=["town"], confidential=["pay"], other=["post"]))
    recipe = sf.Recipe(steps=[sf.Recoding(columns=("town",), map={"Dell": "Corby"}, keeps_others=True)], seed=1)
    for edition in ("internal", "public"):
        found = sf.report(data, recipe.run(data), recipe=recipe, limits=["k>=3"], edition=edition)
        verdict = " ".join(str(part) for part in found.to_dict()["sections"][0]["parts"])
        assert not found.meets_limits
        assert TOLD_MORE in verdict
        assert "by the keys alone " in verdict  # or readers would take the hints for the cause of all


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_what_was_tried_without_a_control_claims_no_comparison_with_others(edition: str) -> None:
    report = made(edition)
    assert "as no control was given" in report["risk/measures/SO"].sentence
    assert not [figure.path for figure in report.figures if figure.sentence.startswith("Beyond what")]
    untested = next(section for section in report.sections if section.key == "untested")
    assert "no control was given" in str(untested)


def test_who_asks_for_an_answer_is_listed_only_where_answers_were_measured() -> None:
    def listed(report: ReleaseReport) -> tuple[bool, bool]:
        sections = {section.key: str(section) for section in report.sections}
        return "asks for an answer" in sections["intruders"], "Learning " in sections["untested"]

    assert listed(made()) == listed(made("public")) == (True, False)
    numbers_only = survey().with_schema(survey().schema.with_roles(other=["ill"]))
    nothing = survey().with_schema(survey().schema.with_roles(other=["ill", "income", "rent"]))
    for edition in ("internal", "public"):
        assert listed(sf.report(numbers_only, numbers_only, edition=edition)) == (True, False)
        assert listed(sf.report(nothing, nothing, edition=edition)) == (False, True)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_each_method_that_a_page_names_is_in_its_glossary(edition: str) -> None:
    glossary = made(edition).to_dict()["sections"][-1]["parts"][0]["rows"]
    words = {word for word, _ in glossary}
    assert {title_of(type(step)) for step in RECIPE.steps} <= words


def test_each_rule_that_has_a_name_on_pages_is_explained() -> None:
    assert RULE_NAMES.keys() == RULE_MEANINGS.keys()


def test_a_report_that_was_asked_no_limit_and_had_no_control_claims_neither() -> None:
    found = sf.report(survey(), released(), recipe=RECIPE).to_dict()
    assert (found["meets_limits"], found["shows_leak"]) == (None, None)
