import pickle
import statistics

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.study import Result, Study
from tests.study.examples import mdav, study, study_of, swapping, twenty

FAILED = Result("mdav 99", "mdav", mdav(99).replace(seed=0), 0, 0, error="there are only 8 records")


def with_failure(found: Study) -> Study:
    return Study((*found.results, FAILED), found.seed, found.titles)


def test_the_table_has_mean_and_deviation_of_each_candidate() -> None:
    found = study([swapping(2), mdav(3)], replications=4, spread=1.0)
    losses = [run.values["IL"] for run in found.results if run.candidate == "mdav 3"]
    row = found.to_frame().row(1, named=True)
    assert row["candidate"] == "mdav 3"
    assert row["IL"] == pytest.approx(statistics.fmean(losses))
    assert row["IL_sd"] == pytest.approx(statistics.stdev(losses))


def test_a_single_run_has_no_deviation() -> None:
    assert study([swapping(2)]).to_frame()["IL_sd"].to_list() == [None]


def test_the_table_of_runs_has_a_row_per_run_with_its_seed() -> None:
    frame = study([swapping(2), mdav(3)], replications=3).runs_frame()
    assert frame["replication"].to_list() == [0, 1, 2, 0, 1, 2]
    assert frame["seed"].to_list() == [0, 1, 2, 0, 1, 2]
    assert frame["error"].null_count() == 6


def test_a_failed_candidate_is_in_the_tables_with_its_error_and_without_figures() -> None:
    found = with_failure(study([swapping(2)]))
    for frame in (found.to_frame(), found.runs_frame()):
        assert frame["error"].to_list() == [None, "there are only 8 records"]
        assert frame["IL"][1] is None


def test_failed_and_undefined_candidates_are_neither_ranked_nor_on_the_front() -> None:
    found = with_failure(study_of([(1.0, 2.0), (np.nan, 0.0)]))
    assert found.front()["candidate"].to_list() == ["c0"]
    assert found.ranking(by="DR")["candidate"].to_list() == ["c0"]
    assert found.best(by="DR").label == "c0"


def test_the_front_begins_with_the_lowest_loss() -> None:
    found = study_of([(1.0, 9.0), (9.0, 1.0), (5.0, 5.0), (6.0, 6.0)])
    assert found.front()["candidate"].to_list() == ["c1", "c2", "c0"]
    assert found.front().columns == ["candidate", "family", "IL", "IL_sd", "DR", "DR_sd"]


def test_the_front_is_of_the_figures_asked_for() -> None:
    found = study_of([(1.0, 9.0), (2.0, 8.0)])
    assert found.front(risk="IL", loss="IL")["candidate"].to_list() == ["c1"]


def test_equal_candidates_share_a_rank_and_the_first_is_best() -> None:
    found = study_of([(5.0, 1.0), (3.0, 1.0), (3.0, 1.0), (4.0, 1.0)])
    ranking = found.ranking(by="DR")
    assert ranking["candidate"].to_list() == ["c1", "c2", "c3", "c0"]
    assert ranking["rank"].to_list() == [1, 1, 3, 4]
    assert found.best(by="DR").label == "c1"


def test_the_best_candidate_has_the_lowest_mean_and_a_recipe_without_the_seed_of_a_run() -> None:
    found = study(twenty(), replications=2, spread=0.1)
    means = {candidate.label: candidate.mean("score") for candidate in found.candidates}
    best = found.best()
    assert best.mean("score") == min(means.values())
    assert best.recipe.seed is None


def test_an_unknown_figure_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ParameterError, match="no figure 'scor'; did you mean 'score'"):
        study([swapping(2)]).ranking(by="scor")


def test_a_study_without_any_figure_says_why() -> None:
    found = Study((FAILED,), 0)
    for ask in (found.front, found.ranking, found.best, found.ru_map):
        with pytest.raises(ParameterError, match=r"no run of the study succeeded.*only 8 records"):
            ask()


def test_the_text_shows_figures_the_front_and_failures() -> None:
    text = str(with_failure(study_of([(1.0, 9.0), (2.0, 9.5)])))
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert lines["candidate"].split() == ["candidate", "IL", "DR", "score"]
    assert lines["c0 *"].split() == ["c0", "*", "9.00", "1.00", "-"]
    assert lines["c1"].split() == ["c1", "9.50", "2.00", "-"]
    assert "failed: mdav 99: there are only 8 records" in text


def test_the_text_shows_deviations_of_replications() -> None:
    found = study([swapping(2)], replications=3, spread=1.0)
    mean, deviation = found.candidates[0].mean("IL"), found.candidates[0].deviation("IL")
    assert f"{mean:.2f} ± {deviation:.2f}" in str(found)


def test_a_study_in_which_all_failed_can_be_shown() -> None:
    assert "failed: mdav 99" in str(Study((FAILED,), 0))
    assert Study((FAILED,), 0).to_frame()["error"].to_list() == ["there are only 8 records"]


def test_the_html_is_escaped() -> None:
    html = study([mdav(3)], labels=["<script>"])._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_study_survives_pickling() -> None:
    found = with_failure(study([swapping(2)], replications=2))
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301


def test_the_figures_of_a_result_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        study([swapping(2)]).results[0].values["IL"] = 0.0  # type: ignore[index]
