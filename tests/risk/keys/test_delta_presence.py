"""Delta-presence, checked against counting persons in plain Python."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.errors import ParameterError
from sfumato.risk import DeltaPresence, population_table
from tests.risk.plain_classes import Record, people

PERSON = st.tuples(st.sampled_from("xyz"), st.sampled_from("xy"), st.just("p"))


def fits(record: Record, person: Record) -> bool:
    return all(a is None or a == b for a, b in zip(record[:2], person[:2], strict=True))


@given(persons=st.lists(PERSON, min_size=2, max_size=12), gaps=st.sets(st.integers(0, 11)), data=st.data())
def test_each_record_is_shared_by_the_persons_whom_it_fits(
    persons: list[Record], gaps: set[int], data: st.DataObject
) -> None:
    taken = data.draw(st.lists(st.integers(0, len(persons) - 1), min_size=1, unique=True))
    drawn: list[Record] = [(None if row in gaps else persons[row][0], persons[row][1], "p") for row in taken]
    if all(record[0] is None for record in drawn):
        return
    measure = DeltaPresence(population=population_table(people(persons), ("a", "b")), min_presence=15, max_presence=60)
    found = measure.of(people(drawn))
    numbers = {record: sum(fits(record, person) for person in persons) for record in drawn}
    shares = [sum(1 / numbers[record] for record in drawn if fits(record, person)) for person in persons]
    of_persons = 100 * np.minimum(shares, 1)
    fitting = [[p for p, person in zip(of_persons, persons, strict=True) if fits(record, person)] for record in drawn]
    of_records = [float(np.mean(presences)) for presences in fitting]
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * (not 15 - 1e-6 <= p <= 60 + 1e-6) for p in of_records]
    outside = [not 15 - 1e-6 <= presence <= 60 + 1e-6 for presence in of_persons]
    assert found.parts["DPP"] == pytest.approx(100 * np.mean(outside))
    assert found.parts["DPS"] == pytest.approx(min(of_persons))
    assert found.parts["DPM"] == pytest.approx(max(of_persons))


def test_who_has_no_record_is_known_to_be_absent() -> None:
    data = Microdata(pl.DataFrame({"town": ["A", "A"]}))
    towns = {"town": ["A", "B"], "count": [5, 15]}
    absent_may_be_known = DeltaPresence(columns=("town",), population=towns).of(data)
    assert dict(absent_may_be_known.parts) == {"DPM": 40.0, "DPS": 0.0, "DPP": 0.0}
    may_not = DeltaPresence(columns=("town",), population=towns, min_presence=5).of(data)
    assert (may_not.value, may_not.parts["DPP"]) == (0.0, 75.0)


def test_weights_tell_the_presence_in_the_classes_of_the_file() -> None:
    frame = pl.DataFrame({"town": ["A", "A", "B"], "weight": [10.0, 30.0, 1.0]})
    schema = Schema.infer(frame).with_kinds(continuous=["weight"]).with_roles(weight=["weight"])
    found = DeltaPresence(columns=("town",)).of(Microdata(frame, schema))
    assert found.value == pytest.approx(100 / 3)
    assert dict(found.parts) == pytest.approx({"DPM": 100.0, "DPS": 5.0, "DPP": 100 / 41})


def test_refuses_a_range_that_is_upside_down() -> None:
    with pytest.raises(
        ParameterError, match=r"DeltaPresence\.min_presence must be at most 10, which is `max_presence`; got 20"
    ):
        DeltaPresence(min_presence=20, max_presence=10)
