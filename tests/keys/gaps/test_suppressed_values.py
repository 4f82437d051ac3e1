"""What other members and rare values tell of suppressed keys is counted, and never shown."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.assessment.release_notes import RARE_VALUES
from sfumato.keys.findings.exposure import READABLE, telling_exposure
from sfumato.keys.gaps.suppressed_values import gap_remarks, member_words, rare_value_remarks
from sfumato.keys.households import households_of

KEYS = ("country", "sex")


def families() -> sf.Microdata:
    """Return families of three with one country each, but for a few of which one member has another."""
    rng = np.random.default_rng(9)
    home = np.repeat(np.arange(100), 3)
    country = rng.choice(["here", "there", "far", "farther"], 100, p=[0.5, 0.36, 0.1, 0.04])[home]
    country[[0, 60, 150]] = ["far", "there", "farther"]
    frame = pl.DataFrame(
        {
            "home": home,
            "country": country,
            "sex": rng.choice(["f", "m"], 300),
            "number": np.tile([1, 2, 3], 100),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["home"], ordinal=["number"])
    return sf.Microdata(frame, schema.with_roles(key=KEYS, household=["home"], identifier=[]))


def test_gaps_that_other_members_fill_are_counted_as_read() -> None:
    data = families()
    frame, masked, k = pl.DataFrame(data.frame), with_gaps(data), 8
    shown = masked.frame["country"].to_list()
    homes = frame["home"].to_list()
    filled = [
        next((shown[j] for j in range(300) if homes[j] == homes[i] and shown[j] is not None), None)
        if shown[i] is None
        else shown[i]
        for i in range(300)
    ]
    people = list(zip(filled, frame["sex"].to_list(), strict=True))
    fitting = [sum(sex == other and (a == b or None in {a, b}) for b, other in people) for a, sex in people]
    found = telling_exposure(masked, KEYS, k, data)
    assert 0 < sum(count < k for count in fitting) == found.records
    assert found.remarks[0].startswith(f"{READABLE}: the other members of the household (country). Whoever")


def test_gaps_that_other_members_fill_are_counted_with_those_filled_rightly() -> None:
    data = families()
    before, after = data.frame["country"].to_list(), with_gaps(data).frame["country"].to_list()
    gaps = [i for i in range(300) if after[i] is None]
    tellers = {i: [j for j in range(i - i % 3, i - i % 3 + 3) if after[j] is not None] for i in gaps}
    filled = [i for i in gaps if tellers[i]]
    right = sum(before[i] == before[tellers[i][-1]] for i in filled)
    assert 0 < right <= len(filled) < len(gaps)
    told = member_words(data.codes("country")[0], with_gaps(data).codes("country")[0], households_of(data, ("home",)))
    assert told == (
        f"; {len(filled)} of its {len(gaps)} gaps can be filled from another member, {right} of them rightly"
    )


def test_rare_values_beside_a_suppressed_key_are_counted_and_not_shown() -> None:
    data = families()
    lost = np.flatnonzero(with_gaps(data).frame["country"].is_null())
    numbers = np.tile([1, 2, 3], 100)
    numbers[[*lost[:2], lost[3]]] = 97, 97, 98
    kept = np.setdiff1d(np.arange(300), lost)
    numbers[kept[0]] = 99  # rare too, and beside no gap
    masked = with_gaps(data).with_column(data.schema["number"], numbers)
    [told] = rare_value_remarks(data, masked, KEYS, ("number", "sex"), 3)
    assert "have stand beside a suppressed key" in told
    assert "number (in 3 records);" in told
    assert not any(value in told for value in ("97", "98", "99"))
    assert rare_value_remarks(data, with_gaps(data), KEYS, ("number",), 3) == []
    original = data.with_column(data.schema["number"], numbers)
    shuffled = with_gaps(original).take_rows(np.random.default_rng(1).permutation(300))
    assessed = sf.assess(original, shuffled, [sf.KAnonymity(columns=KEYS)])
    assert f"{told}." in assessed.remarks
    assert RARE_VALUES in assessed.alarms


def test_gaps_that_all_come_from_one_rare_category_are_counted() -> None:
    sex = np.array([*"fm" * 50, *"d" * 7])
    kept = [None if value == "d" else value for value in sex]
    some = [None if place % 9 == 0 else value for place, value in enumerate(sex)]
    data = sf.Microdata(pl.DataFrame({"sex": sex, "other": sex}))
    masked = sf.Microdata(pl.DataFrame({"sex": kept, "other": some}))
    found = gap_remarks(data, masked, ("sex", "other"))
    assert [remark.split(",")[0] for remark in found] == ["sex: 7 of the 7 suppressed values were one and the same"]


def test_gaps_are_compared_by_the_classes_that_others_are_released_in() -> None:
    age = np.arange(100) % 50
    classes = np.where(age < 40, "below 40", "40 or more")
    rare = [
        None if value >= 40 and place > 60 else name
        for place, (value, name) in enumerate(zip(age, classes, strict=True))
    ]
    common = [
        None if value < 40 and place > 60 else name
        for place, (value, name) in enumerate(zip(age, classes, strict=True))
    ]
    data = sf.Microdata(pl.DataFrame({"age": age, "years": age}))
    masked = sf.Microdata(pl.DataFrame({"age": rare, "years": common}))
    assert [remark.partition(":")[0] for remark in gap_remarks(data, masked, ("age", "years"))] == ["age"]


def with_gaps(data: sf.Microdata) -> sf.Microdata:
    """Return the file without the rarest country in most records, and without that of one family."""
    frame = pl.DataFrame(data.frame)
    is_lost = (frame["country"].to_numpy() == "farther") & (np.arange(300) % 3 > 0) | (np.arange(300) < 3)
    return data.with_frame(frame.with_columns(country=pl.when(pl.Series(is_lost)).then(None).otherwise("country")))
