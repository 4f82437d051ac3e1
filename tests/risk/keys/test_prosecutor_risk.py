"""Prosecutor risk, checked against one over the number of records that fit."""

import numpy as np
import pytest
from hypothesis import given

from sfumato.risk import KAnonymity, ProsecutorRisk
from tests.risk.plain_classes import READINGS, RECORDS, Record, people, shown


@given(records=RECORDS, missing=READINGS)
def test_the_risk_is_one_over_the_number_of_records_that_fit(records: list[Record], missing: str) -> None:
    found = ProsecutorRisk(max_risk=40, missing=missing).of(people(records))
    everybody: list[Record] = [(a, b, "p") for a, b, _ in records]
    risks = np.array([100 / len(fitting) for fitting in shown(everybody, missing)])
    assert found.per_record == pytest.approx(risks)
    assert found.value == pytest.approx(risks.max())
    assert dict(found.parts) == pytest.approx(
        {"PRA": risks.mean(), "PRL": 100 * np.mean(risks > 40), "PRE": risks.sum() / 100}
    )


def test_the_mean_is_the_number_of_classes_over_that_of_the_records() -> None:
    data = people([("x", "x", "p"), ("x", "x", "p"), ("x", "y", "p"), ("y", "y", "p")])
    found = ProsecutorRisk().of(data)
    assert found.parts["PRA"] == pytest.approx(100 * KAnonymity().of(data).parts["KAC"] / 4)
    assert found.record_symbol == "PRA"
