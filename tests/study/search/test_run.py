"""A search keeps to its limits, finds what can be found, and is the same wherever and however often it runs."""

import builtins
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from joblib.externals.loky import get_reusable_executor

from sfumato.assessment import assess
from sfumato.contracts import Knowledge
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError, SfumatoError
from sfumato.masking import RankSwapping
from sfumato.risk import WorstCaseLinkage
from sfumato.scores import SCORES
from sfumato.study import compare
from sfumato.study.figures import Outcome
from sfumato.study.front import is_on_front
from sfumato.study.search import Search, between, search
from sfumato.study.search.results import SearchEnding
from sfumato.study.search.space_entries import read_space
from sfumato.study.search.trials import Trials
from tests.study.examples import people
from tests.study.search.examples import COLUMNS, GROUPING, SPACE, SWAPPING, WINDOWS, searched


def figures(found: Search, *symbols: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([[candidate.mean(symbol) for symbol in symbols] for candidate in found.study.candidates])


def test_the_best_keeps_to_the_limits_when_it_is_assessed_again() -> None:
    found = searched()
    assert found.best is not None
    (run,) = found.best.runs
    again = assess(people(), run.recipe.run(people()), found.objective.measures, ()).values
    assert again["DLD"] <= 10
    assert again["IL"] == pytest.approx(found.best.mean("IL"), rel=1e-12)


def test_nobody_within_the_limits_is_better_and_somebody_better_is_not_within_them() -> None:
    found = searched()
    assert found.best is not None
    all_figures, best = figures(found, "IL", "DLD"), found.best.mean("IL")
    within = all_figures[:, 1] <= 10
    assert best == all_figures[within, 0].min()
    assert (all_figures[~within, 0] < best).any()  # the limit matters


def test_a_small_space_is_tried_whole_and_gives_the_smallest_window_within_the_limit() -> None:
    found = searched([WINDOWS], limits=["DLD<=5"], trials=100)
    by_hand = compare(
        people(),
        [RankSwapping(columns=("income", "tax"), window=window) for window in range(1, 41)],
        seed=7,
        measures=found.objective.measures,
        workers=1,
    )
    assert len(set(found.tried)) == len(found.tried) == 40
    assert found.best is not None
    expected = by_hand.best(by="IL", limits=["DLD<=5"])
    assert (found.best.recipe, found.best.mean("IL")) == (expected.recipe, expected.mean("IL"))


def test_the_sampler_comes_near_to_the_best_of_a_grid() -> None:
    found = searched([SWAPPING], limits=["DLD<=5"], trials=40)
    windows = [RankSwapping(columns=("income", "tax"), window=window) for window in range(1, 61)]
    by_hand = compare(people(), windows, seed=7, measures=found.objective.measures, workers=1)
    assert found.best is not None
    best = by_hand.best(by="IL", limits=["DLD<=5"]).mean("IL")
    assert best is not None
    assert (found.best.mean("IL") or np.inf) <= 1.25 * best


def test_processes_change_nothing_and_are_started_once_for_all_batches() -> None:
    met: set[int] = set()

    def look(*_: int) -> None:
        met.update(get_reusable_executor(reuse=True)._processes)

    assert searched(trials=12, workers=2, on_progress=look) == searched(trials=12, workers=1)
    assert len(met) == 2


def test_an_interrupted_search_is_continued_to_the_same_end(tmp_path: Path) -> None:
    def stop(done: int, _: int) -> None:
        if done == 13:
            raise KeyboardInterrupt

    partly = searched(keep=tmp_path, on_progress=stop)
    assert partly.ended is SearchEnding.INTERRUPTED
    assert (len(partly.tried), partly.unfinished) == (13, 7)
    continued, whole = searched(keep=tmp_path), searched()
    assert continued == whole
    assert continued.study.reused == len({*partly.tried})
    recipes = [candidate.recipe for candidate in whole.study.candidates]
    assert [candidate.recipe for candidate in partly.study.candidates] == recipes[: len(partly.study.candidates)]


def test_more_trials_begin_with_the_same_ones(tmp_path: Path) -> None:
    few = searched(trials=11, keep=tmp_path)
    more, at_once = searched(trials=25, keep=tmp_path), searched(trials=25)
    assert more == at_once
    recipes = [candidate.recipe for candidate in more.study.candidates]
    assert [candidate.recipe for candidate in few.study.candidates] == recipes[: len(few.study.candidates)]
    assert more.study.reused == len(few.study.results)


def test_another_seed_gives_other_trials() -> None:
    assert searched(trials=3).tried != searched(trials=3, seed=8).tried


def test_a_seed_that_was_drawn_is_told_and_kept(tmp_path: Path) -> None:
    drawn = searched(trials=3, seed=None, keep=tmp_path)
    assert searched(trials=3, seed=None, keep=tmp_path) == drawn == searched(trials=3, seed=drawn.seed)
    assert searched(trials=3, seed=None).seed != drawn.seed


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"data": people(100)}, "of other data"),
        ({"space": [SWAPPING]}, "of another space"),
        ({"seed": 8}, "with another seed"),
        ({"limits": ["DLD<=11"]}, "with other limits"),
        ({"minimise": "IL1"}, "of another figure to minimise"),
        ({"replications": 2}, "with another number of replications"),
    ],
)
def test_a_folder_of_another_search_is_refused(tmp_path: Path, other: dict[str, Any], words: str) -> None:
    searched(trials=1, keep=tmp_path)
    with pytest.raises(ParameterError, match=f"keeps a search {words}; choose another folder, or remove trials.log"):
        searched(**{"trials": 1, "keep": tmp_path, **other})


