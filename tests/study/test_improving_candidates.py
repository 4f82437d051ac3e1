"""Candidates of a study that improve what their methods leave."""

from pathlib import Path

import pytest

from sfumato.data import numeric
from sfumato.errors import DocumentError
from sfumato.improve import MomentMatching, PostMaskingOptimisation
from sfumato.loss import InformationLoss
from sfumato.recipe import Recipe
from sfumato.risk import IntervalDisclosure
from sfumato.study import compare
from sfumato.study.labels import family_of, labels_of
from sfumato.study.maps.series import series_of
from sfumato.study.plan import StudyPlan
from tests.study.examples import mdav, people, swapping

MATCHING = MomentMatching(columns=numeric)
STUDY = """\
data: a.csv
candidates:
  - mdav: {columns: numeric, k: [3, 5]}
    improve: {post_masking_optimisation: {columns: numeric, target_percent: [30, 50]}}
  - steps:
      - top_coding: {columns: [age], at: 80}
      - mdav: {columns: numeric}
    improve:
      moment_matching:
        columns: numeric
        target_percent: range(50, 100, 25)
"""


def test_grids_of_methods_and_of_improvers_are_combined() -> None:
    plan = StudyPlan.from_yaml(STUDY, Path())
    improvers = [recipe.improve for recipe in list(plan.candidates.values())[:4]]
    targets = [improver.target_percent for improver in improvers if isinstance(improver, PostMaskingOptimisation)]
    assert targets == [30, 50, 30, 50]
    assert [recipe.steps[0].to_plain()["k"] for recipe in list(plan.candidates.values())[:4]] == [3, 3, 5, 5]
    assert [recipe.improve for recipe in list(plan.candidates.values())[4:]] == [
        MomentMatching(columns=numeric, target_percent=percent) for percent in (50, 75, 100)
    ]
    assert [[step.name() for step in recipe.steps] for recipe in list(plan.candidates.values())[4:]] == [
        ["top_coding", "mdav"]
    ] * 3


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (
            "- mdav: {columns: numeric}\n    improve: {moment_maching: {}}",
            "line 4, candidate 1: there is no improver 'moment_maching'; did you mean 'moment_matching'?",
        ),
        (
            "- mdav: {columns: numeric}\n    improve:\n      moment_matching:\n        columns: numeric\n"
            "        record_percent: [50, 200]",
            "line 7, candidate 1: MomentMatching.record_percent must be in (0, 100]; got 200",
        ),
        (
            "- improve: {moment_matching: {columns: numeric}}",
            "line 3, candidate 1: expected a method, as in '- mdav: {columns: [income]}'; got nothing",
        ),
        (
            "- steps: {mdav: {columns: numeric}}",
            "line 3, candidate 1: 'steps' must be a list of methods; got a mapping",
        ),
        (
            "- steps: [mdav: {columns: numeric}]\n    mdav: {columns: numeric}",
            "line 3, candidate 1: expected the keys steps and improve; got mdav beside them",
        ),
    ],
)
def test_what_is_wrong_with_an_improving_candidate_is_told_with_its_line(entry: str, problem: str) -> None:
    with pytest.raises(DocumentError) as caught:
        StudyPlan.from_yaml(f"data: a.csv\ncandidates:\n  {entry}\n", Path())
    assert caught.value.problems == (problem,)


def test_the_improver_is_in_the_label_and_makes_a_family_of_its_own() -> None:
    plain, improved = mdav(5), mdav(5).replace(improve=MATCHING)
    nearer = mdav(5).replace(improve=MATCHING.replace(target_percent=50))
    assert labels_of([plain, improved]) == ("mdav 5", "mdav 5 + moment matching 100")
    assert labels_of([improved, nearer]) == ("mdav 5 + moment matching 100", "mdav 5 + moment matching 50")
    assert [family_of(recipe) for recipe in (plain, improved)] == ["mdav", "mdav + moment matching"]
    assert series_of([plain, improved, nearer]) == ((0,), (2, 1))


def test_an_improved_candidate_is_run_improved() -> None:
    data = people(80)
    measures = [InformationLoss(columns=numeric), IntervalDisclosure(columns=numeric)]
    recipes = [swapping(20), swapping(20).replace(improve=MATCHING)]
    study = compare(data, recipes, seed=1, measures=measures, workers=1)
    assert "measure worst_case_linkage (WCL), or limit it" in " ".join(str(study).split())
    improved = study.candidates[1]
    assert improved.error is None
    again: Recipe = improved.runs[0].recipe
    assert improved.mean("IL") == pytest.approx(measures[0].measure(data, again.run(data)).value)
    assert improved.mean("IL") != pytest.approx(measures[0].measure(data, again.replace(improve=None).run(data)).value)
