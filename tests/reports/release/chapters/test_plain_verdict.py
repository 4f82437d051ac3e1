"""What a board signs: promised, measured, not known; an intruder who finds many is never called one it is safe from."""

from collections import Counter
from functools import cache

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judging.standing import MAX_FOUND, Standing
from sfumato.reports.release.chapters.plain_verdict import DECISION, TITLE, WHO_FINDS
from sfumato.reports.release.sections import Emphasis, Form, Prose, WordTable
from tests.reports.release.surveys import RECIPE, made, released, survey


def headline(report: ReleaseReport) -> str:
    parts = report.sections[0].parts
    return " ".join(part.text for part in parts if isinstance(part, Prose) and part.emphasis is Emphasis.VERDICT)


def rows(report: ReleaseReport) -> dict[str, str]:
    tables = [part for part in report.sections[0].parts if isinstance(part, WordTable)]
    (table,) = [part for part in tables if part.title == TITLE]
    return {row[0]: row[1] for row in table.rows} | standings(report)


def standings(report: ReleaseReport) -> dict[str, str]:
    """Return for each standing the lines of the intruders that have it."""
    (table,) = [one for one in report.sections[0].parts if isinstance(one, WordTable) and one.title == WHO_FINDS]
    found: dict[str, str] = {}
    for who, standing, finds in table.rows:
        found[standing] = f"{found[standing]}. {who}: {finds}" if standing in found else f"{who}: {finds}"
    return found


@cache
def unprotected() -> ReleaseReport:
    return sf.report(survey(), survey(), limits=["k>=3"])


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_it_tells_what_is_promised_measured_lost_and_not_known(edition: str) -> None:
    found = rows(made(edition))
    wanted = ["Promised", "Lost", "Not known", "Rests on"]
    wanted += ["Keep secret"] if edition == "internal" else []
    assert [name for name in found if name not in ("Warning", *Standing)] == wanted
    assert {Standing.SAFE, Standing.NOT_SAFE} <= {*found}
    assert all(found.values())
    assert "sex, town" in found["Rests on"]  # the keys
    section = next(one for one in made(edition).sections if one.key == "intruders")
    assert str(section).count("Town of residence") == 1  # with their labels, once


def test_a_file_as_it_was_is_safe_against_no_one_who_has_values() -> None:
    found = rows(unprotected())
    assert (unprotected()["risk/measures/DLD"].value or 0) > MAX_FOUND
    assert "a holder of exact numbers" in found[Standing.NOT_SAFE].lower()
    assert "the worst intruder" in found[Standing.NOT_SAFE].lower()
    assert "an acquaintance" in found[Standing.NOT_SAFE].lower()
    assert found["Promised"].startswith("Nothing")


@pytest.mark.parametrize("report", [made(), made("public"), unprotected()])
def test_each_intruder_stands_on_the_side_that_the_figure_puts_them_on(report: ReleaseReport) -> None:
    found = rows(report)
    for path, words in (("risk/measures/BSLD", "holder of exact numbers"), ("risk/measures/WCL", "worst intruder")):
        value = report[path].value or 0.0
        safe = Standing.SAFE_AS_TRIED if path.endswith("BSLD") else Standing.SAFE
        side, others = safe, (Standing.NOT_SAFE, Standing.SAFE_AS_TRIED)
        if value > MAX_FOUND:
            side, others = Standing.NOT_SAFE, (Standing.SAFE, Standing.SAFE_AS_TRIED)
        assert words in found[side]
        assert not any(words in found.get(other, "") for other in others if other is not side)


def test_a_proven_bound_is_a_promise_and_an_attack_alone_is_none() -> None:
    steps = [
        sf.DropIdentifiers(columns=("sex", "town", "age", "ill")),
        sf.AdditiveNoise(columns=("income", "rent"), scale=2.0),
    ]
    recipe = sf.Recipe(steps=steps, seed=4)
    proven = sf.report(survey(), recipe.run(survey()), recipe=recipe)
    assert "nobody, whatever they try" in rows(proven)["Promised"].lower()
    assert "whatever they try" not in rows(sf.report(survey(), released(), recipe=RECIPE))["Promised"]


def test_only_the_house_signs() -> None:
    (form,) = [part for part in made().sections[0].parts if isinstance(part, Form)]
    assert len(form.fields) == len(DECISION.fields)
    assert "Limits and the threshold of HIPAA (9 %) chosen by, because" in form.fields
    assert not [part for section in made("public").sections for part in section.parts if isinstance(part, Form)]
    assert "Decision of the board" not in made("public").to_html()


