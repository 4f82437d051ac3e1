from pathlib import Path

import pytest

from sfumato.errors import DocumentError, FileError
from sfumato.parameters.limits import read_limits
from sfumato.study.plan import StudyPlan

STUDY = """\
data: people.csv
schema: people.schema.yaml
replications: 3
seed: 7
candidates:
  - mdav: {columns: numeric, k: 5}
  - [{top_coding: {columns: [age], at: 85}}, {mdav: {columns: [income]}}]
"""
SHORT = "data: a.csv\ncandidates:\n  - mdav: {columns: numeric}\n"
MEASURED = f"{SHORT}measures: [information_loss: {{columns: numeric}}]\n"


def test_a_study_file_is_read_with_paths_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    plan = StudyPlan.load(tmp_path / "study.yaml")
    assert plan.data == tmp_path / "people.csv"
    assert plan.schema_file == tmp_path / "people.schema.yaml"
    assert (plan.replications, plan.seed) == (3, 7)
    steps = [[type(step).__name__ for step in recipe.steps] for recipe in plan.candidates.values()]
    assert steps == [["Mdav"], ["TopCoding", "Mdav"]]


def test_measures_scores_outliers_and_limits_are_read() -> None:
    plan = StudyPlan.from_yaml(
        f"{SHORT}measures: [information_loss: {{columns: numeric}}, distance_linkage: {{columns: [age]}}]\n"
        "scores: [{weights: {IL: 0.5, DLD: 0.5}}]\noutliers: true\nlimits: [IL<=30, DLD_outliers<=2.5]\n",
        Path(),
    )
    assert [measure.symbol for measure in plan.measures or ()] == ["IL", "DLD"]
    assert [score.formula for score in plan.scores or ()] == ["0.5 IL + 0.5 DLD"]
    assert plan.outliers
    assert plan.limits == read_limits(["IL<=30", "DLD_outliers<=2.5"])


def test_grids_make_a_candidate_per_combination_also_in_pipelines() -> None:
    plan = StudyPlan.from_yaml(
        "data: a.csv\ncandidates:\n"
        "  - mdav: {columns: [income, tax], k: [3, 5]}\n"
        "  - - top_coding: {columns: [age], at: [80, 90]}\n"
        "    - rank_swapping:\n        columns: numeric\n        window: range(5, 15, 5)\n",
        Path(),
    )
    settings = [
        [(s.name(), getattr(s, "k", getattr(s, "window", getattr(s, "at", None)))) for s in r.steps]
        for r in plan.candidates.values()
    ]
    grid = [[("top_coding", at), ("rank_swapping", window)] for at in (80, 90) for window in (5, 10, 15)]
    assert settings == [[("mdav", 3)], [("mdav", 5)], *grid]


def test_what_is_wrong_with_every_combination_is_told_once_and_with_its_line() -> None:
    text = (
        "data: a.csv\ncandidates:\n  - mdav:\n      columns: numeric\n      k:\n"
        "        - 3\n        - 1\n  - top_coding: {columns: [age], at: [80, 90], percent: [1, 5]}\n"
    )
    with pytest.raises(DocumentError) as caught:
        StudyPlan.from_yaml(text, Path())
    assert caught.value.problems == (
        "line 7, candidate 1: Mdav.k must be in [2, inf); got 1",
        "line 8, candidate 2: TopCoding needs either at or percent; got both",
    )


def test_a_pipeline_of_too_many_combinations_is_refused() -> None:
    step = '{rank_swapping: {columns: numeric, window: "range(1, 100)"}}'
    with pytest.raises(DocumentError, match="at most 10,000 candidates; these make 1000000"):
        StudyPlan.from_yaml(f"data: a.csv\ncandidates:\n  - [{step}, {step}, {step}]", Path())


