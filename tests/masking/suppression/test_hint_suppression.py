"""Hint suppression leaves no record that fewer than k persons fit, by an attack that shares no code with it."""

from functools import cache

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.findings.exposure import PARTLY
from sfumato.masking.suppression._refilled_groups import refill_groups

KEYS = ("region", "age", "sex", "job")
SIZES = (40, 50, 60, 70, 80)


@cache
def survey() -> sf.Microdata:
    """Return a survey in which each region has weights of its own, and no child has a job."""
    rng = np.random.default_rng(7)
    region = np.repeat(np.arange(5), SIZES)
    n, age = region.size, rng.integers(0, 90, region.size)
    status = np.where(age < 16, "child", np.where(age > 64, "retired", rng.choice(["employee", "at home"], n)))
    jobs = rng.choice(["cook", "smith", "nurse", "clerk"], n, p=[0.1, 0.1, 0.3, 0.5])
    frame = pl.DataFrame(
        {
            "region": [f"r{one}" for one in region],
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "job": np.where(status == "employee", jobs, "none"),
            "status": status,
            "weight": (10 * 2.0**region * rng.uniform(0.85, 1.5, n)).round(2),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "weight"])
    return sf.Microdata(frame, schema.with_roles(key=list(KEYS), weight=["weight"]))


def persons_who_fit(original: pl.DataFrame, released: pl.DataFrame) -> list[int]:
    """Return how many persons each record may be about, for somebody with the original keys and common knowledge.

    The attacker knows from where to where the weights of each region go, and which ages and jobs a status goes with.
    """
    people, records = original.to_dicts(), released.to_dicts()
    shown_as = {
        key: {before[key]: after[key] for before, after in zip(people, records, strict=True) if after[key] is not None}
        for key in KEYS
    }
    weights: dict[str, list[float]] = {}
    ages: dict[str, list[int]] = {}
    for one in people:
        weights.setdefault(one["region"], []).append(one["weight"])
        ages.setdefault(one["status"], []).append(one["age"])
    counts = []
    for record in records:
        is_employed, place = record["status"] == "employee", ages[record["status"]]
        counts.append(
            sum(
                all(record[key] is None or record[key] == shown_as[key].get(person[key]) for key in KEYS)
                and min(weights[person["region"]]) <= record["weight"] <= max(weights[person["region"]])
                and min(place) <= person["age"] <= max(place)
                and is_employed == (person["job"] != "none")
                for person in people
            )
        )
    return counts


@pytest.mark.parametrize("strict", [False, True])
def test_an_attacker_who_knows_what_goes_with_what_finds_nobody_in_a_protected_file(strict: bool) -> None:
    data = survey()
    found = sf.protect(data, k=3, strict=strict, number_steps=[], seed=1)
    assert found.recipe.steps[-1].name() == "hint_suppression"
    without = sf.Recipe(steps=found.recipe.steps[:-1], seed=1).run(data)
    helped = [count for count in persons_who_fit(data.frame, without.frame) if count < 3]
    left = [count for count in persons_who_fit(data.frame, found.data.frame) if count < 3]
    assert len(helped) > 20
    assert left == []
    assert not any(remark.startswith(PARTLY) for remark in found.remarks)
    assert found.after["strict_violations" if strict else "violations"] == 0
    assert any(remark.startswith(PARTLY) for remark in sf.assess(data, without, methods=found.recipe.steps).remarks)


def test_the_other_columns_stay_as_they_are_and_only_keys_get_gaps() -> None:
    data = survey()
    found = sf.protect(data, k=3, number_steps=[], seed=1)
    before = sf.Recipe(steps=found.recipe.steps[:-1], seed=1).run(data).frame
    after = found.data.frame
    assert after.select("status", "weight").equals(before.select("status", "weight"))
    for key in KEYS:
        kept = after[key].is_not_null()
        assert after[key].filter(kept).equals(before[key].filter(kept))


def test_who_cannot_be_hidden_by_gaps_in_keys_is_told_and_with_a_limit_on_k_other_columns_lose_values_too() -> None:
    data = survey()
    data = data.with_schema(data.schema.with_roles(weight=[], other=["weight"]))  # which is not rounded then
    found = sf.protect(data, k=15, number_steps=[], seed=1)
    [alarm] = [remark for remark in found.remarks if remark.startswith(PARTLY)]
    assert "weight (region)" in alarm
    left = sum(count < 15 for count in persons_who_fit(data.frame, found.data.frame))
    told = int(alarm.split("at least ")[1].split(" of 300 records")[0])
    assert 0.9 * left <= told <= left
    limited = sf.protect(data, k=8, number_steps=[], limits=["k=8"], seed=1)
    lost = limited.data.frame["status"].null_count()
    assert limited.after.meets_limits
    assert 0 < lost < 30
    assert any(f"values of these were suppressed too: status ({lost} values)" in one for one in limited.remarks)
    assert limited.data.frame.equals(limited.recipe.run(data).frame)
    without = data.take_columns(tuple(name for name in data.schema.names if name != "weight"))
    calm = sf.protect(without, k=15, number_steps=[], limits=["k=15"], seed=1)
    assert not [remark for remark in calm.remarks if remark.startswith(PARTLY)]
    assert calm.after.meets_limits


def test_members_of_a_household_lose_a_shared_key_together() -> None:
    data = survey()
    homes = np.arange(data.n) // 2
    frame = data.frame.with_columns(home=homes, weight=data.frame["weight"].gather(homes * 2))
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "weight"], nominal=["home"])
    data = sf.Microdata(frame, schema.with_roles(key=list(KEYS), weight=["weight"], household=["home"]))
    masked = sf.protect(data, k=5, number_steps=[], importance={"sex": 50, "age": 50, "job": 50}, seed=1).data
    gaps = masked.frame.group_by("home").agg(pl.col("region").null_count().alias("lost"))
    assert set(gaps["lost"]) == {0, 2}


def test_groups_of_equal_records_are_filled_again() -> None:
    rng = np.random.default_rng(3)
    for k in (2, 5):
        codes = rng.integers(0, 3, (3, 400))
        cells = rng.random((400, 3)) < 0.05
        held = refill_groups(codes, cells, k)
        assert (held >= cells).all()
        rows = [tuple(row) for row in np.where(held.T, -1, codes).T.tolist()]
        assert min(rows.count(row) for row in set(rows)) >= k
