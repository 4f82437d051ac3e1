from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata, Schema, Variable
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.keys.classes import key_codes
from sfumato.keys.households import group_households
from sfumato.masking import StrictLocalSuppression
from sfumato.masking.suppression.local_suppression import cells_of_single_records
from sfumato.masking.suppression.strict_local_suppression import cells_of_equal_groups, cells_of_equal_households
from tests.masking.keys import SURVEY_KEYS, agreeing, data_of

keys = hnp.arrays(np.int64, st.tuples(st.integers(5, 30), st.integers(1, 4)), elements=st.integers(-1, 3))


def fewest_alike(released: np.ndarray) -> int:
    return min(Counter(map(tuple, released.tolist())).values())


def least_cost(codes: np.ndarray, k: int, worth: np.ndarray) -> float:
    """The least cost of cells to suppress, by trying all choices for all records."""
    masks = [np.array(mask) for mask in product((False, True), repeat=codes.shape[1])]
    forms = [
        [(tuple(np.where(mask, -1, record)), ((mask & (record >= 0)) * worth).sum()) for mask in masks]
        for record in codes
    ]
    best = np.inf
    for choice in product(*forms):
        cost = sum(cost for _, cost in choice)
        if cost < best and min(Counter(form for form, _ in choice).values()) >= k:
            best = cost
    return float(best)


