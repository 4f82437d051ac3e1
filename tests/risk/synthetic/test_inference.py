"""Inference: secrets guessed from the nearest synthetic record."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, UnknownColumnError
from sfumato.risk import Inference
from tests.risk.synthetic.planted import NAMES, file, half_copied, population

PEOPLE, OTHERS = population(300, 1), population(300, 2)


def test_half_a_file_copied_gives_the_secrets_of_that_half_away() -> None:
    measure = Inference(columns=NAMES, sensitive=("savings",)).with_control(file(OTHERS))
    found = measure.measure(file(PEOPLE), file(half_copied(PEOPLE, 1)))
    assert found.value == pytest.approx(50, abs=8)
    assert found.shows_leak


def test_what_everybody_has_in_common_is_no_risk() -> None:
    """A rule of the population is guessed of anybody: the rate is high, the excess is not."""
    made, people, others = (
        file(frame.with_columns(rent=(pl.col("pay") * 0.3).round(1))) for frame in (population(300, 3), PEOPLE, OTHERS)
    )
    found = Inference(columns=("pay", "rent"), sensitive=("rent",)).with_control(others).measure(people, made)
    assert min(found.parts["rent (original)"], found.parts["rent (control)"]) > 60
    assert not found.shows_leak


def test_the_value_is_that_of_the_secret_that_is_most_surely_at_risk() -> None:
    """One guessed of nearly everybody has a large excess by chance; it does not hide one that is given away."""
    rule = pl.col("pay") * 0.3
    people, others, made = (frame.with_columns(rent=rule) for frame in (PEOPLE, OTHERS, population(300, 3)))
    made = pl.concat([people.head(100), made.head(200)])
    found = Inference(columns=NAMES).with_control(file(others)).measure(file(people), file(made))
    assert found.interval is not None
    assert found.interval[0] > 5
    assert found.shows_leak


@pytest.mark.parametrize("guess", [0.0, 19.0, 20.0, 21.0, -20.0])
def test_a_guess_is_right_within_a_share_of_itself(guess: float) -> None:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL), Variable(name="pay", kind=Kind.CONTINUOUS)))
    people = Microdata(pl.DataFrame({"town": ["A", "B"] * 20, "pay": [20.0, 0.0, -20.0, 20.5] * 10}), schema)
    made = Microdata(pl.DataFrame({"town": ["A", "B"], "pay": [guess, guess]}), schema)
    found = Inference(columns=("town", "pay"), sensitive=("pay",), tolerance=0.05).measure(people, made)
    right = np.abs(people.values("pay") - guess) <= 0.05 * abs(guess) + 1e-12
    assert found.value == pytest.approx(100 * right.mean())
    assert found.parts["pay (drawn from the whole file)"] == pytest.approx(100 * right.mean())


def test_dates_are_right_within_a_share_of_their_deviation() -> None:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL), Variable(name="born", kind=Kind.DATE)))
    born = pl.date_range(pl.date(1950, 1, 1), pl.date(1959, 12, 31), interval="1mo", eager=True)
    towns = [f"town {i}" for i in range(len(born))]
    people = Microdata(pl.DataFrame({"town": towns, "born": born}), schema)
    moved = Microdata(pl.DataFrame({"town": towns, "born": born.dt.offset_by("10d")}), schema)
    measure = Inference(columns=("town", "born"), sensitive=("born",))
    assert measure.measure(people, moved).value == 100
    assert measure.replace(tolerance=0.001).measure(people, moved).value == 0


def test_secrets_must_be_among_two_or_more_columns() -> None:
    data = file(PEOPLE)
    with pytest.raises(UnknownColumnError, match="'rent' is not among the columns"):
        Inference(columns=("pay", "age"), sensitive=("rent",)).measure(data, data)
    with pytest.raises(DataError, match="name two or more"):
        Inference(columns=("pay",)).measure(data, data)
