"""A date that can be read in several ways does not keep a file from being assessed."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import SchemaError
from sfumato.masking import Mdav
from sfumato.recipe import Recipe
from sfumato.risk import DistanceLinkage


def visits() -> Microdata:
    rng = np.random.default_rng(2)
    days, months = rng.integers(1, 13, (2, 80))
    seen = [f"{day:02d}/{month:02d}/2020" for day, month in zip(days, months, strict=True)]
    frame = pl.DataFrame({"sex": rng.choice(["f", "m"], 80), "income": rng.lognormal(7, 1, 80), "seen": seen})
    schema = Schema.infer(frame)
    assert schema["seen"].kind is Kind.DATE
    return Microdata(frame, schema)


def test_such_a_date_is_compared_as_text_and_the_assessment_says_so() -> None:
    original = visits()
    masked = Recipe(steps=[Mdav(columns=("income",), k=8)], seed=1).run(original)
    found = assess(original, masked)
    assert any(remark.startswith("seen: dates that can be read in several ways") for remark in found.remarks)
    worst = next(measure for measure in found.measures if measure.symbol == "WCL")
    assert "seen" in worst.columns
    assert found.values["WCL"] > 100 / 8  # it tells records of a group apart, however it is read


def test_a_measure_that_names_such_a_date_is_refused_with_what_to_write() -> None:
    with pytest.raises(SchemaError, match="date_format"):
        assess(visits(), visits(), [DistanceLinkage(columns=("seen",))], same_order=True)