def test_a_damaged_journal_is_told(tmp_path: Path) -> None:
    searched(trials=1, keep=tmp_path)
    (tmp_path / "trials.log").write_text("{}\n{}\n")
    with pytest.raises(SfumatoError, match=r"trials\.log is damaged; remove it"):
        searched(trials=1, keep=tmp_path)


def test_a_candidate_that_fails_is_told_and_stops_no_other() -> None:
    too_large = {"mdav": {"columns": COLUMNS, "k": between(100, 500)}}
    found = searched([too_large, SWAPPING])
    failed = [candidate for candidate in found.study.candidates if candidate.error]
    assert failed
    assert all("120" in str(candidate.error) or "group" in str(candidate.error) for candidate in failed)
    assert found.best is not None
    assert found.best.error is None


def test_a_space_without_anything_to_run_says_why_for_each_entry() -> None:
    unknown = [{"mdav": {"columns": ["wage"]}}, {"rank_swapping": {"columns": ["incme"]}}]
    with pytest.raises(DataError, match="no entry of the space can be run") as error:
        searched(unknown)
    assert "mdav: step 1 (mdav): there is no column 'wage'" in str(error.value)
    assert "rank_swapping: step 1 (rank_swapping): there is no column 'incme'; did you mean 'income'?" in str(
        error.value
    )
    with pytest.raises(DataError, match="no candidate could be run:\n  - mdav: "):
        searched([{"mdav": {"columns": COLUMNS, "k": [300, 400]}}])


def test_an_entry_that_cannot_be_run_is_left_out_and_told() -> None:
    found = searched([{"mdav": {"columns": ["wage"]}}, WINDOWS], trials=2)
    assert found.left_out == ("mdav: step 1 (mdav): there is no column 'wage'; the columns are: income, tax",)


def test_limits_that_nobody_keeps_leave_no_best_but_a_nearest() -> None:
    found = searched([WINDOWS], limits=["DLD<=0", "IL<=1"], trials=100)
    assert (found.best, found.front, found.meeting) == (None, (), ())
    values = figures(found, "DLD", "IL")
    excess = np.max((values - [0, 1]) / np.ptp(values, axis=0), axis=1)
    assert found.nearest is found.study.candidates[int(np.argmin(excess))]
    assert "no candidate keeps to DLD <= 0, IL <= 1; the nearest is '" in str(found)
    assert "too much" in str(found)
    assert (excess > 0).all()


def test_two_figures_make_a_front_that_nobody_beats() -> None:
    found = searched(minimise=("IL", "DLD"), limits=["ID<=70"], trials=40)
    values = figures(found, "IL", "DLD", "ID")
    within = values[:, 2] <= 70
    expected = is_on_front(np.where(within, values[:, 0], np.nan), values[:, 1])
    labels = [candidate.label for candidate, member in zip(found.study.candidates, expected, strict=True) if member]
    assert sorted(candidate.label for candidate in found.front) == sorted(labels)
    assert found.best in found.front
    assert len(found.front) > 3


