from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, ParameterError, SfumatoError
from sfumato.loss import InformationLoss
from sfumato.masking import Mdav, RankSwapping
from sfumato.recipe import Recipe
from sfumato.risk import DistanceLinkage, IntervalDisclosure, RankIntervalLinkage
from sfumato.scores import SCORES, WeightedScore
from sfumato.study import compare
from sfumato.study.run_plan import run_seed
from tests.study.examples import COLUMNS, mdav, people, swapping

SWAPPINGS = [RankSwapping(columns=COLUMNS, window=window) for window in (5, 20)]


class Careless(MaskingMethod):
    """A method with a defect whose error shows a record's value."""

    family: ClassVar[str] = "careless"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        raise ValueError(f"cannot convert {block.values('income')[0]}")


def test_the_figures_are_those_of_the_recipe_run_and_assessed_by_hand() -> None:
    data = people()
    for result in compare(data, SWAPPINGS, replications=2, seed=7, workers=1).results:
        expected = assess(data, result.recipe.run(data), worst_case=False).values
        assert {symbol: result.values[symbol] for symbol in expected} == expected


def test_the_disclosure_risk_is_the_mean_of_linkage_and_interval_disclosure() -> None:
    (result,) = compare(people(), SWAPPINGS[:1], seed=7, workers=1).results
    assert result.values["DR"] == pytest.approx((result.values["DLD"] + result.values["ID"]) / 2)


def test_every_run_has_its_own_recorded_seed() -> None:
    results = compare(people(), SWAPPINGS, replications=3, seed=7, workers=1).results
    seeds = [result.seed for result in results]
    assert len(set(seeds)) == 6
    assert seeds == [result.recipe.seed for result in results]
    texts = [Recipe(steps=(method,)).to_yaml() for method in SWAPPINGS]
    assert seeds == [run_seed(7, text, 0, replication) for text in texts for replication in range(3)]
    assert len({result.values["IL"] for result in results}) == 6


def test_candidates_that_come_or_change_places_change_no_figure() -> None:
    few = compare(people(), SWAPPINGS, replications=2, seed=7, workers=1)
    more = compare(people(), [mdav(3), *reversed(SWAPPINGS)], replications=2, seed=7, workers=1)
    figures = {(run.candidate, run.replication): run.values for run in more.results}
    assert [figures[run.candidate, run.replication] for run in few.results] == [run.values for run in few.results]


def test_equal_candidates_are_runs_of_their_own() -> None:
    first, second = compare(people(), [SWAPPINGS[0], SWAPPINGS[0]], seed=7, workers=1).results
    assert first.seed != second.seed


def test_without_a_seed_one_is_drawn_and_kept() -> None:
    first, second = (compare(people(), SWAPPINGS[:1], workers=1) for _ in range(2))
    assert first.seed != second.seed
    again = compare(people(), SWAPPINGS[:1], seed=first.seed, workers=1)
    assert again == first


def test_the_seed_of_a_run_fits_any_dataframe() -> None:
    seeds = [run_seed(7, "steps: []", 0, replication) for replication in range(200)]
    assert max(seeds) < 2**63
    assert max(seeds) > 2**61  # uses the range: all 200 below a quarter of it would be a chance of 4**-200


def test_methods_and_recipes_mix_and_are_labelled() -> None:
    found = compare(people(), [SWAPPINGS[0], mdav(3), swapping(20)], seed=7, workers=1)
    assert [candidate.label for candidate in found.candidates] == ["rank swapping 5", "mdav 3", "rank swapping 20"]
    assert [candidate.family for candidate in found.candidates] == ["rank swapping", "mdav", "rank swapping"]


def test_the_chosen_measures_and_scores_are_taken() -> None:
    measures = [InformationLoss(columns=COLUMNS)]
    scores = [WeightedScore(weights={"IL": 2.0}, name="twice", symbol="twice")]
    found = compare(people(), SWAPPINGS[:1], seed=7, measures=measures, scores=scores, workers=1)
    assert set(found.titles) == {"IL", "twice"}
    assert found.results[0].values["twice"] == 2 * found.results[0].values["IL"]


def test_outliers_are_told_apart_when_asked_for() -> None:
    data = people()
    (result,) = compare(data, SWAPPINGS[:1], seed=7, outliers=True, workers=1).results
    apart = assess(data, result.recipe.run(data), outliers=True, worst_case=False).outlier_values
    assert apart.keys() >= {"DLD", "ID"}
    assert {symbol: result.values[f"{symbol}_outliers"] for symbol in apart} == apart
    assert result.values["DR_outliers"] == pytest.approx((apart["DLD"] + apart["ID"]) / 2)


