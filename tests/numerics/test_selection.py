import numpy as np
import pytest

from sfumato.numerics import selection
from sfumato.numerics.selection import value_of_rank


@pytest.mark.parametrize("enough", [1, 40])
def test_every_rank_has_the_value_that_sorting_gives(monkeypatch: pytest.MonkeyPatch, enough: int) -> None:
    monkeypatch.setattr(selection, "ENOUGH_TO_SORT", enough)
    rng = np.random.default_rng(2)
    values = np.concatenate(
        [rng.normal(size=60), np.repeat(2.5, 60), [0.0, -1e75, 1e-300, 7e74], rng.integers(-3, 3, 60)]
    )
    parts = np.array_split(rng.permutation(values), 7)
    ranks = [0, 1, 30, 61, 90, 120, values.size - 2, values.size - 1]
    assert [value_of_rank(lambda: parts, rank) for rank in ranks] == np.sort(values)[ranks].tolist()
