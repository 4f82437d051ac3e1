"""Date shift: one shift for all dates of a person or household, within the window, and who can undo it."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.assessment import assess
from sfumato.contracts import Knowledge
from sfumato.data import Microdata, Role, Schema
from sfumato.errors import DataError, ParameterError, SchemaError
from sfumato.masking import DateRounding, DateShift
from sfumato.masking.dates.date_shift import draw_shifts
from sfumato.risk import LikelihoodLinkage, WorstCaseLinkage
from tests.data.frames import AsBackend


def visits(n: int = 200, seed: int = 0) -> pl.DataFrame:
    """Return visits of persons, of whom each has two on average: when they came and left."""
    rng = np.random.default_rng(seed)
    came = [date(2019, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 365, n)]
    left = [day + timedelta(days=int(stay)) for day, stay in zip(came, rng.integers(0, 90, n), strict=True)]
    return pl.DataFrame({"hid": rng.integers(0, n // 2, n), "came": came, "left": left})


def shifted(frame: Any, seed: int = 1, **parameters: Any) -> tuple[Microdata, Microdata, DateShift]:
    data = Microdata(frame)
    method = DateShift(**{"columns": ("came", "left"), "max_days": 100, **parameters})
    return data, method.mask(data, np.random.default_rng(seed)), method


def test_dates_of_records_that_belong_together_move_by_the_same_days_within_the_window(as_backend: AsBackend) -> None:
    data, masked, _ = shifted(as_backend(visits()))
    moved = masked.values("came") - data.values("came")
    np.testing.assert_array_equal(masked.values("left") - data.values("left"), moved)
    households = data.table["hid"].to_numpy()
    for household in np.unique(households):
        assert len(set(moved[households == household])) == 1
    assert len(set(moved)) > 50
    assert np.abs(moved).max() <= 100
    assert (moved == np.rint(moved)).all()


def test_without_a_household_each_record_moves_by_itself() -> None:
    data, masked, _ = shifted(visits(), household=())
    moved = masked.values("came") - data.values("came")
    households = data.table["hid"].to_numpy()
    assert any(len(set(moved[households == household])) > 1 for household in np.unique(households))


def test_a_record_without_a_household_moves_by_itself() -> None:
    frame = visits().with_columns(hid=pl.lit(None, pl.Int64))
    data, masked, _ = shifted(frame, household=("hid",))
    assert len(set(masked.values("came") - data.values("came"))) > 50


@given(max_days=st.integers(1, 40), seed=st.integers(0, 9))
def test_every_shift_of_the_window_is_equally_likely_and_none_is_one_of_them(max_days: int, seed: int) -> None:
    shifts = draw_shifts(5000, max_days, np.random.default_rng(seed))
    counts = np.bincount(shifts + max_days, minlength=2 * max_days + 1)
    expected = 5000 / (2 * max_days + 1)
    assert len(counts) == 2 * max_days + 1
    assert np.abs(counts - expected).max() < 6 * np.sqrt(expected)


def test_text_comes_back_in_its_format_and_gaps_stay() -> None:
    frame = pl.DataFrame({"came": ["31/12/2019", "NA", None, "29/02/2020"], "left": ["1 Jan 2020"] * 4})
    data, masked, _ = shifted(frame, max_days=3)
    texts = masked.frame["came"].to_list()
    assert texts[1:3] == ["NA", None]
    for row, text in ((0, texts[0]), (3, texts[3])):
        day = date(int(text[6:]), int(text[3:5]), int(text[:2]))
        assert abs((day - [date(2019, 12, 31), None, None, date(2020, 2, 29)][row]).days) <= 3  # type: ignore[operator]
    assert masked.schema == data.schema
    assert all(text.split()[1] in ("Dec", "Jan") for text in masked.frame["left"])


def test_refuses_shifts_out_of_the_calendar_and_dates_that_can_be_read_in_two_ways() -> None:
    with pytest.raises(DataError, match="before the year 1 or after 9999; dates that stand for no answer"):
        shifted(pl.DataFrame({"came": [date(9999, 12, 31)] * 9, "left": [date(2020, 1, 1)] * 9}))
    with pytest.raises(SchemaError, match="date_format"):
        shifted(pl.DataFrame({"came": ["01/02/2020"], "left": [date(2020, 1, 1)]}))


def test_refuses_a_household_that_is_shifted_and_a_window_of_nothing() -> None:
    with pytest.raises(DataError, match="'left' is also in columns"):
        shifted(visits(), household=("left",))
    with pytest.raises(ParameterError, match="max_days"):
        DateShift(columns=("came",), max_days=0)


def likelihoods(data: Microdata, masked: Microdata, method: DateShift, *columns: str) -> float:
    linkage = LikelihoodLinkage(columns=columns).informed_by(Knowledge.of((method,), data))
    return linkage.measure(data, masked).value


def chance_by_window(data: Microdata, masked: Microdata, max_days: int) -> float:
    """Return how often a guess among all records in the window is right, counted pair by pair."""
    before, after = data.values("came"), masked.values("came")
    fitting = (np.abs(before[None, :] - after[:, None]) <= max_days).sum(axis=1)
    return float(100 * np.mean(1 / fitting))


def test_one_date_leaves_the_records_in_the_window() -> None:
    data, masked, method = shifted(visits(), household=(), columns=("came",))
    linkage = LikelihoodLinkage(columns=("came",), max_candidates=200).informed_by(Knowledge.of((method,), data))
    found = linkage.measure(data, masked)
    assert found.parts["row by row"] == pytest.approx(chance_by_window(data, masked, 100))
    assert "which is proven" in found.remark


def test_the_time_between_two_dates_gives_a_person_away_whatever_the_window() -> None:
    rng = np.random.default_rng(5)
    frame = visits().with_columns(
        left=pl.col("came") + pl.Series([timedelta(days=int(x)) for x in rng.permutation(200)])
    )
    data, masked, method = shifted(frame, household=(), max_days=5000)
    assert likelihoods(data, masked, method, "came") < 5
    assert likelihoods(data, masked, method, "came", "left") == 100
    linkage = LikelihoodLinkage(columns=("came", "left")).informed_by(Knowledge.of((method,), data))
    assert "learnt" not in linkage.measure(data, masked).remark


def test_dates_of_the_others_of_a_household_give_it_away() -> None:
    data, masked, method = shifted(visits(), columns=("came",), max_days=5000)
    alone = shifted(visits(), columns=("came",), max_days=5000, household=())
    assert likelihoods(*alone, "came") < 5
    assert likelihoods(data, masked, method, "came") > 50
    without = masked.without_columns(("hid",))
    assert likelihoods(data, without, method, "came") < 5


def test_what_is_shifted_and_then_rounded_is_linked_as_well_as_the_count_of_shifts_that_fit_allows() -> None:
    lengths = pl.Series([timedelta(days=5 * int(x)) for x in np.random.default_rng(5).permutation(200)])
    data = Microdata(visits().drop("hid").with_columns(left=pl.col("came") + lengths))
    shifts = np.arange(-100, 101)
    steps = (DateShift(columns=("came", "left"), max_days=100), DateRounding(columns=("came", "left"), to="month"))
    masked = steps[1].mask(steps[0].mask(data, np.random.default_rng(3)), np.random.default_rng(3))
    fitting = np.ones((data.n, data.n, len(shifts)), dtype=np.bool_)
    for name in ("came", "left"):
        days = [date(1970, 1, 1) + timedelta(days=int(day)) for day in data.values(name)]
        months = np.array([[f"{day + timedelta(days=int(shift)):%Y-%m}" for shift in shifts] for day in days])
        fitting &= masked.table[name].to_numpy().astype(str)[:, None, None] == months[None]
    likely = fitting.sum(axis=2)
    best = likely == likely.max(axis=1, keepdims=True)
    optimum = 100 * float(np.mean(np.diag(best) / best.sum(axis=1)))
    intruder = LikelihoodLinkage(columns=("came", "left"), max_candidates=200).informed_by(Knowledge.of(steps, data))
    assert intruder.measure(data, masked).parts["row by row"] > 0.85 * optimum > 5


def test_assessing_a_file_links_by_dates_and_shows_that_the_time_between_them_tells() -> None:
    data, masked, method = shifted(visits(60), household=())
    found = assess(data, masked, methods=(method,))
    (worst,) = [result for result in found.measurements if result.name == WorstCaseLinkage.name()]
    assert worst.value > 60
    assert "nearest by standardised values" in worst.parts
    linked = [measure for measure in found.measures if measure.name() == "distance_linkage"]
    assert [measure.columns for measure in linked] == [("came", "left")]
    moved = np.abs(masked.matrix(("came", "left")) - data.matrix(("came", "left")))
    spread = np.sqrt(2) * data.matrix(("came", "left")).std(axis=0, ddof=1)
    assert found.values["IL1s"] == pytest.approx(100 * float((moved / spread).mean()))


def test_the_role_of_a_household_decides_who_belongs_together() -> None:
    frame = visits().rename({"hid": "patient"})
    schema = Schema.infer(frame).with_roles(household=["patient"])
    assert schema["patient"].role is Role.HOUSEHOLD
    bound = DateShift(columns=("came",), max_days=9).bound_to(Microdata(frame, schema))
    assert bound.household == ("patient",)


def test_a_shift_of_one_day_is_told_in_the_singular() -> None:
    assert DateShift(columns=("born",), max_days=1).detail() == "by at most 1 day"


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_parts_of_a_second_and_hours_of_a_zone_stay_and_give_a_person_away(zone: str | None) -> None:
    rng = np.random.default_rng(6)
    spread = 400_000 if zone is None else 24  # microseconds of one second, or hours of a day
    unit = timedelta(microseconds=1) if zone is None else timedelta(hours=1)
    starts = [datetime(2023, 1, 1, tzinfo=UTC) + timedelta(days=int(day)) for day in rng.integers(0, 365, 200)]
    came = [start + int(part) * unit for start, part in zip(starts, rng.integers(0, spread, 200), strict=True)]
    stamps = pl.Series(came).dt.convert_time_zone(zone) if zone else pl.Series(came).dt.replace_time_zone(None)
    data, masked, method = shifted(pl.DataFrame({"came": stamps}), household=(), columns=("came",), max_days=180)
    moments = [stamp.astype("datetime64[us]").astype(np.int64) for stamp in (_utc(data), _utc(masked))]
    apart = moments[1][:, None] - moments[0]
    day = 86_400_000_000
    fitting = ((apart % day == 0) & (np.abs(apart) <= 180 * day)).sum(axis=1)
    linkage = LikelihoodLinkage(columns=("came",), max_candidates=200).informed_by(Knowledge.of((method,), data))
    assert linkage.measure(data, masked).parts["row by row"] == pytest.approx(100 * np.mean(1 / fitting))


def _utc(data: Microdata) -> Any:
    stamps = data.frame["came"]
    return (stamps if stamps.dtype.time_zone is None else stamps.dt.convert_time_zone("UTC")).to_numpy()
