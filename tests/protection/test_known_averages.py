"""Numbers that were averaged to see whether a mean tells an amount are not averaged again for the protected file."""

import numpy as np
import pytest

from sfumato.data import role
from sfumato.datasets import demo
from sfumato.masking import Mdav
from sfumato.protection import protect


def test_numbers_are_averaged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, average = [], Mdav.mask_block

    def counting(self: Mdav, block, rng):  # type: ignore[no-untyped-def]
        calls.append(self.columns)
        return average(self, block, rng)

    monkeypatch.setattr(Mdav, "mask_block", counting)
    data = demo(400)
    found = protect(data, k=3, seed=1)
    numbers = [step for step in found.recipe.steps if isinstance(step, Mdav) and not step.household]
    monkeypatch.undo()
    assert len(numbers) == 1
    assert calls.count(numbers[0].columns) == 1
    names = data.select(role("confidential"))
    again = found.recipe.run(data)
    for name in set(names) & set(numbers[0].columns):
        assert np.array_equal(again.values(name), found.data.values(name), equal_nan=True)
