"""Amounts that were computed by a key are found, whoever they expose is counted, and chance is not."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.findings.exposure import READABLE, telling_exposure

N, K = 500, 3
RATES = np.array([14.35, 22.8, 17.15, 31.4, 12.75, 19.6])
BASES = {"rate": np.zeros(6), "rate and base": np.array([50.0, 0, 120.5, 75.25, 33, 210])}
KEYS = ("sex", "area")


def employees(form: str) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    contract, hours = rng.integers(0, 6, N), rng.uniform(4, 60, N).round(1)
    started = np.datetime64("2024-01-01") + rng.integers(0, 365, N)
    days = rng.integers(1, 40, N)
    return pl.DataFrame(
        {
            "sex": rng.choice([*"fm"], N),
            "area": rng.choice([*"NESW"], N),
            "contract": np.array([*"ABCDEF"])[contract],
            "hours": hours,
            "started": started,
            "ended": started + days,
            "pay": (BASES[form][contract] + RATES[contract] * hours).round(2),
            "by_day": (RATES[contract] * days).round(2),
            "luck": rng.permutation(RATES[contract] * hours).round(2),
        }
    )


def with_keys(frame: pl.DataFrame, *keys: str) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_roles(key=[*KEYS, *keys])
    return sf.Microdata(frame, schema)


def hiding(data: sf.Microdata, *names: str) -> sf.Microdata:
    """Return a file that shows nothing of some keys but that they have a value."""
    frame = data.frame.with_columns(pl.lit("any").alias(name) for name in names)
    return sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=data.select(sf.role("key"))))


def told(data: sf.Microdata, masked: sf.Microdata) -> list[tuple[str, str]]:
    exposure = telling_exposure(masked, tuple(data.select(sf.role("key"))), K, data)
    return [(one.key, one.words) for one in exposure.found]


def persons_alike(frame: pl.DataFrame, *names: str) -> np.ndarray:
    """Return how many persons have the keys that are shown, and some values, in common with each."""
    return frame.select(pl.len().over([*KEYS, *names])).to_series().to_numpy()


@pytest.mark.parametrize("form", list(BASES))
@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("hours",), {("hours", "pay and contract together")}),
        (("contract", "hours"), {("contract", "pay"), ("hours", "pay")}),
    ],
)
def test_a_number_that_an_amount_and_its_category_tell_is_read(
    form: str, keys: tuple[str, ...], words: set[tuple[str, str]]
) -> None:
    frame = employees(form).select(*KEYS, "contract", "hours", "pay")
    data = with_keys(frame, *keys)
    masked = hiding(data, *keys)
    exposure = telling_exposure(masked, (*KEYS, *keys), K, data)
    assert {(one.key, one.words) for one in exposure.found} == words
    assert exposure.records == np.count_nonzero(persons_alike(frame, *keys) < K)
    assert exposure.remarks[0].startswith(READABLE)


def test_a_category_that_an_amount_and_its_number_tell_is_read() -> None:
    frame = employees("rate and base").select(*KEYS, "contract", "hours", "pay")
    data = with_keys(frame, "contract")
    assert told(data, hiding(data, "contract")) == [("contract", "pay and hours together")]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (("started",), [("started", "by_day, contract and ended together")]),
        (
            ("started", "ended"),
            [("started", "by_day and contract together"), ("ended", "by_day and contract together")],
        ),
    ],
)
def test_dates_between_which_an_amount_was_counted_are_told(
    keys: tuple[str, ...], words: list[tuple[str, str]]
) -> None:
    frame = employees("rate").select(*KEYS, "contract", "started", "ended", "by_day")
    data = with_keys(frame, *keys)
    found = told(data, hiding(data, *keys))
    assert [one for one in found if "by_day" in one[1]] == words


@pytest.mark.parametrize("keys", [("hours",), ("contract",), ("contract", "hours")])
def test_an_amount_that_was_computed_by_no_key_tells_none(keys: tuple[str, ...]) -> None:
    data = with_keys(employees("rate").select(*KEYS, "contract", "hours", "luck"), *keys)
    assert told(data, hiding(data, *keys)) == []


def test_no_limit_on_k_is_met_where_a_masked_amount_tells_a_number_nearly() -> None:
    frame = employees("rate").select(*KEYS, "contract", "hours", "pay")
    schema = sf.Schema.infer(frame).with_roles(key=[*KEYS, "hours"], confidential=["pay"])
    found = sf.protect(sf.Microdata(frame, schema), k=K, limits=["k=3"], seed=1)
    assert not found.after.meets_limits
    assert any(remark.startswith(f"{READABLE}: pay and contract together (hours)") for remark in found.remarks)


def test_what_a_masked_amount_and_its_number_tell_of_some_is_suppressed() -> None:
    frame, age = employees("rate and base"), np.random.default_rng(6).integers(18, 66, N)
    costs = BASES["rate and base"] + 11.5 * frame["hours"].to_numpy()[:, None]  # by record and contract
    contracts = frame["contract"].replace_strict({code: place for place, code in enumerate("ABCDEF")}).to_numpy()
    pay = costs[np.arange(N), contracts].round(2)
    frame = frame.select(*KEYS, "contract", "hours", age=age, pay=pay)
    schema = sf.Schema.infer(frame).with_roles(key=[*KEYS, "age", "contract"], confidential=["pay", "hours"])
    found = sf.protect(sf.Microdata(frame, schema), k=K, limits=["k=3"], seed=1)
    assert "pay and hours together" in found.hinting
    assert found.after.meets_limits
    shown = found.data.frame
    told = BASES["rate and base"] + 11.5 * shown["hours"].to_numpy()[:, None]
    nearest = np.abs(shown["pay"].to_numpy()[:, None] - told).argmin(axis=1)
    assert (nearest == contracts).mean() > 0.8
    for row in np.flatnonzero(nearest == contracts):
        fits = contracts == nearest[row]
        for name in KEYS:
            if shown[name][int(row)] is not None:
                fits &= frame[name].to_numpy() == frame[name][int(row)]
        assert fits.sum() >= K


def farms(form: str) -> tuple[pl.DataFrame, np.ndarray]:
    """Return farms with a subsidy, and the hectares that it and the other columns give."""
    rng, count = np.random.default_rng(8), 600
    crop, hectares = rng.integers(0, 6, count), rng.uniform(2, 120, count).round(1)
    animals, staff = rng.integers(0, 80, count), rng.integers(0, 30, count)
    premium = np.array([215.0, 180, 340, 95, 260, 410])[crop]
    others = {
        "two numbers": 37.5 * animals,
        "each by crop": (200 * crop + np.arange(20.0, 50, 5)[crop] * animals),
        "three numbers": 37.5 * animals + 120 * staff,
        "some without": 37.5 * animals,
    }[form]
    subsidy = (premium * hectares + others).round(2)
    subsidy[: 150 if form == "some without" else 0] = 0
    frame = pl.DataFrame(
        {
            "sex": rng.choice([*"fm"], count),
            "area": rng.choice([*"NESW"], count),
            "crop": np.array([*"ABCDEF"])[crop],
            "hectares": hectares,
            "animals": animals,
            "staff": staff,
            "subsidy": subsidy,
        }
    )
    read = np.where(subsidy == 0, np.nan, (subsidy - others) / premium)
    return frame, read


@pytest.mark.parametrize("form", ["two numbers", "each by crop", "three numbers", "some without"])
def test_a_number_that_an_amount_a_category_and_other_numbers_tell_is_read(form: str) -> None:
    frame, read = farms(form)
    data = with_keys(frame, "hectares")
    exposure = telling_exposure(hiding(data, "hectares"), (*KEYS, "hectares"), K, data)
    staff = ", animals and staff" if form == "three numbers" else " and animals"
    assert [(one.key, one.words) for one in exposure.found] == [("hectares", f"subsidy, crop{staff} together")]
    sex, area, hectares = frame["sex"].to_numpy(), frame["area"].to_numpy(), frame["hectares"].to_numpy()
    fits = (sex == sex[:, None]) & (area == area[:, None])
    fits &= (np.abs(read[:, None] - hectares) < 0.05) | np.isnan(read)[:, None]
    assert exposure.records == np.count_nonzero(fits.sum(axis=1) < K)


@pytest.mark.parametrize("keys", [("hectares", "animals"), ("hectares", "animals", "crop")])
def test_an_amount_of_several_keys_is_known_of_whoever_knows_them(keys: tuple[str, ...]) -> None:
    frame, _ = farms("two numbers")
    data = with_keys(frame.drop("staff"), *keys)
    exposure = telling_exposure(hiding(data, *keys), (*KEYS, *keys), K, data)
    assert {(one.key, one.words) for one in exposure.found} == {(key, "subsidy") for key in keys}
    assert exposure.records == np.count_nonzero(persons_alike(frame, "subsidy") < K)


def test_what_an_amount_and_two_numbers_tell_of_a_category_is_read() -> None:
    frame, _ = farms("two numbers")
    data = with_keys(frame, "crop")
    assert told(data, hiding(data, "crop")) == [("crop", "subsidy, hectares and animals together")]


def test_an_amount_that_follows_from_no_numbers_tells_none() -> None:
    frame, _ = farms("two numbers")
    data = with_keys(frame.with_columns(pl.col("subsidy").shuffle(seed=1)), "hectares", "crop")
    assert told(data, hiding(data, "hectares", "crop")) == []


@pytest.mark.parametrize("role", ["other", "confidential"])
def test_no_limit_on_k_is_met_where_an_amount_tells_a_number_beside_another(role: str) -> None:
    frame, _ = farms("two numbers")
    schema = sf.Schema.infer(frame).with_roles(key=[*KEYS, "hectares"], **{role: ["subsidy"]})
    keep = ["subsidy"] if role == "other" else []
    found = sf.protect(sf.Microdata(frame, schema), k=K, limits=["k=3"], keep=keep, strict=True, seed=1)
    assert not found.after.meets_limits
    assert any(one.startswith(f"{READABLE}: subsidy, crop and animals together (hectares)") for one in found.remarks)
