"""Contingency resampling: counts with the moments of a multinomial sample, and few records changed."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from sfumato.data import Microdata, Schema
from sfumato.masking import ContingencyResampling
from sfumato.masking.resampling.contingency_resampling import cell_changes, resample_cells, resampled_counts
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.densities import IMPOSSIBLE

COUNTS = np.array([40, 25, 9, 5, 1, 0])


def rounding_variance(total: int, share: float, samples: int) -> float:
    """What random rounding adds: the mean of r (1 - r) over the fractions r of a mean of binomial counts."""
    drawn = np.arange(samples * total + 1)
    fraction = drawn % samples / samples
    return float(binom.pmf(drawn, samples * total, share) @ (fraction * (1 - fraction)))


@pytest.mark.parametrize("counts", [COUNTS, np.full(10, 3), np.array([60] * 4 + [2] * 4)], ids=["six", "equal", "two"])
@pytest.mark.parametrize("samples", [1, 2, 5])
def test_counts_have_the_mean_and_variance_of_averaged_multinomial_samples(counts: CodeColumn, samples: int) -> None:
    rng, runs, total = np.random.default_rng(1), 6000, int(counts.sum())
    drawn = np.array([resampled_counts(counts, samples, rng) for _ in range(runs)])
    assert (drawn.sum(axis=1) == total).all()
    assert not drawn[:, counts == 0].any()
    shares = counts / total
    variances = total * shares * (1 - shares) / samples + [rounding_variance(total, share, samples) for share in shares]
    assert (np.abs(drawn.mean(axis=0) - counts) <= 4 * np.sqrt(variances / runs)).all()
    squares = (drawn - counts) ** 2
    assert (np.abs(squares.mean(axis=0) - variances) <= 4 * squares.std(axis=0) / np.sqrt(runs)).all()


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


def test_what_the_released_table_says_of_changes_is_what_runs_with_that_table_show() -> None:
    cells, rng = np.array([0, 0, 0, 1, 1, 2]), np.random.default_rng(4)
    runs = np.array([cells[resample_cells(cells, 1, rng)] for _ in range(6000)])
    tables = np.array([np.bincount(run, minlength=3) for run in runs])
    for table in ([2, 2, 2], [1, 3, 2], [3, 3, 0], [4, 1, 1]):
        some = runs[(tables == table).all(axis=1)]
        shown = np.array([[(some[:, cells == c] == d).mean() for d in range(3)] for c in range(3)])
        told = cell_changes(np.bincount(cells), np.array(table), np.zeros(3, dtype=np.int64))
        assert np.abs(shown - told).max() < 4 * 0.5 / np.sqrt(len(some))


def test_changes_stay_in_their_stratum_and_are_not_told_where_part_of_the_table_is_missing() -> None:
    rng = np.random.default_rng(6)
    original = Microdata(pl.DataFrame({name: rng.choice(["a", "b", "c"], 60) for name in ("x", "y", "z")}))
    method = ContingencyResampling(columns=("x", "y"), within=("z",)).bound_to(original)
    masked = method.mask(original, rng)
    found = method.likelihood(original, masked, ("x", "y"))
    assert found is not None
    codes = found[0].before.astype(np.int64), found[0].after.astype(np.int64)
    tables = found[0].density.grid().table[codes[0][:, None], codes[1]]
    strata = [file.codes("z")[0] for file in (original, masked)]
    assert (tables[strata[0][:, None] != strata[1]] <= IMPOSSIBLE).all()
    assert (np.diag(tables) > IMPOSSIBLE).all()
    assert method.likelihood(original, masked, ("x",)) is None
    assert method.likelihood(original, masked.take_rows(np.arange(50)), ("x", "y")) is None