def test_two_figures_are_the_same_after_an_interruption(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"minimise": ("IL", "DLD"), "limits": ()}
    searched(trials=20, keep=tmp_path, **asked)
    assert searched(trials=36, keep=tmp_path, **asked) == searched(trials=36, **asked)


def test_a_score_needs_no_limit_and_a_single_measure_does() -> None:
    assert searched(limits=(), minimise="score", trials=4).best is not None
    with pytest.raises(ParameterError, match="must limit some figure while only IL is minimised"):
        searched(limits=())


def test_the_worst_case_knows_the_recipe_of_each_candidate() -> None:
    found = searched([WINDOWS], limits=["worst_case_linkage<=50"], trials=1)
    (run,) = found.study.results
    (step,) = run.recipe.steps
    assert isinstance(step, RankSwapping)
    masked = run.recipe.run(people())
    worst = WorstCaseLinkage(columns=("income", "tax"))
    knowing = worst.informed_by(Knowledge.of([step], people())).measure(people(), masked).value
    assert run.values["WCL"] == knowing >= worst.measure(people(), masked).value


def test_time_ends_a_search() -> None:
    found = searched(trials=10_000, time_limit=0.3)
    assert found.ended is SearchEnding.TIME
    assert 0 < len(found.tried) < 10_000
    assert "the time was up" in str(found)


def test_when_the_time_is_up_a_candidate_has_all_its_runs_before_the_next_has_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seconds = count()
    monkeypatch.setattr("sfumato.study.search.run.monotonic", lambda: next(seconds))
    found = searched(replications=2, time_limit=3.5)  # a second per run: time for four
    assert found.ended is SearchEnding.TIME
    assert len(found.tried) == 2


def test_what_the_sampler_is_told_does_not_depend_on_which_run_ends_first() -> None:
    (entry,) = read_space([{"rank_swapping": {"columns": COLUMNS, "window": 5}}]).entries
    told = []
    for order in ((0, 1, 2), (2, 1, 0)):
        trials = Trials(searched(trials=1).objective, seed=7, replications=3, kept=None)
        trials.add(entry, {})
        runs = trials.pending_runs()
        for place in order:
            trials.record(runs[place], Outcome({"IL": (0.1, 0.2, 0.3)[place], "DLD": 1.0}))
        told.append(trials.figures_of(0))
    assert told[0] == told[1]


def test_a_time_in_which_nothing_is_done_is_refused_as_too_short() -> None:
    with pytest.raises(ParameterError, match=r"search\.time_limit must be long enough for one candidate"):
        searched(replications=2, time_limit=1e-9)


def test_the_usual_space_needs_nothing_but_data_and_a_limit() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"income": rng.lognormal(8, 1, 60), "sex": rng.choice(["f", "m"], 60)})
    found = search(Microdata(frame), limits=["WCL<=60"], trials=6, seed=1, workers=1)
    assert found.objective.minimise == ("meanL",)
    assert len(found.tried) == 6
    assert {"meanL", "WCL"} <= set(found.study.symbols)


def test_published_scores_can_be_limited_too() -> None:
    found = searched(limits=["simplified_score<=40"], trials=4)
    expected = SCORES["simplified_score"].score(dict(found.study.results[0].values))
    assert found.study.results[0].values["score"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"trials": 0}, r"search.trials must be a whole number in \[1, inf\); got 0"),
        ({"seed": -1}, r"search.seed must be a whole number in \[0, inf\); got -1"),
        ({"workers": 1.5}, "search.workers must be a whole number"),
        ({"time_limit": 0}, r"search.time_limit must be in \(0, inf\) seconds; got 0"),
        ({"replications": True}, "search.replications must be a whole number"),
    ],
)
def test_wrong_numbers_are_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        searched(**asked)


def test_a_frame_that_is_no_microdata_is_refused() -> None:
    with pytest.raises(DataError, match="search needs Microdata; got a DataFrame"):
        search(pl.DataFrame({"a": [1.0]}), SPACE, limits=["DLD<=5"])  # type: ignore[arg-type]


@pytest.mark.parametrize("is_kept", [False, True])
def test_without_optuna_the_way_to_it_is_told(is_kept: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    imported = builtins.__import__

    def without(name: str, *others: Any) -> Any:
        if name.partition(".")[0] == "optuna":
            raise ImportError(name)
        return imported(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SfumatoError, match="pip install optuna"):
        searched([GROUPING], keep=tmp_path / "kept" if is_kept else None)
    assert not (tmp_path / "kept").exists()
