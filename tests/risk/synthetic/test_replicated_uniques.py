"""Replicated uniques, against plain counts."""

import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.display import format_percent
from sfumato.risk import Disco, Linkability, ReplicatedUniques, SinglingOut
from tests.risk.synthetic.planted import NAMES, file, half_copied, population

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
    ours, others = (copied.parts[part] / 100 for part in ("original", "control"))
    assert f"an excess risk of {format_percent(100 * (ours - others) / (1 - others))}, between" in copied.remark
    assert "between 0 %" in chance.remark
    assert "between 0 %" not in copied.remark


def test_the_keys_are_those_of_the_schema_when_not_named() -> None:
    schema = Schema.infer(PEOPLE).with_roles(key=KEYS)
    data = file(PEOPLE).with_schema(schema)
    assert ReplicatedUniques().measure(data, data).value == ReplicatedUniques(columns=KEYS).measure(data, data).value


def test_more_copies_do_not_look_safer() -> None:
    """A record that stands in every copy is unique in none of them put together."""
    made = half_copied(PEOPLE, 1)
    twice = pl.concat([made.with_columns(release=pl.lit(number)) for number in (1, 2)])
    attacks = (
        ReplicatedUniques(columns=KEYS),
        SinglingOut(columns=NAMES, attacks=100),
        Linkability(columns=NAMES),
        Disco(columns=KEYS, sensitive=("pay",)),
    )
    for attack in attacks:
        measure = attack.with_control(file(OTHERS))
        alone, copies = measure.measure(file(PEOPLE), file(made)), measure.measure(file(PEOPLE), Microdata(twice))
        assert copies.value >= alone.value > 0
        assert copies.parts["mean of the copies"] == pytest.approx(alone.value)
        assert copies.shows_leak
