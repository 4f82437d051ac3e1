"""What a search may be asked, and how it refuses the rest."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.errors import ParameterError, UnknownColumnError
from sfumato.loss import InformationLoss
from sfumato.parameters.limits import read_limits
from sfumato.risk import DistanceLinkage
from sfumato.scores import WeightedScore
from sfumato.study.search.default_space import default_space
from sfumato.study.search.objectives import Objective, build_objective
from tests.study.examples import people


def objective(
    limits: Any = (), minimise: Any = "IL", measures: Any = None, scores: Any = None, data: Microdata | None = None
) -> Objective:
    return build_objective(people() if data is None else data, minimise, limits, measures, scores)


@pytest.mark.parametrize("name", ["DLD", "dld", "distance_linkage", "Distance_Linkage"])
def test_a_figure_is_known_by_its_symbol_and_by_its_name(name: str) -> None:
    assert objective([f"{name}<=5"]).limits == read_limits(["DLD<=5"])


def test_only_what_is_needed_is_measured() -> None:
    assert [measure.symbol for measure in objective(["WCL<=5"]).measures] == ["IL", "WCL"]
    needed = objective(["DR<=5"], "simplified_score")
    assert {measure.symbol for measure in needed.measures} == {"IL", "DLD", "ID"}
    assert needed.minimise == ("score",)
    assert [measure.symbol for measure in objective(["DLD<=5"], "IL1").measures] == ["IL", "DLD"]


def test_categories_change_what_is_minimised_when_nothing_is_named() -> None:
    rng = np.random.default_rng(0)
    sex, income = pl.Series("sex", rng.choice(["f", "m"], 30)), pl.Series("income", rng.normal(size=30))
    for frame, figure in ((income.to_frame(), "IL"), (sex.to_frame(), "CTL"), (pl.DataFrame([sex, income]), "meanL")):
        assert objective(["WCL<=5"], None, data=Microdata(frame)).minimise == (figure,)


def test_whoever_links_by_all_that_is_known_knows_weights_and_strata_too() -> None:
    survey = demo(60, 1)
    found = {
        measure.symbol: tuple(survey.select(measure.columns))
        for measure in objective(["WCL<=5", "DLD<=5"], "IL", data=survey).measures
    }
    assert "sampling_weight" in found["WCL"]
    assert "sampling_weight" not in (*found["DLD"], *found["IL"])
    for measured, is_masked in ((found["WCL"], True), (found["DLD"], False)):
        (entry,) = [one for one in default_space(survey, measured) if "categorical_micro" in str(one)] or [[]]
        assert ("sampling_weight" in str(entry)) is is_masked


def test_limits_that_are_no_list_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"search\.limits must be a list, as in \['DLD<=5'\]; got a dict"):
        objective({"DLD": 5})


def test_a_measure_where_a_name_belongs_is_refused() -> None:
    with pytest.raises(ParameterError, match="as in 'IL'; got a InformationLoss: give it in measures"):
        objective(["DLD<=5"], InformationLoss(columns=("income",)))


def test_scores_of_ones_own_can_be_minimised() -> None:
    own = WeightedScore(name="own", symbol="mine", weights={"IL": 0.2, "DLD": 0.8})
    found = objective((), "own", scores=[own])
    assert found.minimise == ("mine",)
    assert [measure.symbol for measure in found.measures] == ["IL", "DLD"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"limits": ["worst_case_linkge<=5"]}, "search.limits: there is no figure 'worst_case_linkge'; did you mean"),
        ({"limits": ["DLD<=five"]}, "search.limits: a limit is a figure and a number, as in 'DLD<=5'"),
        ({"limits": ["DLD<=nan"]}, "search.limits: a limit is a figure and a number"),
        ({"limits": ["DLD<=5", "distance_linkage<=4"]}, "must limit each figure once"),
        ({"minimise": "ILL"}, "search.minimise: there is no figure 'ILL'; did you mean"),
        ({"minimise": ("IL", "DLD", "ID")}, "must name one figure, or two for a front; got 3"),
        ({"minimise": ()}, "must name one figure"),
        ({"minimise": ("IL", "information_loss")}, "must name two different figures; got IL twice"),
        ({"limits": ["RL<=5"]}, "regression_loss (RL) needs the parameter given; name it in measures"),
        (
            {"limits": ["CTL<=5"]},
            "contingency_table_loss (CTL) is of nominal or ordinal columns, and the file has none",
        ),
        ({"limits": ["DLD<=5"], "measures": [InformationLoss(columns=("income",))]}, "there is no figure 'DLD'"),
        (
            {"minimise": "score", "measures": [InformationLoss(columns=("income",))]},
            "search.measures must find DLD, which is limited or minimised",
        ),
    ],
)
def test_what_cannot_be_asked_is_told(given: Any, words: str) -> None:
    with pytest.raises(ParameterError) as error:
        objective(**given)
    assert words in str(error.value)


def test_measures_of_columns_that_are_not_there_are_refused() -> None:
    measures = [InformationLoss(columns=("incom",)), DistanceLinkage(columns=("income",))]
    with pytest.raises(UnknownColumnError, match=r"InformationLoss\.columns: .*'incom'; did you mean 'income'"):
        objective(["DLD<=5"], measures=measures)
