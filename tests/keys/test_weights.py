"""Sampling weights, also those that were normalised."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError
from sfumato.keys.weights import check_weights, sampling_weights, scale_weights, weight_remark
from sfumato.reports import risk_report
from sfumato.risk import IndividualRisk


def people(weights: list[float | None], role: str = "weight") -> Microdata:
    frame = pl.DataFrame({"town": ["A"] * len(weights), "w": weights}, schema={"town": pl.String, "w": pl.Float64})
    return Microdata(frame, Schema.infer(frame).with_kinds(continuous=["w"]).with_roles(key=["town"], **{role: ["w"]}))


def test_weights_are_those_of_the_role_unless_a_column_is_named() -> None:
    frame = pl.DataFrame({"a": [1.5, 2.5], "b": [7.0, 8.0]})
    both = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in "ab"))
    assert sampling_weights("X", Microdata(frame, both), None) is None
    one = Microdata(frame, both.with_roles(weight=["a"]))
    assert sampling_weights("X", one, None).tolist() == [1.5, 2.5]  # type: ignore[union-attr]
    assert sampling_weights("X", one, "b").tolist() == [7.0, 8.0]  # type: ignore[union-attr]
    doubled = both.with_variables(*(both[name].replace(role="weight") for name in "ab"))
    with pytest.raises(DataError, match=r"X\.weight: the columns a, b have the role weight; name the one to use"):
        sampling_weights("X", Microdata(frame, doubled), None)


def test_weights_that_are_missing_or_zero_are_counted_and_refused_with_what_to_do() -> None:
    told = r"X\.weight: 'w' must be above 0 .* missing or not above 0 in 2 of 3: correct the weights, leave these recor"
    with pytest.raises(DataError, match=told):
        sampling_weights("X", people([2.0, 0.0, None]), None)
    with pytest.raises(DataError, match=r"X\.weight: 'town' is nominal; expected a continuous column"):
        sampling_weights("X", people([2.0]), "town")


def test_a_weight_below_one_counts_as_the_record_itself_and_a_remark_says_so() -> None:
    data = people([0.7, 120.0, 110.0])
    assert sampling_weights("X", data, None).tolist() == [1.0, 120.0, 110.0]  # type: ignore[union-attr]
    assert weight_remark("X", data, None).startswith("1 of 3 weights are below 1 and count as 1")
    assert weight_remark("X", people([1.0, 7.0]), None) == weight_remark("X", people([1.0], "other"), None) == ""


@pytest.mark.parametrize(
    ("weights", "told"), [([0.7, 1.2, 1.1], "look normalised"), ([0.02, 0.04, 0.01], "probabilities of selection")]
)
def test_normalised_weights_overstate_the_risk_until_the_size_of_the_population_is_told(
    weights: list[float | None], told: str
) -> None:
    data = people(weights)
    assert told in IndividualRisk().of(data).remark
    before = risk_report(data)
    after = risk_report(data, population_size=6_000)
    assert any(told in remark for remark in before.remarks)
    assert not any(told in remark for remark in after.remarks)
    assert before["largest_risk"] > 30 > 1 > after["largest_risk"]


def test_scaled_weights_add_up_to_the_population_and_keep_their_ratios() -> None:
    weights = sampling_weights("X", scale_weights("X", people([0.5, 1.0, 1.5]), None, 600.0), None)
    assert np.asarray(weights) == pytest.approx([100.0, 200.0, 300.0])
    with pytest.raises(DataError, match=r"X\.population_size must be from 3, the number of records, to .*; got 2"):
        scale_weights("X", people([0.5, 1.0, 1.5]), None, 2.0)
    with pytest.raises(DataError, match="no column has the role weight; name that column"):
        scale_weights("X", people([0.5], "other"), None, 20.0)


def test_a_weight_that_was_taken_for_codes_is_told_how_to_become_a_number() -> None:
    data = Microdata(pl.DataFrame({"total": [1, 2] * 20}))
    with pytest.raises(DataError, match=r"if all of it is numbers, give it that kind, .* the option continuous"):
        check_weights("risk", data, "total")
