"""A note says what its count is of: what several gaps tell at once, and what was found before anything was read."""

import re

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.assessment.release_notes import key_notes


def test_what_gaps_of_several_keys_tell_is_counted_once_and_said_to_be_of_all() -> None:
    rng = np.random.default_rng(6)
    citizen, disab, town = (rng.choice([*"ab"], 400, p=p) for p in ((0.97, 0.03), (0.95, 0.05), (0.5, 0.5)))
    data = sf.Microdata(pl.DataFrame({"citizen": citizen, "disab": disab, "town": town, "work": town}))
    shown = [
        pl.Series(name, [None if value == "b" else value for value in column])
        for name, column in (("citizen", citizen), ("disab", disab))
    ]
    masked = data.with_column(data.schema["citizen"], shown[0]).with_column(data.schema["disab"], shown[1])
    names, k = ("citizen", "disab", "town"), 8
    told = [note.remark for note in key_notes(data, masked, names, k) if "suppressed values were one" in note.remark]
    exact = list(zip(citizen, disab, town, strict=True))
    few = sum(exact.count(one) < k and "b" in one[:2] for one in exact)
    assert len(told) == 1
    assert few > 0
    assert told[0].startswith("citizen: ")
    assert "; disab: " in told[0]
    assert f"whoever uses all of that at once finds at least {few} records" in told[0]


def test_what_is_read_off_columns_is_told_apart_from_what_all_keys_tell_alone() -> None:
    rng = np.random.default_rng(11)
    place = rng.integers(0, 30, 600)
    frame = pl.DataFrame(
        {
            "place": [f"p{one:02}" for one in place],
            "age": rng.integers(0, 8, 600),
            "job": rng.choice([*"abcde"], 600),
            "state": [f"s{one // 3}" for one in place],
        }
    )
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["place", "age", "job"], other=["state"]))
    found = sf.protect(data, k=5, combinations=2, limits=["k=5"], seed=1)
    noted = [one for one in found.remarks if "of them by all keys at once without reading anything" in one]
    keys = ("place", "age", "job")
    shown = found.data.frame.select(keys).rows()
    became: list[dict[object, object]] = [{}, {}, {}]
    for before, after in zip(frame.select(keys).rows(), shown, strict=True):
        for names, was, now in zip(became, before, after, strict=True):
            names.update({was: now} if now is not None else {})
    persons = [
        tuple(names.get(was, was) for names, was in zip(became, row, strict=True)) for row in frame.select(keys).rows()
    ]
    fitting = [sum(all(a is None or a == b for a, b in zip(row, one, strict=True)) for one in persons) for row in shown]
    few = sum(count < 5 for count in fitting)
    for one in noted:
        [told] = re.findall(r"([\d,]+) of them by all keys", one)
        assert int(told.replace(",", "")) == few
    assert noted
