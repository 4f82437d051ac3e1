"""What a board signs: promised, measured, not known; an intruder who finds many is never called one it is safe from."""

from functools import cache

import pytest

import sfumato as sf
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judged_intruders import MAX_FOUND
from sfumato.reports.release.chapters.plain_verdict import DECISION, TITLE
from sfumato.reports.release.sections import Form, WordTable
from tests.reports.release.surveys import RECIPE, made, released, survey


def rows(report: ReleaseReport) -> dict[str, str]:
    tables = [part for part in report.sections[0].parts if isinstance(part, WordTable)]
    (table,) = [part for part in tables if part.title == TITLE]
    return {row[0]: row[1] for row in table.rows}


@cache
def unprotected() -> ReleaseReport:
    return sf.report(survey(), survey(), limits=["k>=3"])


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_it_tells_what_is_promised_measured_lost_and_not_known(edition: str) -> None:
    found = rows(made(edition))
    wanted = ["Promised", "Measured: safe against", "Measured: NOT safe against", "Lost", "Not known", "Rests on"]
    assert [name for name in found if name not in ("Warning", "Measured, not judged")] == wanted
    assert all(found.values())
    assert "Sex" in found["Rests on"]  # the keys, with their labels


def test_a_file_as_it_was_is_safe_against_no_one_who_has_values() -> None:
    found = rows(unprotected())
    assert (unprotected()["risk/measures/DLD"].value or 0) > MAX_FOUND
    assert "a holder of exact numbers" in found["Measured: NOT safe against"].lower()
    assert "the worst intruder" in found["Measured: NOT safe against"].lower()
    assert "an acquaintance" in found["Measured: NOT safe against"].lower()
    assert found["Promised"].startswith("Nothing")


@pytest.mark.parametrize("report", [made(), made("public"), unprotected()])
def test_each_intruder_stands_on_the_side_that_the_figure_puts_them_on(report: ReleaseReport) -> None:
    found = rows(report)
    for path, words in (("risk/measures/DLD", "holder of exact numbers"), ("risk/measures/WCL", "worst intruder")):
        value = report[path].value or 0.0
        if path.endswith("DLD"):  # the most that any of these intruders finds, which its sentence tells
            value = max(value, float(report[path].sentence.split("it is ")[-1].split(" %")[0]))
        side = "safe" if value <= MAX_FOUND else "NOT safe"
        other = "NOT safe" if side == "safe" else "safe"
        assert words in found[f"Measured: {side} against"]
        assert words not in found[f"Measured: {other} against"]


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
    assert DECISION in made().sections[0].parts
    assert not [part for section in made("public").sections for part in section.parts if isinstance(part, Form)]
    assert "Decision of the board" not in made("public").to_html()


def test_what_no_control_tells_apart_is_measured_and_not_judged() -> None:
    words = rows(made())["Measured, not judged"]
    report = made()
    for path in ("risk/measures/INF", "risk/measures/INF/baseline", "risk/measures/ID"):
        assert report[path].text in words
    assert "without a control" in words


def test_the_baseline_of_guessing_is_the_commonest_value() -> None:
    report = made()
    guessed = report["risk/measures/INF"].remark.partition(" is guessed")[0].rpartition(" ")[2].lower()
    commonest = released().frame[guessed].mode().sort()[0]
    right = 100 * float((survey().frame[guessed] == commonest).mean() or 0)
    assert report["risk/measures/INF/baseline"].value == pytest.approx(right)
