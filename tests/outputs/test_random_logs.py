"""Logs of overlapping tables, judged by a reader who is written apart from the audit."""

import pytest

from tests.outputs.random_logs import make_log
from tests.outputs.reader import Reader, disclosed_counts, disclosed_sums

LOGS = 30  # of a thousand, which the benchmarks judge


@pytest.mark.parametrize("seed", range(LOGS))
def test_nothing_is_disclosed_by_tables_that_were_asked_for_one_after_the_other(seed: int) -> None:
    made = make_log(seed, max_tables=3, max_records=60)
    assert disclosed_counts(made.counts) == []
    assert disclosed_sums(made.sums, made.values, p=10, n=2, k=90) == []


def test_the_judge_finds_fifteen_less_twelve() -> None:
    reader = Reader(records=40, min_units=5)
    reader.read(frozenset(range(15)), 15)
    reader.read(frozenset(range(12)), 12)
    assert disclosed_counts(reader) == ["group of 3"]


def test_the_judge_finds_a_small_cell_that_is_shown_and_one_that_follows_from_a_total() -> None:
    reader = Reader(records=20, min_units=5)
    reader.read(frozenset(range(3)), 3)
    assert "cell of 3" in disclosed_counts(reader)
    derived = Reader(records=20, min_units=5)
    derived.read(frozenset(range(3)), None)
    derived.read(frozenset(range(3, 20)), 17)
    assert "cell of 3" in disclosed_counts(derived)


def test_the_judge_finds_a_sum_of_one() -> None:
    reader = Reader(records=3, min_units=2)
    reader.read(frozenset([0]), None)
    reader.read(frozenset([1, 2]), 5.0)
    reader.read(frozenset([0, 1, 2]), 105.0)
    assert disclosed_sums(reader, [100.0, 2.0, 3.0], p=10, n=2, k=90)
