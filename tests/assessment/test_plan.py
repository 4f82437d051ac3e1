"""Files of measures: read, and refused with all their problems."""

from pathlib import Path

import pytest

from sfumato.assessment import assess
from sfumato.assessment.plan import AssessmentPlan
from sfumato.data import numeric
from sfumato.datasets import demo
from sfumato.errors import DataError, DocumentError, FileError
from sfumato.loss import InformationLoss
from sfumato.risk import DistanceLinkage
from sfumato.scores import SCORES

PLAN = """
measures:
  - information_loss: {columns: numeric}
  - distance_linkage:
      columns: [age, income]
      max_keys: 2
scores:
  - simplified_score
  - weights: {IL: 0.5, DLD: 0.5}
    symbol: own
"""


def problems_of(text: str) -> list[str]:
    with pytest.raises(DocumentError) as caught:
        AssessmentPlan.from_yaml(text)
    return list(caught.value.problems)


def test_reads_measures_with_their_parameters_and_scores(tmp_path: Path) -> None:
    (tmp_path / "measures.yaml").write_text(PLAN)
    plan = AssessmentPlan.load(tmp_path / "measures.yaml")
    assert plan.measures == (
        InformationLoss(columns=numeric),
        DistanceLinkage(columns=("age", "income"), max_keys=2),
    )
    assert plan.scores is not None
    assert plan.scores[0] is SCORES["simplified_score"]
    assert (plan.scores[1].symbol, plan.scores[1].formula) == ("own", "0.5 IL + 0.5 DLD")


def test_leaves_the_scores_open_when_none_are_named() -> None:
    assert AssessmentPlan.from_yaml("measures: [information_loss: {columns: numeric}]").scores is None


def test_tells_every_problem_with_its_line() -> None:
    text = """
measures:
  - distance_linkag: {columns: numeric}
  - information_loss: {column: numeric}
scores: [simplified_scor]
outlier: true
"""
    problems = problems_of(text)
    assert problems[0] == "line 3, measure 1: there is no measure 'distance_linkag'; did you mean 'distance_linkage'?"
    assert (
        "line 4, measure 2 (information_loss): InformationLoss has no parameter 'column'; did you mean 'columns'?"
        in problems
    )
    assert "line 5, score 1: there is no score 'simplified_scor'; did you mean 'simplified_score'?" in problems
    assert problems[-1].startswith("line 6: a file of measures has no key 'outlier'")


@pytest.mark.parametrize(("text", "got"), [("", "nothing"), ("- mdav", "a list"), ("3", "a number")])
def test_refuses_a_text_without_measures(text: str, got: str) -> None:
    *wrong_shape, absent = problems_of(text)
    expected = f"line 1: the file of measures must be a mapping with the keys measures, scores; got {got}"
    assert wrong_shape == ([] if text == "" else [expected])
    assert absent.startswith("line 1: 'measures' must be a list of measures, as in '- distance_linkage: {columns: ")


def test_refuses_an_empty_list() -> None:
    assert problems_of("measures: []")[0].startswith("line 1: 'measures' must be a list")


def test_refuses_a_score_that_is_a_number() -> None:
    text = "measures: [information_loss: {columns: numeric}]\nscores: [3]"
    assert problems_of(text) == [
        "line 2, score 1: expected a score's name, or as in '- weights: {IL: 0.5, DLD: 0.5}'; got a number"
    ]


def test_says_that_a_file_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the file of measures .*absent\.yaml cannot be read: No such file"):
        AssessmentPlan.load(tmp_path / "absent.yaml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("measures: [DLD]", "there is no measure 'DLD'; 'DLD' is a figure of distance_linkage: name that"),
        ("measures: [overall_score]", "there is no measure 'overall_score'; that is a score: name it under scores"),
        (
            "measures: [information_loss: {columns: numeric}]\nscores: [score]",
            "there is no score 'score'; 'score' is the symbol of simplified_score: name that",
        ),
    ],
)
def test_a_symbol_is_answered_with_the_name_that_it_stands_for(text: str, message: str) -> None:
    assert problems_of(text)[0].endswith(message)


def test_a_score_names_the_measures_that_it_lacks() -> None:
    people = demo(60)
    measures = [InformationLoss(columns=("age", "tax"))]
    with pytest.raises(DataError, match=r"simplified_score: .* measure distance_linkage \(DLD\) and interval"):
        assess(people, people, measures, [SCORES["simplified_score"]])
