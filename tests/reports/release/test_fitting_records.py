"""What somebody reads off the records that fit a person's keys, against a plain count of every pair."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.keys.findings.fitting_households import count_found_by_fit
from sfumato.reports.release.learnt_numbers import learnt_numbers
from tests.reports.release.surveys import survey

KEYS = ("sex", "town")


def with_gaps() -> Microdata:
    data = survey()
    gone = pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise(pl.col("town")).alias("town")
    swapped = sf.RankSwapping(columns=("income", "rent"), window=10).mask(data, np.random.default_rng(1))
    return Microdata(swapped.frame.with_columns(gone), data.schema)


def test_a_number_is_read_off_every_record_that_fits_and_off_others_alone() -> None:
    data, released = survey(), with_gaps()
    persons, shown = ([*one.frame.select(KEYS).iter_rows()] for one in (data, released))
    found = learnt_numbers(data, released, KEYS)
    assert found is not None
    for column in found.columns:
        truth, values = data.frame[column.name].to_numpy(), released.frame[column.name].to_numpy()
        near = np.abs(values[None] - truth[:, None]) <= 0.1 * np.abs(truth[:, None])
        fits = np.array(
            [[all(s in (None, p) for p, s in zip(one, look, strict=True)) for look in shown] for one in persons]
        )
        same = np.array([[one == look for look in shown] for one in shown])
        others = same & ~np.eye(data.n, dtype=bool)
        assert others.any(axis=1).all()
        for told, who in ((column.by_fit, fits), (column.by_keys, same), (column.without_own, others)):
            assert told == pytest.approx(100 * np.mean((near & who).sum(axis=1) / who.sum(axis=1)))


def test_a_household_is_found_where_no_other_of_its_size_can_be_its() -> None:
    rng = np.random.default_rng(4)
    homes = np.repeat(np.arange(40), 2)
    known = rng.integers(0, 5, (2, homes.size))
    shown = np.where(rng.random(known.shape) < 0.2, -1, known)
    fits = ((shown[:, None, :] < 0) | (shown[:, None, :] == known[:, :, None])).all(axis=0)  # persons x records
    found = 0
    for home in range(40):
        first, second = 2 * home, 2 * home + 1
        others = [other for other in range(40) if other != home]
        straight = any(fits[first, 2 * one] and fits[second, 2 * one + 1] for one in others)
        crossed = any(fits[first, 2 * one + 1] and fits[second, 2 * one] for one in others)
        found += 0 if straight or crossed else 2
    assert count_found_by_fit(shown, known, homes) == found
    assert 0 < found < homes.size
