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


def payslips(pension_rate: float) -> tuple[list[str], Floats]:
    rng = np.random.default_rng(21)
    basic, bonus = np.round(rng.lognormal(8.1, 0.35, 400), 2), np.round(rare(rng, 400, 0.1), 2)
    gross = basic + bonus
    health, pension = np.round(0.073 * gross, 2), np.round(pension_rate * gross, 2)
    tax = np.round(np.maximum(0, 0.25 * (gross - 1_000)), 2)
    net = np.round(gross - health - pension - tax, 2)
    return ["basic", "bonus", "health", "pension", "tax", "net"], np.column_stack(
        [basic, bonus, health, pension, tax, net]
    )


@pytest.mark.parametrize("pension_rate", [0.093, 0.2])
def test_all_that_depends_on_a_bonus_is_made_of_it_and_nothing_is_left_over(pension_rate: float) -> None:
    names, amounts = payslips(pension_rate)
    sums = find_sums(amounts)
    for name in ("health", "pension", "tax", "net"):
        parts = made_of(sums, names.index(name))
        assert {names[part] for part, factor in parts.items() if factor} == {"basic", "bonus"}
        left = amounts[:, names.index(name)] - amounts[:, list(parts)] @ list(parts.values())
        assert np.ptp(left) < 0.1


def test_two_totals_of_which_one_is_made_by_taking_off_are_both_found() -> None:
    rng = np.random.default_rng(5)
    wage, business, capital = rng.lognormal(10, 0.5, 500).round(2), rare(rng, 500, 0.12), rare(rng, 500, 0.3, 900)
    deductions = np.where(rng.random(500) < 0.04, capital, rng.lognormal(8, 0.6, 500).round(2))  # some by chance
    taxable = wage + business + capital - deductions
    amounts = np.column_stack([taxable, deductions, capital, business, wage])
    sums = find_sums(amounts)
    ((total, parts),) = [(total, parts) for total, parts in sums.items() if len(parts) > 1]
    left = amounts[:, total] - amounts[:, list(parts)] @ list(parts.values())
    assert len(parts) == 4
    assert np.abs(left).max() < 1e-6
