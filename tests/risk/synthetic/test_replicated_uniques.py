"""Replicated uniques, against plain counts."""

import polars as pl
import pytest

from sfumato.data import Schema
from sfumato.risk import ReplicatedUniques
from tests.risk.synthetic.planted import file, half_copied, population

KEYS = ["age", "town", "sex"]
PEOPLE, OTHERS = population(300, 1), population(300, 2)


def test_the_figures_are_those_of_plain_counts() -> None:
    before, after = (frame.group_by(KEYS).len() for frame in (PEOPLE, OTHERS))
    joined = before.join(after, on=KEYS, how="left", suffix="_made").filter(pl.col("len") == 1)
    found = ReplicatedUniques(columns=KEYS).measure(file(PEOPLE), file(OTHERS))
    assert found.value == pytest.approx(100 * joined.filter(pl.col("len_made") == 1).height / 300)
    assert dict(found.parts) == pytest.approx(
        {
            "UiO": 100 * joined.height / 300,
            "UiS": 100 * after.filter(pl.col("len") == 1).height / 300,
            "UiOiS": 100 * joined.filter(pl.col("len_made") > 0).height / 300,
        }
    )


def test_what_turns_up_by_chance_is_no_leak_and_copies_are() -> None:
    measure = ReplicatedUniques(columns=KEYS).with_control(file(OTHERS))
    chance, copied = (
        measure.measure(file(PEOPLE), file(made)) for made in (population(300, 3), half_copied(PEOPLE, 1))
    )
    assert chance.value > 5
    assert not chance.shows_leak
    assert copied.shows_leak


def test_the_keys_are_those_of_the_schema_when_not_named() -> None:
    schema = Schema.infer(PEOPLE).with_roles(key=KEYS)
    data = file(PEOPLE).with_schema(schema)
    assert ReplicatedUniques().measure(data, data).value == ReplicatedUniques(columns=KEYS).measure(data, data).value
