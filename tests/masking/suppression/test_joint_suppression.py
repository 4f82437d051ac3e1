from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.keys.classes import key_codes
from sfumato.keys.combinations import KeyCombination, needed_fits
from sfumato.keys.households import group_households
from sfumato.masking import LocalSuppression
from sfumato.masking.suppression import _joint_suppression as joint_suppression
from sfumato.masking.suppression._joint_suppression import cells_of_households, rare_sets
from sfumato.masking.suppression.local_suppression import cells_of_single_records
from tests.masking.keys import SURVEY_KEYS, data_of, showing

NAMES = ("k0", "k1", "k2")
keys = hnp.arrays(np.int64, st.tuples(st.integers(6, 15), st.just(3)), elements=st.integers(-1, 3))
few_combinations = st.lists(
    st.tuples(st.sets(st.integers(0, 2), min_size=1).map(sorted).map(tuple), st.integers(2, 5)), min_size=1, max_size=3
)
worths = st.sampled_from([(1.0, 1.0, 1.0), (1.0, 2.0, 3.5), (5.0, 1.0, 1.0)])


def as_combinations(choices: list[tuple[tuple[int, ...], int]]) -> tuple[KeyCombination, ...]:
    return tuple(KeyCombination(columns=[NAMES[j] for j in columns], k=size) for columns, size in choices)


def subsets(m: int) -> Iterator[tuple[int, ...]]:
    return (chosen for size in range(m + 1) for chosen in combinations(range(m), size))


def is_safe(
    record: np.ndarray, without: tuple[int, ...], codes: np.ndarray, choices: list[tuple[tuple[int, ...], int]]
) -> bool:
    shown = record.copy()
    shown[list(without)] = -1
    return all(showing(shown[None, list(kept)], codes[:, list(kept)])[0] >= size for kept, size in choices)


