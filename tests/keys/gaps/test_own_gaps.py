"""Gaps that a file had before, by a rule, find nobody in a protected file, by a count that shares no code with it."""

from collections import Counter
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import GAPS_TOLD
from sfumato.keys.gaps.own_gaps import own_gaps
from sfumato.keys.gaps.suppressed_values import gap_exposure
from sfumato.masking import HintSuppression

N, K = 700, 3
REFUSED, NOT_ASKED = "refused", "not asked"


def patients(seed: int) -> tuple[sf.Microdata, str]:
    """Return patients, of whom those who stay for months have no day of discharge, which is a key."""
    rng = np.random.default_rng(seed)
    stay = np.where(rng.random(N) < 0.12, rng.integers(60, 180, N), rng.integers(1, 30, N))
    admission = [date(2023, 1, 1) + timedelta(int(day)) for day in rng.integers(0, 180, N)]
    left = [None if days >= 60 else day + timedelta(int(days)) for day, days in zip(admission, stay, strict=True)]
    frame = _people(rng).with_columns(left=pl.Series(left), cost=pl.Series(stay * rng.uniform(200, 400, N)).round())
    schema = sf.Schema.infer(frame).with_kinds(nominal=["sex", "town"], ordinal=["age"])
    return sf.Microdata(frame, schema.with_roles(key=["age", "sex", "town", "left"])), "left"


def workers(seed: int, *, codes: bool = False) -> tuple[sf.Microdata, str]:
    """Return people of whom only those at work have an occupation; some of these refuse to tell it."""
    rng = np.random.default_rng(seed)
    frame = _people(rng)
    works = (frame["age"].to_numpy() < 6) & (rng.random(N) < 0.8)
    told = rng.choice([*"abcdef"], N, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05])
    gaps = (REFUSED, NOT_ASKED) if codes else (None, None)
    answers = works & (rng.random(N) > 0.05)
    job = [
        str(value) if answer else gaps[0] if work else gaps[1]
        for value, answer, work in zip(told, answers, works, strict=True)
    ]
    frame = frame.with_columns(job=pl.Series(job))
    schema = sf.Schema.infer(frame).with_kinds(nominal=["sex", "town", "job"], ordinal=["age"])
    schema = schema.with_variables(schema["job"].model_copy(update={"missing_codes": (REFUSED, NOT_ASKED)}))
    return sf.Microdata(frame, schema.with_roles(key=["age", "sex", "town", "job"])), "job"


def _people(rng: np.random.Generator) -> pl.DataFrame:
    town = rng.choice([f"t{number}" for number in range(8)], N, p=np.arange(8, 0, -1) / 36)
    return pl.DataFrame({"age": rng.integers(1, 8, N), "sex": rng.choice(["f", "m"], N), "town": town})


def found_by_gaps(data: sf.Microdata, masked: sf.Microdata, key: str, meant: tuple[Any, ...]) -> int:
    """Count whom somebody singles out who knows of whom a key has no value, and takes gaps for that.

    It takes fewer than k persons who fit, fewer than k records that look the same, and gaps most of which are such.
    """
    names = data.select(sf.role("key"))
    people, records = data.frame.rows(named=True), masked.frame.select(names).rows(named=True)
    gaps = (None, REFUSED, NOT_ASKED)
    became: dict[str, dict[Any, Any]] = {name: {} for name in names}
    for who, record in zip(people, records, strict=True):
        for name in names:
            if record[name] not in gaps:
                became[name][who[name]] = record[name]
    would_show = [
        {name: ("gap", who[name]) if who[name] in gaps else became[name].get(who[name], ("hidden",)) for name in names}
        for who in people
    ]
    alike = Counter(tuple(record.values()) for record in records)
    found = 0
    for look in meant:
        rows = [row for row, record in enumerate(records) if record[key] == look]
        own = [row for row in rows if people[row][key] == look]
        for row in own if 2 * len(own) > len(rows) else ():
            record = records[row]
            fitting = sum(
                one[key] == ("gap", look) and all(record[name] in (*gaps, one[name]) for name in names if name != key)
                for one in would_show
            )
            found += fitting < K and alike[tuple(record.values())] < K
    return found


@pytest.mark.parametrize("make", [patients, workers])
def test_whoever_knows_of_whom_there_is_no_value_finds_nobody_in_a_protected_file(make: Any) -> None:
    before = after = 0
    for seed in range(3):
        data, key = make(seed)
        keys = data.select(sf.role("key"))
        found = sf.protect(data, k=K, limits=[f"k={K}"], seed=1)
        steps = tuple(step for step in found.recipe.steps if not isinstance(step, HintSuppression))
        by_keys_alone = found.recipe.replace(steps=steps).run(data)
        exposed = found_by_gaps(data, by_keys_alone, key, (None,))
        assert gap_exposure(data, by_keys_alone, keys, K).records >= exposed
        before += exposed
        after += found_by_gaps(data, found.data, key, (None,))
        assert found.after.meets_limits
    assert before > 10
    assert after == 0


def test_files_masked_otherwise_are_told_and_the_columns_are_named_without_values() -> None:
    data, key = patients(0)
    keys = data.select(sf.role("key"))
    steps = [step for step in sf.protect(data, k=K, seed=1).recipe.steps if not isinstance(step, HintSuppression)]
    masked = sf.Recipe(steps=steps, seed=1).run(data)
    assessed = sf.assess(data, masked, [sf.KAnonymity(columns=keys, k=K)])
    assert GAPS_TOLD in assessed.alarms
    [remark] = [one for one in assessed.remarks if "were in the file before and follow a rule" in one]
    assert f"{key}: 73 of the 100 gaps" in remark
    assert "values of cost" in remark


def test_codes_of_who_was_not_asked_follow_a_rule_and_those_of_who_refused_do_not() -> None:
    data, key = workers(0, codes=True)
    [own] = own_gaps(data, data.select(sf.role("key")))
    assert (own.key, own.column) == (key, "age")
    np.testing.assert_array_equal(own.kinds > 0, data.frame[key].to_numpy() == NOT_ASKED)
    found = sf.protect(data, k=K, limits=[f"k={K}"], seed=1)
    assert found_by_gaps(data, found.data, key, (NOT_ASKED,)) == 0


@pytest.mark.parametrize("seed", range(10))
def test_answers_refused_at_random_follow_no_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = _people(rng).with_columns(
        school=pl.Series([None if refuses else "yes" for refuses in rng.random(N) < 0.1]),
        pay=pl.Series(rng.lognormal(8, 1, N)),
    )
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_kinds(nominal=["school"]))
    assert own_gaps(data, ("school", "town")) == []


def test_who_left_the_interview_early_follows_no_rule() -> None:
    rng = np.random.default_rng(0)
    left = rng.random(N) < 0.1
    frame = _people(rng).with_columns(
        school=pl.Series(["a"] * N).set(pl.Series(left), None), work=pl.Series(["b"] * N).set(pl.Series(left), None)
    )
    assert own_gaps(sf.Microdata(frame), ("school", "work")) == []