def test_what_no_control_tells_apart_is_measured_and_not_judged() -> None:
    words = rows(made())[Standing.OPEN]
    report = made()
    for path in ("risk/measures/INF", "risk/measures/INF/baseline", "risk/measures/learnt_numbers/of_record"):
        assert report[path].text in words
    assert "without a control" in str(report.sections[0])


def test_the_baseline_of_guessing_is_the_commonest_value() -> None:
    report = made()
    guessed = report["risk/measures/INF"].remark.partition(" is guessed")[0].rpartition(" ")[2].lower()
    commonest = released().frame[guessed].mode().sort()[0]
    right = 100 * float((survey().frame[guessed] == commonest).mean() or 0)
    assert report["risk/measures/INF/baseline"].value == pytest.approx(right)


def with_few_gaps() -> tuple[Microdata, Microdata]:
    """Return a file with two keys in large groups, and a release in which three records lost one."""
    data = survey(600, 5)
    wide = sf.Recipe(
        steps=[sf.Recoding(columns=("town",), map={"Dell": "far", "Ely": "far"}, keeps_others=True)], seed=1
    )
    gone = pl.when(pl.int_range(pl.len()) < 3).then(None).otherwise(pl.col("town")).alias("town")
    masked = wide.run(data)
    return data, Microdata(masked.frame.with_columns(gone), masked.schema)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_an_acquaintance_who_finds_a_record_with_a_third_chance_is_none_it_is_safe_from(edition: str) -> None:
    found = made(edition)
    left = min(found[f"risk/fitting/{name}/after"].value or 0 for name in ("records", "persons"))
    assert 3 <= left < 10
    chance = "a chance of up to 33.33 %"  # other columns were looked at up to the k of the limit, 3
    assert "an acquaintance" not in rows(found)[Standing.SAFE].lower()
    assert chance in rows(found)[Standing.NOT_SAFE]
    assert "an acquaintance" in headline(found).partition("NOT safe against")[2].partition(".")[0]


def test_k_of_ten_is_safe_only_where_gaps_read_as_values_leave_ten_too() -> None:
    data, masked = with_few_gaps()
    found = sf.report(data, masked, same_order=True)
    sides = [found[f"risk/fitting/{name}/after"].value or 0 for name in ("records", "persons")]
    assert min(sides) >= 10
    is_strict = (found["risk/keys/strict_k/after"].value or 0) >= 10
    standing = Standing.SAFE if is_strict else Standing.ON_CONDITION
    assert "an acquaintance" in rows(found)[standing].lower()
    keys = min(Counter(zip(masked.frame["sex"], masked.frame["town"], strict=True)).values())
    assert is_strict == (keys >= 10)
    assert not is_strict
    assert "Safe only if nobody knows what was taken out of whom, against an acquaintance" in headline(found)


@pytest.mark.parametrize("report", [made(), made("public"), unprotected()])
def test_the_headline_names_everybody_whom_the_file_is_not_safe_against(report: ReleaseReport) -> None:
    unsafe = [one.split(":")[0].split(",")[0].lower() for one in rows(report)[Standing.NOT_SAFE].split(". ")]
    whom = [
        one
        for one in (
            "acquaintance",
            "holder of exact numbers",
            "worst intruder",
            "household",
            "register",
            "confidential number",
            "confidential answer",
        )
        if one in " ".join(unsafe)
    ]
    assert whom
    assert all(one in headline(report).partition("NOT safe against")[2] for one in whom)


def test_how_many_spreads_shrank_far_is_counted_and_only_the_most_is_named() -> None:
    data = survey()
    numbers = {"income": 0.5, "rent": 0.7, "age": 0.9}
    columns = [(pl.col(name) - pl.col(name).mean()) * by + pl.col(name).mean() for name, by in numbers.items()]
    masked = Microdata(data.frame.with_columns(columns), data.schema)
    inside, outside = (rows(sf.report(data, masked, same_order=True, edition=one)) for one in ("internal", "public"))
    assert "shrank: 2 of 3 by more than 20 %, at most by 50 %, most that of income" in inside["Lost"]
    assert "shrank: 2 of 3 by more than 20 %, most that of income" in outside["Lost"]


