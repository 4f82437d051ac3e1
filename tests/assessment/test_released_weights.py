"""A released weight is part of what an intruder knows in the worst case: it may tell persons and households apart."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata, Schema
from sfumato.masking import DropIdentifiers, Mdav, WeightRounding
from sfumato.recipe import Recipe
from sfumato.risk import WorstCaseLinkage

DROP, MASK = DropIdentifiers(columns=("household",)), Mdav(columns=("income",), k=30)


@pytest.fixture(scope="module")
def survey() -> Microdata:
    """Return 60 persons in households of 2, each household with a weight of its own."""
    rng = np.random.default_rng(5)
    household = np.repeat(np.arange(30), 2)
    frame = pl.DataFrame(
        {
            "household": household,
            "sex": rng.choice(["f", "m"], 60),
            "income": rng.lognormal(7, 1, 60),
            "design": household // 10,
            "weight": rng.lognormal(3, 1, 30)[household],
        }
    )
    schema = Schema.infer(frame).with_kinds(nominal=["household", "design"], continuous=["weight", "income"])
    return Microdata(frame, schema.with_roles(household=["household"], weight=["weight"], stratum=["design"]))


def worst_case(survey: Microdata, *steps: DropIdentifiers | Mdav | WeightRounding) -> tuple[float, str]:
    recipe = Recipe(steps=steps, seed=1)
    found = assess(survey, recipe.run(survey), methods=recipe.steps)
    return next((one.value, one.remark) for one in found.measurements if one.symbol == "WCL")


def test_the_worst_case_looks_for_persons_by_their_weight(survey: Microdata) -> None:
    value, remark = worst_case(survey, MASK, DROP)
    assert value >= 50  # one of two in the household at least
    assert "these 4 columns (weight, the weight, too) links" in remark
    rounded, _ = worst_case(survey, MASK, WeightRounding(k=15), DROP)
    dropped, remark = worst_case(survey, MASK, DropIdentifiers(columns=("household", "weight")))
    assert dropped <= rounded < value / 2
    assert "weight" not in remark


def test_a_measure_without_the_weight_says_that_it_is_released(survey: Microdata) -> None:
    masked = Recipe(steps=[MASK, DROP], seed=1).run(survey)
    remark = WorstCaseLinkage(columns=("sex", "income")).measure(survey, masked).remark
    assert "not by weight, released too" in remark
