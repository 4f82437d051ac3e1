import itertools

import numpy as np
import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.tables import MinUnits, Problem, SmallCountRounding, Table, audit, find_unsafe, protect
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.perturbation.small_count_rounding import SmallRounded, round_small
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.rule import AnyOf


def counts_of(seed: int, people: int, regions: int, ages: int) -> Table:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "region": [f"r{code}" for code in rng.integers(0, regions, people)],
            "age": [f"a{code}" for code in rng.integers(0, ages, people)],
        }
    )
    return Table.from_records(frame, ["region", "age"])


def problem_of(table: Table) -> Problem:
    return find_unsafe(table, None).problem


def loss(problem: Problem, published: np.ndarray) -> float:
    return float(((published - problem.values) ** 2).sum())


def least_loss(problem: Problem, made: SmallRounded) -> float:
    """Return the least loss of all roundings, each of which is tried."""
    small = np.flatnonzero(made.inner & (problem.values > 0) & (problem.values < made.base))
    is_small = (problem.values > 0) & (problem.values < made.base)
    sums = made.sums.toarray()
    least = np.inf
    for choice in itertools.product((0, made.base), repeat=small.size):
        inner = np.where(made.inner, problem.values, 0.0)
        inner[small] = choice
        published = sums @ inner
        if np.isin(published[is_small], (0, made.base)).all():
            least = min(least, loss(problem, published))
    return least


@pytest.mark.parametrize("seed", range(6))
def test_is_near_to_the_nearest_of_all_roundings(seed: int) -> None:
    problem = problem_of(counts_of(seed, 30, 4, 4))
    made = round_small(problem, 3, np.random.default_rng(seed))
    assert least_loss(problem, made) <= loss(problem, made.rounded) <= 1.25 * least_loss(problem, made)


@pytest.mark.parametrize("base", [3, 5])
def test_publishes_no_count_between_zero_and_the_base_and_keeps_the_others(base: int) -> None:
    problem = problem_of(counts_of(1, 400, 12, 10))
    made = round_small(problem, base, np.random.default_rng(0))
    assert not ((made.rounded > 0) & (made.rounded < base)).any()
    large = made.inner & (problem.values >= base)
    assert np.array_equal(made.rounded[large], problem.values[large])
    assert np.abs(problem.relations @ made.rounded).max() == 0
    assert np.array_equal(made.rounded[problem.values == 0], problem.values[problem.values == 0])


def test_totals_are_nearer_than_by_rounding_each_count_by_itself() -> None:
    problem = problem_of(counts_of(2, 900, 20, 20))
    made = round_small(problem, 3, np.random.default_rng(0))
    small = made.inner & (problem.values > 0) & (problem.values < 3)
    alone = np.where(small, np.where(problem.values == 1, 0, 3), np.where(made.inner, problem.values, 0.0))
    assert loss(problem, made.rounded) < 0.5 * loss(problem, made.sums @ alone)


def test_the_true_counts_lie_within_the_bounds_and_large_unsafe_cells_stay_open() -> None:
    table = counts_of(3, 300, 8, 8)
    small, large = (find_unsafe(table, MinUnits(units=units)).problem for units in (3, 8))
    made = round_small(small, 3, np.random.default_rng(0))
    lower, upper = made.bounds(small)
    assert (lower <= small.values).all()
    assert (upper >= small.values).all()
    view, uncertain = made.intruder_view(large)
    unprotected = set(audit(view, uncertain).unprotected.tolist())
    assert {int(cell) for cell in large.primaries if made.inner[cell] and large.values[cell] > 3} <= unprotected


def test_the_same_seed_gives_the_same_counts() -> None:
    table = counts_of(4, 200, 8, 8)
    first, again = (protect(table, SmallCountRounding(base=4), seed=7).values() for _ in range(2))
    assert np.array_equal(first, again)


def test_refuses_magnitudes_and_tables_linked_by_their_totals_alone() -> None:
    frame = pl.DataFrame({"a": [*"xxyyz"], "b": [*"uvuvu"], "c": [*"ststs"], "money": [1.5, 2, 3, 4, 5]})
    magnitudes = Table.from_records(frame, ["a", "b"], "money")
    with pytest.raises(DataError, match=r"small_count_rounding: it rounds counts.*controlled_rounding"):
        protect(magnitudes, SmallCountRounding(base=3))
    both = link([Table.from_records(frame, ["a", "b"]), Table.from_records(frame, ["a", "c"])])
    problem = build_problem(both, [AnyOf(rules=()).find(table) for table in both.tables])
    with pytest.raises(DataError, match="is a total of several tables that share no parts"):
        round_small(problem, 3, np.random.default_rng(0))
