from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Spans
from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import TopCoding

DATA = Microdata(pl.DataFrame({"x": np.arange(200_000.0), "half": (np.arange(200_000) >= 100_000).astype(str)}))
GRADES = ("low", "middle", "high", "very high")


def masked(method: TopCoding, data: Microdata = DATA) -> np.ndarray:
    return run_step(method, data, seed=1, step=0).values("x")


def graded(values: Sequence[str | None]) -> Microdata:
    schema = Schema(variables=(Variable(name="x", kind="ordinal", categories=GRADES),))
    return Microdata(pl.DataFrame({"x": values}), schema)


def test_nothing_is_above_the_threshold_and_nothing_else_changes() -> None:
    assert np.array_equal(masked(TopCoding(columns=("x",), at=150_000)), np.minimum(DATA.values("x"), 150_000))


def test_percent_takes_the_quantile_of_the_whole_file_not_of_a_block() -> None:
    after = masked(TopCoding(columns=("x",), percent=5))
    assert after.max() == np.quantile(DATA.values("x"), 0.95, method="lower")
    assert np.mean(after != DATA.values("x")) == pytest.approx(0.05, abs=1e-4)


def test_percent_within_strata_has_a_threshold_for_each() -> None:
    after = masked(TopCoding(columns=("x",), percent=10, within=("half",)))
    assert after[:100_000].max() == np.quantile(np.arange(100_000), 0.9, method="lower")
    assert after[100_000:].max() == np.quantile(np.arange(100_000, 200_000), 0.9, method="lower")


def test_the_mean_of_all_values_above_the_threshold_keeps_the_mean_of_the_column() -> None:
    before = DATA.values("x")
    after = masked(TopCoding(columns=("x",), at=150_000, replacement="mean"))
    assert after.mean() == pytest.approx(before.mean(), rel=1e-12)
    assert set(after[before > 150_000]) == {np.arange(150_001, 200_000).mean()}
    assert np.array_equal(after[before <= 150_000], before[before <= 150_000])


def test_the_median_of_the_values_above_the_threshold_is_that_of_each_stratum() -> None:
    after = masked(TopCoding(columns=("x",), percent=10, replacement="median", within=("half",)))
    for half in (np.arange(100_000.0), np.arange(100_000.0, 200_000.0)):
        threshold = np.quantile(half, 0.9, method="lower")
        rows = half[half > threshold].astype(int)
        assert set(after[rows]) == {np.median(half[half > threshold])}


def test_nothing_above_the_threshold_leaves_the_file_as_it_is() -> None:
    for replacement in (None, "mean", "median"):
        assert np.array_equal(masked(TopCoding(columns=("x",), at=1e9, replacement=replacement)), DATA.values("x"))


def test_ordinal_columns_are_coded_at_a_category() -> None:
    data = graded(["very high", "low", None, "high"])
    after = run_step(TopCoding(columns=("x",), at="middle"), data, seed=1, step=0)
    assert after.frame["x"].to_list() == ["middle", "low", None, "middle"]


def test_no_more_than_percent_of_ordinal_values_are_replaced() -> None:
    data = graded(["low"] * 5 + ["middle"] * 3 + ["high"] + ["very high"])
    for percent, highest in ((9, "very high"), (10, "high"), (19, "high"), (20, "middle"), (50, "low")):
        after = run_step(TopCoding(columns=("x",), percent=percent), data, seed=1, step=0).frame["x"]
        assert after.sort().to_list()[-1] in GRADES
        assert max(after.to_list(), key=GRADES.index) == highest


def test_the_median_of_ordinal_values_is_the_lower_middle_category() -> None:
    data = graded(["low", "high", "high", "very high", "very high"])
    after = run_step(TopCoding(columns=("x",), at="low", replacement="median"), data, seed=1, step=0)
    assert after.frame["x"].to_list() == ["low", "high", "high", "high", "high"]


def test_a_label_is_the_value_label_of_the_threshold_in_every_block() -> None:
    after = run_step(TopCoding(columns=("x",), at=85, tail_label="85+"), DATA, seed=1, step=0)
    assert after.schema["x"].value_labels == {85: "85+"}
    assert after.schema["half"] == DATA.schema["half"]
    assert after.frame.schema == DATA.frame.schema


def test_a_label_belongs_to_the_number_that_an_integer_column_holds() -> None:
    ages = Microdata(pl.DataFrame({"x": [30, 91, 92, 92, 91, 50, 7, 8]}))
    after = run_step(TopCoding(columns=("x",), at=90, replacement="mean", tail_label="90+"), ages, seed=1, step=0)
    assert after.schema["x"].value_labels == {92: "90+"}  # 91.5 is rounded to even
    assert after.frame["x"].to_list() == [30, 92, 92, 92, 92, 50, 7, 8]


def test_a_label_of_an_ordinal_column_belongs_to_the_category() -> None:
    after = run_step(
        TopCoding(columns=("x",), at="high", tail_label="high or more"), graded(["low", "high"]), seed=1, step=0
    )
    assert after.schema["x"].value_labels == {"high": "high or more"}