def test_what_a_small_control_leaves_open_stands_in_the_headline() -> None:
    data = survey()
    halves = data.take_rows(np.arange(0, data.n, 2)), data.take_rows(np.arange(1, data.n, 2))
    recipe = sf.Recipe(steps=[sf.SequentialSynthesis(columns=data.schema.names)], seed=2)
    found = sf.report(halves[0], recipe.run(halves[0]), recipe=recipe, control=halves[1], standards=("wp216",))
    assert not found.shows_leak
    reach = max(one.value or 0.0 for one in found.figures if one.path.startswith("risk/measures/") and one.interval)
    told = headline(found).rpartition("these attacks of up to ")[2].partition(" %")[0]
    assert 100 >= float(told) >= reach
    assert "a control of about 120 records leaks by 5 of these attacks" in headline(found)  # of the 6 that were tried
    assert "not ruled out; for keys that tell a right answer no bound was computed" in headline(found)
    assert "Descriptions by one column and by 3 were tried" in found["risk/measures/SO"].sentence
    untested = str(next(one for one in found.sections if one.key == "untested"))
    assert "Singling out by descriptions of other than one or 3 columns." in untested
    assert "Intruders who know the recipe: " in untested  # no attack on synthetic records runs it


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_columns_that_intruders_have_are_named_and_what_is_learnt_is_a_mean_chance(edition: str) -> None:
    told = " ".join(rows(made(edition)).values())
    assert "with a chance of" in told.partition("a confidential number")[2].partition(".")[0]
    section = str(next(one for one in made(edition).sections if one.key == "intruders"))
    assert "the original values in the compared columns (" in section


def test_an_average_bound_says_what_is_random() -> None:
    recipe = sf.Recipe(steps=[sf.CategoricalMicroaggregation(columns=survey().schema.names, k=10)], seed=4)
    found = sf.report(survey(), recipe.run(survey()), recipe=recipe)
    assert "whatever they know" in headline(found)  # whole records are equal
    assert "on average over the order of the records" in headline(found)
    assert "whatever they try" in found["risk/measures/WCL/WCB"].sentence
    assert "the draws of the recipe and the order of the records" in found["risk/measures/WCL/WCB"].sentence
    assert "draws at random" not in found.to_json()


def test_an_alarm_on_an_intruder_who_has_a_line_is_said_there_alone() -> None:
    data = sf.datasets.demo(90)
    keys = ("sex", "region", "marital_status", "education", "occupation")
    steps = [sf.DropIdentifiers(columns=("person_id",)), sf.LocalSuppression(columns=keys, k=3)]
    recipe = sf.Recipe(steps=steps, seed=1)
    found = sf.report(data, recipe.run(data), recipe=recipe, limits=["DLD<=100"])
    told = [part.text for part in found.sections[0].parts if isinstance(part, Prose)]
    alarm = "k does not hold for whoever knows all members of a household."
    assert alarm not in " ".join(told)  # the line of that intruder says it
    assert str(found.to_dict()["sections"][0]).count("keys of a whole household") == 1
    assert "somebody who knows a whole household" in headline(found)
    assert not [text for text in told if text.startswith("The promise of k is for persons one by one")]
    assert "No limit that was set" not in rows(found)["Warning"]  # it would be about alarms that are not in the row


def test_a_public_edition_without_limits_does_not_say_that_none_was_set() -> None:
    inside, outside = (sf.report(survey(), released(), recipe=RECIPE, edition=one) for one in ("internal", "public"))
    assert "No limit was set" in headline(inside)
    assert "This edition was given no limits" in headline(outside)
    assert "was set" not in headline(outside)
    assert "given no limits" in rows(outside)["Promised"] or not rows(outside)["Promised"].startswith("Nothing")
    told = str(outside.to_dict()["sections"])
    assert "No limit was set" not in told
    assert "The promise of k" not in told
    assert "whether another one does is not told here" in told  # the questions of law


def test_a_holder_of_numbers_is_judged_by_those_that_tell_most_and_not_by_the_first_in_the_file() -> None:
    rng = np.random.default_rng(2)
    noise = {f"n{place}": rng.normal(size=150) for place in range(9)}
    data = Microdata(pl.DataFrame({"sex": rng.choice(["f", "m"], 150).tolist(), **noise}))
    steps = [sf.AdditiveNoise(columns=tuple(list(noise)[:7]), scale=5.0)]
    recipe = sf.Recipe(steps=[*steps, sf.AdditiveNoise(columns=("n7", "n8"), scale=0.05)], seed=1)
    found = sf.report(data, recipe.run(data), recipe=recipe, edition="public")
    assert (found["risk/measures/DLD"].value or 0) < MAX_FOUND
    assert "holder of exact numbers" in rows(found)[Standing.NOT_SAFE]
    assert "holder of exact numbers" in headline(found)


def test_the_categories_that_a_recoded_variable_has_now_are_named_to_everybody() -> None:
    for edition in ("internal", "public"):
        section = next(one for one in made(edition).sections if one.key == "contents")
        assert "became 4" in str(section)
        assert "; now Aston, Brill, Corby, elsewhere" in str(section)
