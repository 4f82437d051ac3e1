"""Sums of columns are found in the data: exact or rounded, of parts that most lack, and of more than columns hold."""

import numpy as np
import pytest

from sfumato.masking.microaggregation._column_sums import find_sums, made_of
from sfumato.numerics.arrays import Floats


def rare(rng: np.random.Generator, n: int, share: float, scale: float = 5_000) -> Floats:
    return np.where(rng.random(n) < share, np.round(rng.lognormal(0, 1, n) * scale), 0.0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("unit", [0.01, 1, 1_000])
def test_a_total_of_parts_that_many_lack_is_found_also_when_rounded(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    wage, business, capital = (rare(rng, 1_000, share, scale) for share, scale in ((0.7, 3e4), (0.1, 2e4), (0.3, 3e3)))
    business *= rng.choice([1, 1, -1], 1_000)
    total = np.round((wage + business + capital) / unit) * unit
    found = find_sums(np.column_stack([capital, total, rng.normal(50, 9, 1_000), wage, business]))
    assert found == {1: {0: 1, 3: 1, 4: 1}}


@pytest.mark.parametrize("parts", [2, 4])
def test_a_total_of_parts_that_all_have_is_found(parts: int) -> None:
    rng = np.random.default_rng(parts)
    columns = np.round(rng.lognormal(5, 1, (500, parts)), 2)
    columns = columns[:, np.argsort(columns.sum(axis=0))]
    found = find_sums(np.column_stack([columns, columns.sum(axis=1)]))
    assert found == {parts: dict.fromkeys(range(parts), 1.0)}


def test_sums_of_sums_and_differences_are_found() -> None:
    rng = np.random.default_rng(1)
    wage, bonus, capital = rng.lognormal(8, 0.5, 800), rare(rng, 800, 0.2), rare(rng, 800, 0.2)
    gross = wage + bonus
    total = gross + capital
    found = find_sums(np.column_stack([wage, bonus, capital, gross, total]))
    assert found[3] == {0: 1, 1: 1}
    assert made_of(found, 4) == {0: 1, 1: 1, 2: 1}


def test_a_column_that_contains_another_is_found_where_the_rest_is_no_column() -> None:
    rng = np.random.default_rng(1)
    wage = np.round(rng.lognormal(8, 0.5, 800))
    assert find_sums(np.column_stack([wage + rare(rng, 800, 0.1), wage])) == {0: {1: 1}}
    assert find_sums(np.column_stack([wage, wage + np.round(rng.lognormal(4, 1, 800))])) == {1: {0: 1}}


def test_unrelated_columns_are_no_sums() -> None:
    rng = np.random.default_rng(1)
    columns = [rng.normal(40, 15, 900).round(), rng.lognormal(7, 1, 900).round(), rare(rng, 900, 0.3, 100)]
    assert find_sums(np.column_stack(columns)) == {}
