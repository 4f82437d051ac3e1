"""What a researcher asks a log for, and what comes back."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.errors import DataError, KindError, ParameterError, UnknownColumnError
from sfumato.outputs import Concern, OutputLog, OutputRules, Status

RNG = np.random.default_rng(5)
N = 300
PEOPLE = pl.DataFrame(
    {
        "region": RNG.choice(["north", "south", "east"], N, p=[0.5, 0.4, 0.1]),
        "sex": RNG.choice(["f", "m"], N),
        "age": RNG.integers(18, 95, N),
        "income": RNG.lognormal(10, 0.6, N).round(),
        "ill": RNG.choice([0, 1], N, p=[0.7, 0.3]),
        "months": RNG.integers(1, 40, N).astype(float),
    }
)


def towns(young: int, old: int) -> pl.DataFrame:
    """Return people with an age: so many in town A, and 20 young and 15 old ones in town B."""
    return pl.DataFrame(
        {"town": ["A"] * (young + old) + ["B"] * 35, "age": [40] * young + [95] * old + [40] * 20 + [95] * 15}
    )


def test_fifteen_less_twelve_is_not_told() -> None:
    log = OutputLog(towns(12, 3))
    assert log.crosstab("town").status is Status.SAFE
    second = log.crosstab("town", where="age < 90")
    assert (second.status, second.hidden) == (Status.PROTECTED, 1)
    assert second.frame["count"].to_list() == [None, 20]


def test_fifteen_less_twelve_is_told_to_whom_does_not_want_cells_hidden() -> None:
    log = OutputLog(towns(12, 3))
    log.crosstab("town")
    second = log.crosstab("town", where="age < 90", hide=False)
    assert second.status is Status.UNSAFE
    assert "it becomes safe when these cells are hidden: town=A" in second.reasons
    assert second.reasons[0].startswith("1 cell would have to be hidden so that nothing can be worked out")
    assert second.frame["count"].to_list() == [None, None]


def test_the_number_of_all_records_is_known() -> None:
    log = OutputLog(towns(12, 3).filter(pl.col("town") == "A"))
    assert log.crosstab("town", where="age < 90").frame["count"].to_list() == [None]


def test_the_order_of_asking_decides_what_is_hidden() -> None:
    log = OutputLog(towns(12, 3))
    assert log.crosstab("town", where="age < 90").frame["count"].to_list() == [12, 20]
    assert log.crosstab("town").frame["count"].to_list() == [None, None]


def test_an_output_that_is_removed_no_longer_counts() -> None:
    log = OutputLog(towns(12, 3))
    log.remove(log.crosstab("town").name)
    assert log.crosstab("town", where="age < 90").status is Status.SAFE


def test_what_was_shown_before_is_shown_again() -> None:
    log = OutputLog(PEOPLE)
    first = log.crosstab("region", "sex", margins=True)
    assert log.crosstab("region", "sex", margins=True).frame.equals(first.frame)


def test_a_crosstab_counts_as_pandas_does() -> None:
    frame = PEOPLE.to_pandas()
    output = OutputLog(frame, rules=OutputRules(min_units=2)).crosstab("region", "sex", margins=True)
    expected = pd.crosstab(frame["region"], frame["sex"], margins=True)
    pd.testing.assert_frame_equal(output.frame, expected, check_dtype=False)


@pytest.mark.parametrize("aggfunc", ["mean", "sum", "median", "std", "count"])
def test_a_pivot_table_summarises_as_pandas_does(aggfunc: str) -> None:
    frame = PEOPLE.to_pandas()
    output = OutputLog(frame, rules=OutputRules(min_units=2)).pivot_table("income", "region", "sex", aggfunc=aggfunc)
    expected = frame.groupby(["region", "sex"])["income"].agg(aggfunc).unstack()
    assert output.hidden == 0
    np.testing.assert_allclose(output.frame.to_numpy(float), expected.to_numpy(float))


def test_a_ratio_divides_sums() -> None:
    output = OutputLog(PEOPLE).pivot_table(("income", "age"), "sex", aggfunc="ratio")
    sums = PEOPLE.group_by("sex").agg(pl.col("income").sum(), pl.col("age").sum()).sort("sex")
    np.testing.assert_allclose(output.frame["ratio"].to_list(), (sums["income"] / sums["age"]).to_list())


@pytest.mark.parametrize("convert", [lambda frame: frame, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow])
def test_what_is_shown_comes_in_the_library_of_the_data(convert: object) -> None:
    data = convert(PEOPLE)  # type: ignore[operator]
    shown = OutputLog(data).crosstab("region", "sex").frame
    assert isinstance(shown, {pl.DataFrame: pl.DataFrame, pd.DataFrame: pd.DataFrame, pa.Table: pa.Table}[type(data)])


def test_a_mean_of_few_or_of_one_large_record_is_hidden() -> None:
    frame = pl.DataFrame({"town": ["A"] * 30 + ["B"] * 30 + ["C"] * 30, "income": [10.0] * 59 + [9000.0] + [20.0] * 30})
    output = OutputLog(frame).pivot_table("income", "town")
    assert output.frame["mean"].to_list()[1] is None
    assert any("make up nearly all" in reason for reason in output.reasons)


def test_a_mean_over_all_is_hidden_too_if_it_gives_a_hidden_one_away() -> None:
    frame = pl.DataFrame({"town": ["A"] * 30 + ["B"] * 30, "income": [10.0] * 59 + [9000.0]})
    output = OutputLog(frame).pivot_table("income", "town", margins=True)
    shown = output.frame["mean"].to_list()
    assert shown[1] is None
    assert shown[0] is None or shown[2] is None


def test_an_extreme_value_is_shown_only_if_enough_have_it() -> None:
    frame = pl.DataFrame({"sex": ["f"] * 30, "pay": [0.0] * 12 + [float(value) for value in range(5, 23)]})
    output = OutputLog(frame).pivot_table("pay", "sex", aggfunc=["min", "max", "q40"])
    assert output.frame["min"].to_list() == [0.0]
    assert output.frame["max"].to_list() == [None]
    assert output.frame["q40"].to_list() == [np.quantile(frame["pay"], 0.4)]
    assert OutputLog(frame).pivot_table("pay", "sex", aggfunc="q10").frame["q10"].to_list() == [None]


def test_a_group_in_which_all_have_one_category_needs_a_look() -> None:
    frame = pl.DataFrame({"ward": ["A"] * 20 + ["B"] * 40, "ill": ["yes"] * 20 + ["yes", "no"] * 20})
    output = OutputLog(frame).crosstab("ward", "ill")
    assert output.status is Status.REVIEW
    assert any(reason.startswith("A: everybody falls into one category") for reason in output.reasons)
    lenient = OutputLog(frame, rules=OutputRules(full_cells=Concern.IGNORE))
    assert lenient.crosstab("ward", "ill").status is Status.SAFE


def test_counts_are_rounded_where_that_is_the_rule() -> None:
    output = OutputLog(PEOPLE, rules=OutputRules(rounding=5)).crosstab("region")
    assert output.status is Status.PROTECTED
    assert all(count is None or count % 5 == 0 for count in output.frame["count"])


def test_a_histogram_has_open_ends_and_counts_all_others() -> None:
    output = OutputLog(PEOPLE).histogram("age", bins=[30, 50, 70])
    assert output.frame["age"].to_list() == ["below 30", "30 to 50", "50 to 70", "70 and over"]
    ages = PEOPLE["age"]
    assert output.frame["count"].to_list()[1] == ages.is_between(30, 50, closed="left").sum()
    lowest = float(OutputLog(PEOPLE).histogram("age").frame["age"][0].removeprefix("below "))
    assert (ages < lowest).sum() >= 1


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda log: log.crosstab("region", where="age > 200"), DataError, "selects no record; check 'age > 200'"),
        (lambda log: log.crosstab("regoin"), UnknownColumnError, "regoin"),
        (lambda log: log.crosstab("region", "region"), DataError, "named twice"),
        (lambda log: log.crosstab("region", where="age +"), ParameterError, r"crosstab\.where"),
        (lambda log: log.pivot_table("region", "sex"), KindError, "must hold numbers"),
        (lambda log: log.pivot_table("income", "sex", aggfunc="meen"), ParameterError, "did you mean 'mean'"),
        (lambda log: log.pivot_table("income", "sex", aggfunc="ratio"), DataError, "two columns"),
        (lambda log: log.crosstab("income"), DataError, "make groups"),
        (lambda log: log.histogram("age", bins=[30.0, float("nan")]), DataError, "limits between classes of 'age'"),
        (lambda log: log.pivot_table("gap", "sex"), DataError, "no selected record has a number in gap"),
        (lambda log: log.add_exception("x", "why"), DataError, "no output 'x'"),
        (lambda log: log.finalise(), DataError, "no project"),
        (lambda log: log.add_exception(log.crosstab("region").name, "  "), DataError, "needs a reason"),
    ],
)
def test_wrong_input_is_refused_with_what_to_do(ask: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask(OutputLog(PEOPLE.with_columns(gap=pl.lit(float("nan")))))  # type: ignore[operator]


def test_a_file_without_records_is_told() -> None:
    with pytest.raises(DataError, match="crosstab: the file has no records"):
        OutputLog(PEOPLE.clear()).crosstab("region")


def test_no_figure_but_the_shown_ones_is_in_the_text() -> None:
    output = OutputLog(towns(37, 4)).crosstab("town", "age", margins=True)
    assert output.hidden == 4
    assert "37" not in str(output)
    assert "37" not in output._repr_html_()
