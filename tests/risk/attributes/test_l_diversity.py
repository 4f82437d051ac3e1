"""Distinct l-diversity, checked against sets of values in plain Python; and which columns are looked at."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.datasets import demo
from sfumato.errors import DataError, KindError
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
