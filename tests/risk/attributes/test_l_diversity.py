"""Distinct l-diversity, checked against sets of values in plain Python; and which columns are looked at."""

from itertools import combinations, pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.datasets import demo
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.risk import LDiversity
from sfumato.risk.attributes._value_counts import AT_ONCE
from tests.risk.plain_classes import READINGS, RECORDS, Record, people, shown


@given(records=RECORDS, least=st.integers(2, 4), missing=READINGS)
def test_counts_the_records_whose_class_shows_too_few_values(records: list[Record], least: int, missing: str) -> None:
    found = LDiversity(l=least, missing=missing).of(people(records))
    different = [len(set(values)) for values in shown(records, missing)]
    violates = [0 < count < least for count in different]
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * bad for bad in violates]
    assert found.value == found.parts["ill"] == pytest.approx(100 * np.mean(violates))
    assert found.parts["LDS"] == min(count for count in different if count)


def test_each_confidential_column_must_be_diverse_by_itself() -> None:
    frame = pl.DataFrame({"town": ["A", "A", "B", "B"], "ill": ["p", "q", "p", "q"], "job": ["s", "s", "s", "t"]})
    found = LDiversity(columns=("town",), sensitive=("ill", "job")).of(Microdata(frame))
    assert (found.value, found.parts["ill"], found.parts["job"]) == (50.0, 0.0, 50.0)


def test_many_values_and_wildcards_are_counted_in_turn() -> None:
    count = 2 * AT_ONCE + 3
    frame = pl.DataFrame({"town": ["A"] * count + [None], "ill": [f"{place:03}" for place in range(count)] + ["000"]})
    found = LDiversity(columns=("town",), sensitive=("ill",)).of(Microdata(frame))
    assert found.parts["LDS"] == count


def test_a_rule_leaves_out_keys_and_continuous_columns() -> None:
    data = demo(100)
    schema = data.schema.with_roles(confidential=["employment_status"])
    found = LDiversity().of(data.with_schema(schema))
    assert set(found.parts) == {"employment_status", "LDS"}


def test_refuses_what_is_not_a_confidential_column() -> None:
    data = demo(100)
    with pytest.raises(DataError, match=r"LDiversity\.sensitive: role\(confidential\) picks no nominal or ordinal col"):
        LDiversity().of(data)
    with pytest.raises(KindError, match=r"LDiversity\.sensitive: 'tax' is continuous; .* the step discretisation"):
        LDiversity(sensitive=("tax",)).of(data)
    with pytest.raises(DataError, match=r"LDiversity\.sensitive: 'sex' is also in columns; name it in one of the two"):
        LDiversity(sensitive=("sex",)).of(data)


def test_refuses_a_confidential_column_without_a_value_or_with_the_name_of_a_figure() -> None:
    frame = pl.DataFrame(
        {"town": ["A", "B"], "ill": [None, None], "LDS": ["p", "q"]}, schema_overrides={"ill": pl.String}
    )
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["town", "ill", "LDS"]))
    with pytest.raises(DataError, match=r"LDiversity\.sensitive: 'ill' has no observed value; leave it out"):
        LDiversity(columns=("town",), sensitive=("ill",)).of(data)
    with pytest.raises(DataError, match="a column called 'LDS' cannot be told from the figure of that name"):
        LDiversity(columns=("town",), sensitive=("LDS",)).of(data)


def most_that_are_apart(values: set[int], apart: float) -> int:
    """Return how many of some numbers can be chosen so that all are far enough apart, by trying every choice."""
    for size in range(len(values), 0, -1):
        for chosen in combinations(sorted(values), size):
            if all(high - low >= apart for low, high in pairwise(chosen)):
                return size
    return 0


@given(
    records=st.lists(st.tuples(st.sampled_from(["A", "B", None]), st.integers(0, 12) | st.none()), min_size=1),
    apart=st.sampled_from([0.5, 2, 3.5, 20]),
    missing=READINGS,
)
def test_counts_the_numbers_that_can_be_chosen_far_enough_apart(
    records: list[tuple[str | None, int | None]], apart: float, missing: str
) -> None:
    if all(income is None for _, income in records) or all(town is None for town, _ in records):
        return
    frame = pl.DataFrame(records, schema={"town": pl.String, "income": pl.Float64}, orient="row")
    schema = Schema.infer(frame).with_kinds(nominal=["town"], continuous=["income"])
    measure = LDiversity(columns=("town",), sensitive=("income",), l=2, apart={"income": apart}, missing=missing)
    found = measure.of(Microdata(frame, schema))

    def fits(one: str | None, other: str | None) -> bool:
        return one == other or (missing == "wildcard" and None in (one, other))

    shown = [{income for other, income in records if fits(town, other) and income is not None} for town, _ in records]
    counts = [most_that_are_apart(values, apart) for values in shown]
    assert found.parts["LDS"] == min(count for count in counts if count)
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * (0 < count < 2) for count in counts]


def test_numbers_that_differ_by_less_are_one_value() -> None:
    frame = pl.DataFrame({"town": ["A"] * 3, "income": [1000.0, 1000.01, 1000.02]})
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["town"], continuous=["income"]))
    near, far = (
        LDiversity(columns=("town",), sensitive=("income",), apart={"income": apart}).of(data).parts["LDS"]
        for apart in (500, 0.01)
    )
    assert (near, far) == (1, 3)


def test_a_rule_takes_the_numbers_for_which_a_distance_is_given() -> None:
    data = demo(100)
    schema = data.schema.with_roles(confidential=["employment_status", "tax"])
    found = LDiversity(apart={"tax": 100}).of(data.with_schema(schema))
    assert set(found.parts) == {"employment_status", "tax", "LDS"}


def test_refuses_numbers_without_a_distance_and_distances_of_other_columns() -> None:
    data = demo(100)
    with pytest.raises(
        KindError, match=r"'tax' is continuous; .* say in apart how far two of its numbers must be apart"
    ):
        LDiversity(sensitive=("tax",)).of(data)
    with pytest.raises(
        ParameterError, match=r"LDiversity\.apart: 'taxes' is not one of the sensitive columns; did you"
    ):
        LDiversity(sensitive=("tax",), apart={"tax": 1, "taxes": 1}).of(data)
    with pytest.raises(ParameterError, match="'employment_status' is nominal; expected continuous columns"):
        LDiversity(sensitive=("employment_status",), apart={"employment_status": 1}).of(data)
    with pytest.raises(ParameterError, match="apart"):
        LDiversity(apart={"tax": 0})