def test_replications_seed_and_schema_may_be_left_out() -> None:
    plan = StudyPlan.from_yaml("data: a.csv\ncandidates:\n  - mdav: {columns: numeric}\n", Path())
    assert (plan.replications, plan.seed, plan.schema_file) == (1, None, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "",
            "line 1: 'data' must be the name of a file; got nothing",
        ),
        ("- a", "the study must be a mapping with the keys data, schema, candidates, replications, seed, "),
        ("- a", "outliers, limits; got a list"),
        ("candidates:\n  - mdav: {columns: numeric}", "'data' must be the name of a file; got nothing"),
        ("data: a.csv", "'candidates' must be a list of methods"),
        ("data: a.csv\ncandidates: []", "'candidates' must be a list of methods"),
        (
            "data: a.csv\ncandidates:\n  - mdav: {columns: numeric}\nseed: -1",
            "line 4: 'seed' must be in [0, inf); got -1",
        ),
        ("data: a.csv\ndata: b.csv\ncandidates:\n  - mdav: {columns: numeric}", "the key 'data' is already in line 1"),
        (
            "data: a.csv\ncandidates:\n  - [{mdav: {columns: numeric}}, {mdv: {}}]",
            "line 3, candidate 1: there is no method",
        ),
        (f"{SHORT}measures: []", "line 4: 'measures' must be a list of measures, as in '- distance_linkage: "),
        (
            f"{SHORT}measures: [distance_linkage: {{colums: numeric}}]",
            "has no parameter 'colums'; did you mean 'columns'",
        ),
        (f"{SHORT}scores: [simplified]", "line 4, score 1: there is no score 'simplified'"),
        (
            f"{MEASURED}scores: [simplified_score]",
            "line 5: simplified_score: no measure of the study has the symbol 'DLD'",
        ),
        (f"{MEASURED}limits: [DR<=20, ILL<=3]", "line 5, limit 2: there is no figure 'ILL'; did you mean 'IL'"),
        (
            f"{MEASURED}limits: [PLD<=20]",
            "line 5, limit 1: there is no figure 'PLD'; add probabilistic_linkage to",
        ),
        (f"{MEASURED}limits: [DR<=20]", "no figure 'DR'; it is made from DLD and ID: measure DLD and ID too"),
        (f"{MEASURED}limits: [score<=20]", "no figure 'score'; it is made from IL, DLD and ID: measure DLD and ID"),
        (f"{MEASURED}limits: [s0<=20]", "it is made from IL2, IL3, IL4 and IL5: add s0 to the scores"),
        (f"{MEASURED}limits: [K<=20]", "limit 1: there is no figure 'K'; the figures are IL, IL1, IL2"),
        (f"{SHORT}limits: [ZZ<=20]", " more"),
        (
            f"{SHORT}measures: [distance_linkage: {{columns: [age]}}, distance_linkage: {{columns: [age]}}]",
            "'DLD' is there 2 times: leave one out",
        ),
        ("data: [a.csv", "line 1: not valid YAML"),
        (f"{MEASURED}limits: [IL<=low]", "line 5, limit 1: a limit is a figure and a number, as in 'DLD<=5'"),
        (f"{SHORT}limits: 20", "'limits' must be a list of limits, as in '[DR<=20, IL<=30]'; got a number"),
        (f"{SHORT}limits: [DLD_outliers<=20]", "no figure 'DLD_outliers'; say 'outliers: true' to tell"),
        (f"{SHORT}outliers: perhaps", "line 4: 'outliers' must be true or false; got 'perhaps'"),
        ("data: a.csv\ncandidates:\n  - []", "line 3, candidate 1: a list of methods must hold at least one; got none"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, words: str) -> None:
    with pytest.raises(DocumentError) as caught:
        StudyPlan.from_yaml(text, Path())
    assert words in str(caught.value)
    assert str(caught.value).startswith("the study has")


def test_a_study_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        StudyPlan.load(tmp_path / "none.yaml")


def test_a_candidate_may_have_a_name_of_its_own() -> None:
    plan = StudyPlan.from_yaml(
        "data: a.csv\ncandidates:\n"
        "  - {name: usual keys, steps: [{local_suppression: {columns: [sex], k: 3}}, mdav: {columns: [tax], k: 3}]}\n"
        "  - {name: averages, mdav: {columns: [tax], k: [3, 5]}}\n"
        "  - mdav: {columns: [tax], k: 7}\n"
        "  - {name: usual keys, mdav: {columns: [tax], k: 9}}\n",
        Path(),
    )
    assert list(plan.candidates) == ["usual keys", "averages 3", "averages 5", "mdav 7", "usual keys (2)"]
    assert [recipe.steps[-1].to_plain()["k"] for recipe in plan.candidates.values()] == [3, 3, 5, 7, 9]


@pytest.mark.parametrize("name", ["''", "7", "[a]", f"'{'x' * 81}'"])
def test_a_name_that_is_no_short_text_is_refused_with_its_line(name: str) -> None:
    with pytest.raises(DocumentError, match=r"line 3, .*the name of a candidate must be a text of 1 to 80 characters"):
        StudyPlan.from_yaml(f"data: a.csv\ncandidates:\n  - {{name: {name}, mdav: {{columns: [tax]}}}}\n", Path())
