from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.kernels.keys.minimal_uniques import BLOCK, MinimalUniques, minimal_uniques
from sfumato.numerics.arrays import Integers


@st.composite
def keys(draw: st.DrawFn) -> Integers:
    shape = (draw(st.integers(1, 5)), draw(st.integers(1, 14)))
    return draw(arrays(np.int64, shape, elements=st.integers(-1, 3)))


def matches(columns: Integers, row: int, other: int, chosen: tuple[int, ...], matches_missing: bool) -> bool:
    pairs = [(columns[j, row], columns[j, other]) for j in chosen]
    return all(one == two or (matches_missing and min(one, two) < 0) for one, two in pairs)


def by_brute_force(columns: Integers, max_size: int, matches_missing: bool) -> set[tuple[int, int]]:
    """Try every set of columns for every record against every other one."""
    m, n = columns.shape
    found: set[tuple[int, int]] = set()
    for row in range(n):
        minimal: list[set[int]] = []
        for size in range(1, max_size + 1):
            for chosen in combinations(range(m), size):
                others = (other for other in range(n) if other != row)
                if n > 1 and any(matches(columns, row, other, chosen, matches_missing) for other in others):
                    continue
                if matches_missing and any(columns[j, row] < 0 for j in chosen):
                    continue
                if not any(smaller <= set(chosen) for smaller in minimal):
                    minimal.append(set(chosen))
        found |= {(row, sum(1 << j for j in chosen)) for chosen in minimal}
    return found


def pairs(found: MinimalUniques) -> list[tuple[int, int]]:
    return sorted(zip(found.rows.tolist(), found.sets.tolist(), strict=True))


@given(columns=keys(), max_size=st.integers(1, 5), matches_missing=st.booleans())
def test_finds_what_trying_every_set_finds(columns: Integers, max_size: int, matches_missing: bool) -> None:
    most = min(max_size, len(columns))
    found = pairs(minimal_uniques(columns, most, matches_missing=matches_missing))
    assert found == sorted(by_brute_force(columns, most, matches_missing))


@given(columns=keys(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_records_and_columns_changes_nothing(columns: Integers, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, order = rng.permutation(columns.shape[1]), rng.permutation(len(columns))
    expected = minimal_uniques(columns, len(columns))
    moved = minimal_uniques(columns[order][:, rows], len(columns))
    back = sum((((moved.sets >> place) & 1) << column for place, column in enumerate(order)), np.int64(0))
    assert pairs(MinimalUniques(rows[moved.rows], np.asarray(back) | np.zeros_like(moved.sets))) == pairs(expected)


def test_a_record_with_a_double_has_none() -> None:
    assert minimal_uniques(np.array([[0, 0, 1, 1], [5, 5, 5, 5]]), 2).rows.size == 0


def test_a_missing_value_that_matches_everything_keeps_others_from_being_unique() -> None:
    columns = np.array([[0, 1, 1, -1]])
    assert pairs(minimal_uniques(columns, 1)) == [(0, 1), (3, 1)]
    assert pairs(minimal_uniques(columns, 1, matches_missing=True)) == []


def test_many_wildcards_are_copied_into_every_class_that_they_may_be_in() -> None:
    rng = np.random.default_rng(0)
    columns = rng.integers(-1, 12, (4, 60))
    assert pairs(minimal_uniques(columns, 4, matches_missing=True)) == sorted(by_brute_force(columns, 4, True))


def test_a_record_may_have_more_sets_than_fit_into_a_block() -> None:
    columns = np.random.default_rng(4).integers(0, 3, (7, 25))
    found = minimal_uniques(columns, 7)
    assert np.bincount(found.rows).max() > BLOCK
    assert pairs(found) == sorted(by_brute_force(columns, 7, False))


def test_a_file_without_records_has_none() -> None:
    assert minimal_uniques(np.empty((2, 0), dtype=np.int64), 2).rows.size == 0
