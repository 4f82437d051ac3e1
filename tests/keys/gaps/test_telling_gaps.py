"""Whoever fills gaps that tell their value finds nobody in a protected file, by a count that shares no code with it."""

from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.gaps.suppressed_values import gap_exposure
from sfumato.keys.gaps.telling_gaps import exposed_by_gaps
from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.masking import LocalSuppression

KEYS = ("sex", "town", "age")


def people(seed: int, rare: int) -> sf.Microdata:
    """Return people of two common sexes and one that few have."""
    rng = np.random.default_rng(seed)
    n = 400
    sex = rng.choice(["f", "m"], n).astype(object)
    sex[rng.permutation(n)[:rare]] = "x"
    frame = pl.DataFrame(
        {"sex": sex, "town": rng.choice([*"abcd"], n, p=[0.4, 0.3, 0.2, 0.1]), "age": rng.integers(20, 60, n) // 10}
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["sex", "town"], ordinal=["age"])
    return sf.Microdata(frame, schema.with_roles(key=list(KEYS)))


def found_by_filling(data: sf.Microdata, masked: sf.Microdata, k: int) -> int:
    """Count whom somebody singles out who fills gaps nine in ten of which had one value that most do not have.

    It takes fewer than k persons who fit, and fewer than k records that look the same.
    """
    people, records = data.frame.rows(named=True), masked.frame.select(KEYS).rows(named=True)
    became: dict[str, dict[Any, Any]] = {
        key: {who[key]: it[key] for who, it in zip(people, records, strict=True) if it[key] is not None} for key in KEYS
    }
    would_show = [{key: became[key].get(who[key], ("hidden", who[key])) for key in KEYS} for who in people]
    filled = [dict(record) for record in records]
    for key in KEYS:
        gaps = [row for row, record in enumerate(records) if record[key] is None]
        values = [would_show[row][key] for row in gaps]
        told = max(values, key=values.count, default=None)
        is_common = 2 * sum(one[key] == told for one in would_show) > len(people)
        if len(gaps) >= 3 and values.count(told) >= 0.9 * len(gaps) and not is_common:
            for row in gaps:
                filled[row][key] = told if would_show[row][key] == told else None
    found = 0
    for record, shown in zip(filled, records, strict=True):
        fitting = sum(all(record[key] in (None, one[key]) for key in KEYS) for one in would_show)
        found += record != shown and fitting < k and records.count(shown) < k
    return found


@pytest.mark.parametrize(("k", "rare"), [(3, 12), (5, 4), (5, 30)])
def test_whoever_fills_gaps_that_tell_their_value_finds_nobody(k: int, rare: int) -> None:
    before = after = 0
    for seed in range(4):
        data = people(seed, rare)
        suppressed = LocalSuppression(columns=KEYS, k=k).mask(data, np.random.default_rng(0))
        before += found_by_filling(data, suppressed, k)
        assert gap_exposure(data, suppressed, KEYS, k).records == found_by_filling(data, suppressed, k)
        found = sf.protect(data, k=k, limits=[f"k={k}"], seed=1)
        after += found_by_filling(data, found.data, k)
        assert found.after.meets_limits
    assert before > 0
    assert after == 0


def test_what_gaps_and_other_columns_tell_of_a_record_is_counted_together() -> None:
    same = np.zeros((1, 6), dtype=np.int64)
    rules = np.array([[True, True], [False, True]])
    not_asked = RuledOut(np.array([1, 1, 1, 1, 0, 0]), np.array([1, 1, 1, 1, 0, 0]), rules)
    old = RuledOut(np.array([1, 1, 0, 0, 0, 0]), np.array([1, 1, 0, 0, 1, 1]), rules)
    seen = np.arange(6)[None]
    apart = FittingPersons.of([ReleasedKey(same[0], same[0], False)], ())
    assert exposed_by_gaps(apart, [not_asked], seen, 3)[0].size == 0
    rows, fitting = exposed_by_gaps(apart.ruled_by([old]), [not_asked], seen, 3)
    assert (rows.tolist(), fitting.tolist()) == ([0, 1], [2, 2])
