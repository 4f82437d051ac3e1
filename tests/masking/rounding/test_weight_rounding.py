"""Weight rounding: nobody has a weight alone, and the weights add up as before."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import DataError
from sfumato.masking import WeightRounding
from sfumato.masking.rounding.weight_rounding import class_means

WEIGHTS = np.random.default_rng(3).lognormal(3, 1, 200)


def sample(weights: object, **more: object) -> Microdata:
    frame = pl.DataFrame({"weight": weights, **more})
    return Microdata(frame, Schema.infer(frame).with_kinds(continuous=["weight"]).with_roles(weight=["weight"]))


def rounded(method: WeightRounding, data: Microdata) -> pl.DataFrame:
    return pl.DataFrame(method.mask(data, np.random.default_rng(0)).frame)


@pytest.mark.parametrize("k", [2, 10, 40])
def test_at_least_k_records_share_each_weight(k: int) -> None:
    after = rounded(WeightRounding(k=k), sample(WEIGHTS))["weight"]
    assert min(np.unique(after.to_numpy(), return_counts=True)[1]) >= k


def test_the_column_of_the_role_weight_is_rounded_when_none_is_named() -> None:
    after = rounded(WeightRounding(k=5), sample(WEIGHTS, income=WEIGHTS[::-1] * 7))
    assert after["income"].to_list() == (WEIGHTS[::-1] * 7).tolist()
    assert after["weight"].to_list() != WEIGHTS.tolist()


def test_the_total_of_the_weights_is_kept() -> None:
    assert rounded(WeightRounding(k=10), sample(WEIGHTS))["weight"].sum() == pytest.approx(WEIGHTS.sum(), rel=1e-14)


def test_the_total_of_whole_weights_is_kept() -> None:
    whole = np.rint(WEIGHTS).astype(np.int64)
    after = rounded(WeightRounding(k=10), sample(whole))["weight"]
    assert after.sum() == pytest.approx(whole.sum(), rel=1e-14)
    assert after.dtype == pl.Float64


def test_the_total_in_each_stratum_is_kept() -> None:
    regions = np.array(["north", "south"])[np.arange(WEIGHTS.size) % 2]
    data = sample(WEIGHTS, region=regions)
    after = rounded(WeightRounding(k=10, within=("region",)), data).group_by("region").agg(pl.col("weight").sum())
    before = pl.DataFrame(data.frame).group_by("region").agg(pl.col("weight").sum())
    for region, total in before.iter_rows():
        assert after.filter(pl.col("region") == region)["weight"].item() == pytest.approx(total, rel=1e-14)


def test_no_other_classes_of_k_move_the_weights_less() -> None:
    weights = np.random.default_rng(5).lognormal(0, 1, 11)
    ascending = np.sort(weights)
    costs = []
    for classes in range(1, 4):
        for cuts in combinations(range(1, 11), classes - 1):
            parts = np.split(ascending, cuts)
            if min(part.size for part in parts) >= 3:
                costs.append(sum(float(((part - part.mean()) ** 2).sum()) for part in parts))
    assert float(((class_means(weights, 3) - weights) ** 2).sum()) == pytest.approx(min(costs))


def test_missing_weights_and_missing_codes_stay() -> None:
    weights = [-9, None, 1, 2, 3, 10, 11, 15]
    variable = Variable(name="weight", kind=Kind.CONTINUOUS, role=Role.WEIGHT, missing_codes=(-9,))
    data = Microdata(pl.DataFrame({"weight": weights}), Schema(variables=(variable,)))
    assert rounded(WeightRounding(k=3), data)["weight"].to_list() == [-9.0, None, 2.0, 2.0, 2.0, 12.0, 12.0, 12.0]


def test_a_pandas_column_of_whole_weights_keeps_its_index() -> None:
    frame = pd.DataFrame({"weight": [1, 2, 3, 4]}, index=[7, 5, 3, 1])
    schema = Schema(variables=(Variable(name="weight", kind=Kind.CONTINUOUS, role=Role.WEIGHT),))
    after = WeightRounding(k=2).mask(Microdata(frame, schema), np.random.default_rng(0)).frame
    assert after["weight"].to_dict() == {7: 1.5, 5: 1.5, 3: 3.5, 1: 3.5}


def test_fewer_weights_than_a_class_needs_are_refused() -> None:
    with pytest.raises(DataError, match="WeightRounding needs at least 10 values in 'weight'"):
        rounded(WeightRounding(), sample(WEIGHTS[:9]))


def households(weights: object, household: Sequence[int | None]) -> Microdata:
    frame = pl.DataFrame({"weight": weights, "household": household})
    schema = Schema.infer(frame).with_kinds(continuous=["weight"], nominal=["household"])
    return Microdata(frame, schema.with_roles(weight=["weight"], household=["household"]))


def test_at_least_k_households_share_each_weight_where_households_are_known() -> None:
    rng = np.random.default_rng(8)
    household = np.repeat(np.arange(60), rng.integers(1, 6, 60))
    weights = rng.lognormal(3, 1, 60)[household]
    after = rounded(WeightRounding(k=4), households(weights, household.tolist()))
    assert after.group_by("weight").agg(pl.col("household").n_unique())["household"].min() == 4
    assert after["weight"].sum() == pytest.approx(weights.sum(), rel=1e-14)
    alone = rounded(WeightRounding(k=4, household=()), households(weights, household.tolist()))
    assert alone.group_by("weight").agg(pl.col("household").n_unique())["household"].min() == 1


def test_members_with_different_weights_stay_together_in_the_class_of_their_mean() -> None:
    data = households([1.0, 9.0, 4.0, 20.0, 30.0, None], [1, 1, 2, 3, None, 4])
    assert rounded(WeightRounding(k=2), data)["weight"].to_list() == [14 / 3, 14 / 3, 14 / 3, 25.0, 25.0, None]


def test_fewer_households_than_a_class_needs_are_refused() -> None:
    with pytest.raises(DataError, match=r"at least 3 households with a value in 'weight'.*there are 2"):
        rounded(WeightRounding(k=3), households([1.0, 1.0, 2.0, 2.0], [1, 1, 2, 2]))