def told_by_others(codes: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.array([codes[labels == label].max(axis=0) for label in labels])


def least_of_household(
    members: np.ndarray,
    visible: np.ndarray,
    codes: np.ndarray,
    choices: list[tuple[tuple[int, ...], int]],
    shared: set[int],
    worth: Any,
) -> float:
    """The least cost for a household by trying all sets of cells that are equal in its shared columns."""
    costs = []
    for choice in product(subsets(codes.shape[1]), repeat=len(members)):
        if len({frozenset(shared & set(without)) for without in choice}) > 1:
            continue
        if all(is_safe(record, without, codes, choices) for record, without in zip(members, choice, strict=True)):
            cells = zip(visible, choice, strict=True)
            costs.append(sum(worth[j] for record, without in cells for j in without if record[j] >= 0))
    return float(min(costs))


@given(codes=keys, choices=few_combinations, worth=worths)
def test_each_record_is_safe_in_each_combination_for_the_least_cells(
    codes: np.ndarray, choices: list[tuple[tuple[int, ...], int]], worth: tuple[float, ...]
) -> None:
    needed = needed_fits(as_combinations(choices), NAMES, 2)
    alone = group_households(np.arange(len(codes)))
    cells = cells_of_households(codes, needed, np.array(worth), alone, np.zeros(3, dtype=bool))
    assert not cells[codes < 0].any()
    for record, suppressed in zip(codes, cells, strict=True):
        assert is_safe(record, tuple(np.flatnonzero(suppressed)), codes, choices)
        assert (suppressed * worth).sum() == pytest.approx(
            least_of_household(record[None], record[None], codes, choices, set(), worth)
        )


@settings(max_examples=15, deadline=None)
@given(
    codes=hnp.arrays(np.int64, st.tuples(st.integers(5, 9), st.just(3)), elements=st.integers(-1, 2)),
    choices=few_combinations,
    labels=st.lists(st.integers(0, 4), min_size=9, max_size=9),
    shared=st.sampled_from([{0}, {1, 2}]),
    worth=worths,
    gaps=st.sampled_from([0.0, 0.4]),
)
def test_households_lose_what_they_share_together_and_the_least_in_all(
    codes: np.ndarray,
    choices: list[tuple[tuple[int, ...], int]],
    labels: list[int],
    shared: set[int],
    worth: tuple[float, ...],
    gaps: float,
) -> None:
    households = group_households(
        np.minimum(np.array(labels[: len(codes)]), np.arange(len(codes)) // 2)
    )  # at most 3 in most
    sizes = np.bincount(households.number)
    households = group_households(
        np.where(sizes[households.number] > 2, 100 + np.arange(len(codes)), households.number)
    )
    is_shared = np.isin(np.arange(3), list(shared))
    first = households.first_rows[households.number]
    known = np.where(is_shared, codes[first], codes)
    codes = np.where(np.random.default_rng(sum(labels)).random(codes.shape) < gaps * is_shared, -1, known)
    known = np.where(is_shared & (codes < 0), told_by_others(codes, households.number), codes)
    needed = needed_fits(as_combinations(choices), NAMES, 2)
    cells = cells_of_households(codes, needed, np.array(worth), households, is_shared)
    assert not cells[codes < 0].any()
    for number in range(households.count):
        rows = np.flatnonzero(households.number == number)
        lost = cells[rows] | (is_shared & cells[rows].any(axis=0))  # what a member loses, nobody tells of it
        assert np.array_equal(cells[rows], lost & (codes[rows] >= 0))
        assert all(is_safe(known[row], tuple(np.flatnonzero(lost[i])), known, choices) for i, row in enumerate(rows))
        least = least_of_household(known[rows], codes[rows], known, choices, shared, worth)
        assert (cells[rows] * worth).sum() == pytest.approx(least)


@given(codes=keys, k=st.integers(2, 5), worth=worths)
def test_one_combination_of_all_keys_costs_what_local_suppression_costs(
    codes: np.ndarray, k: int, worth: tuple[float, ...]
) -> None:
    alone, none_shared = group_households(np.arange(len(codes))), np.zeros(3, dtype=bool)
    together = cells_of_households(codes, needed_fits((), NAMES, k), np.array(worth), alone, none_shared)
    assert (together * worth).sum() == pytest.approx((cells_of_single_records(codes, k, np.array(worth)) * worth).sum())


@given(codes=keys, choices=few_combinations)
def test_counting_all_records_and_comparing_each_find_the_same_sets_rare(
    codes: np.ndarray, choices: list[tuple[tuple[int, ...], int]]
) -> None:
    needed = needed_fits(as_combinations(choices), NAMES, 2)
    sets = np.flatnonzero(needed[1:]) + 1
    copies, rows = np.ones(len(codes), dtype=np.int64), np.arange(len(codes))
    tables = []
    for effort in (0.0, np.inf):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(joint_suppression, "COUNTING", effort)
            tables.append(rare_sets(codes, copies, rows, sets, needed[sets]))
    assert np.array_equal(tables[0], tables[1])


def test_small_tables_one_after_the_other_give_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(1).integers(0, 4, (60, 3))
    households, is_shared = group_households(np.arange(60) // 3), np.array([True, False, False])
    codes[:, 0] = codes[households.first_rows[households.number], 0]
    needed = needed_fits((), NAMES, 4)
    whole = cells_of_households(codes, needed, np.ones(3), households, is_shared)
    monkeypatch.setattr(joint_suppression, "MAX_FLAGS", 20)
    assert whole.any()
    assert np.array_equal(whole, cells_of_households(codes, needed, np.ones(3), households, is_shared))


def suppressed(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(LocalSuppression(**{"columns": data.schema.names, **parameters}), data, seed=1, step=0)


def released(after: Microdata, codes: np.ndarray) -> np.ndarray:
    return np.where(key_codes(after, NAMES).T < 0, -1, codes)


def test_combinations_are_given_by_name_or_by_number_of_keys() -> None:
    codes = np.random.default_rng(2).integers(0, 5, (80, 3))
    after = released(suppressed(data_of(codes), combinations={("k0", "k1"): 6, 1: 20}), codes)
    assert showing(after[:, :2], codes[:, :2]).min() >= 6
    assert all(showing(after[:, [j]], codes[:, [j]]).min() >= 20 for j in range(3))
    listed = [{"columns": ["k0", "k1"], "k": 6}, {"key_count": 1, "k": 20}]
    assert np.array_equal(after, released(suppressed(data_of(codes), combinations=listed), codes))


def test_pairs_of_keys_cost_less_than_all_keys_at_once() -> None:
    codes = np.random.default_rng(3).integers(0, 6, (300, 3))
    pairs, all_keys = (suppressed(data_of(codes), combinations=chosen) for chosen in ([{"key_count": 2}], ()))
    count = [sum(data.frame[name].null_count() for name in NAMES) for data in (pairs, all_keys)]
    assert count[0] < count[1]


def in_households(codes: np.ndarray) -> Microdata:
    data = data_of(codes)
    frame = data.frame.with_columns(
        home=pl.Series(np.arange(len(codes)) // 2), half=pl.Series(np.arange(len(codes)) % 2)
    )
    return Microdata(
        frame, Microdata(frame).schema.with_kinds(nominal=[*NAMES, "home", "half"]).with_roles(household=["home"])
    )


def test_the_column_of_the_role_household_tells_the_households() -> None:
    codes = np.random.default_rng(5).integers(0, 4, (60, 3))
    codes[:, 0] = np.repeat(codes[::2, 0], 2)
    after = suppressed(in_households(codes), columns=NAMES, k=4, household_columns=("k0",))
    shown = released(after, codes)
    assert showing(shown, codes).min() >= 4
    assert np.array_equal(shown[::2, 0] < 0, shown[1::2, 0] < 0)
    assert (shown[:, 0] < 0).any()


def test_a_value_that_one_member_lacks_is_suppressed_for_all_who_have_it() -> None:
    codes = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 0], [-1, 0, 0]])
    after = suppressed(in_households(codes), columns=NAMES, k=4, household_columns=("k0",))
    assert released(after, codes)[:, 0].tolist() == [0, 0, -1, -1, 0, -1]  # four have the first value, two the second


def test_refuses_households_that_differ_in_a_household_column_and_says_how_many() -> None:
    codes = np.zeros((10, 3), dtype=np.int64)
    codes[[0, 5], 0] = 1
    with pytest.raises(
        DataError, match=r"LocalSuppression\.household_columns: the members of 2 households differ in 'k0'"
    ):
        suppressed(in_households(codes), columns=NAMES, household_columns=("k0",))
    with pytest.raises(DataError, match=r"LocalSuppression\.within: the members of 5 households differ in 'half'"):
        suppressed(in_households(codes), columns=NAMES, household_columns=("k1",), within=("half",))
    codes[1, 1] = -1
    with pytest.raises(DataError, match=r"within: the members of 1 household differ in 'k1', or only some of them"):
        suppressed(in_households(codes), columns=("k2",), household_columns=("k2",), within=("k1",))


def test_refuses_household_columns_without_households_or_that_are_no_keys() -> None:
    codes = np.zeros((10, 3), dtype=np.int64)
    with pytest.raises(
        DataError,
        match=r"LocalSuppression\.household must name the column that tells the households when there are household",
    ):
        suppressed(data_of(codes), household_columns=("k0",))
    with pytest.raises(ParameterError, match=r"LocalSuppression\.household_columns: 'half' is not one of the columns"):
        suppressed(in_households(codes), columns=NAMES, household_columns=("half",))


def test_refuses_combinations_that_the_columns_cannot_make() -> None:
    data = data_of(np.zeros((10, 3), dtype=np.int64))
    with pytest.raises(ParameterError, match=r"combinations: 'k00' is not one of the columns; did you mean 'k0'"):
        suppressed(data, combinations={("k00", "k1"): 3})
    with pytest.raises(ParameterError, match=r"combinations must be a number of keys, 1 or more, or .*; got 'k0'"):
        LocalSuppression(columns=NAMES, combinations="k0")
    with pytest.raises(DataError, match=r"combinations: 4 keys are to be known together, but there are only 3"):
        suppressed(data, combinations={4: 3})
    with pytest.raises(DataError, match=r"k must be at most 10, the number of records \(of a stratum\); got 11"):
        suppressed(data, combinations={2: 11})


@pytest.mark.reference
def test_the_household_survey_loses_whole_households_their_shared_keys() -> None:
    data = reference("household_survey")
    before, shared = key_codes(data, SURVEY_KEYS).T, ("urbrur", "roof", "walls", "water", "electcon")
    after = suppressed(data, columns=SURVEY_KEYS, household_columns=shared, household=("ori_hid",))
    home = data.codes("ori_hid")[0]
    lost = (key_codes(after, SURVEY_KEYS).T < 0) & (before >= 0)
    for number in np.unique(home[lost.any(axis=1)]):
        assert (lost[home == number, :5].min(axis=0) == lost[home == number, :5].max(axis=0)).all()
    rare = np.flatnonzero(lost.any(axis=1))
    assert showing(np.where(lost, -1, before)[rare[:20]], before).min() >= 3
    assert lost.sum() > 283


@settings(max_examples=20, deadline=None)
@given(
    codes=hnp.arrays(np.int64, st.tuples(st.just(24), st.just(3)), elements=st.integers(-1, 2)),
    choices=few_combinations,
)
def test_combinations_hold_in_each_stratum_with_gaps_and_households_by_an_independent_count(
    codes: np.ndarray, choices: list[tuple[tuple[int, ...], int]]
) -> None:
    codes = np.where(np.arange(3) == 0, codes[::2].repeat(2, axis=0), codes)  # two in a household share the first key
    codes[0] = codes[1] = (0, 0, 0)  # no key is missing everywhere
    frame = in_households(codes).frame.with_columns(area=pl.Series(np.arange(24) // 8))
    schema = Microdata(frame).schema.with_kinds(nominal=[*NAMES, "home", "area"])
    after = suppressed(
        Microdata(frame, schema),
        columns=NAMES,
        combinations=as_combinations(choices),
        household_columns=("k0",),
        household=("home",),
        within=("area",),
    )
    shown = released(after, codes)
    for area in (slice(0, 8), slice(8, 16), slice(16, 24)):
        for kept, size in choices:
            assert showing(shown[area][:, kept], codes[area][:, kept]).min() >= size
    assert np.array_equal(shown[::2, 0] < 0, shown[1::2, 0] < 0)
