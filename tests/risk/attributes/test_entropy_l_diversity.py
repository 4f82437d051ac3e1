"""Entropy l-diversity, checked against the definition in plain Python."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.risk import EntropyLDiversity, LDiversity
from tests.risk.plain_classes import READINGS, RECORDS, Record, people, shares, shown


def plain_entropy(values: list[str]) -> float:
    return -sum(share * math.log(share) for share in shares(values) if share)


@given(records=RECORDS, least=st.sampled_from([1.0, 1.7, 2.0, 3.0, 3.9]), missing=READINGS)
def test_counts_the_records_whose_class_has_too_little_entropy(
    records: list[Record], least: float, missing: str
) -> None:
    found = EntropyLDiversity(l=least, missing=missing).of(people(records))
    entropies = [plain_entropy(values) if values else math.inf for values in shown(records, missing)]
    violates = [entropy < math.log(least) - 1e-9 for entropy in entropies]
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * bad for bad in violates]
    assert found.parts["ELDS"] == pytest.approx(math.exp(min(entropies)))


def test_equally_frequent_values_are_as_diverse_as_they_are_many() -> None:
    data = people([("x", "x", value) for value in "pqrs" * 3])
    assert EntropyLDiversity(l=4).of(data).value == 0
    assert EntropyLDiversity(l=4.001).of(data).value == 100


@given(records=RECORDS)
def test_asks_for_no_less_than_different_values_do(records: list[Record]) -> None:
    data = people(records)
    assert EntropyLDiversity(l=2).of(data).value >= LDiversity(l=2).of(data).value
