"""Columns that the masked file has in another kind, or no longer has."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Kind, Microdata, Variable
from sfumato.masking import Discretisation
from sfumato.recipe import Recipe
from tests.assessment.test_assess import files


def test_columns_that_have_lost_their_numbers_are_named_and_only_the_worst_case_looks_at_them() -> None:
    original, masked = files()
    is_old = original.values("age") > np.median(original.values("age"))
    classes = Variable(name="age", kind=Kind.ORDINAL, categories=("young", "old"))
    recoded = masked.with_column(classes, np.where(is_old, "old", "young").tolist()).without_columns(("tax",))
    found = assess(original, recoded)
    assert found.not_measured == ("tax",)
    assert found.to_dict()["not_measured"] == ["tax"]
    assert "Not measured, as the masked file no longer has them or has them in another kind: tax." in " ".join(
        str(found).split()
    )
    assert "age: of another kind than in the original, so only the worst case compares them." in found.remarks
    assert found.measures[0].columns == ("income",)
    assert set(found.measures[-1].columns) == {"age", "income"}


def test_columns_of_another_kind_are_not_measured_where_the_worst_case_is_not() -> None:
    original, masked = files()
    classes = Variable(name="age", kind=Kind.ORDINAL, categories=("young", "old"))
    recoded = masked.with_column(classes, ["young", "old"] * 15)
    fewer = Microdata(recoded.frame.drop("person").head(29), recoded.schema.subset(("age", "income", "tax")))
    for found in (assess(original, recoded, worst_case=False), assess(original, fewer)):
        assert found.not_measured == ("age",)
        assert "worst case" not in " ".join(found.remarks)


def test_who_knows_an_age_learns_from_its_class() -> None:
    rng = np.random.default_rng(0)
    age, income = rng.integers(18, 90, 400), rng.integers(0, 12, 400) * 1000.0
    original = Microdata(pl.DataFrame({"age": age, "income": income}))
    steps = [Discretisation(columns=("age",), breaks=(30, 45, 60, 75))]
    masked = Recipe(steps=steps, seed=1).run(original)
    found = assess(original, masked, methods=steps).values["WCL"]
    income_alone = 100 * len(set(income)) / 400
    groups = len(set(zip(np.searchsorted([30, 45, 60, 75], age, side="right"), income, strict=True)))
    assert income_alone < 4 < found == pytest.approx(100 * groups / 400)
