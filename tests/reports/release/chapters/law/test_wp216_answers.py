"""The questions of WP216 are answered in a line, by the intruders of the verdict."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.chapters.judged_intruders import Standing
from sfumato.reports.release.chapters.law.wp216_answers import QUESTIONS
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
        assert (who in told[name][1]) == (standing is Standing.NOT_SAFE or not is_yes)


def test_equal_records_cannot_be_singled_out_and_nothing_is_said_without_a_control() -> None:
    equal = sf.RecordMicroaggregation(columns=survey().schema.names, k=10).mask(survey(), np.random.default_rng(1))
    report = sf.report(survey(), equal, same_order=True, standards=["wp216"], k=10)
    assert "records are equal in every column" in answers(report)["singling out"][1]
    recipe = sf.Recipe(steps=[sf.SequentialSynthesis(columns=survey().schema.names)], seed=2)
    drawn = sf.report(survey(), recipe.run(survey()), recipe=recipe, standards=["wp216"])
    assert all("cannot be told without a control" in answer for _, answer in answers(drawn).values())


def test_every_figure_on_linkage_and_what_keys_tell_answers_a_question() -> None:
    shown = {row.paths[0] for table, _ in answers(made()).values() for row in table.rows}
    known = {one.path for one in made().figures}
    for path in ("risk/measures/BSLD", "risk/measures/WCL", "risk/measures/ID", "risk/measures/learnt_numbers"):
        assert path in known
        assert path in shown
