from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata, Schema
from sfumato.datasets import reference
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.kernels.keys.suppression import cheapest_sets
from sfumato.keys.classes import key_codes
from sfumato.masking import LocalSuppression
from sfumato.masking.suppression import local_suppression
from sfumato.masking.suppression._column_sets import sets_by_cost
from sfumato.masking.suppression.local_suppression import (
    cells_of_single_records,
    row_numbers,
    sets_by_counting,
)
from tests.data.frames import AsBackend, cells
from tests.masking.keys import SURVEY_KEYS, agreeing, data_of, showing

keys = hnp.arrays(np.int64, st.tuples(st.integers(5, 30), st.integers(1, 4)), elements=st.integers(-1, 3))
few_keys = hnp.arrays(np.int64, st.tuples(st.integers(3, 5), st.just(2)), elements=st.integers(-1, 2))


def suppressed(data: Microdata, **parameters: Any) -> Microdata:
    return run_step(LocalSuppression(**{"columns": data.schema.names, **parameters}), data, seed=1, step=0)


@given(codes=keys, k=st.integers(2, 5))
def test_enough_records_have_what_is_left_of_each_by_an_independent_count(codes: np.ndarray, k: int) -> None:
    cells = cells_of_single_records(codes, k, np.ones(codes.shape[1]))
    released = np.where(cells, -1, codes)
    assert showing(released, codes).min() >= k  # by its own gaps alone
    assert agreeing(released, released).min() >= k  # as others count it, on the masked file


@given(codes=keys, k=st.integers(2, 5))
def test_only_records_at_risk_lose_values_and_only_values_that_they_have(codes: np.ndarray, k: int) -> None:
    cells = cells_of_single_records(codes, k, np.ones(codes.shape[1]))
    assert not cells[showing(codes, codes) >= k].any()
    assert not cells[codes < 0].any()


@given(codes=few_keys, k=st.integers(2, 3), first=st.sampled_from([1.0, 3.0]))
def test_no_choice_of_cells_is_cheaper(codes: np.ndarray, k: int, first: float) -> None:
    worth = np.array([first, 1.0])
    cells = cells_of_single_records(codes, k, worth)
    best = min(
        (np.array(choice).reshape(codes.shape) * worth).sum()
        for choice in product((False, True), repeat=codes.size)
        if showing(np.where(np.array(choice).reshape(codes.shape), -1, codes), codes).min() >= k
    )
    assert (cells * worth).sum() == best


@given(codes=keys, k=st.integers(2, 4), first=st.sampled_from([1.0, 2.0]))
def test_counting_all_records_and_comparing_each_choose_the_same(codes: np.ndarray, k: int, first: float) -> None:
    worth = np.r_[first, np.ones(codes.shape[1] - 1)]
    number = row_numbers(codes)
    _, start, copies = np.unique(number, return_index=True, return_counts=True)
    records, rows, (sets, costs) = codes[start], np.flatnonzero(copies < k), sets_by_cost(worth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_suppression, "ROWS_WORTH_COUNTING", 0)
        chosen, left = sets_by_counting(records, copies, rows, k, sets, costs)
    assert left.size == 0
    has_value = (records[rows] >= 0) @ (1 << np.arange(codes.shape[1]))
    by_comparing = cheapest_sets(records, copies, rows, k, sets, costs)
    assert np.array_equal(chosen[rows] & has_value, by_comparing & has_value)


def test_important_columns_are_spared() -> None:
    codes = np.random.default_rng(3).integers(0, 5, (300, 3))
    data = data_of(codes)
    plain = suppressed(data, k=4)
    sparing = suppressed(data, k=4, importance={"k0": 10})
    assert sparing.frame["k0"].null_count() < plain.frame["k0"].null_count()
    assert agreeing(key_codes(sparing, ("k0", "k1", "k2")).T, codes).min() >= 4


