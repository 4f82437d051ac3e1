"""Distance to the closest record: near copies, described."""

import polars as pl
import pytest

from sfumato.risk import DistanceToClosestRecord
from tests.risk.synthetic.planted import NAMES, file, half_copied, population

PEOPLE, OTHERS = population(300, 1), population(300, 2)


def test_near_copies_are_counted_as_copies_are() -> None:
    measure = DistanceToClosestRecord(columns=NAMES)
    near = half_copied(PEOPLE, 1).with_columns(pl.col("pay") + 0.1)
    copies, moved, none = (
        measure.measure(file(PEOPLE), file(made)).value for made in (half_copied(PEOPLE, 1), near, OTHERS)
    )
    assert copies == pytest.approx(50, abs=6)
    assert moved == pytest.approx(50, abs=6)
    assert none < 12


def test_a_control_says_what_to_expect_and_nothing_is_called_proven() -> None:
    found = (
        DistanceToClosestRecord(columns=NAMES)
        .with_control(file(OTHERS))
        .measure(file(PEOPLE), file(population(300, 3)))
    )
    assert found.parts["control"] < 12
    assert found.parts["closer"] == pytest.approx(50, abs=10)
    assert found.shows_leak is None
    assert "no proof of safety" in found.remark


def test_a_file_that_is_all_originals_is_all_copies_and_has_no_distance() -> None:
    found = DistanceToClosestRecord(columns=NAMES).measure(file(PEOPLE), file(PEOPLE.reverse()))
    assert found.value == 100
    assert found.parts["DCRmedian"] == 0
