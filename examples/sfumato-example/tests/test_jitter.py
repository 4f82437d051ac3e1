"""Jitter: what it promises."""

import numpy as np
import pytest

import sfumato as sf
from sfumato_example import Jitter


def test_joins_with_a_complete_docstring() -> None:
    assert sf.register(Jitter) is Jitter  # warns of what the docstring lacks; warnings are errors here
    assert sf.METHODS["jitter"] is Jitter


def test_no_value_moves_further_than_the_width() -> None:
    data = sf.datasets.demo(500)
    masked = sf.Recipe(steps=[Jitter(columns=("expenditure",), width=20)], seed=7).run(data)
    before, after = data.values("expenditure"), masked.values("expenditure")
    moved = np.abs(after - before)
    assert 0 < np.nanmax(moved) <= 0.2 * data.summary.deviations(("expenditure",))[0]
    assert np.array_equal(np.isnan(before), np.isnan(after))


def test_refuses_a_width_of_nothing() -> None:
    with pytest.raises(sf.SfumatoError, match=r"Jitter.width must be in \(0, 100\]; got 0"):
        Jitter(columns=("expenditure",), width=0)
