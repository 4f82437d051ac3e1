"""Recursive l-diversity, checked against the definition in plain Python."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.risk import RecursiveLDiversity
from tests.risk.plain_classes import READINGS, RECORDS, Record, people, shown


def is_diverse(values: list[str], c: float, least: int) -> bool:
    counts = sorted(Counter(values).values(), reverse=True)
    return counts[0] < c * sum(counts[least - 1 :])


@given(records=RECORDS, c=st.sampled_from([0.5, 1.0, 1.5, 2.0, 4.0]), least=st.integers(2, 4), missing=READINGS)
def test_counts_the_records_whose_class_is_outweighed(
    records: list[Record], c: float, least: int, missing: str
) -> None:
    found = RecursiveLDiversity(c=c, l=least, missing=missing).of(people(records))
    classes = shown(records, missing)
    violates = [bool(values) and not is_diverse(values, c, least) for values in classes]
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * bad for bad in violates]
    fulfilled = [
        all(is_diverse(values, c, wanted) for values in classes if values) for wanted in range(1, 5)
    ]  # the sums fall, so that these are true up to some number
    assert found.parts["RLDS"] == sum(fulfilled)


def test_the_disease_of_four_in_six_is_too_frequent_for_a_c_of_two() -> None:
    data = people([("x", "x", value) for value in "ppppqr"])
    assert RecursiveLDiversity(c=2, l=2).of(data).value == 100  # 4 < 2 x (1 + 1) does not hold
    assert RecursiveLDiversity(c=2.1, l=2).of(data).value == 0


def test_refuses_a_c_of_nothing() -> None:
    with pytest.raises(ParameterError, match=r"RecursiveLDiversity\.c must be in \(0, inf\); got 0"):
        RecursiveLDiversity(c=0)