def test_strata_are_safe_each_by_itself() -> None:
    codes = np.random.default_rng(4).integers(0, 4, (200, 2))
    frame = data_of(codes).frame.with_columns(half=pl.Series(np.where(np.arange(200) < 100, "a", "b")))
    data = Microdata(frame, Schema.infer(frame).with_roles(other=["k0", "k1"]))
    after = suppressed(data, columns=("k0", "k1"), k=5, within=("half",))
    released = key_codes(after, ("k0", "k1")).T
    for part in (slice(0, 100), slice(100, 200)):
        assert agreeing(released[part], codes[part]).min() >= 5


def test_cells_are_missing_in_every_backend_and_all_others_stay(as_backend: AsBackend) -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m", "m"], "code": [1, 1, 2, 2, 9], "age": [1.5] * 5})
    schema = Schema.infer(frame).with_kinds(nominal=["sex", "code"])
    after = suppressed(Microdata(as_backend(frame), schema), columns=("sex", "code"), k=2)
    assert cells(after) == {"sex": ["f", "f", "m", "m", "m"], "code": [1, 1, 2, 2, None], "age": [1.5] * 5}
    assert after.schema == schema


def test_a_safe_file_stays_as_it_is() -> None:
    data = data_of(np.repeat([[0, 1], [1, 0]], 4, axis=0))
    assert suppressed(data, k=4).frame.equals(data.frame)


def test_records_that_come_without_values_protect_no_other() -> None:
    data = Microdata(pl.DataFrame({"a": [f"c{i}" for i in range(20)] + [None, None]}))
    assert suppressed(data, k=3).frame["a"].null_count() == 22


def test_a_record_is_protected_by_its_own_gap_as_if_it_had_been_suppressed() -> None:
    codes = np.array([[0, 0], [0, 1], [0, -1], [1, -1]])
    assert cells_of_single_records(codes, 3, np.ones(2)).astype(int).tolist() == [[0, 1], [0, 1], [0, 0], [1, 0]]


def test_suppressing_some_records_protects_no_other() -> None:
    codes = np.vstack([np.zeros((3, 2), dtype=np.int64), np.array([[1, 1], [2, 2], [3, 3]])])
    assert cells_of_single_records(codes, 3, np.ones(2))[3:].all()


def test_refuses_fewer_records_than_a_group_must_have() -> None:
    with pytest.raises(DataError, match=r"LocalSuppression\.k must be at most 2, the number of records"):
        suppressed(data_of(np.zeros((2, 2), dtype=np.int64)), k=3)


def test_refuses_the_importance_of_a_column_that_is_no_key() -> None:
    data = data_of(np.zeros((3, 2), dtype=np.int64))
    with pytest.raises(
        ParameterError, match=r"LocalSuppression\.importance: 'k00' is not one of the columns; did you mean"
    ):
        suppressed(data, importance={"k00": 2.0})
    with pytest.raises(ParameterError, match=r"LocalSuppression\.importance\.k0 must"):
        LocalSuppression(columns=("k0",), importance={"k0": 0.0})


def test_refuses_more_keys_than_can_be_tried() -> None:
    with pytest.raises(DataError, match=r"LocalSuppression\.columns: there may be at most 16; got 17"):
        suppressed(data_of(np.zeros((3, 17), dtype=np.int64)))


@pytest.mark.reference
def test_the_household_survey_needs_fewer_cells_than_the_293_of_sdc_micro() -> None:
    data = reference("household_survey")
    before = key_codes(data, SURVEY_KEYS).T
    number, copies = np.unique(before, axis=0, return_inverse=True, return_counts=True)[1:]
    assert int((copies[number] < 3).sum()) == 281
    released = key_codes(suppressed(data, columns=SURVEY_KEYS, k=3), SURVEY_KEYS).T
    assert int(((released < 0) & (before >= 0)).sum()) == 283
    rare = np.flatnonzero((released < 0).any(axis=1))
    assert agreeing(released[rare[:40]], before).min() >= 3
