from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Spans
from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import BottomCoding, TopCoding

DATA = Microdata(pl.DataFrame({"x": np.arange(200_000.0), "half": (np.arange(200_000) >= 100_000).astype(str)}))
GRADES = ("low", "middle", "high", "very high")


def masked(method: BottomCoding) -> np.ndarray:
    return run_step(method, DATA, seed=1, step=0).values("x")


def graded(values: Sequence[str | None]) -> Microdata:
    schema = Schema(variables=(Variable(name="x", kind="ordinal", categories=GRADES),))
    return Microdata(pl.DataFrame({"x": values}), schema)


def test_nothing_is_below_the_threshold_and_nothing_else_changes() -> None:
    assert np.array_equal(masked(BottomCoding(columns=("x",), at=150_000)), np.maximum(DATA.values("x"), 150_000))


def test_percent_takes_the_quantile_of_the_whole_file_not_of_a_block() -> None:
    after = masked(BottomCoding(columns=("x",), percent=5))
    assert after.min() == np.quantile(DATA.values("x"), 0.05, method="higher")
    assert np.mean(after != DATA.values("x")) == pytest.approx(0.05, abs=1e-4)


def test_percent_within_strata_has_a_threshold_for_each() -> None:
    after = masked(BottomCoding(columns=("x",), percent=10, within=("half",)))
    assert after[:100_000].min() == np.quantile(np.arange(100_000), 0.1, method="higher")
    assert after[100_000:].min() == np.quantile(np.arange(100_000, 200_000), 0.1, method="higher")


@pytest.mark.parametrize("replacement", [None, "mean", "median"])
def test_is_top_coding_of_the_negative_values(replacement: str | None) -> None:
    values = np.random.default_rng(3).normal(size=500)
    bottom = BottomCoding(columns=("x",), at=-0.5, replacement=replacement)
    top = TopCoding(columns=("x",), at=0.5, replacement=replacement)
    rng = np.random.default_rng()
    low = bottom.mask(Microdata(pl.DataFrame({"x": values})), rng).values("x")
    high = top.mask(Microdata(pl.DataFrame({"x": -values})), rng).values("x")
    assert low == pytest.approx(-high)


def test_ordinal_columns_are_coded_at_a_category() -> None:
    after = run_step(BottomCoding(columns=("x",), at="middle"), graded(["very high", "low", None]), seed=1, step=0)
    assert after.frame["x"].to_list() == ["very high", "middle", None]


def test_no_more_than_percent_of_ordinal_values_are_replaced() -> None:
    data = graded(["low"] + ["middle"] + ["high"] * 3 + ["very high"] * 5)
    for percent, lowest in ((9, "low"), (10, "middle"), (19, "middle"), (20, "high"), (50, "very high")):
        after = run_step(BottomCoding(columns=("x",), percent=percent), data, seed=1, step=0).frame["x"].to_list()
        assert min(after, key=GRADES.index) == lowest


def test_a_label_is_the_value_label_of_the_threshold() -> None:
    after = run_step(BottomCoding(columns=("x",), at=15, tail_label="under 16"), DATA, seed=1, step=0)
    assert after.schema["x"].value_labels == {15: "under 16"}


@pytest.mark.parametrize(("given", "what"), [({}, "neither"), ({"at": 1.0, "percent": 5.0}, "both")])
def test_needs_exactly_one_threshold(given: dict[str, float], what: str) -> None:
    with pytest.raises(ParameterError, match=f"^BottomCoding needs either at or percent; got {what}$"):
        BottomCoding(columns=("x",), **given)


def test_the_threshold_by_percent_is_a_value_that_is_published_anyway() -> None:
    values = np.random.default_rng(0).lognormal(10, 1, 200)
    data = Microdata(pl.DataFrame({"x": values}))
    after = run_step(BottomCoding(columns=("x",), percent=3), data, seed=1, step=0).values("x")
    hidden = values[after != values]
    assert hidden.size == 6
    assert np.isin(after, values).all()  # an interpolated threshold would tell the hidden value next to it


def test_an_integer_column_never_exceeds_a_threshold_between_two_integers() -> None:
    data = Microdata(pl.DataFrame({"x": list(range(30))}), Schema(variables=(Variable(name="x", kind="continuous"),)))
    after = run_step(BottomCoding(columns=("x",), at=8.4), data, seed=1, step=0).frame["x"]
    assert after.min() == 9


@pytest.mark.parametrize("replacement", [None, "mean"])
def test_the_release_tells_what_was_coded_and_up_to_where(replacement: str | None) -> None:
    method = BottomCoding(columns=("x",), percent=5, replacement=replacement)
    data = DATA.take_rows(np.arange(0, 200_000, 100))
    coded = method.mask(data, np.random.default_rng(0))
    before, after = data.values("x"), coded.values("x")
    low, high = method.values_before(coded, "x", Spans(after, after))
    assert (low <= before).all()
    assert (before <= high).all()
    assert (low[before != after] == -np.inf).all()
    assert (high[before != after] <= 10_000).all()
