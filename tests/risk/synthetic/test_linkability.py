"""Linkability: two halves of a person that lead to the same synthetic record."""

import pytest

from sfumato.errors import DataError
from sfumato.risk import Linkability
from tests.risk.synthetic.planted import NAMES, file, half_copied, population

PEOPLE, OTHERS = population(300, 1), population(300, 2)
HALVES = (("age", "pay", "savings"), ("town", "sex", "rent"))


def test_half_a_file_copied_is_joined_by_half() -> None:
    measure = Linkability(columns=NAMES, scenarios=HALVES).with_control(file(OTHERS))
    found = measure.measure(file(PEOPLE), file(half_copied(PEOPLE, 1)))
    assert found.value == pytest.approx(50, abs=8)
    assert found.parts["joined (control)"] < 5
    assert found.shows_leak


def test_strangers_are_joined_as_seldom_as_others() -> None:
    found = Linkability(columns=NAMES).with_control(file(OTHERS)).measure(file(PEOPLE), file(population(300, 3)))
    assert found.shows_leak is False
    assert found.interval is not None
    assert found.interval[0] == 0


def test_the_halves_need_not_be_all_columns_but_must_be_apart() -> None:
    data = file(PEOPLE)
    assert Linkability(columns=NAMES, scenarios=(("pay",), ("rent", "age"))).measure(data, data).value > 90
    with pytest.raises(DataError, match="and none that the other has"):
        Linkability(columns=NAMES, scenarios=(("pay",), ("pay", "age"))).measure(data, data)
    with pytest.raises(DataError, match="'wage' is not among the columns"):
        Linkability(columns=NAMES, scenarios=(("pay",), ("wage",))).measure(data, data)
    with pytest.raises(DataError, match="one column has no two halves"):
        Linkability(columns=("pay",)).measure(data, data)
