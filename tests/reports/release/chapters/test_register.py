"""Without weights whoever has a register of everybody has one of those in the file, like an acquaintance."""

import re

import numpy as np
import polars as pl

import sfumato as sf
from tests.reports.release.chapters.test_plain_verdict import headline, standings

N = 400


def test_without_weights_a_register_recognises_as_an_acquaintance_does() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "town": rng.choice([*"ABCDEFGH"], N, p=[0.3, 0.2, 0.15, 0.12, 0.1, 0.07, 0.04, 0.02]),
            "age": rng.integers(18, 80, N),
            "job": rng.choice([*"klmnopq"], N),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age"]).with_roles(key=["town", "age", "job"])
    data = sf.Microdata(frame, schema)
    found = sf.protect(data, k=3, limits=["k=3"], seed=1)
    shown = pl.DataFrame(found.data.frame)
    became = {
        name: {old: new for old, new in zip(frame[name], shown[name], strict=True) if new is not None}
        for name in frame.columns
    }
    people = [*zip(*(map(became[name].get, frame[name]) for name in frame.columns), strict=True)]
    fewest = min(
        sum(all(a is None or b in {a, None} for a, b in zip(row, one, strict=True)) for one in people)
        for row in shown.rows()
    )
    assert 100 / fewest > found.after["largest_risk"]  # which counts gaps of others as further persons
    report = sf.report(data, found.data, recipe=found.recipe, limits=["k=3"])
    [told] = [told for told in standings(report).values() if "Somebody with a register" in told]
    [chance] = re.findall(r"recognises each record with a probability of at most ([\d.]+) %", told)
    assert float(chance) >= 100 / fewest - 0.01
    assert "somebody with a register" in headline(report)  # among those whom the file is not safe against
