"""Leaks that are known to be there are found, and where there is none, none is."""

import pytest

from tests.risk.synthetic.planted import LEAKS, finders, population

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
