"""Two releases of one table: who has both knows what either publishes, and is kept from the unsafe cells too."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.tables import (
    PROTECTIONS,
    ControlledRounding,
    GivenCell,
    OptimalSuppression,
    PPercent,
    ProtectedTables,
    Protection,
    Table,
    find_unsafe,
    protect,
    suppress_cells,
)
from tests.tables.suppression_problems import is_protected

RULE = PPercent(p=10)


def firms(seed: int = 0) -> Table:
    """Return sales by town and trade, with some cells unsafe by the p % rule."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "town": rng.choice([*"ABCDEF"], 150),
            "trade": rng.choice([*"vwxyz"], 150),
            "sales": np.round(rng.lognormal(3, 1.3, 150), 1),
        }
    )
    return Table.from_records(frame, ["town", "trade"], "sales")


def twice(seed: int) -> tuple[ProtectedTables, ProtectedTables]:
    """Return the same table protected by two costs, each safe on its own."""
    first, second = (protect(firms(seed), OptimalSuppression(), rule=RULE, cost=cost) for cost in ("value", "unity"))
    assert first.audit().is_safe
    assert second.audit().is_safe
    return first, second


def with_both(first: ProtectedTables, second: ProtectedTables) -> Booleans:
    return first.pattern.suppressed & second.pattern.suppressed


def test_two_patterns_that_are_safe_alone_are_not_safe_together() -> None:
    first, second = twice(0)
    together = replace(second, previous=first.pattern.suppressed).audit()
    assert not is_protected(first.problem, with_both(first, second))
    assert not together.is_safe
    assert set(together.unprotected) <= set(first.problem.primaries)


@pytest.mark.parametrize(
    "record", [each for each in PROTECTIONS.values() if each.suppresses], ids=lambda each: each.name()
)
@pytest.mark.parametrize("seed", range(3))
def test_a_pattern_made_with_an_earlier_one_is_safe_together_with_it(record: type[Protection], seed: int) -> None:
    first, _ = twice(seed)
    second = protect(firms(seed), record(), rule=RULE, cost="unity", previous=first.pattern.suppressed)
    assert is_protected(first.problem, with_both(first, second))
    assert second.audit().is_safe
    assert not (second.pattern.suppressed & ~first.pattern.suppressed).any(), "what was published protects nobody"


def test_what_an_earlier_release_discloses_is_not_called_safe_and_no_more_is_published() -> None:
    unsafe = find_unsafe(firms(), RULE)
    careless = unsafe.problem.must_suppress.copy()
    careless[unsafe.problem.primaries[0]] = False
    found = protect(firms(), rule=RULE, previous=careless)
    assert not found.audit().is_safe
    assert found.pattern.suppressed.tolist() == unsafe.problem.must_suppress.tolist()
    assert any("the earlier release alone" in remark for remark in found.remarks)


def test_a_cell_given_to_be_published_that_the_earlier_release_needs_is_refused_by_name() -> None:
    first = protect(firms(), OptimalSuppression(), rule=RULE)
    secondary = int(np.flatnonzero(first.pattern.suppressed & ~first.problem.must_suppress)[0])
    codes = dict(part.split("=") for part in first.problem.names[secondary].split(", "))
    given = [GivenCell(where=codes, status="publish")]
    with pytest.raises(DataError, match="too many others must be published"):
        protect(firms(), rule=RULE, given_cells=given, previous=first.pattern.suppressed)


def test_a_cell_that_is_only_given_to_be_suppressed_and_was_published_harms_nobody() -> None:
    first = protect(firms(), OptimalSuppression(), rule=RULE)
    codes = dict(
        part.split("=") for part in first.problem.names[int(np.flatnonzero(~first.pattern.suppressed)[0])].split(", ")
    )
    given = [GivenCell(where=codes, status="suppress")]
    second = protect(firms(), rule=RULE, given_cells=given, previous=first.pattern.suppressed)
    assert np.isnan(second.values()[second.tables[0].cell(**codes)])
    assert second.audit().is_safe


def test_cells_published_before_are_known_exactly_to_readers_of_a_rounded_table() -> None:
    first = protect(firms(), OptimalSuppression(), rule=RULE)
    rounded = protect(firms(), ControlledRounding(base=1000), rule=RULE)
    both = protect(firms(), ControlledRounding(base=1000), rule=RULE, previous=first.pattern.suppressed)
    assert both.values().tolist() == rounded.values().tolist()
    shown = ~first.pattern.suppressed
    assert not both.audit(intervals="every").suppressed[shown].any()
    assert rounded.audit(intervals="every").suppressed[shown].any()


def test_a_pattern_of_any_origin_is_judged_with_the_earlier_one() -> None:
    first, second = twice(0)
    unsafe = find_unsafe(firms(), RULE)
    alone = suppress_cells(unsafe, second.pattern.suppressed)
    together = suppress_cells(unsafe, second.pattern.suppressed, previous=first.pattern.suppressed)
    assert alone.audit().is_safe
    assert not together.audit().is_safe


@pytest.mark.parametrize("previous", [np.ones(3, dtype=np.bool_), np.ones(42)])
def test_what_does_not_tell_of_each_cell_whether_it_was_suppressed_is_refused(previous: Booleans) -> None:
    with pytest.raises(DataError, match="previous must be true or false for each of the 42 cells"):
        protect(firms(), rule=RULE, previous=previous)
