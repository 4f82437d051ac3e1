"""Weights of synthetic records add up to those of the file."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.masking import SequentialSynthesis


def weighted(n: int) -> Microdata:
    rng = np.random.default_rng(12)
    frame = pl.DataFrame(
        {"age": rng.integers(18, 80, n), "town": rng.choice(["a", "b"], n), "weight": rng.gamma(3.0, 40.0, n).round(2)}
    )
    return Microdata(frame, Schema.infer(frame).with_kinds(continuous=["age"]).with_roles(weight=["weight"]))


def test_weights_add_up_to_those_of_the_file_without_a_size_too_and_in_each_stratum() -> None:
    data = weighted(400)
    names = ("age", "town", "weight")
    made = SequentialSynthesis(columns=names).mask(data, np.random.default_rng(1))
    assert made.values("weight").sum() == pytest.approx(data.values("weight").sum(), abs=1.0)
    within = SequentialSynthesis(columns=("age", "weight"), within=("town",)).mask(data, np.random.default_rng(1))
    totals = [file.frame.group_by("town").agg(pl.col("weight").sum()).sort("town")["weight"] for file in (data, within)]
    assert totals[1].to_list() == pytest.approx(totals[0].to_list(), abs=1.0)
    stated = SequentialSynthesis(columns=names, weight_total=5000).mask(data, np.random.default_rng(1))
    assert stated.values("weight").sum() == pytest.approx(5000, abs=1.0)
    with pytest.raises(DataError, match="the weights of a stratum add up"):
        SequentialSynthesis(columns=("age", "weight"), within=("town",), weight_total=5000).bound_to(data)


def test_weights_that_are_not_drawn_stay_as_they_are() -> None:
    data = weighted(60)
    made = SequentialSynthesis(columns=("age",), given=("town",)).mask(data, np.random.default_rng(1))
    assert np.array_equal(made.values("weight"), data.values("weight"))


def test_no_whole_number_weight_becomes_nothing_however_many_records_are_made() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"age": rng.integers(18, 80, 60), "weight": rng.integers(1, 4, 60)})
    schema = Schema.infer(frame).with_kinds(continuous=["age", "weight"]).with_roles(weight=["weight"])
    made = SequentialSynthesis(columns=("age", "weight"), size=600).mask(Microdata(frame, schema), rng)
    assert made.values("weight").min() == 1.0
