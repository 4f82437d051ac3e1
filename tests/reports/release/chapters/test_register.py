"""Without weights whoever has a register of everybody has one of those in the file, like an acquaintance."""

import re

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.reports.release.chapters.judging.standing import Standing
from sfumato.reports.release.chapters.untested import HOUSEHOLD_REGISTER
from tests.reports.release.chapters.test_plain_verdict import headline, standings

N = 400


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_a_register_that_tells_who_lives_with_whom_is_named_as_not_tested(edition: str) -> None:
    data = sf.datasets.demo(120, seed=2)
    found = sf.report(data, data, same_order=True, edition=edition)
    assert "NOT TESTED against a register of households" in headline(found)
    assert "with a register that tells who lives with whom" in standings(found)[Standing.UNTESTED]
    assert HOUSEHOLD_REGISTER in str(next(one for one in found.sections if one.key == "untested"))
    assert "Taking members one by one" in found["risk/keys/household_risk/after"].sentence
    alone = data.with_schema(data.schema.with_roles(other=["household_id"]))
    assert "register of households" not in headline(sf.report(alone, alone, same_order=True, edition=edition))


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
