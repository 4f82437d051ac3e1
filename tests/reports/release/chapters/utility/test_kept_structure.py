"""Spread, equal rows and sums between variables, which users rely on beside means and tables."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release.chapters.utility.compared_statistics import compare_means
from sfumato.reports.release.chapters.utility.kept_structure import (
    SumRule,
    broken_share,
    changed_amount_shares,
    different_rows,
    find_sums,
    spread_changes,
)
from tests.reports.release.surveys import survey


def incomes(n: int = 80) -> Microdata:
    rng = np.random.default_rng(5)
    parts = {name: np.round(rng.lognormal(6, 1, n)) * (rng.random(n) < 0.7) for name in ("wage", "rent", "gift")}
    return Microdata(pl.DataFrame({**parts, "total": sum(parts.values()), "age": rng.integers(18, 80, n) * 1.0}))


def test_a_sum_of_the_original_is_found_and_no_other() -> None:
    assert find_sums(incomes(), incomes()) == [SumRule("total", ("wage", "rent", "gift"))]
    assert find_sums(survey(), survey()) == []


def test_no_sum_is_found_that_holds_only_in_records_without_any_gap() -> None:
    rng = np.random.default_rng(8)
    works = np.arange(120) < 60
    wage, tax = np.round(rng.lognormal(6, 1, 120)), np.round(rng.lognormal(4, 1, 120))
    benefit = np.where(works, 0.0, np.round(rng.lognormal(5, 1, 120)))
    hours = np.where(works, rng.normal(40, 3, 120), np.nan)  # what only those have who work, and whose benefit is 0
    pay = wage + tax + benefit
    data = Microdata(pl.DataFrame({"wage": wage, "tax": tax, "benefit": benefit, "hours": hours, "pay": pay}))
    assert find_sums(data, data) == [SumRule("pay", ("wage", "tax", "benefit"))]
    other = Microdata(data.frame.with_columns(pl.Series("pay", wage + tax + benefit * rng.random(120))))
    assert find_sums(other, other) == []


def test_a_sum_is_found_though_other_numbers_have_gaps_in_every_record() -> None:
    data = incomes()
    age = np.where(np.arange(80) % 2 == 0, np.nan, data.values("age"))
    child = np.where(np.arange(80) % 2 == 1, np.nan, np.linspace(0.5, 9.5, 80))
    frame = data.frame.with_columns(pl.Series("age", age), pl.Series("child", child))
    found = Microdata(frame)
    assert find_sums(found, found) == [SumRule("total", ("wage", "rent", "gift"))]


def test_a_sum_that_broke_is_counted_in_the_released_records() -> None:
    data = incomes()
    total = data.values("total").copy()
    total[:20] += 500
    masked = data.with_column(data.schema["total"], pl.Series("total", total))
    (rule,) = find_sums(data, masked)
    assert broken_share(data, rule) == 0
    assert broken_share(masked, rule) == pytest.approx(25)


def test_spread_is_how_far_deviation_or_a_quantile_moved_whichever_is_farther() -> None:
    before = Microdata(pl.DataFrame({"pay": [0.0, 10, 20, 30, 40]}))
    after = Microdata(pl.DataFrame({"pay": [10.0, 10, 20, 30, 30]}))
    moved = spread_changes(before, after, compare_means(before, after))["pay"]
    scale = float(np.std([0.0, 10, 20, 30, 40]))
    by_quantile = 6.0  # of the lowest and the highest tenth
    by_deviation = scale - float(np.std([10.0, 10, 20, 30, 30]))
    assert moved == pytest.approx(100 * max(by_quantile, by_deviation) / scale)


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_rows_made_equal_in_groups_are_told_with_what_that_does_to_errors(edition: str) -> None:
    data = survey()
    recipe = sf.Recipe(steps=[sf.CategoricalMicroaggregation(columns=data.schema.names, k=10)], seed=1)
    masked = recipe.run(data)
    rows = len({*masked.frame.rows()})
    assert different_rows(masked) == rows < data.n / 5
    report = sf.report(data, masked, recipe=recipe, edition=edition)
    told = str([section for section in report.sections if section.key == "utility"])
    assert f"far too small if all 240 rows count: only {rows} differ" in told
    assert "'Spread, quantiles, zeros', 'not reliable" in told


def test_zeros_that_vanish_are_told_with_the_spread() -> None:
    rest = np.linspace(100.5, 900.25, 40).tolist()
    before = Microdata(pl.DataFrame({"pay": [0.0] * 60 + rest}))
    after = Microdata(pl.DataFrame({"pay": [1.0] * 60 + rest}))
    moved = spread_changes(before, after, compare_means(before, after))["pay"]
    assert moved == pytest.approx(60)


def test_a_share_with_an_amount_that_grew_by_half_is_not_reliable_though_few_records_moved() -> None:
    rest = np.linspace(100.5, 900.25, 12).tolist()
    before = Microdata(pl.DataFrame({"pay": [0.0] * 188 + rest}))
    after = Microdata(pl.DataFrame({"pay": [0.0] * 180 + [150.0] * 8 + rest}))
    means = compare_means(before, after)
    assert changed_amount_shares(before, after, means) == [("pay", 6.0, 10.0)]
    assert spread_changes(before, after, means)["pay"] > 20  # only 4 % of the records
