"""Both ends of the worst case are told so that nobody takes the lower one for the risk."""

import numpy as np
import pytest

from sfumato.assessment.rendering import _meaning
from sfumato.contracts import Measurement
from sfumato.risk import WorstCaseLinkage
from sfumato.risk.linkage._likelihood_links import BLURRED, NO_RECIPE, LikelihoodLinks


def links(bound: float | None, caveat: str = "", *, is_proven: bool = False) -> LikelihoodLinks:
    """Return links of two records with a bound."""
    ones = np.ones(2)
    return LikelihoodLinks({"row by row": ones}, ones, ones, 0.0, bound, caveat, (), ("rank_swapping",), is_proven)


def test_what_the_attack_leaves_unused_is_told_beside_a_bound_by_equal_records_that_leaves_much() -> None:
    assert links(90.0, BLURRED).claim(38.0) == (
        "it is proven only that nobody links more than 90.0 % by these columns on average; who follows its steps "
        "one by one may find more: measure each by itself, too"
    )
    assert links(40.0, BLURRED).claim(38.0) == (
        f"nobody links more than 40.0 % by these columns on average, which is proven; {BLURRED}"
    )
    assert links(40.0, BLURRED).claim(40.0) == (
        "nobody links more than 40.0 % by these columns on average, which is proven"
    )


def test_a_bound_near_all_is_not_contradicted() -> None:
    told = links(99.87).claim(38.0)
    assert told.endswith("no smaller bound is proven for rank_swapping")
    assert links(None).claim(38.0).endswith("no bound is proven for rank_swapping")
    assert "which is proven" in links(99.87, is_proven=True).claim(95.0)
    assert links(None).claim(100.0) == ""


def test_without_the_recipe_the_figure_is_no_upper_bound() -> None:
    assert links(None, NO_RECIPE).claim(38.0).startswith("this is no upper bound: who has the recipe")
    assert "no upper bound" not in links(60.0, NO_RECIPE).claim(38.0)
    assert "who has the recipe" in links(60.0, NO_RECIPE).claim(38.0)


@pytest.mark.parametrize(("bound", "shows"), [(100.0, False), (52.0, True), (45.0, True)])
def test_the_interval_of_an_attack_is_told_only_where_the_other_end_is_near(bound: float, shows: bool) -> None:
    measure = WorstCaseLinkage(columns=("income",))
    found = Measurement(name=measure.name(), symbol="WCL", value=43.0, unit="%", interval=(38.0, 48.0), bound=bound)
    assert ("38.00 to 48.00" in _meaning(measure, found, "masked")) is shows


def test_the_interval_of_an_attack_is_not_told_where_nothing_more_is_proven() -> None:
    measure = WorstCaseLinkage(columns=("income",))
    found = Measurement(name=measure.name(), symbol="WCL", value=94.9, unit="%", interval=(92.0, 97.0), bound=99.9)
    assert "confidence interval" not in _meaning(measure, found, "masked")