@pytest.mark.parametrize(("given", "what"), [({}, "neither"), ({"at": 1.0, "percent": 5.0}, "both")])
def test_needs_exactly_one_threshold(given: dict[str, float], what: str) -> None:
    with pytest.raises(ParameterError, match=f"^TopCoding needs either at or percent; got {what}$"):
        TopCoding(columns=("x",), **given)


def test_refuses_a_label_where_each_stratum_has_its_own_tail() -> None:
    with pytest.raises(ParameterError, match=r"TopCoding\.tail_label must not be given beside within"):
        TopCoding(columns=("x",), percent=5, tail_label="top", within=("half",))


def test_refuses_text_as_the_threshold_of_numbers() -> None:
    with pytest.raises(KindError, match=r"TopCoding\.at: 'x' is continuous; expected a number; got text"):
        masked(TopCoding(columns=("x",), at="high"))


def test_refuses_the_mean_of_ordinal_values() -> None:
    with pytest.raises(KindError, match=r"TopCoding\.replacement: 'x' is ordinal, which has no mean; use median"):
        masked(TopCoding(columns=("x",), at="low", replacement="mean"), graded(["low", "high"]))


def test_refuses_an_unknown_category_and_names_the_nearest() -> None:
    with pytest.raises(DataError, match=r"TopCoding\.at: 'x' has no category 'hihg'; did you mean 'high'\?"):
        masked(TopCoding(columns=("x",), at="hihg"), graded(["low", "high"]))


def test_refuses_a_stratum_without_the_category_when_no_order_is_listed() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, 1, 1], "half": ["a", "a", "a", "b", "b"]})
    data = Microdata(
        frame, Schema(variables=(Variable(name="x", kind="ordinal"), Variable(name="half", kind="nominal")))
    )
    with pytest.raises(DataError, match=r"a stratum has no record with category 2\.0 of 'x'"):
        masked(TopCoding(columns=("x",), at=2, within=("half",)), data)


def test_the_threshold_by_percent_is_a_value_that_is_published_anyway() -> None:
    values = np.random.default_rng(0).lognormal(10, 1, 200)
    data = Microdata(pl.DataFrame({"x": values}))
    after = run_step(TopCoding(columns=("x",), percent=3), data, seed=1, step=0).values("x")
    hidden = values[after != values]
    assert hidden.size == 6
    assert np.isin(after, values).all()  # an interpolated threshold would tell the hidden value next to it


def test_an_integer_column_never_exceeds_a_threshold_between_two_integers() -> None:
    data = Microdata(pl.DataFrame({"x": list(range(30))}), Schema(variables=(Variable(name="x", kind="continuous"),)))
    after = run_step(TopCoding(columns=("x",), at=20.6), data, seed=1, step=0).frame["x"]
    assert after.max() == 20


def test_a_tail_of_one_value_becomes_the_threshold_and_not_its_own_mean() -> None:
    values = np.arange(1, 41) * 100.5
    values[-1] = 987_654.5
    data = Microdata(pl.DataFrame({"x": values, "half": ["a"] * 20 + ["b"] * 20}))
    method = TopCoding(columns=("x",), percent=5, replacement="mean", within=("half",))
    assert run_step(method, data, seed=1, step=0).values("x").max() == values[-2]


@pytest.mark.parametrize("percent", [29, 57, 58])
def test_a_percent_of_ordinal_values_is_counted_exactly(percent: int) -> None:
    data = graded(["low"] * (100 - percent) + ["high"] * percent)
    after = run_step(TopCoding(columns=("x",), percent=percent), data, seed=1, step=0)
    assert set(after.frame["x"]) == {"low"}


@pytest.mark.parametrize(
    "method",
    [
        TopCoding(columns=("x",), at=150_000),
        TopCoding(columns=("x",), at=150_000, replacement="mean"),
        TopCoding(columns=("x",), percent=5),
        TopCoding(columns=("x",), percent=5, replacement="median"),
        TopCoding(columns=("x",), percent=5, within=("half",)),
    ],
)
def test_the_release_tells_what_was_coded_and_from_where_on(method: TopCoding) -> None:
    data = DATA.take_rows(np.arange(0, 200_000, 100))
    coded = method.mask(data, np.random.default_rng(0))
    before, after = data.values("x"), coded.values("x")
    low, high = method.values_before(coded, "x", Spans(after, after))
    assert (low <= before).all()
    assert (before <= high).all()
    assert (high[before != after] == np.inf).all()
    assert np.count_nonzero(low < high) <= np.count_nonzero(before != after) + 2  # and the threshold of each stratum
    assert np.diff(np.unique(low[(low < high) & (before != after)])).size <= 1


def test_no_value_is_taken_for_coded_where_none_reaches_the_threshold() -> None:
    after = np.array([1.0, 2.0])
    data = Microdata(pl.DataFrame({"x": after}))
    spans = TopCoding(columns=("x",), at=5).values_before(data, "x", Spans(after, after))
    assert np.array_equal(spans.low, spans.high)
