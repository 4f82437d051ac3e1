"""Who is found by the keys of a whole household is counted, by its number and by equal values that stand for it."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.release_notes import HOUSEHOLDS_FOUND, HOUSEHOLDS_TOLD
from sfumato.data import Microdata, Schema
from sfumato.keys.findings.found_households import found_households, household_remarks
from sfumato.keys.weight_notices import weight_notices
from sfumato.masking import WeightRounding
from sfumato.protection import protect
from sfumato.reports import risk_report

N = 240
KEYS = ("sex", "age", "town")


def people(*, is_shared: bool = True) -> Microdata:
    rng = np.random.default_rng(3)
    home = np.sort(rng.integers(0, N // 2, N))
    weights = rng.uniform(5, 30, N)
    frame = pl.DataFrame(
        {
            "home": home,
            "town": rng.choice([*"AB"], N // 2)[home],
            "sex": rng.choice([*"fm"], N),
            "age": rng.choice(["young", "middle", "old"], N),
            "weight": weights[home] if is_shared else weights,
        }
    )
    schema = Schema.infer(frame).with_kinds(nominal=["home"])
    return Microdata(frame, schema.with_roles(key=KEYS, household=["home"], weight=["weight"], identifier=[]))


def groups_by_hand(frame: pl.DataFrame, by: str, homes: list[int]) -> list[tuple[bool, int, int]]:
    """Return for each group of equal values whether it is one whole household, its size, and how many are like it."""
    groups: dict[object, list[int]] = {}
    for row, value in enumerate(frame[by].to_list()):
        groups.setdefault(value, []).append(row)
    keys = [repr(row) for row in frame.select(KEYS).iter_rows()]
    kinds = {value: tuple(sorted(keys[row] for row in rows)) for value, rows in groups.items()}
    counts = Counter(kinds.values())
    wholes = {frozenset(row for row in range(len(homes)) if homes[row] == home) for home in set(homes)}
    return [(frozenset(rows) in wholes, len(rows), counts[kinds[value]]) for value, rows in groups.items()]


def found_by_hand(frame: pl.DataFrame, by: str, homes: list[int] | None = None) -> int:
    groups = groups_by_hand(frame, by, frame[by].to_list() if homes is None else homes)
    return sum(size for is_whole, size, alike in groups if is_whole and alike == 1)


def test_persons_found_by_their_household_are_counted_beside_k() -> None:
    data = people()
    found = protect(data, k=3, seed=1)
    count = found_by_hand(pl.DataFrame(found.data.frame), "home")
    assert 20 < count < N
    told = (
        f"promise of k is for persons one by one: {count} of 240 persons are found by the keys of all members of their "
        f"household together"
    )
    assert told in " ".join(str(found).split())
    assert told in found.to_html()
    assert any(told in remark for remark in assess(data, found.data, methods=found.recipe.steps).remarks)


def test_equal_weights_stand_for_a_household_that_is_not_released() -> None:
    data = people()
    masked = data.take_columns((*KEYS, "weight"))
    count = found_by_hand(pl.DataFrame(masked.frame), "weight")
    homes = pl.DataFrame(data.frame)["home"].value_counts()["count"].to_numpy()
    pairs = int((homes * (homes - 1) // 2).sum())
    several = int((homes > 1).sum())
    [known] = household_remarks(masked, KEYS, data)
    assert known.startswith(
        f"weight: equal values tell who lives together ({pairs} of {pairs} pairs do; {several} of {several} households "
        f"of several persons have values that nobody else has); the promise of k"
    )
    assert f"one by one: {count} of 240 persons" in known
    [alone] = [remark for remark in risk_report(masked).remarks if "one by one" in remark]
    assert alone.startswith("weight: equal weights tell who lives together where a household has one weight")


def test_weights_that_nobody_or_everybody_shares_stand_for_no_household() -> None:
    assert household_remarks(people(is_shared=False).take_columns((*KEYS, "weight")), KEYS) == ()
    frame = pl.DataFrame(people().frame).with_columns(weight=pl.int_range(N) % 4 + 5.5)
    data = Microdata(frame, people().schema)
    assert household_remarks(data.take_columns((*KEYS, "weight")), KEYS) == ()
    assert household_remarks(data.take_columns((*KEYS, "weight")), KEYS, data) == ()


def test_weights_that_became_equal_by_rounding_stand_for_no_household() -> None:
    data = people(is_shared=False).take_columns((*KEYS, "weight"))
    rounded = WeightRounding(k=5).mask(data, np.random.default_rng(0))
    assert household_remarks(rounded, KEYS) != ()  # to somebody who does not know that they were rounded
    assert household_remarks(rounded, KEYS, data) == ()
    assert not [told for told in weight_notices(rounded, data) if "lives together" in told]


def test_columns_in_which_members_agree_stand_together_for_a_household_that_is_not_released() -> None:
    rng = np.random.default_rng(8)
    data = people(is_shared=False)
    frame = pl.DataFrame(data.frame)
    home = frame["home"].to_numpy()
    frame = frame.with_columns(
        rooms=pl.Series(rng.integers(0, 9, N // 2)[home]),
        visit=pl.Series(rng.integers(0, 90, N // 2)[home]),
        weight=pl.lit(7.5),
    )
    schema = Schema.infer(frame).with_kinds(nominal=["home", "rooms", "visit"])
    schema = schema.with_roles(key=KEYS, weight=["weight"], identifier=["home"], household=[])
    found = protect(Microdata(frame, schema), k=3, limits=["k=3"], seed=1)
    told_by = pl.concat_str("rooms", "visit", "town", separator=" ", ignore_nulls=True)
    shown = pl.DataFrame(found.data.frame).with_columns(home=told_by)
    pairs = [(a, b) for a in range(N) for b in range(a) if shown["home"][a] == shown["home"][b]]
    together = sum(home[a] == home[b] for a, b in pairs)
    assert together > 0.8 * len(pairs)
    [told] = [one for one in found.remarks if "lives together" in one and "persons one by one" in one]
    assert told.startswith(
        f"visit and rooms and town: equal values tell who lives together ({together} of {len(pairs)}"
    )
    assert f"one by one: {found_by_hand(shown, 'home', home.tolist())} of 240 persons" in told
    [limit] = found.after.limits
    assert (limit.figure, limit.is_met) == (1, False)
    assert HOUSEHOLDS_TOLD in " ".join(str(found).partition("Note")[0].split())
    assessed = assess(Microdata(frame, schema), found.data, methods=found.recipe.steps, worst_case=False)
    assert f"{told}." in assessed.remarks
    assert HOUSEHOLDS_TOLD in assessed.remarks[0]
    assert protect(data.take_columns(KEYS), k=3, limits=["k=3"], seed=1).after.meets_limits


def two_columns(*, refusing: float = 0.0, incomes: int = 12) -> tuple[Microdata, Microdata]:
    """Return a file, and what is released of it: an income and a weight of the household in few classes."""
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(people().frame)
    home = frame["home"].to_numpy()
    income = rng.integers(0, incomes, N // 2)[home] * 100.0
    income[rng.random(N) < refusing] = -9.0
    frame = frame.with_columns(income=pl.Series(income), weight=pl.Series(rng.integers(1, 6, N // 2)[home] * 2.5))
    schema = Schema.infer(frame).with_kinds(nominal=["home"], continuous=["income", "weight"])
    schema = schema.with_roles(key=KEYS, weight=["weight"], identifier=["home"], household=[], confidential=["income"])
    data = Microdata(frame, schema.with_variables(schema["income"].model_copy(update={"missing_codes": (-9,)})))
    return data, data.take_columns((*KEYS, "income", "weight"))


@pytest.mark.parametrize("refusing", [0.0, 0.1])
def test_income_and_weight_tell_together_who_lives_together_though_neither_does_alone(refusing: float) -> None:
    data, masked = two_columns(refusing=refusing)
    shown = pl.DataFrame(masked.frame).with_columns(both=pl.concat_str("income", "weight", "town", separator=" "))
    home = pl.DataFrame(data.frame)["home"].to_list()
    for one in ("income", "weight"):
        assert household_remarks(data.take_columns((*KEYS, one)), KEYS, data) == ()
    groups = groups_by_hand(shown, "both", home)
    alone = sum(is_whole and size > 1 for is_whole, size, _ in groups)
    found = sum(size for is_whole, size, alike in groups if is_whole and alike == 1)
    assert found > 20
    [told] = household_remarks(masked, KEYS, data)
    assert told.startswith("income and weight and town: equal values tell who lives together")
    assert f"; {alone} of " in told
    assert f"one by one: {found} of 240 persons" in told
    fewest = min(alike for is_whole, _, alike in groups if is_whole)
    assert found_households(masked, KEYS, data).fewest == fewest == 1


def test_a_limit_is_not_met_where_two_columns_tell_together_who_lives_together() -> None:
    data, _ = two_columns(refusing=0.1)
    found = protect(data, k=3, limits=["k=3"], seed=1)
    [limit] = found.after.limits
    assert not limit.is_met
    assert HOUSEHOLDS_TOLD in found.alarms


def test_columns_that_many_households_share_tell_nobody_who_lives_together() -> None:
    frame = pl.DataFrame(people().frame).with_columns(
        town=pl.lit("A"), income=(pl.col("home") % 2) * 100.0, weight=(pl.col("home") % 4 // 2) * 2.5 + 2.5
    )
    schema = Schema.infer(frame).with_kinds(nominal=["home"], continuous=["income", "weight"])
    data = Microdata(frame, schema.with_roles(key=KEYS, weight=["weight"], identifier=["home"], household=[]))
    masked = data.take_columns((*KEYS, "income", "weight"))
    assert household_remarks(masked, KEYS, data) == ()
    assert found_households(masked, KEYS, data).fewest is None


@pytest.mark.parametrize("limits", [["k=3"], []])
def test_that_a_household_finds_persons_is_in_the_verdict_with_a_limit_and_without(limits: list[str]) -> None:
    data = people()
    found = protect(data, k=3, limits=limits, seed=1)
    assert found_by_hand(pl.DataFrame(found.data.frame), "home") > 0
    assert HOUSEHOLDS_FOUND in " ".join(str(found).partition("Note")[0].split())
    assert HOUSEHOLDS_FOUND in assess(data, found.data, methods=found.recipe.steps, worst_case=False).alarms
    assert HOUSEHOLDS_FOUND not in protect(data.take_columns(KEYS), k=3, limits=limits, seed=1).alarms
