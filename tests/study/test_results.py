import json
import pickle
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sfumato.errors import ParameterError
from sfumato.parameters.limits import read_limits
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


def test_the_table_has_the_interval_by_students_t() -> None:
    found = study([swapping(2), mdav(3)], replications=5, spread=1.0)
    for row, candidate in zip(found.to_frame().to_dicts(), found.candidates, strict=True):
        losses = [run.values["IL"] for run in candidate.runs]
        low, high = stats.t.interval(0.95, 4, loc=statistics.fmean(losses), scale=stats.sem(losses))
        assert (row["IL_low"], row["IL_high"]) == pytest.approx((low, high))


def test_the_interval_of_two_runs_is_that_of_the_printed_table_of_t() -> None:
    runs = [Result("c", "mdav", mdav(3), number, number, {"IL": value}) for number, value in enumerate((10.0, 12.0))]
    assert Study(tuple(runs), 0).candidates[0].interval("IL") == pytest.approx((11 - 12.706, 11 + 12.706), abs=1e-3)


def test_a_candidate_with_a_failed_run_is_neither_best_nor_on_the_front() -> None:
    good = Result("good", "mdav", mdav(3), 0, 0, {"IL": 10.0, "DLD": 10.0, "score": 10.0})
    lucky = Result("lucky", "mdav", mdav(4), 0, 0, {"IL": 1.0, "DLD": 1.0, "score": 1.0})
    failed = Result("lucky", "mdav", mdav(4), 1, 1, error="no")
    found = Study((good, lucky, failed), 0)
    assert found.best(by="score").label == "good"
    assert [member.label for member in found.front_members(risk="DLD", loss="IL")] == ["good"]
    assert found.to_frame()["error"].to_list() == [None, "no"]


def test_a_single_run_has_neither_deviation_nor_interval() -> None:
    frame = study([swapping(2)]).to_frame()
    assert [frame[column][0] for column in ("IL_sd", "IL_low", "IL_high")] == [None, None, None]


def test_the_table_counts_the_runs_that_went_well() -> None:
    runs = [Result("c", "mdav", mdav(3), 0, 0, {"IL": 1.0}), Result("c", "mdav", mdav(3), 1, 1, error="no")]
    assert Study(tuple(runs), 0).to_frame()["runs"].to_list() == [1]


def test_pandas_and_plain_values_hold_the_same_table() -> None:
    found = with_failure(study([swapping(2)], replications=2, spread=1.0))
    frame = found.to_frame()
    assert found.to_pandas()["IL_high"].to_list()[0] == frame["IL_high"][0]
    assert list(found.to_pandas().columns) == frame.columns
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["candidates"] == frame.to_dicts()
    assert (plain["seed"], plain["replications"], plain["unfinished"]) == (7, 2, 0)


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
    assert found.front().columns == [
        *("candidate", "family", "IL", "IL_sd", "IL_low", "IL_high", "DR", "DR_sd", "DR_low", "DR_high")
    ]


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
    assert best.mean("score") == min(mean for mean in means.values() if mean is not None)
    assert best.recipe.seed is None


def test_the_best_under_limits_is_the_lowest_of_those_that_keep_to_them() -> None:
    found = study_of([(30.0, 1.0), (20.0, 5.0), (10.0, 9.0), (np.nan, 0.0)])
    assert found.best(by="IL").label == "c3"
    assert found.best(by="IL", limits=["DR<=20"]).label == "c1"
    assert found.best(by="DR", limits=["DR<=25", "IL<=9"]).label == "c2"


def test_without_anybody_under_the_limits_the_nearest_is_named() -> None:
    found = study_of([(30.0, 1.0), (22.5, 5.0), (19.0, 90.0)])
    with pytest.raises(
        ParameterError,
        match=r"no candidate keeps to DR <= 20, IL <= 4; the nearest is 'c1' with DR 22.5, 2.5 too "
        r"much, IL 5, 1 too much",
    ):
        found.best(by="IL", limits=["DR<=20", "IL<=4"])


