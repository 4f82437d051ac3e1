"""Tree propensity loss, against counts of leaves that can be told without a tree, and against chance."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.loss import PropensityLoss, TablePropensityLoss, TreePropensityLoss

RNG = np.random.default_rng(4)


def people(n: int) -> Microdata:
    a, b = RNG.normal(size=(2, n))
    return Microdata(pl.DataFrame({"a": a, "b": b, "c": a * b + RNG.normal(scale=0.1, size=n)}))


def test_of_one_column_of_categories_the_leaves_are_the_cells_of_its_table() -> None:
    files = [Microdata(pl.DataFrame({"town": RNG.choice(list("ABCD"), n, p=p)})) for n, p in ((90, None), (60, SKEW))]
    tree = TreePropensityLoss(columns=("town",), leaf_percent=0.1).measure(*files)
    assert tree.value == pytest.approx(TablePropensityLoss(columns=("town",)).measure(*files).value)


SKEW = [0.7, 0.1, 0.1, 0.1]


@pytest.mark.parametrize("records", [400, 100])
def test_a_file_drawn_from_the_original_has_a_ratio_of_about_one(records: int) -> None:
    original = people(400)
    drawn = [original.take_rows(RNG.integers(0, 400, records)) for _ in range(6)]
    ratios = [ratio(original, one) for one in drawn]
    assert np.mean(ratios) == pytest.approx(1, abs=0.25)


def test_sees_what_a_regression_of_single_columns_does_not() -> None:
    original = people(800)
    apart = original.with_columns_of(original.take_columns(("c",)).take_rows(RNG.permutation(800)))
    logistic = PropensityLoss(columns=("a", "b", "c"), has_interactions=False).measure(original, apart)
    assert logistic.parts["pMSEratio"] < 1 < 2.5 < ratio(original, apart)


def ratio(original: Microdata, masked: Microdata) -> float:
    measure = TreePropensityLoss(columns=("a", "b", "c"), leaf_percent=4, permutations=5)
    return measure.measure(original, masked).parts["pMSEtreeratio"]
