"""Means, correlations, tables and a regression from both files, against independent computations."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.utility.compared_regression import compare_regression
from sfumato.reports.release.chapters.utility.compared_statistics import (
    ComparedMean,
    compare_group_means,
    compare_means,
    compare_tables,
    correlations,
    weights_of_both,
)
from sfumato.reports.release.compare_reports import report_differences
from tests.reports.release.surveys import made, released, survey


def test_correlations_are_numpys_over_the_records_that_have_both() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, None, 4.0, 7.0], "b": [2.0, 1.0, 5.0, 6.0, None], "c": [1.0] * 5})
    found = correlations(
        Microdata(frame).with_schema(Microdata(frame).schema.with_kinds(continuous=["a", "b", "c"])), ("a", "b", "c")
    )
    assert found[0, 1] == pytest.approx(np.corrcoef([1.0, 2.0, 4.0], [2.0, 1.0, 6.0])[0, 1])
    assert np.isnan(found[0, 2])


def test_the_part_of_a_table_that_moved_is_half_the_sum_of_the_differences() -> None:
    before, after = survey().frame, released().frame.with_columns(survey().frame["town"])
    data = Microdata(after, survey().schema, survey().row_ids)
    found = {table.names: table.moved for table in compare_tables(survey(), data)}
    joined = (
        before.group_by("sex", "ill")
        .len("was")
        .join(after.group_by("sex", "ill").len("is"), on=["sex", "ill"], how="full", nulls_equal=True)
        .fill_null(0)
    )
    moved = 50 * sum(abs(row["was"] - row["is"]) for row in joined.to_dicts()) / before.height
    assert found["sex", "ill"] == pytest.approx(moved)


def test_a_weighted_mean_counts_each_record_by_its_weight() -> None:
    frame = pl.DataFrame({"pay": [1.0, 3.0, 8.0], "w": [1.0, 1.0, 2.0]})
    data = Microdata(frame)
    data = data.with_schema(data.schema.with_kinds(continuous=["pay", "w"]).with_roles(weight=["w"]))
    assert compare_means(data, data)[0].before == pytest.approx((1 + 3 + 16) / 4)
    assert compare_means(data, data)[0].change == 0


def weighted(pay: list[float | None], place: list[str], weights: list[float]) -> Microdata:
    data = Microdata(pl.DataFrame({"pay": pay, "place": place, "sex": ["f", "m"] * (len(pay) // 2), "w": weights}))
    kinds = {"continuous": ["pay", "w"], "nominal": ["place", "sex"]}
    return data.with_schema(data.schema.with_kinds(**kinds).with_roles(weight=["w"]))


def test_totals_add_up_values_times_weights_in_each_file_by_its_own_weights() -> None:
    before = weighted([1.0, 3.0, 8.0, 2.0], ["a", "a", "b", "b"], [1.0, 1.0, 2.0, 5.0])
    after = weighted([1.0, None, 8.0, 2.0], ["a", "a", "b", "b"], [2.0, 1.0, 2.0, 4.0])
    (found,) = compare_means(before, after)
    assert (found.total_before, found.total_after) == (1 + 3 + 16 + 10, 2 + 16 + 8)
    assert found.total_change == pytest.approx(100 * (26 - 30) / 30)


def test_tables_of_two_variables_are_weighted() -> None:
    before = weighted([1.0] * 4, ["a", "a", "b", "b"], [1.0, 1.0, 2.0, 6.0])
    after = weighted([1.0] * 4, ["a", "b", "b", "b"], [1.0, 1.0, 2.0, 6.0])
    (found,) = compare_tables(before, after)
    assert found.moved == pytest.approx(10)  # one tenth of the weights went from (a, m) to (b, m)


def test_figures_count_records_where_the_weight_is_not_released() -> None:
    before = weighted([1.0, 3.0, 8.0, 2.0], ["a", "a", "b", "b"], [1.0, 1.0, 2.0, 5.0])
    after = before.take_columns(("pay", "place", "sex"))
    assert weights_of_both(before, after) is None
    assert compare_means(before, after)[0].total_before == 14


def test_the_regression_is_least_squares_on_both_files() -> None:
    fit = compare_regression(survey(), released())
    assert fit is not None
    assert fit.formula == "income ~ sex + age + ill + rent"
    frame = survey().frame
    columns = [np.ones(frame.height), frame["sex"] == "m", frame["age"], frame["ill"] == "yes", frame["rent"]]
    by_numpy = np.linalg.lstsq(np.column_stack(columns).astype(float), frame["income"].to_numpy(), rcond=None)[0]
    assert [one.before for one in fit.coefficients] == pytest.approx(by_numpy.tolist())
    design = np.column_stack(columns).astype(float)
    rest = frame["income"].to_numpy() - design @ by_numpy
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * (rest @ rest) / (frame.height - len(by_numpy)))
    assert [one.reach_before for one in fit.coefficients] == pytest.approx((1.959964 * errors).tolist(), rel=1e-6)
    complete = released().frame.select("sex", "age", "ill", "rent", "income").drop_nulls().height
    assert (fit.records_before, fit.records_after) == (frame.height, complete)
    same = compare_regression(survey(), survey())
    assert same is not None
    assert same.widening == pytest.approx(1)
    assert all(one.overlap == pytest.approx(100) for one in same.coefficients)


def test_two_reports_of_the_same_files_do_not_differ_and_a_changed_figure_is_named() -> None:
    content = made().to_dict()
    assert report_differences(content, made().to_dict()) == []
    changed = made().to_dict()
    changed["figures"][5]["value"] = 1e9
    assert report_differences(changed, content)[0].startswith(content["figures"][5]["path"])


def test_means_within_categories_are_those_of_a_group_by() -> None:
    found = [one for one in compare_group_means(survey(), released()) if one.number == "income"]
    assert {one.by for one in found} == {"sex", "ill"}  # town was recoded
    for by in ("sex", "ill"):
        grouped = survey().frame.group_by(by).agg(pl.col("income").mean(), pl.len()).filter(pl.col("len") >= 20)
        after = released().frame.drop_nulls(by).group_by(by).agg(pl.col("income").mean().alias("after"))
        wanted = sorted(grouped.join(after, on=by).select("income", "after").rows())
        told = sorted((one.mean.before, one.mean.after) for one in found if one.by == by and one.mean is not None)
        assert told == [pytest.approx(pair) for pair in wanted]


def with_a_constant(data: Microdata) -> Microdata:
    """Return a file with a number that is 100 for everybody, beside weights whose sums are no round numbers."""
    weights = 25 / 3 + (pl.int_range(pl.len()) % 7) / 3
    frame = data.frame.with_columns(drawn=pl.lit(100.0), weight=weights)
    drawn = Variable(name="drawn", kind="continuous", role="confidential")
    weight = Variable(name="weight", kind="continuous", role="weight")
    return Microdata(frame, Schema(variables=(drawn, *data.schema.variables, weight)), data.row_ids)


def test_of_a_number_with_one_value_nothing_is_explained_and_no_mean_moves() -> None:
    before, after = with_a_constant(survey()), with_a_constant(released())
    fit = compare_regression(before, after)
    assert fit is not None
    assert fit.formula.partition(" ~ ")[0] == "income"
    assert "drawn" not in fit.formula
    means = [one for one in compare_group_means(before, after) if one.number == "drawn"]
    assert means
    assert all(one.mean is not None and one.mean.change == 0.0 for one in means)


def test_a_number_that_had_one_value_and_has_another_now_moved_wholly() -> None:
    assert ComparedMean("drawn", 100.0, 101.0, 1e-14, 1e-14, 1.0, 1.0).change == 100.0
