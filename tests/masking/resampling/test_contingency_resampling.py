"""Contingency resampling: counts with the moments of a multinomial sample, and few records changed."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.masking import ContingencyResampling
from sfumato.masking.resampling.contingency_resampling import resample_cells, resampled_counts

COUNTS = np.array([40, 25, 9, 5, 1, 0])


@pytest.mark.parametrize("samples", [1, 4])
def test_counts_have_the_mean_and_variance_of_averaged_multinomial_samples(samples: int) -> None:
    rng = np.random.default_rng(1)
    drawn = np.array([resampled_counts(COUNTS, samples, rng) for _ in range(4000)])
    shares = COUNTS / 80
    assert (drawn.sum(axis=1) == 80).all()
    assert not drawn[:, 5].any()
    errors = np.sqrt(80 * shares * (1 - shares) / samples)
    assert (np.abs(drawn.mean(axis=0) - COUNTS) < 5 * (errors + 1) / np.sqrt(4000)).all()
    assert drawn.var(axis=0)[:4] == pytest.approx(errors[:4] ** 2, rel=0.12, abs=0.35 * (samples > 1))


def test_no_more_records_change_than_the_counts_ask_for() -> None:
    cells = np.repeat(np.arange(6), COUNTS)
    sources = resample_cells(cells, 1, np.random.default_rng(2))
    after = np.bincount(cells[sources], minlength=6)
    assert np.count_nonzero(cells[sources] != cells) == np.maximum(after - COUNTS, 0).sum()
    assert np.array_equal(after[:5], resampled_counts(np.bincount(cells), 1, np.random.default_rng(2)))


def people(n: int = 200) -> Microdata:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"sex": rng.integers(0, 2, n), "job": rng.integers(0, 5, n), "town": ["a", "b"] * (n // 2)})
    frame = frame.with_columns(job=pl.when(pl.int_range(n) % 9 > 0).then(pl.col("job")))
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=["sex", "job", "town"]))


def test_makes_no_new_combination_keeps_gaps_and_the_sizes_of_strata() -> None:
    data = people()
    method = ContingencyResampling(columns=("sex", "job"), within=("town",))
    masked = method.mask(data, np.random.default_rng(4)).frame
    assert masked["job"].is_null().equals(data.frame["job"].is_null())
    assert set(masked.rows()) <= set(data.frame.rows())
    assert masked["town"].equals(data.frame["town"])
    assert not masked.equals(data.frame)


def test_more_samples_leave_the_table_nearer_to_the_original() -> None:
    data = people()

    def distance(samples: int) -> int:
        masked = ContingencyResampling(columns=("sex", "job"), samples=samples).mask(data, np.random.default_rng(5))
        return int((masked.frame["job"] != data.frame["job"]).sum() + (masked.frame["sex"] != data.frame["sex"]).sum())

    assert distance(1) > distance(10) > distance(1000)
