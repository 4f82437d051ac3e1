"""Where persons have several records, every figure on risk counts persons, and every limit is judged by them."""

from collections import defaultdict
from math import log

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.keys.findings.exposure import Exposure
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.reports.checked_limits import hold_limits
from sfumato.reports.counted_persons import risk_per_record

KEYS = ("born", "region")
LIMITS = ["k=3", "strict_k=3", "violations<=0", "uniques<=0", "global_risk<=30", "largest_risk<=40"]


def panel(*, moves: bool = False) -> sf.Microdata:
    """Return 90 persons asked three times; of those who move, the region differs between the waves."""
    rng = np.random.default_rng(8)
    person = np.tile(np.arange(90), 3)
    region = rng.choice([*"ABCD"], 90)[person]
    if moves:
        region = np.where(rng.random(270) < 0.3, "E", region)
    frame = pl.DataFrame(
        {
            "person": person + 500,
            "wave": np.repeat([1, 2, 3], 90),
            "born": rng.choice(np.arange(1950, 1990), 90)[person],
            "region": region,
            "weight": rng.uniform(2, 40, 90)[person] * rng.uniform(1, 1.2, 270),
        }
    )
    schema = sf.Schema.infer(frame).with_roles(key=KEYS, weight=["weight"]).with_persons("person")
    return sf.Microdata(frame, schema)


def persons_by_keys(data: sf.Microdata) -> dict[tuple[object, ...], dict[int, float]]:
    """Return the persons who show each combination of keys, with the smallest of their weights in it."""
    found: dict[tuple[object, ...], dict[int, float]] = defaultdict(dict)
    for person, weight, *keys in data.frame.select("person", "weight", *KEYS).iter_rows():
        held = found[tuple(keys)]
        held[person] = min(weight, held.get(person, weight))
    return found


def risk_by_hand(weights: list[float]) -> float:
    """Return the chance that one of f persons is recognised among as many as their weights add up to."""
    f, p = len(weights), len(weights) / sum(weights)
    if f > 2:
        return p / (f - 1 + p)
    alone = -p / (1 - p) * log(p)
    return alone if f == 1 else p / (1 - p) ** 2 * (p * log(p) + 1 - p)


@pytest.mark.parametrize("moves", [False, True])
def test_figures_count_persons_as_a_loop_over_them_does(moves: bool) -> None:
    data = panel(moves=moves)
    report = sf.risk_report(data, k=3)
    groups = persons_by_keys(data)
    shown = [len(group) for group in groups.values() for _ in group]
    risks = [risk_by_hand([*group.values()]) for group in groups.values() for _ in group]
    assert report["k"] == report["strict_k"] == min(shown)
    assert report["violations"] == sum(size < 3 for size in shown)
    assert report["uniques"] == sum(size == 1 for size in shown)
    assert report["global_risk"] == pytest.approx(100 * np.mean(risks), rel=1e-9)
    assert report["largest_risk"] == pytest.approx(100 * max(risks), rel=1e-9)
    assert report["expected_reidentifications"] == pytest.approx(sum(risks), rel=1e-9)
    assert report.records == 270
    each = risk_per_record(data, KEYS, data)
    assert each is not None
    keys = data.frame.select(KEYS).rows()
    assert each == pytest.approx([100 * risk_by_hand([*groups[row].values()]) for row in keys], rel=1e-9)
    backwards = sf.risk_report(data.take_rows(np.arange(270)[::-1]), k=3)
    assert [one.value for one in backwards.figures] == [one.value for one in report.figures]


def test_measures_of_keys_that_are_asked_for_count_persons_too() -> None:
    data = panel()
    [found] = sf.risk_report(data, measures=[sf.KAnonymity(columns=KEYS, k=2)]).further
    groups = persons_by_keys(data).values()
    assert found.found.parts["KA2"] == sum(len(group) == 1 for group in groups)


def test_no_limit_is_met_by_records_that_persons_do_not_meet() -> None:
    data = panel().take_columns(("person", "wave", *KEYS))
    assert [one.is_met for one in sf.risk_report(data, limits=LIMITS).limits] == [False] * len(LIMITS)
    once = data.take_rows(np.arange(90))
    by_person = sf.risk_report(once, limits=LIMITS)
    several = sf.risk_report(data, limits=LIMITS)
    assert [one.figure for one in several.limits] == [one.figure for one in by_person.limits]
    found = sf.protect(data, k=3, limits=LIMITS[2:5], seed=1)
    assert not any(one.is_met for one in found.after.limits)
    told = sf.report(data, found.data, recipe=found.recipe, limits=LIMITS[2:5], same_order=True)
    assert not told.meets_limits


def test_limits_on_groups_are_held_against_what_columns_tell_as_k_is() -> None:
    rng = np.random.default_rng(5)
    age = rng.integers(20, 70, 300)
    frame = pl.DataFrame({"sex": rng.choice([*"fm"], 300), "age": age, "born": 2020 - age})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "age"], other=["born"]))
    limits = ["k=3", "violations<=0", "uniques<=0", "global_risk<=34", "largest_risk<=40"]
    found = sf.protect(data, k=3, limits=limits, keep=["born"], seed=1)
    assert [one.is_met for one in found.after.limits] == [False] * 5
    told = sf.report(data, found.data, recipe=found.recipe, limits=limits)
    assert not told.meets_limits
    calm = data.take_columns(("sex", "age"))
    alone = sf.protect(calm, k=3, limits=limits, seed=1)
    assert alone.after.meets_limits
    assert sf.report(calm, alone.data, recipe=alone.recipe, limits=limits).meets_limits


def test_whom_columns_tell_counts_as_alone_in_the_file_with_the_smallest_weight() -> None:
    counted = KeyFindings(("sex",), 3, Exposure(records=4, smallest=1))
    weights = np.array([20.0, 50.0, 80.0] * 20)
    frame = pl.DataFrame({"sex": [*"fm"] * 30, "weight": weights})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex"], weight=["weight"]))
    report = sf.risk_report(data)
    p = 1 / 20
    alone = 100 * -p / (1 - p) * log(p)
    assert report.risk_alone == pytest.approx(alone)
    most = report["global_risk"] + alone * 4 / 60
    for at_most, is_met in ((most + 0.01, True), (most - 0.01, False)):
        asked = sf.risk_report(data, limits=[f"global_risk<={at_most}"])
        assert hold_limits(asked, counted)[0].is_met is is_met


def test_whom_columns_tell_counts_among_persons_and_not_among_all_their_records() -> None:
    counted = KeyFindings(("sex",), 3, Exposure(records=4, smallest=1))
    person = np.tile(np.arange(60), 3)
    frame = pl.DataFrame({"person": person, "home": person // 2, "sex": np.array([*"fm"])[person // 2 % 2]})
    schema = sf.Schema.infer(frame).with_persons("person").with_roles(key=["sex"], household=["home"])
    data = sf.Microdata(frame, schema)
    report = sf.risk_report(data)
    for figure, more in (("global_risk", 100 * 4 / 60), ("household_risk", 100 * 8 / 60)):
        most = report[figure] + more
        for at_most, is_met in ((most + 0.01, True), (most - 0.01, False)):
            asked = sf.risk_report(data, limits=[f"{figure}<={at_most}"])
            assert hold_limits(asked, counted)[0].is_met is is_met
