"""Records are found by their row ids, whether or not numbers are left out between these."""

import numpy as np
import pytest

from sfumato.data.row_ids import rows_of_ids
from sfumato.errors import DataError

LAST = np.iinfo(np.int64).max


@pytest.mark.parametrize("gap", [1, 3])
@pytest.mark.parametrize("first", [0, -7, LAST - 400])
def test_each_id_leads_to_its_row(gap: int, first: int) -> None:
    rng = np.random.default_rng(0)
    held = first + gap * rng.permutation(100)
    asked = rng.permutation(held)[:60]
    assert rows_of_ids(held, asked).tolist() == [held.tolist().index(one) for one in asked.tolist()]


@pytest.mark.parametrize("held", [[2, 1, 3], [2, 1, 9], []])
@pytest.mark.parametrize("unknown", [0, 4, -LAST, LAST])
def test_unknown_ids_are_refused(held: list[int], unknown: int) -> None:
    with pytest.raises(DataError, match="row ids are unknown"):
        rows_of_ids(np.array(held, dtype=np.int64), np.array([*held, unknown]))


def test_repeated_ids_are_refused() -> None:
    with pytest.raises(DataError, match="must be different"):
        rows_of_ids(np.array([1, 2, 2, 3]), np.array([1]))
