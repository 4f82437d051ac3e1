"""Leaks that are known to be there are found, and where there is none, none is."""

import pytest

from sfumato.data import Microdata, Schema
from sfumato.risk import MembershipInference
from tests.risk.synthetic.other_populations import OTHER_POPULATIONS
from tests.risk.synthetic.planted import LEAKS, column_copied, finders, population

N = 300


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str) -> None:
    people = population(N, 1)
    assert finders(people, LEAKS[leak](people, 1), population(N, 2))


def test_an_independent_sample_of_the_same_population_shows_no_leak() -> None:
    assert finders(population(N, 1), population(N, 2), population(N, 3)) == set()


def test_a_smaller_control_finds_copies_too() -> None:
    people = population(N, 1)
    assert "membership_inference" in finders(people, LEAKS["half of the file copied"](people, 1), population(90, 2))


def test_a_copied_column_of_whole_numbers_is_found_with_a_small_control_of_a_small_file() -> None:
    draw, n, control, column = OTHER_POPULATIONS["villagers"]
    people, others, schema = draw(n, 1), draw(control, 2), Schema.infer(draw(n, 3))
    attack = MembershipInference(columns=schema.names).with_control(Microdata(others, schema))
    copied = column_copied(people, 1, draw, column)
    found = attack.measure(Microdata(people, schema), Microdata(copied, schema))
    kept = set(copied["rent"].to_list())
    back = [100 * sum(rent in kept for rent in file["rent"].to_list()) / len(file) for file in (people, others)]
    assert found.shows_leak
    assert f"rent are those of the members: 100 % of them come back, {back[1]:.2f} % of the others'" in found.remark
    assert back[0] == 100
    assert not attack.measure(Microdata(people, schema), Microdata(draw(n, 4), schema)).shows_leak


@pytest.mark.parametrize("name", OTHER_POPULATIONS)
def test_every_population_gives_other_records_with_another_seed_and_the_same_with_the_same(name: str) -> None:
    draw, _, _, column = OTHER_POPULATIONS[name]
    assert draw(50, 1).equals(draw(50, 1))
    assert not draw(50, 1)[column].equals(draw(50, 2)[column])
