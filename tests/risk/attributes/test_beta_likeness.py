"""Beta-likeness, checked against the definitions in plain Python."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.risk import BetaLikeness
from tests.risk.plain_classes import READINGS, RECORDS, Record, known, people, shares, shown


def excess(values: list[str], whole: list[float], beta: float, is_enhanced: bool) -> float:
    """Return by how much the worst value gains more than it may."""
    found = -math.inf
    for before, after in zip(whole, shares(values), strict=True):
        if after > before:
            allowed = min(beta, -math.log(before)) if is_enhanced else beta
            found = max(found, (after - before) / before - allowed)
    return found


@given(records=RECORDS, beta=st.sampled_from([0.15, 0.6, 1.1, 2.3]), is_enhanced=st.booleans(), missing=READINGS)
def test_counts_the_records_in_whose_class_a_value_gains_too_much(
    records: list[Record], beta: float, is_enhanced: bool, missing: str
) -> None:
    found = BetaLikeness(beta=beta, is_enhanced=is_enhanced, missing=missing).of(people(records))
    whole = shares(known(records))
    excesses = [excess(values, whole, beta, is_enhanced) if values else -1.0 for values in shown(records, missing)]
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * (above > 1e-9) for above in excesses]


@given(records=RECORDS)
def test_the_largest_gain_is_the_smallest_beta_that_holds(records: list[Record]) -> None:
    data = people(records)
    gain = BetaLikeness().of(data).parts["BLG"]
    assert BetaLikeness(beta=gain + 1e-6).of(data).value == 0
    if gain > 0.01:
        assert BetaLikeness(beta=gain - 1e-6).of(data).value > 0


def test_the_enhanced_form_keeps_frequent_values_from_becoming_certain() -> None:
    records: list[Record] = [*[("x", "x", "p")] * 3, *[("y", "y", "p")] * 3, ("y", "y", "q")]
    data = people(records)
    basic, enhanced = (BetaLikeness(beta=0.5, is_enhanced=form).of(data) for form in (False, True))
    assert basic.parts["BLG"] == pytest.approx(0.75)  # q is 1 of 7 in the file and 1 of 4 in its class
    assert basic.per_record is not None
    assert enhanced.per_record is not None
    assert basic.per_record.tolist() == [0.0] * 3 + [100.0] * 4
    assert enhanced.per_record.tolist() == [100.0] * 7  # p gains 1/6, and -ln(6/7) is less
