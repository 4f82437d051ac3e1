"""K-anonymity, checked against a plain comparison of all records and the known figures of a survey."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.datasets import demo, reference
from sfumato.errors import ParameterError
from sfumato.keys.classes import MissingKeys
from sfumato.masking import LocalSuppression, StrictLocalSuppression
from sfumato.risk import KAnonymity

SURVEY_KEYS = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
KEYS = ("a", "b", "c")

Record = tuple[str | None, str | None, str | None]
VALUE = st.sampled_from([None, "x", "y", "z"])
RECORDS = st.lists(st.tuples(VALUE, VALUE, VALUE), min_size=2, max_size=14).filter(
    lambda records: all(any(record[place] for record in records) for place in range(3))
)
CODES = (-8, -9)
CodedRecord = tuple[int | None, ...]
CODED = st.sampled_from([None, *CODES, 1, 2])
CODED_RECORDS = st.lists(st.tuples(CODED, CODED), min_size=2, max_size=16).filter(
    lambda records: all(any((record[place] or 0) > 0 for record in records) for place in range(2))
)


def microdata(records: list[Record]) -> Microdata:
    columns = {name: [record[place] for record in records] for place, name in enumerate(KEYS)}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(KEYS, pl.String))
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=list(KEYS)).with_roles(key=list(KEYS)))


def coded_microdata(records: list[CodedRecord]) -> Microdata:
    keys = [Variable(name=name, kind="nominal", role="key", missing_codes=CODES) for name in "ab"]
    columns = {name: [record[place] for record in records] for place, name in enumerate("ab")}
    return Microdata(pl.DataFrame(columns, schema={"a": pl.Int64, "b": pl.Int64}), Schema(variables=tuple(keys)))


def plain_sizes(records: Sequence[tuple[object, ...]], places: tuple[int, ...], wildcard: bool) -> list[int]:
    def agree(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
        pairs = [(one[place], other[place]) for place in places]
        return all(a == b or (wildcard and None in (a, b)) for a, b in pairs)

    return [sum(agree(one, other) for other in records) for one in records]


@given(records=RECORDS, k=st.integers(2, 5), wildcard=st.booleans())
def test_counts_the_records_in_small_classes(records: list[Record], k: int, wildcard: bool) -> None:
    found = KAnonymity(k=k, missing="wildcard" if wildcard else "category").of(microdata(records))
    sizes = plain_sizes(records, (0, 1, 2), wildcard)
    assert found.value == pytest.approx(100 * np.mean([size < k for size in sizes]))
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0 * (size < k) for size in sizes]
    for usual in (2, 3, 5):
        assert found.parts[f"KA{usual}"] == sum(size < usual for size in sizes)
    assert found.parts["KAS"] == min(sizes)
    assert found.parts["KAC"] == len(set(records))


@given(records=RECORDS, wildcard=st.booleans())
def test_a_record_must_be_safe_in_every_combination(records: list[Record], wildcard: bool) -> None:
    measure = KAnonymity(k=3, combinations=2, missing="wildcard" if wildcard else "category")
    found = measure.of(microdata(records))
    places = {"a": (0,), "b": (1,), "c": (2,), "a+b": (0, 1), "a+c": (0, 2), "b+c": (1, 2)}
    below = {name: np.array(plain_sizes(records, known, wildcard)) < 3 for name, known in places.items()}
    assert found.value == pytest.approx(100 * np.logical_or.reduce(list(below.values())).mean())
    assert {name: found.parts[name] for name in places} == pytest.approx(
        {name: 100 * mask.mean() for name, mask in below.items()}
    )


@given(records=CODED_RECORDS, combinations=st.sampled_from([(), 1, 2]))
def test_codes_for_missing_are_told_apart_where_a_gap_is_a_value_of_its_own(
    records: list[CodedRecord], combinations: int | tuple[()]
) -> None:
    data = coded_microdata(records)
    known: dict[int | tuple[()], list[tuple[int, ...]]] = {(): [(0, 1)], 1: [(0,), (1,)], 2: [(0,), (1,), (0, 1)]}
    hidden = [tuple(None if value in CODES else value for value in record) for record in records]

    def smallest(rows: list[CodedRecord], wildcard: bool) -> list[int]:
        return [
            min(sizes)
            for sizes in zip(*(plain_sizes(rows, places, wildcard) for places in known[combinations]), strict=True)
        ]

    for wildcard, sizes in ((True, smallest(hidden, True)), (False, smallest(records, False))):
        reading = MissingKeys.WILDCARD if wildcard else MissingKeys.CATEGORY
        measure = KAnonymity(k=3, combinations=combinations, missing=reading)
        for found in (measure.of(data), measure.by_reading(data)[reading]):
            assert found.per_record is not None
            assert found.per_record.tolist() == [100.0 * (size < 3) for size in sizes]
            assert (found.parts["KA2"], found.parts["KAS"]) == (sum(size < 2 for size in sizes), min(sizes))


def test_combinations_that_are_listed_are_the_only_ones() -> None:
    data = microdata([("x", "x", "x"), ("x", "y", "y"), ("y", "y", "x"), ("y", "x", "y")])
    found = KAnonymity(k=2, combinations=(("a",), ("b", "a"))).of(data)
    assert found.value == 100.0
    assert (found.parts["a"], found.parts["b+a"]) == (0.0, 100.0)
    assert found.remark == "of 2 combinations of keys b+a has most: 100 %"


def test_many_combinations_are_summed_up_in_a_sentence() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({f"k{place}": rng.integers(0, 4, 50).astype(str) for place in range(7)})
    found = KAnonymity(columns=tuple(frame.columns), combinations=2).of(Microdata(frame))
    assert set(found.parts) == set(KAnonymity.part_symbols)
    assert found.remark.startswith("of 28 combinations of keys ")


def test_without_gaps_both_readings_of_missing_agree() -> None:
    data = microdata([("x", "x", "x"), ("x", "x", "x"), ("y", "x", "x")])
    readings = [KAnonymity(k=2, missing=missing).of(data) for missing in ("wildcard", "category")]
    assert readings[0] == readings[1]


def test_numbers_are_keys_too_and_the_demo_survey_is_measured_as_it_stands() -> None:
    data = demo(300)
    found = KAnonymity().of(data)
    assert "age" in data.select(KAnonymity().columns)
    assert found.value > 50


def test_dates_are_keys_too_as_they_stand() -> None:
    frame = pl.DataFrame({"born": [date(2001, 2, 3), date(2001, 2, 3), date(2001, 2, 4)], "text": ["13/02/2001"] * 3})
    assert KAnonymity(columns=("born",), k=2).of(Microdata(frame)).value == pytest.approx(100 / 3)
    assert KAnonymity(columns=("text",), k=3).of(Microdata(frame)).value == 0


def test_refuses_groups_of_one() -> None:
    with pytest.raises(ParameterError, match=r"KAnonymity\.k must be in \[2, inf\); got 1"):
        KAnonymity(k=1)


def test_local_suppression_makes_a_file_k_anonymous_in_its_reading_of_gaps() -> None:
    data = demo(200)
    keys = ("region", "sex", "marital_status")
    for method, missing in ((LocalSuppression, "wildcard"), (StrictLocalSuppression, "category")):
        masked = method(columns=keys, k=5).mask(data, np.random.default_rng(0))
        assert KAnonymity(columns=keys, k=5, missing=missing).of(data).value > 0
        assert KAnonymity(columns=keys, k=5, missing=missing).of(masked).value == 0


@pytest.mark.reference
def test_the_household_survey_has_its_known_uniques_and_violations() -> None:
    found = KAnonymity(columns=SURVEY_KEYS).of(reference("household_survey"))
    assert [found.parts[symbol] for symbol in ("KA2", "KA3", "KA5")] == [157, 281, 458]
    assert found.value == pytest.approx(100 * 281 / 4580)
