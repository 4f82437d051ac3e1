"""Numbers of files and registers are identifiers, with gaps in the numbering too."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Role
from sfumato.data.inference import guess_variables
from tests.data.test_inference import AsBackend, inferred


@pytest.mark.parametrize("name", ["dossier_no", "matricula", "Aktennummer", "num_expediente", "Kundennr"])
def test_numbers_of_files_with_gaps_are_identifiers(as_backend: AsBackend, name: str) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.choice(90_000, 300, replace=False) + 10
    assert inferred(as_backend, name, [*numbers.tolist(), int(numbers[0])]).role is Role.IDENTIFIER
    assert inferred(as_backend, "area", numbers.tolist()).role is Role.OTHER


def test_numbers_that_never_repeat_by_no_chance_or_rise_with_the_records_are_identifiers(as_backend: AsBackend) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.choice(3_000, 400, replace=False)
    drawn = rng.integers(0, 3_000, 400)  # as amounts are: some are equal
    assert inferred(as_backend, "x", numbers.tolist()).role is Role.IDENTIFIER
    assert inferred(as_backend, "x", drawn.tolist()).role is Role.OTHER
    assert inferred(as_backend, "x", np.cumsum(rng.integers(1, 900, 50)).tolist()).role is Role.IDENTIFIER
    assert inferred(as_backend, "turnover", np.cumsum(rng.integers(1, 900, 50)).tolist()).role is Role.OTHER


def test_whole_numbers_that_nearly_never_repeat_are_asked_about() -> None:
    numbers = np.random.default_rng(0).choice(900_000, 200, replace=False)
    (guess,) = guess_variables(pl.DataFrame({"x": numbers}))
    assert guess.variable.role is Role.OTHER
    assert "if they number persons, files or entries of a register" in guess.doubt
