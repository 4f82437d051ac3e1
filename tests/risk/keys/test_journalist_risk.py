"""Journalist risk: the population counted in a table, in a register, or estimated by weights."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.risk import JournalistRisk, population_table
from tests.risk.plain_classes import Record, people, shown

PERSON = st.tuples(st.sampled_from("xyz"), st.sampled_from("xy"), st.just("p"))
TOWNS = {"town": ["A", "B", "C"], "count": [20, 5, 7]}


def sample(weights: list[float] | None = None) -> Microdata:
    frame = pl.DataFrame({"town": ["A", "A", "B", None]} | ({"weight": weights} if weights else {}))
    schema = Schema.infer(frame)
    return Microdata(
        frame, schema.with_kinds(continuous=["weight"]).with_roles(weight=["weight"]) if weights else schema
    )


def risks(measure: JournalistRisk, data: Microdata) -> list[float]:
    found = measure.of(data)
    assert found.per_record is not None
    return list(found.per_record)


@given(persons=st.lists(PERSON, min_size=2, max_size=14), gaps=st.sets(st.integers(0, 13)), data=st.data())
def test_the_risk_is_one_over_the_persons_who_fit(persons: list[Record], gaps: set[int], data: st.DataObject) -> None:
    register = population_table(people(persons), ("a", "b"))
    taken = data.draw(st.lists(st.integers(0, len(persons) - 1), min_size=1, unique=True))
    drawn: list[Record] = [(None if row in gaps else persons[row][0], persons[row][1], "p") for row in taken]
    if all(record[0] is None for record in drawn):
        return
    found = JournalistRisk(population=register, max_risk=30).of(people(drawn))
    whole = [shown([record, *persons], "wildcard")[0] for record in drawn]
    expected = np.array([100 / (len(fitting) - 1) for fitting in whole])  # without the record itself
    assert found.per_record == pytest.approx(expected)
    assert found.value == pytest.approx(expected.max())
    assert dict(found.parts) == pytest.approx({"JRA": expected.mean(), "JRL": 100 * np.mean(expected > 30)})


def test_a_gap_fits_everybody_or_those_with_a_gap() -> None:
    assert risks(JournalistRisk(columns=("town",), population=TOWNS), sample()) == [5.0, 5.0, 20.0, 100 / 32]
    lacking = {"town": ["A", "B", None], "count": [20, 5, 4]}
    measure = JournalistRisk(columns=("town",), population=lacking, missing="category")
    assert risks(measure, sample()) == [5.0, 5.0, 20.0, 25.0]


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame])
def test_the_table_may_be_a_dataframe_and_is_written_as_lists(frame: type) -> None:
    measure = JournalistRisk(columns=("town",), population=frame(TOWNS))
    assert measure == JournalistRisk(columns=("town",), population=TOWNS)
    assert measure.model_dump()["population"] == TOWNS


def test_without_a_table_the_weights_tell_the_population() -> None:
    measure = JournalistRisk(columns=("town",), missing="category")
    assert risks(measure, sample([4.0, 6.0, 2.0, 5.0])) == [10.0, 10.0, 50.0, 20.0]


def test_refuses_to_guess_a_population() -> None:
    with pytest.raises(DataError, match=r"JournalistRisk must know the population: give it as a table .* or name the"):
        JournalistRisk(columns=("town",)).of(sample())


def test_refuses_a_table_that_is_not_that_of_the_population() -> None:
    small = {"town": ["A", "B"], "count": [1, 5]}
    with pytest.raises(
        DataError, match=r"JournalistRisk\.population: 2 of 4 records have keys that fewer persons have"
    ):
        JournalistRisk(columns=("town",), population=small).of(sample())
    with pytest.raises(DataError, match=r"JournalistRisk\.population has no column 'town'; did you mean 'towns'"):
        JournalistRisk(columns=("town",), population={"towns": ["A"], "count": [9]}).of(sample())


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"town": ["A"]}, r"JournalistRisk\.population must have a column for each key and a column 'count'"),
        ({"town": ["A"], "count": [1, 2]}, "must have columns of the same length"),
        ({"town": ["A"], "count": [-1]}, "must have counts that are numbers, 0 or more, in every row"),
        ({"town": ["A"], "count": [None]}, "must have counts that are numbers, 0 or more, in every row"),
        ({"town": "A", "count": [1]}, "must have a list for each column"),
        (17, "must be a table of counts: expected a pandas or polars dataframe or a pyarrow table; got int"),
    ],
)
def test_refuses_what_is_no_table_of_counts(table: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        JournalistRisk(population=table)


def test_readings_of_gaps_agree_without_gaps() -> None:
    data = people([("x", "x", "p"), ("y", "x", "p")])
    persons = {"a": ["x", "y"], "b": ["x", "x"], "count": [3, 4]}
    found = [JournalistRisk(population=persons, missing=missing).of(data) for missing in ("wildcard", "category")]
    assert found[0] == found[1]
