import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.errors import DataError, ParameterError
from sfumato.masking import Mdav
from tests.matrices import microdata

RNG = np.random.default_rng(0)  # MDAV draws nothing


def mdav(matrix: np.ndarray, k: int) -> np.ndarray:
    data = microdata(matrix)
    return Mdav(columns=numeric, k=k).mask(data, RNG).matrix(data.schema.names)


def test_a_rare_pattern_joins_the_nearest_group_that_has_its_values() -> None:
    matrix = np.array([[0.0, 0.0], [1.0, 1.0], [10.0, 10.0], [11.0, 11.0], [9.0, np.nan]])
    masked = mdav(matrix, 2)
    assert masked[[0, 1], 0].tolist() == [0.5, 0.5]
    assert masked[[2, 3, 4], 0].tolist() == [10.0, 10.0, 10.0]
    assert np.isnan(masked[4, 1])
    assert masked[3, 1] == 10.5


def test_records_of_rare_patterns_may_make_a_group_larger_than_usual() -> None:
    rare = np.full((3, 4), np.nan)
    rare[[0, 1, 2], [1, 2, 3]] = 5.0
    rare[:, 0] = 5.0
    masked = mdav(np.concatenate([np.full((2, 4), 5.0), np.zeros((2, 4)), rare]), 2)
    assert np.count_nonzero(masked[:, 0] == 5.0) == 5


def test_larger_groups_lose_more() -> None:
    x = np.random.default_rng(1).normal(size=(200, 3))
    lost = [((mdav(x, k) - x) ** 2).sum() for k in (2, 4, 8, 16)]
    assert lost == sorted(lost)


def test_fewer_columns_at_a_time_lose_less() -> None:
    data = microdata(np.random.default_rng(2).normal(size=(200, 4)))

    def lost(columns_at_a_time: int) -> float:
        masked = Mdav(columns=numeric, columns_at_a_time=columns_at_a_time).mask(data, RNG)
        return float(((masked.matrix(data.schema.names) - data.matrix(data.schema.names)) ** 2).sum())

    assert lost(1) < lost(2) < lost(4)


def test_refuses_a_record_that_no_group_can_take() -> None:
    matrix = np.array([[1.0, np.nan], [2.0, np.nan], [3.0, np.nan], [np.nan, 4.0]])
    with pytest.raises(DataError, match=r"^Mdav.columns: a record has values in 1 of the columns, and fewer than"):
        mdav(matrix, 3)


def test_refuses_groups_of_one() -> None:
    with pytest.raises(ParameterError, match=r"^Mdav.k must be in \[2, inf\); got 1$"):
        Mdav(columns=numeric, k=1)
