"""Keys that are dates: released as months, quarters, years or classes of years, never refused with a surprise."""

from collections import Counter
from datetime import date, time, timedelta
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import KindError
from sfumato.protection.ladders import ladder
from tests.data.frames import AsBackend


def people(n: int = 600) -> pl.DataFrame:
    rng = np.random.default_rng(2)
    born = [date(1940, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 20_000, n)]
    return pl.DataFrame(
        {
            "born": [None if row % 50 == 7 else day for row, day in enumerate(born)],
            "sex": rng.choice(["f", "m"], n),
            "asked": [date(2020, 5, 1) + timedelta(days=row % 3) for row in range(n)],
        }
    )


def keyed(frame: object, *keys: str) -> Microdata:
    return Microdata(frame, Schema.infer(frame).with_roles(key=list(keys)))


def test_the_ladder_of_a_date_goes_from_days_to_months_quarters_years_and_classes_of_years() -> None:
    rungs = ladder(keyed(people(), "born"), "born")
    assert [None if rung.step is None else rung.step.detail() for rung in rungs] == [
        None,
        *("to month", "to quarter", "to year", "to 2 years", "to 5 years", "to 10 years", "to 20 years"),
    ]
    assert all(lower.loss < higher.loss for lower, higher in pairwise(rungs))


def test_dates_are_released_so_that_enough_records_share_them(as_backend: AsBackend) -> None:
    found = sf.protect(keyed(as_backend(people()), "born", "sex"), k=5, max_suppressed=5)
    assert found.data.schema["born"].kind is Kind.ORDINAL
    rows = list(zip(found.data.table["born"].to_list(), found.data.table["sex"].to_list(), strict=True))
    known = Counter(row for row in rows if all(isinstance(value, str) for value in row))
    assert min(known.values()) >= 5
    assert found.after["violations"] == 0


def test_days_that_enough_records_share_stay_days() -> None:
    found = sf.protect(keyed(people(), "asked", "sex"), k=5)
    assert found.data.schema["asked"].kind is Kind.DATE
    assert found.data.frame["asked"].to_list() == people()["asked"].to_list()


def test_dates_that_are_suppressed_keep_their_type_and_format() -> None:
    frame = (
        people(61)
        .with_columns(asked=pl.col("asked").dt.strftime("%d/%m/%Y"))
        .with_columns(asked=pl.when(pl.int_range(pl.len()) == 4).then(pl.lit("31/12/2019")).otherwise("asked"))
    )
    method = sf.LocalSuppression(columns=("asked", "sex"), k=3)
    masked = method.mask(keyed(frame, "asked", "sex"), np.random.default_rng(0))
    assert masked.schema["asked"].date_format == "dd/mm/yyyy"
    assert "31/12/2019" not in masked.frame["asked"].to_list()


def test_risk_counts_who_shares_a_date() -> None:
    data = keyed(people().drop_nulls(), "born", "sex")
    known = Counter(zip(data.frame["born"], data.frame["sex"], strict=True))
    alone = sum(count == 1 for count in known.values())
    assert sf.KAnonymity(columns=("born", "sex"), k=2).of(data).value == pytest.approx(100 * alone / data.n)


def test_times_of_day_are_refused_as_keys() -> None:
    with pytest.raises(KindError, match="'woke' holds times of day or durations"):
        sf.protect(keyed(pl.DataFrame({"woke": [time(7), time(8), time(7)]}), "woke"))


def test_births_of_a_century_are_not_put_into_classes_of_half_of_it() -> None:
    born = pl.DataFrame({"born": [date(year, 7, 1) for year in range(1921, 2011)]})
    rungs = ladder(keyed(born, "born"), "born")
    assert rungs[-1].step is not None
    assert rungs[-1].step.detail() == "to 20 years"