def test_a_score_of_the_same_symbol_takes_the_place_of_the_mean_of_linkage_and_interval_disclosure() -> None:
    measures = [DistanceLinkage(columns=COLUMNS), IntervalDisclosure(columns=COLUMNS)]
    own = WeightedScore(name="own", symbol="DR", weights={"DLD": 1.0})
    (result,) = compare(people(), SWAPPINGS[:1], seed=7, measures=measures, scores=[own], workers=1).results
    assert result.values["DR"] == result.values["DLD"] != result.values["ID"]


@pytest.mark.parametrize(
    ("measures", "scores", "words"),
    [
        (
            [InformationLoss(columns=COLUMNS)],
            [SCORES["simplified_score"]],
            "no measure of the study has the symbol 'DLD'",
        ),
        ([InformationLoss(columns=COLUMNS)] * 2, None, "'IL' is there 2 times"),
        (
            [InformationLoss(columns=("incme",))],
            None,
            "InformationLoss.columns: there is no column 'incme'; did you mean",
        ),
        ([], None, "must hold at least one measure"),
    ],
)
def test_what_would_make_every_run_fail_is_refused_before_the_first(measures: Any, scores: Any, words: str) -> None:
    told: list[tuple[int, int]] = []
    with pytest.raises(SfumatoError, match=words):
        compare(people(), SWAPPINGS, measures=measures, scores=scores, on_progress=lambda *done: told.append(done))
    assert not told


def test_a_score_that_the_usual_measures_do_not_give_is_told_with_each_run() -> None:
    (result,) = compare(people(), SWAPPINGS[:1], seed=7, scores=[SCORES["overall_score"]], workers=1).results
    assert "no measure of the study has the symbol 'PLD'" in (result.error or "")


def test_a_candidate_that_fails_is_told_and_stops_nobody() -> None:
    found = compare(people(), [mdav(5000), SWAPPINGS[0], Mdav(columns=("incme",))], seed=7, workers=1)
    too_few, sound, absent = found.results
    assert "k" in (too_few.error or "")
    assert "did you mean 'income'" in (absent.error or "")
    assert too_few.values == absent.values == {}
    assert sound.error is None


def test_a_foreign_error_is_told_by_its_place_and_not_by_its_words() -> None:
    data = people()
    found = compare(data, [Careless(columns=COLUMNS), SWAPPINGS[0]], seed=7, workers=1)
    broken, sound = found.results
    assert broken.error is not None
    assert broken.error.startswith("ValueError in test_compare.py, line ")
    assert str(data.values("income")[0]) not in broken.error
    assert sound.error is None


def test_progress_is_told_run_by_run() -> None:
    told: list[tuple[int, int]] = []
    compare(people(), SWAPPINGS, replications=2, seed=7, workers=1, on_progress=lambda *done: told.append(done))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ([], "at least one recipe or method; got none"),
        ({}, "at least one recipe or method; got none"),
        (SWAPPINGS[0], "must be a list of recipes or methods, or a mapping; got a single RankSwapping"),
        (7, "got a single int"),
        ([SWAPPINGS[0], "mdav"], "candidate 2 must be a recipe or a masking method; got a str"),
        ({"first": 3.5}, "candidate 'first' must be a recipe or a masking method; got a float"),
        ({7: SWAPPINGS[0]}, "labels that are text"),
    ],
)
def test_refuses_what_is_no_candidate(candidates: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compare(people(), candidates, workers=1)


def test_refuses_numbers_out_of_range_all_together() -> None:
    with pytest.raises(ParameterError) as raised:
        compare(people(), SWAPPINGS, replications=0, seed=-1, workers=0)
    assert raised.value.problems == (
        "compare.replications must be a whole number in [1, inf); got 0",
        "compare.seed must be a whole number in [0, inf); got -1",
        "compare.workers must be a whole number in [1, inf); got 0",
    )


def test_refuses_a_bare_dataframe() -> None:
    with pytest.raises(DataError, match="wrap it, as in Microdata"):
        compare(pl.DataFrame({"income": [1.0, 2.0]}), SWAPPINGS)  # type: ignore[arg-type]


def test_intruders_who_undo_a_method_know_the_window_of_each_candidate() -> None:
    data, measure = people(), RankIntervalLinkage(columns=COLUMNS)
    (result,) = compare(data, SWAPPINGS[1:], measures=[measure], seed=7, workers=1).results
    masked = result.recipe.run(data)
    informed = measure.replace(window=20).measure(data, masked).value
    assert result.values["RSLD"] == informed != measure.measure(data, masked).value
