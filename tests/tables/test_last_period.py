"""The pattern of the period before is kept as far as it is safe and costs little."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Hierarchy
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans
from sfumato.tables import (
    ControlledRounding,
    GivenCell,
    HeuristicSuppression,
    OptimalSuppression,
    PPercent,
    ProtectedTables,
    Table,
    protect,
)

REGIONS = Hierarchy.from_levels([(f"r{i}{j}", f"r{i}", "Total") for i in range(4) for j in range(4)])
FIRMS = 1400
SECTORS = [f"s{number}" for number in range(16)]
RULE = PPercent(p=15)


def panel(years: int, *, spread: float = 0.02, leaving: float = 0.0, seed: int = 2) -> list[Table]:
    """Return tables of the same firms, whose values drift from year to year; some leave and others come."""
    rng = np.random.default_rng(seed)
    shares = 1 / np.arange(2, 18)
    region, sector = rng.choice(REGIONS.leaves, FIRMS), rng.choice(SECTORS, FIRMS, p=shares / shares.sum())
    values, tables = rng.lognormal(3, 1.2, FIRMS), []
    for _ in range(years):
        frame = pl.DataFrame({"region": region, "sector": sector, "value": values.round(1)})
        tables.append(Table.from_records(frame, {"region": REGIONS, "sector": None}, "value", zeros=True))
        values = values * rng.lognormal(0.01, spread, FIRMS)
        new = rng.random(FIRMS) < leaving
        values[new] = rng.lognormal(3, 1.2, int(new.sum()))
    return tables


def follow(table: Table, last: Booleans, **options: float) -> ProtectedTables:
    return protect(table, HeuristicSuppression(), rule=RULE, insiders=False, last_period=last, **options)  # type: ignore[arg-type]


def test_over_yearly_series_few_cells_change_little_is_paid_and_every_year_is_safe() -> None:
    secondaries, new, fresh_new, cost, fresh_cost = 0, 0, 0, 0.0, 0.0
    for seed in (2, 3):
        first, *others = panel(5, leaving=0.005, seed=seed)
        last = protect(first, HeuristicSuppression(), rule=RULE, insiders=False).pattern.suppressed
        for table in others:
            fresh, kept = protect(table, HeuristicSuppression(), rule=RULE, insiders=False), follow(table, last)
            assert kept.audit(intervals="unprotected").is_safe
            is_needed = ~kept.problem.must_suppress
            secondaries += int((kept.pattern.suppressed & is_needed).sum())
            new += int((kept.pattern.suppressed & is_needed & ~last).sum())
            fresh_new += int((fresh.pattern.suppressed & is_needed & ~last).sum())
            cost, fresh_cost = cost + kept.pattern.cost, fresh_cost + fresh.pattern.cost
            last = kept.pattern.suppressed
    assert new <= 0.05 * secondaries
    assert 2 * new <= fresh_new
    assert cost <= 1.03 * fresh_cost


def test_nothing_changes_where_nothing_changed() -> None:
    (table,) = panel(1)
    first = protect(table, HeuristicSuppression(), rule=RULE, insiders=False)
    again = follow(table, first.pattern.suppressed)
    assert np.array_equal(again.pattern.suppressed, first.pattern.suppressed)


def test_the_result_is_never_dearer_than_allowed_and_says_what_changed() -> None:
    one, two = panel(2, spread=0.2, leaving=0.05)
    last = protect(one, HeuristicSuppression(), rule=RULE, insiders=False).pattern.suppressed
    fresh = protect(two, HeuristicSuppression(), rule=RULE, insiders=False).pattern
    for allowed in (0.0, 10.0):
        kept = follow(two, last, max_dearer=allowed)
        assert kept.pattern.cost <= (1 + allowed / 100) * fresh.cost * (1 + 1e-9)
        assert "are those of the period before" in kept.remarks[-1]


def test_a_pattern_that_is_safe_and_near_enough_is_kept_whole_though_another_is_cheaper() -> None:
    people = pl.DataFrame(
        {"a": [*"xxxxyyyyzzzz"], "b": [*"pqrs" * 3], "v": [1, 9, 8, 10, 9, 10, 10, 12, 9, 11, 13, 14]}
    )
    table = Table.from_records(people, ["a", "b"], "v")
    last = np.zeros(table.size, dtype=np.bool_)
    for a, b in (("x", "p"), ("x", "s"), ("z", "p"), ("z", "s")):
        last[table.cell(a=a, b=b)] = True
    given = [GivenCell(where={"a": "x", "b": "p"}, status="protect", protection_level=1)]
    fresh, kept = (
        protect(table, OptimalSuppression(), given_cells=given, insiders=False, last_period=before, max_dearer=60)
        for before in (None, last)
    )
    assert fresh.pattern.cost < kept.pattern.cost <= 1.6 * fresh.pattern.cost
    assert np.array_equal(kept.pattern.suppressed, last)
    assert kept.pattern.bound == fresh.pattern.cost


def test_a_wrong_period_before_is_refused() -> None:
    (table,) = panel(1)
    nothing = np.zeros(table.size, dtype=np.bool_)
    with pytest.raises(DataError, match="true or false for each of the"):
        follow(table, nothing[1:])
    with pytest.raises(ParameterError, match="max_dearer must be a percentage of 0 or more"):
        follow(table, nothing, max_dearer=-1.0)
    with pytest.raises(DataError, match="leave it out"):
        protect(table, ControlledRounding(base=5), rule=RULE, last_period=nothing)
