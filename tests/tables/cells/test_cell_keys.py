"""The keys of records and cells: whole numbers of 24 bits, added up without weights."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError
from sfumato.tables import Table, draw_record_keys
from sfumato.tables.cells.cell_keys import KEYS
from tests.tables.records import PLACES, SECTORS, firms, members


@settings(max_examples=20, deadline=None)
@given(firms(), st.integers(0, 2**32))
def test_a_cell_key_is_the_sum_of_its_records_keys_in_24_bits(frame: pl.DataFrame, seed: int) -> None:
    frame = frame.with_columns(key=draw_record_keys(frame.height, np.random.default_rng(seed)))
    table = Table.from_records(frame, {"place": PLACES, "sector": SECTORS}, key="key")
    assert table.keys is not None
    for (place, sector), rows in members(frame, {"place": [PLACES], "sector": [SECTORS]}).items():
        assert table.keys[table.cell(place=place, sector=sector)] == sum(row["key"] for row in rows) % 2**24


@settings(max_examples=10, deadline=None)
@given(firms(), st.integers(0, 2**32))
def test_weights_and_values_leave_keys_as_they_are(frame: pl.DataFrame, seed: int) -> None:
    frame = frame.with_columns(key=draw_record_keys(frame.height, np.random.default_rng(seed)))
    by = {"place": PLACES, "sector": SECTORS}
    counts = Table.from_records(frame, by, key="key")
    sums = Table.from_records(frame, by, "sales", weight="weight", holding="group", key="key")
    assert counts.keys is not None
    assert sums.keys is not None
    assert np.array_equal(counts.keys, sums.keys)


def test_record_keys_are_uniform_whole_numbers_of_24_bits_from_the_system_or_a_generator() -> None:
    for keys in (draw_record_keys(20_000), draw_record_keys(20_000, np.random.default_rng(5))):
        assert keys.min() >= 0
        assert keys.max() < KEYS
        expected = 20_000 / 64
        chi_squared = ((np.bincount(keys * 64 // KEYS, minlength=64) - expected) ** 2 / expected).sum()
        assert chi_squared < 160  # 63 degrees of freedom: exceeded once in more than a billion times
        assert np.unique(keys % 256).size == 256
    assert not np.array_equal(draw_record_keys(50), draw_record_keys(50))
    again = [draw_record_keys(50, np.random.default_rng(6)) for _ in range(2)]
    assert np.array_equal(again[0], again[1])


def test_sums_of_keys_are_exact_for_half_a_billion_records() -> None:
    assert float(KEYS - 1) * 500_000_000 < 2.0**53


def test_keys_that_are_no_whole_numbers_are_refused() -> None:
    frame = pl.DataFrame({"town": [*"AAB"], "key": [0.25, 0.5, 0.125]})
    with pytest.raises(DataError, match="the sums of 'key' are not: draw keys"):
        Table.from_records(frame, ["town"], key="key")