@given(
    points=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=8), limit=st.integers(-1, 9)
)
def test_the_best_under_a_limit_agrees_with_a_plain_search(points: list[tuple[int, int]], limit: int) -> None:
    found = study_of([(float(risk), float(loss)) for risk, loss in points])
    allowed = [(loss, number) for number, (risk, loss) in enumerate(points) if risk <= limit]
    if allowed:
        assert found.best(by="IL", limits=[f"DR<={limit}"]).label == f"c{min(allowed)[1]}"
    else:
        nearest = min((risk, number) for number, (risk, _) in enumerate(points))[1]
        with pytest.raises(ParameterError, match=f"the nearest is 'c{nearest}'"):
            found.best(by="IL", limits=[f"DR<={limit}"])


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (["DRR<=20"], "best.limits: there is no figure 'DRR'; did you mean 'DR'"),
        (["DR<=low"], "best.limits: a limit is a figure and a number, as in 'DLD<=5' or 'k>=3'; got 'DR<=low'"),
        (["DR>=20"], "best.limits: DR may have an upper limit, as in 'DR<=5'; got 'DR>=20'"),
    ],
)
def test_refuses_limits_that_are_none(limits: list[str], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        study_of([(1.0, 1.0)]).best(by="IL", limits=limits)


def test_without_the_usual_figures_the_front_is_of_the_measures_that_there_are() -> None:
    values = [{"IL1s": 1.0, "SDID": 9.0}, {"IL1s": 2.0, "SDID": 9.5}]
    found = Study(tuple(Result(f"c{n}", "mdav", mdav(3 + n), 0, 0, figures) for n, figures in enumerate(values)), 0)
    assert found.axes() == ("SDID", "IL1s")
    assert found.front()["candidate"].to_list() == ["c0"]
    assert "on the Pareto front of SDID and IL1s" in str(found)


def test_a_study_without_a_risk_has_no_front_and_says_so() -> None:
    found = Study((Result("c", "mdav", mdav(3), 0, 0, {"IL": 1.0}),), 0)
    with pytest.raises(ParameterError, match="no measure of risk; the figures are IL"):
        found.front()
    assert "front" not in str(found)


def test_an_interrupted_study_says_so() -> None:
    found = study_of([(1.0, 1.0)])
    assert "interrupted: 3 runs not done" in str(Study(found.results, 0, unfinished=3))


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
    lines = {line.strip().split("  ")[0]: line for line in text.splitlines()}
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


def test_correlations_of_figures_over_candidates_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    figures = rng.lognormal(size=(12, 2)) @ [[1.0, 0.5], [0.0, 1.0]]
    figures[5] = figures[4]  # equal ranks
    runs = [
        Result(f"c{place}", "mdav" if place < 7 else "other", mdav(3), 0, 0, dict(zip(("IL", "CL"), row, strict=True)))
        for place, row in enumerate(figures.tolist())
    ]
    found = Study((*runs, FAILED), 0)
    for family, part in ((None, figures), ("mdav", figures[:7])):
        row = found.correlations(["IL"], ["CL"], family=family).row(0, named=True)
        assert row["candidates"] == len(part)
        assert row["correlation"] == pytest.approx(stats.pearsonr(*part.T).statistic, abs=5e-4)
        assert row["rank_correlation"] == pytest.approx(stats.spearmanr(*part.T).statistic, abs=5e-4)


def test_figures_that_do_not_vary_have_no_correlation() -> None:
    runs = [Result(f"c{place}", "mdav", mdav(3), 0, 0, {"IL": float(place), "CL": 2.0}) for place in range(5)]
    row = Study(tuple(runs), 0).correlations(["IL"], ["CL"]).row(0, named=True)
    assert (row["correlation"], row["rank_correlation"]) == (None, None)


def test_refuses_correlations_of_a_family_that_is_not_there() -> None:
    with pytest.raises(ParameterError, match=r"correlations.family must be one of .*; got 'noise'"):
        study([swapping(2), mdav(3)]).correlations(["IL"], ["IL"], family="noise")


def with_ends(ends: list[tuple[float, float, float]]) -> Study:
    """Return a study of candidates with a loss, what an attack links, and what nobody links more than."""
    results = [
        Result(f"c{number}", "mdav", mdav(3), 0, 0, {"IL": loss, "WCL": attack, "WCA": attack, "WCB": bound})
        for number, (loss, attack, bound) in enumerate(ends)
    ]
    return Study(tuple(results), 0, {"IL": "Loss", "WCL": "Attack", "WCB": "Bound"})


def test_a_limit_on_the_worst_case_is_kept_by_its_bound_alone() -> None:
    found = with_ends([(1.0, 2.0, 100.0), (5.0, 8.0, 9.5), (3.0, 9.0, 12.0)])
    assert found.best(by="IL", limits=["WCL<=10"]).label == "c1"
    assert found.best(by="IL", limits=["WCB<=10"]).label == "c1"
    assert found.best(by="IL", limits=["WCA<=10"]).label == "c0"


def test_where_no_attack_exceeds_a_limit_it_is_said_that_none_is_proven_not_to() -> None:
    with pytest.raises(ParameterError, match=r"'c0' with WCB 12 \(an attack links at least 2 %, but it is not proven"):
        with_ends([(1.0, 2.0, 12.0)]).best(by="IL", limits=["WCL<=10"])
    with pytest.raises(ParameterError, match=r"'c0' with WCB 14, 4 too much"):
        with_ends([(1.0, 12.0, 14.0)]).best(by="IL", limits=["WCL<=10"])


def test_a_map_with_a_limit_on_the_worst_case_shows_the_bound() -> None:
    found = with_ends([(1.0, 2.0, 100.0), (5.0, 8.0, 9.5)])
    (limit,) = read_limits(["WCB<=10"])
    assert found.axes() == ("WCL", "IL")
    assert found.axes(limits=[limit]) == ("WCB", "IL")


def test_outliers_alone_have_no_bound_to_be_limited() -> None:
    values = {"IL": 1.0, "WCL": 2.0, "WCB": 3.0, "WCL_outliers": 4.0}
    with pytest.raises(ParameterError, match=r"WCL_outliers cannot be limited, as nothing is proven of outliers alone"):
        Study((Result("c", "mdav", mdav(3), 0, 0, values),), 0).best(by="IL", limits=["WCL_outliers<=5"])
