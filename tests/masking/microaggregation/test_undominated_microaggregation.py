"""Groups in which no member dominates, checked by the rules of tables."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import Mdav, UndominatedMicroaggregation
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

RNG = np.random.default_rng(0)


def groups_of(original: FloatMatrix, masked: FloatMatrix) -> list[FloatMatrix]:
    numbers = np.unique(masked.round(9), axis=0, return_inverse=True)[1].reshape(-1)
    return [original[numbers == number] for number in range(numbers.max() + 1)]


@given(seed=st.integers(0, 999), k=st.integers(2, 5), n=st.integers(1, 2), p=st.sampled_from([None, 20.0]))
def test_no_group_is_dominated_in_any_column(seed: int, k: int, n: int, p: float | None) -> None:
    matrix = np.random.default_rng(seed).lognormal(3, 1.6, size=(60, 2))
    method = UndominatedMicroaggregation(columns=names_of(matrix), k=k, n=n, max_percent=70, p=p)
    try:
        masked = method.mask(microdata(matrix), RNG).matrix(names_of(matrix))
    except DataError:
        largest = np.sort(matrix, axis=0)[::-1]
        rest = largest[2:].sum(axis=0)
        assert ((largest[:n].sum(axis=0) > 0.7 * matrix.sum(axis=0)) | (rest < (p or 0) / 100 * largest[0])).any()
        return
    assert masked.mean(axis=0) == pytest.approx(matrix.mean(axis=0))
    for group in groups_of(matrix, masked):
        assert len(group) >= k
        largest = np.sort(group, axis=0)[::-1]
        assert (largest[:n].sum(axis=0) <= 0.7 * group.sum(axis=0) * (1 + 1e-9)).all()
        if p is not None:
            assert (largest[2:].sum(axis=0) >= 0.2 * largest[0] * (1 - 1e-9)).all()


def test_groups_are_those_of_mdav_where_nobody_dominates() -> None:
    matrix = np.random.default_rng(4).normal(100, 5, size=(50, 3))
    names = names_of(matrix)
    ours, mdav = (
        m.mask(microdata(matrix), RNG) for m in (UndominatedMicroaggregation(columns=names), Mdav(columns=names))
    )
    assert np.allclose(ours.matrix(names), mdav.matrix(names))


def test_the_giant_of_a_business_file_is_hidden_among_enough_others() -> None:
    turnover = [2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 40.0, 45.0, 300.0, 280.0, 260.0, 900.0]
    data = Microdata(pl.DataFrame({"turnover": turnover}))
    plain = Mdav(columns=("turnover",), k=3).mask(data, RNG).frame["turnover"]
    ours = UndominatedMicroaggregation(columns=("turnover",), k=3, max_percent=55).mask(data, RNG).frame["turnover"]
    assert 900 / (plain[11] * plain.to_list().count(plain[11])) > 0.55
    assert 900 / (ours[11] * ours.to_list().count(ours[11])) <= 0.55


def test_refuses_a_file_that_one_member_dominates() -> None:
    data = Microdata(pl.DataFrame({"turnover": [1.0, 2.0, 3.0, 4.0, 1000.0]}))
    with pytest.raises(DataError, match=r"'turnover' is dominated .*: the largest contribution makes up more than 60"):
        UndominatedMicroaggregation(columns=("turnover",), k=2).mask(data, RNG)
    with pytest.raises(DataError, match=r"all but the two largest are less than 20 % of the largest.*; take a small"):
        UndominatedMicroaggregation(columns=("turnover",), k=2, max_percent=100, p=20).mask(data, RNG)


def test_a_record_without_any_value_stays_in_no_group_beside_a_rare_pattern() -> None:
    turnover = [None, 5.0, 6.0, 7.0, 8.0, None]
    data = Microdata(pl.DataFrame({"turnover": turnover, "tax": [None, 2.0, 3.0, 3.0, 4.0, 3.0]}))
    ours = UndominatedMicroaggregation(columns=("turnover", "tax"), k=2).mask(data, RNG).frame
    assert ours.row(0) == (None, None)
    assert ours["turnover"].null_count() == 2
    assert ours["tax"].null_count() == 1


def test_only_groups_that_hold_one_of_the_largest_values_are_joined_where_these_are_named() -> None:
    matrix = np.random.default_rng(5).lognormal(3, 2.0, size=(200, 3)).round(2)
    names = names_of(matrix)
    method = UndominatedMicroaggregation(columns=names, k=3, max_percent=100, p=10)
    every, largest = (
        groups_of(matrix, one.mask(microdata(matrix), RNG).matrix(names))
        for one in (method, method.replace(top_percent=5))
    )
    floors = np.sort(matrix, axis=0)[-10]
    assert len(largest) > len(every)
    for group in largest:
        ordered = np.sort(group, axis=0)[::-1]
        is_large = ordered[0] >= floors
        assert (ordered[2:].sum(axis=0) >= 0.1 * ordered[0] * (1 - 1e-9))[is_large].all()


def test_a_quick_look_tells_whether_one_column_can_be_hidden() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        amounts = np.where(rng.random(12) < 0.6, 0.0, rng.lognormal(3, 2, 12)).round(1)
        method = UndominatedMicroaggregation(columns=("amount",), k=3, max_percent=100.0, p=12)
        try:
            method.mask(Microdata(pl.DataFrame({"amount": amounts})), rng)
            is_masked = True
        except DataError:
            is_masked = False
        assert method.can_hide(amounts[:, None]) == is_masked
