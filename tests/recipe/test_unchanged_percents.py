"""How many values of a column stayed as they were."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable
from sfumato.masking import SequentialSynthesis, TopCoding
from sfumato.recipe.release import unchanged_percents

FRAME = pl.DataFrame({"income": [None if place % 10 == 0 else float(place % 8) for place in range(200)]})
DATA = Microdata(FRAME, Schema(variables=(Variable(name="income", kind="continuous"),)))


def test_gaps_do_not_count() -> None:
    masked = TopCoding(columns=("income",), at=5.0).mask(DATA, np.random.default_rng(1))
    stayed, values = (int(some.sum()) for some in (FRAME["income"] <= 5, FRAME["income"].is_not_null()))
    assert unchanged_percents(DATA, masked) == {"income": round(100 * stayed / values, 2)}


def test_records_in_another_order_are_found_by_their_ids() -> None:
    masked = TopCoding(columns=("income",), at=5.0).mask(DATA, np.random.default_rng(1))
    backwards = masked.take_rows(np.arange(199, 49, -1))
    assert unchanged_percents(DATA, backwards) == unchanged_percents(DATA, masked.take_rows(np.arange(50, 200)))


def test_synthetic_records_are_not_held_against_original_ones() -> None:
    drawn = SequentialSynthesis(columns=("income",), size=200).mask(DATA, np.random.default_rng(1))
    assert unchanged_percents(DATA, drawn) == {}


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Int64, pl.String])
def test_a_code_that_means_something_else_now_did_not_stay_whatever_its_type(dtype: type[pl.DataType]) -> None:
    frame = pl.DataFrame({"code": pl.Series(["1", "2", "3", "3"]).cast(dtype)})
    one = 1 if dtype != pl.String else "1"
    schema = Schema(variables=(Variable(name="code", kind="nominal"),))
    joined = schema.with_variables(schema["code"].replace(value_labels={one: "1 to 2"}))
    before = Microdata(frame, schema)
    after = before.with_frame(frame.with_columns(code=frame["code"].gather([0, 0, 2, 2]))).with_schema(joined)
    assert unchanged_percents(before, after) == {"code": 50.0}
