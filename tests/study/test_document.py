from pathlib import Path

import pytest

from sfumato.errors import FileError, RecipeError
from sfumato.masking import Mdav, TopCoding
from sfumato.study.document import StudyPlan, read_study

STUDY = """\
data: people.csv
schema: people.schema.yaml
replications: 3
seed: 7
candidates:
  - mdav: {columns: numeric, group_size: 5}
  - [{top_coding: {columns: [age], at: 85}}, {mdav: {columns: [income]}}]
"""


def test_a_study_file_is_read_with_paths_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    plan = StudyPlan.load(tmp_path / "study.yaml")
    assert plan.data == tmp_path / "people.csv"
    assert plan.schema == tmp_path / "people.schema.yaml"
    assert (plan.replications, plan.seed) == (3, 7)
    assert [[type(step) for step in recipe.steps] for recipe in plan.candidates] == [[Mdav], [TopCoding, Mdav]]


def test_replications_seed_and_schema_may_be_left_out() -> None:
    plan = read_study("data: a.csv\ncandidates:\n  - mdav: {columns: numeric}\n", Path())
    assert (plan.replications, plan.seed, plan.schema) == (1, None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a study must hold the keys data, schema, candidates, replications, seed; got nothing"),
        ("- a", "got a list"),
        ("candidates:\n  - mdav: {columns: numeric}", "'data' must be the name of a file; got nothing"),
        ("data: a.csv", "'candidates' must be a list of methods"),
        ("data: a.csv\ncandidates: []", "'candidates' must be a list of methods"),
        ("data: a.csv\ncandidates:\n  - mdav: {columns: numeric}\nseed: -1", "line 4: 'seed' must be a whole number"),
        ("data: a.csv\ndata: b.csv\ncandidates:\n  - mdav: {columns: numeric}", "the key 'data' is already in line 1"),
        (
            "data: a.csv\ncandidates:\n  - [{mdav: {columns: numeric}}, {mdv: {}}]",
            "line 3, candidate 1: there is no method",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(RecipeError) as caught:
        read_study(text, Path())
    assert words in str(caught.value)
    assert str(caught.value).startswith("the study has")


def test_a_study_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        StudyPlan.load(tmp_path / "none.yaml")
