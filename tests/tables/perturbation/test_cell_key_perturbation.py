"""The cell key method: the same records deviate alike everywhere, as often and as far as the table says."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import DataError, ParameterError
from sfumato.tables.cells.table import Table
from sfumato.tables.perturbation._perturbation_table import PerturbationTable
from sfumato.tables.perturbation.cell_key_perturbation import KEYS, cell_keys, draw_record_keys, perturb
from tests.tables.records import PLACES, SECTORS, firms, members

NOISE = PerturbationTable.of_maximum_entropy(3, 1.5)


def people(size: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "town": rng.integers(0, 40, size).astype(str),
            "job": rng.integers(0, 25, size).astype(str),
            "pay": rng.integers(1, 900, size),
            "key": draw_record_keys(size, rng),
        }
    )


@settings(max_examples=20, deadline=None)
@given(firms(), st.integers(0, 2**32))
def test_a_cell_key_is_the_sum_of_its_records_keys_in_24_bits(frame, seed):
    frame = frame.with_columns(key=draw_record_keys(frame.height, np.random.default_rng(seed)))
    table = Table.from_records(frame, {"place": PLACES, "sector": SECTORS}, "key")
    keys = cell_keys(table)
    for (place, sector), rows in members(frame, {"place": [PLACES], "sector": [SECTORS]}).items():
        assert keys[table.cell(place=place, sector=sector)] == sum(row["key"] for row in rows) % 2**24


def test_the_same_records_deviate_alike_in_every_table_and_order():
    frame = people(300, 1).with_columns(side=pl.when(pl.col("town") == "7").then(pl.lit("in")).otherwise(pl.lit("out")))
    by_town, by_side = (
        (perturb(Table.from_records(each, [by]), Table.from_records(each, [by], "key"), NOISE))
        for by, each in (("town", frame), ("side", frame.reverse()))
    )
    same = by_town.values[by_town.table.cell(town="7")], by_side.values[by_side.table.cell(side="in")]
    assert same[0] == same[1]
    assert by_town.values[by_town.table.cell(town="Total")] == by_side.values[by_side.table.cell(side="Total")]


def test_deviations_are_as_frequent_as_the_perturbation_table_says_and_zeros_stay():
    frame = people(4000, 2)
    table, keys = (Table.from_records(frame, ["town", "job"], value, zeros=True) for value in (None, "key"))
    perturbed = perturb(table, keys, NOISE)
    deviations = perturbed.values - table.values
    inner = table.values >= 3
    seen = np.bincount(deviations[inner].astype(int) + 3, minlength=7) / inner.sum()
    error = 4 * np.sqrt(NOISE.probabilities[-1] * (1 - NOISE.probabilities[-1]) / inner.sum())
    assert (np.abs(seen - NOISE.probabilities[-1]) < error).all()
    assert (perturbed.values[table.values == 0] == 0).all()
    assert (perturbed.values >= 0).all()


def test_a_magnitude_deviates_by_a_share_of_its_largest_contribution():
    frame = people(500, 3)
    table, keys = (Table.from_records(frame, ["town", "job"], value) for value in ("pay", "key"))
    perturbed = perturb(table, keys, NOISE, share=20)
    for cell in range(0, table.size, 37):
        codes = dict(zip(table.names, table.to_frame().row(cell)[:2], strict=True))
        rows = frame.filter(pl.lit(code == "Total") | (pl.col(name) == code) for name, code in codes.items())
        ends = np.cumsum(NOISE.probabilities[-1])
        step = int(np.searchsorted(ends, rows["key"].sum() % 2**24 / 2**24, side="right")) - 3
        deviating = rows["pay"].sum() + step / 3 * 0.2 * rows["pay"].max()
        assert perturbed.values[cell] == pytest.approx(deviating, abs=0.5 + 1e-9)
        assert perturbed.values[cell] % 1 == 0, "what deviates must not be told by its decimals"


def test_the_result_says_that_it_does_not_add_up():
    frame = people(500, 4)
    perturbed = perturb(Table.from_records(frame, ["job"]), Table.from_records(frame, ["job"], "key"), NOISE)
    published = perturbed.to_frame()
    parts = published.filter(pl.col("job") != "Total")["count"].sum()
    assert perturbed.largest_break == abs(parts - published.filter(pl.col("job") == "Total")["count"].item()) > 0
    assert "does not add up" in str(perturbed)


def test_record_keys_are_uniform_whole_numbers_of_24_bits_from_the_system_or_a_generator():
    for keys in (draw_record_keys(20_000), draw_record_keys(20_000, np.random.default_rng(5))):
        assert keys.min() >= 0
        assert keys.max() < KEYS
        expected = 20_000 / 64
        chi_squared = ((np.bincount(keys * 64 // KEYS, minlength=64) - expected) ** 2 / expected).sum()
        assert chi_squared < 160  # 63 degrees of freedom: exceeded once in more than a billion times
        assert np.unique(keys % 256).size == 256
    assert not np.array_equal(draw_record_keys(50), draw_record_keys(50))
    again = [draw_record_keys(50, np.random.default_rng(6)) for _ in range(2)]
    assert np.array_equal(*again)


def test_sums_of_keys_are_exact_for_half_a_billion_records():
    assert float(KEYS - 1) * 500_000_000 < 2.0**53


def test_what_cannot_be_perturbed_is_refused():
    frame = people(60, 7).with_columns(weight=1.5, fraction=pl.col("key") / KEYS)
    counts, keys = Table.from_records(frame, ["town"]), Table.from_records(frame, ["town"], "key")
    with pytest.raises(DataError, match="only whole counts can be perturbed; the table holds weighted counts"):
        perturb(Table.from_records(frame, ["town"], weight="weight"), keys, NOISE)
    with pytest.raises(DataError, match="only whole counts can be perturbed; the table holds pay"):
        perturb(Table.from_records(frame, ["town"], "pay"), keys, NOISE)
    with pytest.raises(DataError, match="`share` goes with magnitudes"):
        perturb(counts, keys, NOISE, share=10)
    with pytest.raises(DataError, match="make both with the same dimensions"):
        perturb(counts, Table.from_records(frame, ["job"], "key"), NOISE)
    with pytest.raises(DataError, match="the sums in 'fraction' are not: draw keys"):
        perturb(counts, Table.from_records(frame, ["town"], "fraction"), NOISE)
    with pytest.raises(ParameterError, match=r"perturb.share must be in \(0, 100\]; got 101"):
        perturb(Table.from_records(frame, ["town"], "pay"), keys, NOISE, share=101)
