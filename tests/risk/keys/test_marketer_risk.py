"""Marketer risk, checked against its formula and against linking at random."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.risk import JournalistRisk, MarketerRisk

TOWNS = ["A"] * 6 + ["B"] * 3 + ["C"]
NAMES, COUNTS = ["A", "B", "C", "D"], [12, 4, 1, 9]
PERSONS = {"town": NAMES, "count": COUNTS}


def test_the_value_is_the_sum_of_f_over_population_size_over_the_records() -> None:
    found = MarketerRisk(columns=("town",), population=PERSONS).of(Microdata(pl.DataFrame({"town": TOWNS})))
    assert found.parts["MRE"] == pytest.approx(6 / 12 + 3 / 4 + 1 / 1)
    assert found.value == pytest.approx(100 * 2.25 / 10)


def test_linking_everybody_at_random_finds_as_many() -> None:
    rng = np.random.default_rng(1)
    population = np.repeat(NAMES, COUNTS)
    right = []
    for _ in range(600):
        persons = np.concatenate([rng.permutation(np.flatnonzero(population == t))[: TOWNS.count(t)] for t in "ABC"])
        guesses = np.array([rng.choice(np.flatnonzero(population == population[person])) for person in persons])
        right.append(np.count_nonzero(persons == guesses))
    found = MarketerRisk(columns=("town",), population=PERSONS).of(Microdata(pl.DataFrame({"town": TOWNS})))
    error = np.std(right) / np.sqrt(len(right))
    assert abs(np.mean(right) - found.parts["MRE"]) < 4 * error


def test_the_journalist_has_the_same_risks_record_by_record() -> None:
    data = Microdata(pl.DataFrame({"town": TOWNS}))
    one, other = (kind(columns=("town",), population=PERSONS).of(data) for kind in (MarketerRisk, JournalistRisk))
    assert np.array_equal(one.per_record, other.per_record)  # type: ignore[arg-type]
    assert one.value == other.parts["JRA"] < other.value
