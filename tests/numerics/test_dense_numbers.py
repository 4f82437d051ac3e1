"""Labels numbered without gaps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.dense_numbers import dense_numbers


@given(st.lists(st.integers(-(2**40), 2**40) | st.integers(-9, 9)))
def test_labels_are_numbered_as_sorting_them_does(labels: list[int]) -> None:
    found = dense_numbers(np.array(labels, dtype=np.int64))
    assert found.tolist() == [sorted(set(labels)).index(label) for label in labels]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64"])
def test_small_types_do_not_overflow(dtype: str) -> None:
    labels = np.tile([100, -100, 100], 100).astype(dtype)
    assert dense_numbers(labels)[:3].tolist() == [1, 0, 1]
