"""Local suppression as the other programs count: the gaps of all records fit every value."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.datasets import demo, reference
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.keys.classes import key_codes
from sfumato.masking import LocalSuppression
from tests.masking.keys import SURVEY_KEYS, agreeing, data_of, showing


def have_values(codes: np.ndarray) -> bool:
    return bool((codes >= 0).any(axis=0).all())


keys = hnp.arrays(np.int64, st.tuples(st.integers(5, 25), st.integers(1, 4)), elements=st.integers(-1, 3)).filter(
    have_values
)
few_keys = hnp.arrays(np.int64, st.tuples(st.integers(3, 5), st.just(2)), elements=st.integers(-1, 2)).filter(
    have_values
)


def released(codes: np.ndarray, k: int, **parameters: Any) -> np.ndarray:
    method = LocalSuppression(columns=tuple(f"k{j}" for j in range(codes.shape[1])), k=k, **parameters)
    after = key_codes(run_step(method, data_of(codes), seed=1, step=0), tuple(data_of(codes).schema.names)).T
    return np.where(after < 0, -1, codes)


def cells(codes: np.ndarray, after: np.ndarray) -> int:
    return int(((after < 0) & (codes >= 0)).sum())


def cells_of_the_other_program(codes: np.ndarray, k: int) -> int:
    """How many cells sdcMicro needs: in each round every record at risk loses one value, towards those nearest to it.

    The nearest are the records that differ from it in fewest keys, and of the keys in which they do the one with most
    categories is suppressed.
    """
    shown = codes.copy()
    by_categories = np.argsort([-np.unique(column[column >= 0]).size for column in codes.T], kind="stable")

    def differing(row: int) -> np.ndarray:
        return np.asarray((shown[row] >= 0) & (shown >= 0) & (shown != shown[row]))

    while True:
        fitting = np.array([np.count_nonzero(~differing(row).any(axis=1)) for row in range(len(shown))])
        if fitting.min() >= k:
            return cells(codes, shown)
        at_risk = np.flatnonzero(fitting < k)
        for row in at_risk[np.argsort(fitting[at_risk], kind="stable")]:
            apart = differing(row)
            distance = apart.sum(axis=1)
            if distance.any():
                nearest = apart[distance == distance[distance > 0].min()]
                shown[row, next(key for key in by_categories if nearest[:, key].any())] = -1


@given(codes=keys, k=st.integers(2, 5))
def test_every_record_fits_k_records_by_an_independent_count(codes: np.ndarray, k: int) -> None:
    after = released(codes, k, wildcards="all")
    assert agreeing(after, after).min() >= k


@given(codes=keys, k=st.integers(2, 4))
def test_no_value_is_suppressed_that_could_be_shown(codes: np.ndarray, k: int) -> None:
    after = released(codes, k, wildcards="all")
    for row, column in np.argwhere((after < 0) & (codes >= 0)):
        with_value = after.copy()
        with_value[row, column] = codes[row, column]
        assert agreeing(with_value, with_value).min() < k


@given(codes=keys, k=st.integers(2, 4), known=st.integers(1, 3))
def test_combinations_fit_as_well(codes: np.ndarray, k: int, known: int) -> None:
    keys_known = min(known, codes.shape[1])
    after = released(codes, k, wildcards="all", combinations=keys_known)
    for chosen in combinations(range(codes.shape[1]), keys_known):
        assert agreeing(after[:, chosen], after[:, chosen]).min() >= k


@given(codes=few_keys, k=st.integers(2, 3))
def test_no_choice_of_cells_is_below_what_brute_force_finds_and_ours_never_above_the_stricter_promise(
    codes: np.ndarray, k: int
) -> None:
    after = released(codes, k, wildcards="all")
    choices = (np.array(choice).reshape(codes.shape) for choice in product((False, True), repeat=codes.size))
    least = min(
        cells(codes, shown)
        for shown in (np.where(choice, -1, codes) for choice in choices)
        if agreeing(shown, shown).min() >= k
    )
    assert least <= cells(codes, after) <= cells(codes, released(codes, k))


def test_it_needs_no_more_cells_than_the_other_program_on_any_of_many_files() -> None:
    rng = np.random.default_rng(8)
    ours = theirs = 0
    for _ in range(60):
        k, n, m = int(rng.integers(2, 5)), int(rng.integers(10, 40)), int(rng.integers(1, 6))
        codes = np.stack([rng.integers(-int(rng.random() < 0.4), rng.integers(2, 9), n) for _ in range(m)], axis=1)
        needed, expected = cells(codes, released(codes, k, wildcards="all")), cells_of_the_other_program(codes, k)
        assert needed <= expected
        ours, theirs = ours + needed, theirs + expected
    assert ours < 0.8 * theirs


def test_it_needs_no_more_cells_than_the_other_program_on_a_survey_with_gaps() -> None:
    codes = key_codes(demo(300), ("region", "sex", "marital_status", "education", "occupation")).T
    assert cells(codes, released(codes, 3, wildcards="all")) <= cells_of_the_other_program(codes, 3)


@pytest.mark.reference
def test_the_household_survey_needs_200_cells_where_sdc_micro_needs_293() -> None:
    codes = key_codes(reference("household_survey"), SURVEY_KEYS).T
    after = released(codes, 3, wildcards="all")
    assert cells(codes, after) == 200
    rare = np.flatnonzero((after < 0).any(axis=1))
    assert agreeing(after[rare[:40]], after).min() >= 3


def test_the_other_reading_promises_less_than_the_default() -> None:
    codes = np.array([[0, 0], [1, 1], [2, 2], [3, 3]])
    own, shared = released(codes, 2), released(codes, 2, wildcards="all")
    assert showing(own, codes).min() >= 2
    assert showing(shared, codes).min() == 1  # a record that shows what only it has, hidden by the gaps of another
    assert cells(codes, shared) < cells(codes, own)


def test_the_least_by_this_reading_would_be_to_empty_a_few_records() -> None:
    codes = np.arange(20).reshape(10, 2)
    emptied = codes.copy()
    emptied[:2] = -1
    assert agreeing(emptied, emptied).min() >= 3  # two empty records make a file of uniques 3-anonymous


def test_refuses_household_columns() -> None:
    data = data_of(np.zeros((4, 2), dtype=np.int64))
    with pytest.raises(ParameterError, match=r"LocalSuppression\.wildcards must be 'own' where there are household"):
        LocalSuppression(columns=("k0",), household_columns=("k0",), household=("k1",), wildcards="all").bound_to(data)
