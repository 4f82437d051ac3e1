"""The questions of WP216 are answered in a line, by the intruders of the verdict."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judging.standing import Standing
from sfumato.reports.release.chapters.judging.told_amounts import WHO
from sfumato.reports.release.chapters.law.wp216_answers import QUESTIONS, SEE_RISK
from sfumato.reports.release.sections import FigureTable, Prose, Subheading
from tests.reports.release.chapters.test_plain_verdict import standings
from tests.reports.release.surveys import made, survey


def answers(report: ReleaseReport) -> dict[str, tuple[FigureTable, str]]:
    """Return the table of each question and the answer before it, by the question."""
    parts = next(one for one in report.sections if one.key == "standards").parts
    found = {}
    for title, answer, table in zip(parts, parts[1:], parts[2:], strict=False):
        if isinstance(title, Subheading) and isinstance(answer, Prose) and isinstance(table, FigureTable):
            found[title.text] = table, answer.text
    return {one.name: found[one.text] for one in QUESTIONS}


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_each_question_is_answered_by_the_intruders_of_the_verdict(edition: str) -> None:
    told, lines = answers(made(edition)), standings(made(edition))
    assert [*told] == ["singling out", "linkability", "inference"]
    assert told["singling out"][1].startswith("Answer: yes, for an acquaintance, who knows a person's keys")
    for name, who in (
        ("singling out", "acquaintance"),
        ("linkability", "numbers"),
        ("inference", "confidential number"),
    ):
        standing = next(each for each in Standing if who in lines.get(each, ""))
        is_yes = told[name][1].startswith("Answer: yes")
        assert is_yes or standing is not Standing.NOT_SAFE
        assert (who in told[name][1]) == (standing is not Standing.SAFE or not is_yes)


def test_inference_is_possible_where_means_tell_amounts_and_what_is_not_judged_is_told_beside_it() -> None:
    pay = np.where(np.arange(90) % 9 == 0, 1000.0 + np.arange(90), 0.0)  # one of each nine has nearly all of a mean
    frame = pl.DataFrame({"sex": ["f", "m", "m"] * 30, "ill": ["no", "no", "yes"] * 30, "pay": pay})
    roles = sf.Schema.infer(frame).with_kinds(continuous=["pay"]).with_roles(key=["sex"], confidential=["ill", "pay"])
    means = frame.with_columns(pay=np.repeat(pay.reshape(10, 9).mean(axis=1), 9))
    files = (sf.Microdata(frame, roles), sf.Microdata(means, roles))
    for edition in ("internal", "public"):
        report = sf.report(*files, same_order=True, standards=["wp216"], edition=edition)
        answer = answers(report)["inference"][1]
        assert answer.startswith("Answer: yes, for somebody")
        assert WHO in standings(report)[Standing.NOT_SAFE]
        assert "who shares a mean with few others" in answer
        assert "(see the verdict)" in answer.partition("who shares a mean")[2]  # which columns stand there
        assert ("pay" in standings(report)[Standing.NOT_SAFE].partition(WHO)[2]) == (edition == "internal")
        assert "Not judged without a control: " in answer
        assert "all but one of a person's values" in answer.partition("Not judged")[2]


def test_a_control_that_is_too_small_answers_nothing() -> None:
    data = survey()
    halves = data.take_rows(np.arange(0, data.n, 2)), data.take_rows(np.arange(1, data.n, 2))
    recipe = sf.Recipe(steps=[sf.SequentialSynthesis(columns=data.schema.names)], seed=2)
    for edition in ("internal", "public"):
        found = sf.report(
            halves[0], recipe.run(halves[0]), recipe=recipe, control=halves[1], standards=["wp216"], edition=edition
        )
        answer = answers(found)["inference"][1]
        assert (
            "Answer: NOT answered; a control of about 120 records is too small to rule out more than 10 %, above "
            in answer
        )
        assert ("estimate" in answer) == (edition == "internal")  # to everybody it would tell counts of few
        assert "not shown to be possible" not in answer
        closing = next(one for one in found.sections if one.key == "standards").parts[-1]
        assert isinstance(closing, Prose)
        assert "none is answered yes: " in closing.text
        assert "NOT answered" in closing.text
        assert "risk/measures/MIA" not in {row.paths[0] for row in answers(found)["inference"][0].rows}


def test_that_whole_groups_of_equal_records_are_found_is_told_beside_that_no_single_record_is() -> None:
    steps = [sf.RecordMicroaggregation(columns=survey().schema.names, k=11)]
    recipe = sf.Recipe(steps=steps, seed=1)
    for edition in ("internal", "public"):
        report = sf.report(survey(), recipe.run(survey()), recipe=recipe, standards=["wp216"], k=11, edition=edition)
        answer = answers(report)["linkability"][1]
        worst = report["risk/measures/WCL"].value or 0
        counts = recipe.run(survey()).frame.group_by(pl.all()).len()["len"]
        whole = worst == pytest.approx(100 * len(counts) / 240, abs=0.01)
        assert whole == ("it puts everybody into the right group" in answer)
        assert f"group of {counts.min()} to {counts.max()} equal records" in answer
        assert "yes, of groups, for the worst intruder" in answer


def test_equal_records_cannot_be_singled_out_and_nothing_is_said_without_a_control() -> None:
    equal = sf.RecordMicroaggregation(columns=survey().schema.names, k=10).mask(survey(), np.random.default_rng(1))
    report = sf.report(survey(), equal, same_order=True, standards=["wp216"], k=10)
    assert "records are equal in every column" in answers(report)["singling out"][1]
    recipe = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    drawn = sf.report(survey(), recipe.run(survey()), recipe=recipe, standards=["wp216"])
    assert all("cannot be told without a control" in answer for _, answer in answers(drawn).values())


def test_every_figure_on_linkage_and_what_keys_tell_answers_a_question() -> None:
    parts = next(one for one in made().sections if one.key == "standards").parts
    tables = [one for one in parts if isinstance(one, FigureTable)]
    shown = {row.paths[0] for table in tables for row in table.rows}
    repeated = [row for table in tables if table.title == SEE_RISK for row in table.rows]
    assert repeated
    assert not any(row.explained for row in repeated)  # the section on risk explains them
    by_fit = next(row for row in repeated if row.paths[0].endswith("learnt_numbers/by_fit"))
    assert by_fit.paths[1] == "risk/measures/learnt_numbers/baseline"
    known = {one.path for one in made().figures}
    for path in ("risk/measures/BSLD", "risk/measures/WCL", "risk/measures/ID", "risk/measures/learnt_numbers"):
        assert path in known
        assert path in shown


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_the_questions_close_with_what_the_answers_come_to(edition: str) -> None:
    told = answers(made(edition))
    yes = sum(answer.startswith("Answer: yes") for _, answer in told.values())
    assert yes > 0
    parts = next(one for one in made(edition).sections if one.key == "standards").parts
    (closing,) = [one.text for one in parts if isinstance(one, Prose) and one.text.startswith("Of the 3 questions")]
    assert closing.startswith(f"Of the 3 questions {yes} {'is' if yes == 1 else 'are'} answered yes.")
    assert "not anonymous unless" in closing
