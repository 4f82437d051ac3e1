"""Shared records, against a count of equal tuples."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Knowledge
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.display import format_percent
from sfumato.errors import KindError
from sfumato.risk import SharedRecords

COLUMNS = ("age", "town", "income")
SCHEMA = Schema(
    variables=(
        Variable(name="age", kind=Kind.ORDINAL),
        Variable(name="town", kind=Kind.NOMINAL),
        Variable(name="income", kind=Kind.CONTINUOUS),
    )
)
Person = tuple[int | None, str | None, float | None]
PEOPLE = st.lists(
    st.tuples(
        st.sampled_from([None, 1, 2]), st.sampled_from([None, "A", "B"]), st.sampled_from([None, 0.0, -0.0, 2.5])
    ),
    min_size=2,
    max_size=25,
)


def microdata(people: list[Person]) -> Microdata:
    types = {"age": pl.Int64, "town": pl.String, "income": pl.Float64}
    return Microdata(pl.DataFrame(people, schema=types, orient="row"), SCHEMA)


def is_copy(original: list[Person], masked: list[Person], places: tuple[int, ...]) -> list[bool]:
    """Return which masked tuples occur just once among the original ones."""
    counts = Counter(tuple(person[place] for place in places) for person in original)
    return [counts[tuple(person[place] for place in places)] == 1 for person in masked]


@given(original=PEOPLE, masked=PEOPLE)
def test_figures_are_those_of_equal_tuples(original: list[Person], masked: list[Person]) -> None:
    first, second = ([*people, (1, "A", 9.5), (2, "B", 9.5)] for people in (original, masked))
    found = SharedRecords(columns=COLUMNS).measure(microdata(first), microdata(second))
    pairs = ((0, 1), (0, 2), (1, 2))
    whole, parts = is_copy(first, second, (0, 1, 2)), [is_copy(first, second, places) for places in pairs]
    assert found.value == pytest.approx(100 * sum(whole) / len(second))
    most = max(sum(part) for part in parts)
    either = {sum(np.logical_or(whole, part)) for part in parts if sum(part) == most} if most else {sum(whole)}
    assert any(found.parts["SRone"] == pytest.approx(100 * count / len(second)) for count in either)
    assert found.parts["SRall"] == pytest.approx(100 * (Counter(first) & Counter(second)).total() / len(first))


def test_a_copy_in_which_few_are_unique_is_found_by_those() -> None:
    alike: list[Person] = [(1, "A", 1.0)] * 80
    crowd = [*alike, *((2, "B", float(number)) for number in range(20))]
    found = SharedRecords(columns=COLUMNS).measure(microdata(crowd), microdata(crowd[::-1]))
    assert found.value == 20
    warning = "MUCH OF THE ORIGINAL IS IN THE FILE AS IT WAS: 20 of 20 records that nobody else equals"
    assert found.remark == f"{warning}, compared in age, town, income"


def test_a_column_of_another_kind_is_refused() -> None:
    banded = microdata([(1, "A", 1.0), (2, "B", 2.0)])
    text = banded.with_column(Variable(name="income", kind=Kind.NOMINAL), ["low", "high"])
    with pytest.raises(KindError, match="'income' is continuous in the original and nominal in the masked file"):
        SharedRecords(columns=COLUMNS).measure(banded, text)


def test_a_code_for_missing_equals_only_the_same_code() -> None:
    schema = Schema.from_yaml("variables: {a: {kind: nominal, missing_codes: [8, 9]}, b: {kind: nominal}}")
    original, other = (
        Microdata(pl.DataFrame({"a": codes, "b": [1, 1, 2, 3]}), schema) for codes in ([8, 9, 9, 1], [9, 8, 8, 1])
    )
    measure = SharedRecords(columns=("a", "b"))
    assert measure.measure(original, original).value == 100
    assert measure.measure(original, other).parts["SRall"] == 75


def test_copies_are_held_against_as_many_records_of_a_control() -> None:
    rng = np.random.default_rng(4)
    drawn: list[list[Person]] = [[(int(age), "A", 1.0) for age in rng.integers(0, 60, n)] for n in (60, 20, 80)]
    original, control, masked = drawn
    found = SharedRecords(columns=COLUMNS).informed_by(Knowledge(control=microdata(control)))
    told = found.measure(microdata(original), microdata(masked))
    counts = Counter(control)
    expected = 100 * sum(counts[one] == 1 for one in masked) / len(masked)
    assert told.parts["control"] == pytest.approx(expected)
    assert 0 < expected < 100
    assert f"and {format_percent(expected)} of one of as many of the control, who are not in the file" in told.remark
    assert "copies of one of 20 original records" in told.remark
    swapped = SharedRecords(columns=COLUMNS).informed_by(Knowledge(control=microdata(original)))
    other = swapped.measure(microdata(control), microdata(masked))
    assert (other.parts["original"], other.parts["control"]) == (told.parts["control"], told.parts["original"])


def test_a_control_without_the_columns_is_left_aside() -> None:
    people: list[Person] = [(1, "A", 1.0), (2, "B", 2.0)]
    lacking = microdata(people).without_columns(("income",))
    measure = SharedRecords(columns=COLUMNS)
    plain, beside = (
        each.measure(microdata(people), microdata(people))
        for each in (measure, measure.informed_by(Knowledge(control=lacking)))
    )
    assert dict(beside.parts) == dict(plain.parts)
