"""Equal rows, checked against a dictionary of their bytes."""

import numpy as np
import pytest

from sfumato.kernels.neighbours import equal_rows as room
from sfumato.kernels.neighbours.equal_rows import equal_rows


def test_equal_rows_have_one_place_and_different_ones_several() -> None:
    values = np.random.default_rng(0).integers(0, 3, (200, 3)).astype(np.float64)
    values[::7, 1] = np.nan
    first, place = equal_rows(values)
    keys = [row.tobytes() for row in values]
    assert len(first) == len(set(keys))
    assert [keys[row] for row in first[place]] == keys


def test_rows_with_the_same_digest_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MULTIPLIER", np.uint64(0))
    values = np.array([[1.0], [2.0], [1.0], [3.0], [3.0]])
    first, place = equal_rows(values)
    assert values[first[place]].tolist() == values.tolist()


def test_no_rows_and_no_columns_are_taken() -> None:
    assert [part.tolist() for part in equal_rows(np.empty((0, 2)))] == [[], []]
    assert equal_rows(np.empty((3, 0)))[1].tolist() == [0, 0, 0]
