"""Suppressions, checked against plain loops over the values."""

from datetime import date
from math import isnan

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import Suppressions
from tests.loss.made_categories import NAMES, example, file, pairs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kept", [40, 25])
def test_equals_plain_loops_for_shuffled_samples_with_missing_values(seed: int, kept: int) -> None:
    original, masked = example(seed, kept=kept, missing=0.3)
    found = Suppressions(columns=NAMES).measure(original, masked)
    cells = {
        name: [None if before is None else float(after is None) for before, after in pairs(original, masked, name)]
        for name in NAMES
    }
    known = {name: [cell for cell in column if cell is not None] for name, column in cells.items()}
    total = sum(sum(column) for column in known.values())
    expected = {name: 100 * sum(column) / len(column) for name, column in known.items()} | {"SUPN": total}
    assert total > 0
    assert dict(found.parts) == pytest.approx(expected)
    assert found.value == pytest.approx(100 * total / sum(len(column) for column in known.values()))
    assert found.per_record is not None
    for figure, *row in zip(found.per_record.tolist(), *cells.values(), strict=True):
        there = [cell for cell in row if cell is not None]
        assert isnan(figure) if not there else figure == pytest.approx(100 * sum(there) / len(there))


def test_columns_of_every_kind_are_read_by_their_own_missing_codes() -> None:
    variables = (
        Variable(name="income", kind=Kind.CONTINUOUS, missing_codes=(-9,)),
        Variable(name="health", kind=Kind.ORDINAL, missing_codes=(0,)),
        Variable(name="town", kind=Kind.NOMINAL),
        Variable(name="born", kind=Kind.DATE),
    )
    day = date(1980, 5, 1)
    original = pl.DataFrame(
        {"income": [5.0, 6.0, -9.0], "health": [1, 2, 0], "town": ["A", "B", "C"], "born": [day, None, day]}
    )
    masked = pl.DataFrame(
        {"income": [5.0, -9.0, 7.0], "health": [1, 0, 2], "town": ["A", None, "C"], "born": [day, day, None]}
    )
    schema = Schema(variables=variables)
    found = Suppressions(columns=schema.names).measure(Microdata(original, schema), Microdata(masked, schema))
    assert dict(found.parts) == pytest.approx(
        {"income": 50.0, "health": 50.0, "town": 100 / 3, "born": 50.0, "SUPN": 4.0}
    )
    assert found.value == pytest.approx(100 * 4 / 9)
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([0.0, 100.0, 50.0])


def test_other_values_and_other_categories_are_not_suppressions() -> None:
    original, masked = file({"town": ["A", "B", None]}), file({"town": ["A or B", "A or B", "C"]})
    found = Suppressions(columns=("town",)).measure(original, masked)
    assert (found.value, found.parts["SUPN"]) == (0.0, 0.0)


def test_a_record_that_was_left_out_is_not_a_suppression() -> None:
    original, _ = example(1, missing=0.0)
    assert Suppressions(columns=NAMES).measure(original, original.take_rows(np.array([3, 8]))).value == 0.0


def test_records_without_a_value_in_the_original_have_nothing_to_suppress() -> None:
    original = file({"town": ["A", None, None]})
    masked = file({"town": ["B", None]}, row_ids=[1, 2])
    found = Suppressions(columns=("town",)).measure(original, masked)
    assert dict(found.parts) == {"town": 0.0, "SUPN": 0.0}
    assert found.value == 0.0
    assert found.per_record is not None
    assert np.isnan(found.per_record).all()
