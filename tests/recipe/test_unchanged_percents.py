"""How many values of a column stayed as they were."""

import numpy as np
import polars as pl

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