def suppressed(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(StrictLocalSuppression(**{"columns": data.schema.names, **parameters}), data, seed=1, step=0)


@given(codes=keys, k=st.integers(2, 5), first=st.sampled_from([1.0, 2.5]))
def test_every_combination_gaps_included_is_that_of_enough_records(codes: np.ndarray, k: int, first: float) -> None:
    worth = np.r_[first, np.ones(codes.shape[1] - 1)]
    cells = cells_of_equal_groups(codes, k, worth)
    released = np.where(cells, -1, codes)
    assert fewest_alike(released) >= k
    assert agreeing(released, codes).min() >= k  # so it is safe in the weaker sense too
    assert not cells[codes < 0].any()


@given(codes=keys, k=st.integers(2, 4))
def test_an_intruder_who_knows_all_keys_of_a_person_is_left_with_enough_records(codes: np.ndarray, k: int) -> None:
    released = np.where(cells_of_equal_groups(codes, k, np.ones(codes.shape[1])), -1, codes)
    known = codes[(codes >= 0).all(axis=1)]
    assert (agreeing(known, released) >= k).all()


def test_a_safe_file_stays_as_it_is() -> None:
    data = data_of(np.repeat([[0, 1], [1, 0], [-1, 0]], 4, axis=0))
    assert suppressed(data, k=4).frame.equals(data.frame)


def test_costs_are_near_the_least_possible_on_files_small_enough_to_try_all() -> None:
    rng, found, least = np.random.default_rng(1), 0.0, 0.0
    for number in range(40):
        codes = rng.integers(-1 if number % 2 else 0, 3, size=(6, 2))
        worth = np.array([1.0, 1.0 if number % 3 else 2.5])
        k = 2 + number % 2
        found += float((cells_of_equal_groups(codes, k, worth) * worth).sum())
        least += least_cost(codes, k, worth)
    assert least <= found <= 1.25 * least


def test_a_rare_record_finds_company_in_a_large_group_and_only_there() -> None:
    codes = np.array([[0, 0]] * 5 + [[0, 1]] + [[2, 2]] * 2)
    cells = cells_of_equal_groups(codes, 2, np.ones(2))
    assert cells.sum() == 2
    assert cells[:6, 1].sum() == 2


def test_a_rare_record_joins_a_whole_group_when_there_is_none_to_spare() -> None:
    codes = np.array([[0, 0], [0, 0], [0, 1], [5, 5], [5, 5]])
    cells = cells_of_equal_groups(codes, 2, np.ones(2))
    assert np.array_equal(cells, [[False, True]] * 3 + [[False, False]] * 2)


def test_strata_are_safe_each_by_itself_and_important_columns_are_spared() -> None:
    codes = np.random.default_rng(4).integers(0, 4, (200, 3))
    data = data_of(codes)
    after = key_codes(suppressed(data, columns=("k0", "k1"), within=("k2",), k=5), ("k0", "k1", "k2")).T
    assert fewest_alike(after) >= 5
    plain, sparing = (suppressed(data, k=5, importance=worth) for worth in (None, {"k0": 10}))
    assert sparing.frame["k0"].null_count() < plain.frame["k0"].null_count()


def test_refuses_fewer_records_than_a_group_must_have_and_too_many_keys() -> None:
    with pytest.raises(DataError, match=r"StrictLocalSuppression\.k must be at most 2, the number of records"):
        suppressed(data_of(np.zeros((2, 2), dtype=np.int64)), k=3)
    with pytest.raises(DataError, match=r"StrictLocalSuppression\.columns: there may be at most 12; got 13"):
        suppressed(data_of(np.zeros((3, 13), dtype=np.int64)))


@pytest.mark.reference
def test_the_household_survey_becomes_strictly_safe_for_half_as_many_cells_again() -> None:
    data = reference("household_survey")
    before = key_codes(data, SURVEY_KEYS).T
    after = key_codes(suppressed(data, columns=SURVEY_KEYS, k=3), SURVEY_KEYS).T
    assert fewest_alike(after) >= 3
    weaker = cells_of_single_records(before, 3, np.ones(len(SURVEY_KEYS))).sum()
    assert weaker < ((after < 0) & (before >= 0)).sum() <= 1.5 * weaker


def test_a_missing_code_that_readers_see_counts_as_a_value_of_its_own() -> None:
    frame = pl.DataFrame({"a": [1, 1, 1, -9, -8, None, -7, -7, -7], "b": [1] * 9})
    variables = (Variable(name="a", kind="nominal", missing_codes=(-9, -8, -7)), Variable(name="b", kind="nominal"))
    masked = suppressed(Microdata(frame, Schema(variables=variables)), k=3)
    assert masked.frame["a"].to_list() == [1, 1, 1, None, None, None, -7, -7, -7]


@pytest.mark.parametrize("dtype", ["string", "category", "Int64"])
def test_gaps_of_every_type_of_pandas_are_gaps(dtype: str) -> None:
    values = pd.Series([1, None, 2] * 10, dtype="Int64")
    frame = pd.DataFrame({"a": values if dtype == "Int64" else values.astype("string").astype(dtype)})  # type: ignore[call-overload]
    data = Microdata(frame, Schema(variables=(Variable(name="a", kind="nominal"),)))
    masked = StrictLocalSuppression(columns=("a",), k=3).mask(data, np.random.default_rng(0))
    assert masked.frame["a"].isna().tolist() == [False, True, False] * 10


@given(codes=keys, k=st.integers(2, 4), shared=st.integers(1, 3), seed=st.integers(0, 99))
def test_households_lose_what_they_share_together_and_every_record_has_equals(
    codes: np.ndarray, k: int, shared: int, seed: int
) -> None:
    homes = np.random.default_rng(seed).integers(0, 4, len(codes))
    is_shared = np.arange(codes.shape[1]) < shared
    codes = np.where(is_shared & (codes >= 0), homes[:, None] % 3, codes)
    cells = cells_of_equal_households(codes, k, np.ones(codes.shape[1]), group_households(homes), is_shared)
    released = np.where(cells, -1, codes)
    assert fewest_alike(released) >= k
    for home in np.unique(homes):
        gaps = released[homes == home][:, is_shared] < 0
        assert (gaps == gaps[0]).all()


@pytest.mark.parametrize("others", [{"household_columns": ("k1",)}, {"sensitive": ("ill",), "l": 2}])
def test_a_search_for_the_fewest_cells_is_refused_where_there_is_none(others: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="max_nodes must be left out with household_columns, l or t"):
        StrictLocalSuppression(columns=("k0", "k1"), max_nodes=10, **others)
