"""What one call does to a file: nobody stands out any more, nothing else is touched, and the recipe does it again."""

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError
from tests.protection.surveys import matching, survey

KEYS = ["sex", "job", "town", "age", "income"]


def test_every_record_fits_k_records_and_identifiers_are_gone() -> None:
    found = sf.protect(survey(), k=3)
    frame = found.data.frame
    assert "name" not in frame.columns
    assert min(matching(frame, KEYS)) >= 3
    assert found.after["violations"] == 0 < found.before["violations"]


@settings(max_examples=8, deadline=None)
@given(k=st.integers(2, 6), seed=st.integers(0, 1000), n=st.integers(12, 60), most=st.floats(0, 100))
def test_the_limit_is_met_whatever_the_file(k: int, seed: int, n: int, most: float) -> None:
    found = sf.protect(survey(n, seed), k=k, max_suppressed=most, number_steps=())
    assert min(matching(found.data.frame, KEYS)) >= k


def test_the_recipe_gives_the_same_again() -> None:
    data = survey()
    found = sf.protect(data, k=3, seed=4, number_steps=[sf.RankSwapping(columns=["tax"])])
    again = sf.Recipe.from_yaml(found.recipe.to_yaml()).run(data)
    assert again.frame.equals(found.data.frame)


def test_a_household_loses_its_town_together_or_not_at_all() -> None:
    frame = sf.protect(survey(), k=6, max_suppressed=60).data.frame
    towns = frame.group_by("home").agg(pl.col("town").is_null().n_unique())
    assert towns["town"].max() == 1
    assert 0 < frame["town"].null_count() < len(frame)


def test_confidential_numbers_are_microaggregated_in_groups_of_k() -> None:
    frame = sf.protect(survey(), k=4).data.frame
    assert frame.group_by("tax").len()["len"].min() >= 4


def test_confidential_numbers_may_stay() -> None:
    data = survey()
    assert sf.protect(data, number_steps=()).data.frame["tax"].equals(data.frame["tax"])


def test_a_key_that_is_a_number_singles_nobody_out_either() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 20, "turnover": [row + 0.5 for row in range(40)]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["sex", "turnover"]))
    found = sf.protect(data, k=3, limits=["k=3", "uniques<=0"])
    assert found.after.meets_limits
    assert min(matching(found.data.frame, ["sex", "turnover"])) >= 3
    assert sf.risk_report(found.data, limits=["k=3"]).meets_limits


def test_a_gap_does_not_let_one_member_tell_of_the_household() -> None:
    hid, sex = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [*"fmfffmfmmm"]
    region = ["A", "A", "A", None, "A", "A", "B", "B", "B", "B"]
    frame = pl.DataFrame({"hid": hid, "region": region, "sex": sex, "rooms": [float(home) for home in hid]})
    schema = (
        Schema.infer(frame).with_kinds(nominal=["hid"]).with_roles(key=["region", "sex", "rooms"], household=["hid"])
    )
    released = sf.protect(Microdata(frame, schema), k=3, max_suppressed=50).data.frame
    for key in ("region", "rooms"):
        known = {home: value for home, value in released.select("hid", key).rows() if value is not None}
        filled = released.with_columns(pl.col("hid").replace_strict(known, default=None).alias(key))
        lost = released[key].is_null() & filled[key].is_not_null()
        assert lost.sum() == (1 if key == "region" and 2 in known else 0)


@pytest.mark.parametrize("kids", [[0.0, 1.0, 2.0, 3.0], [0.0, 1e5, 1e6, 1e9]])
def test_numbers_of_few_values_or_of_a_vast_range_are_put_into_classes(kids: list[float]) -> None:
    frame = pl.DataFrame({"kids": kids * 5, "sex": ["f", "m"] * 10})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["kids"]).with_roles(key=["kids", "sex"]))
    found = sf.protect(data, k=2)
    assert min(matching(found.data.frame, ["kids", "sex"])) >= 2


def test_a_number_that_is_the_same_for_all_stays_one_class() -> None:
    frame = pl.DataFrame({"rooms": [5.0] * 8, "sex": ["f", "m"] * 4})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["rooms"]).with_roles(key=["rooms", "sex"]))
    assert sf.protect(data, k=3).data.frame["rooms"].to_list() == ["5"] * 8


def test_categories_of_pandas_are_protected_and_compared() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"job": pd.Categorical(rng.choice([*"xyzw"], 60, p=[0.6, 0.3, 0.08, 0.02])), "pay": rng.random(60)}
    )
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["job"], confidential=["pay"]))
    found = sf.protect(data, k=5, max_suppressed=1)
    assert found.unchanged == ()
    assert found.data.frame["job"].value_counts().loc[lambda counts: counts > 0].min() >= 5


def test_rare_categories_join_no_frequent_one_of_the_same_name() -> None:
    frame = pl.DataFrame({"job": ["other"] * 20 + ["any other"] * 20 + [*"xyzw"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["job"]))
    released = sf.protect(data, k=3, max_suppressed=0).data.frame["job"]
    assert dict(released.value_counts().rows()) == {"other": 20, "any other": 20, "any any other": 4}


def test_a_confidential_number_of_too_few_values_is_refused() -> None:
    frame = pl.DataFrame({"job": [*"xy"] * 10, "pay": [None] * 18 + [1.0, 2.0]})
    data = Microdata(
        frame, Schema.infer(frame).with_kinds(continuous=["pay"]).with_roles(key=["job"], confidential=["pay"])
    )
    with pytest.raises(DataError, match="'pay' has fewer than 3 values, too few to mask"):
        sf.protect(data, k=3)


def test_a_file_of_one_number_is_protected() -> None:
    frame = pl.DataFrame({"age": [float(age) for age in range(20, 60)]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["age"]))
    assert min(matching(sf.protect(data, k=3).data.frame, ["age"])) >= 3


def test_a_joined_category_gets_no_code_that_stands_for_missing() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"job": rng.choice([1, 2, 3, 4, 9], 80, p=[0.6, 0.3, 0.05, 0.03, 0.02]), "sex": rng.choice(2, 80)}
    )
    job = Variable(name="job", kind="nominal", role="key", missing_codes=(9, 5))
    data = Microdata(frame, Schema(variables=(job, Variable(name="sex", kind="nominal", role="key"))))
    masked = sf.protect(data, k=3, max_suppressed=0, labelled_codes=True).data
    assert masked.schema["job"].value_labels == {6: "other"}


def test_what_is_lost_of_a_key_counts_what_was_joined_and_what_was_suppressed() -> None:
    found = sf.protect(survey(), k=3)
    assert {row.key for row in found.keys if row.loss > row.suppressed} >= {"age", "income"}
    assert all(row.suppressed - 1e-9 <= row.loss <= 100 for row in found.keys)


def test_fewer_suppressed_values_mean_broader_categories() -> None:
    data = survey()
    few, many = (sf.protect(data, k=5, max_suppressed=most, number_steps=()) for most in (1.0, 30.0))
    assert sum(row.suppressed for row in few.keys) < sum(row.suppressed for row in many.keys)
    assert sum(row.different_after for row in few.keys) < sum(row.different_after for row in many.keys)


def test_an_important_key_keeps_more_of_its_values() -> None:
    data = survey()
    plain = sf.protect(data, k=5, number_steps=(), max_suppressed=50)
    kept = sf.protect(data, k=5, number_steps=(), max_suppressed=50, importance={"age": 10})
    lost = [{row.key: row.suppressed for row in found.keys}["age"] for found in (plain, kept)]
    assert lost[1] < lost[0]


def test_categories_are_joined_by_the_hierarchy_that_is_given() -> None:
    tree = {"serves": ["cook", "actor"], "makes": ["smith"], "else": ["clerk", "pilot"]}
    found = sf.protect(survey(), k=5, max_suppressed=1, hierarchies={"job": tree})
    assert set(found.data.frame["job"].drop_nulls()) <= {"serves", "makes", "else"}


def test_coded_keys_stay_numbers_with_labels_where_a_file_keeps_these() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"job": rng.choice(6, 60, p=[0.6, 0.3, 0.04, 0.03, 0.02, 0.01]), "sex": rng.choice(2, 60)})
    labels: dict[Any, str] = {code: f"job {code}" for code in range(6)}
    job = Variable(name="job", kind="nominal", role="key", value_labels=labels)
    data = Microdata(frame, Schema(variables=(job, Variable(name="sex", kind="nominal", role="key"))))
    masked = sf.protect(data, k=3, max_suppressed=1, labelled_codes=True).data
    assert masked.frame["job"].dtype.is_integer()
    assert masked.schema["job"].value_labels[6] == "other"


def test_a_file_that_cannot_be_recoded_far_enough_says_what_was_suppressed() -> None:
    frame = pl.DataFrame({"a": [*"xxxxxyy"], "b": [*"uvwuvwu"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["a", "b"]))
    found = sf.protect(data, k=4)
    assert min(matching(found.data.frame, ["a", "b"])) >= 4
    told = "more than the 5 % that are aimed at, 1 of them by hint suppression: give hierarchies"
    assert any(told in remark for remark in found.remarks)
    assert "suppressed, 1 of them by hint suppression, MORE THAN THE 5 % AIMED AT" in " ".join(str(found).split())
    assert found.after.meets_limits
    found = sf.protect(data, k=4, max_suppressed=1)
    assert not found.after.meets_limits
    assert "NOT PROTECTED AS ASKED" in str(found)
    assert "Limit suppressed <= 1 %: NOT MET, with what other columns make necessary (64.2857 %)" in (
        " ".join(str(found).split())
    )


def test_a_limit_that_leaves_nothing_is_refused() -> None:
    frame = pl.DataFrame({"a": [*"xyxyxyz"], "b": [*"uvwuvwu"]})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["a", "b"]))
    with pytest.raises(DataError, match="no groups of 7 among 7 records were found that leave a value of some key"):
        sf.protect(data, k=7)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"k": 1}, "protect.k must be a whole number of at least 2; got 1"),
        ({"k": 201}, "protect.k: a group of 201 needs more than the file has, 200 records"),
        ({"max_suppressed": 101}, "percentage from 0 to 100; got 101"),
        ({"number_steps": ["rank_swapping"]}, "must be masking methods; got a str"),
        ({"number_steps": [sf.RankSwapping(columns=["sex"])]}, "rank_swapping changes the key 'sex'"),
        ({"number_steps": [sf.Sampling(columns=["tax"], percent=50)]}, "sampling adds or drops records"),
        ({"importance": {"agee": 2}}, "'agee' is not one of the keys"),
        ({"importance": {"age": 0}}, "'age' must be worth more than 0"),
        ({"hierarchies": {"age": {}}}, "'age' is not a nominal or ordinal key"),
        ({"hierarchies": {"job": {"all": ["cook", "smith"]}}}, "lacks 3 categories of .job."),
        ({"hierarchies": {"job": 3}}, "protect.hierarchies: 'job' must be"),
        ({"limits": ["k<3"]}, "limits: a limit is a figure and a number"),
        ({"limits": ["globl_risk<=1"]}, "did you mean 'global_risk'"),
    ],
)
def test_wrong_demands_are_refused_with_what_to_do(change: dict[str, Any], told: str) -> None:
    with pytest.raises((ParameterError, DataError), match=told.replace("(", r"\(").replace(")", r"\)")):
        sf.protect(survey(), **change)


def test_a_file_without_keys_is_refused() -> None:
    with pytest.raises(DataError, match="no column has the role key"):
        sf.protect(Microdata(pl.DataFrame({"a": [1.5, 2.5, 3.5]})))


@pytest.mark.parametrize("values", [[date(2000, 1, day) for day in (1, 2, 3)], [b"a", b"b", b"c"]])
def test_a_key_of_objects_whose_categories_cannot_be_joined_is_refused(values: list[Any]) -> None:
    frame = pd.DataFrame({"born": pd.Series(values * 4, dtype=object)})
    data = Microdata(frame, Schema(variables=(Variable(name="born", kind="nominal", role="key"),)))
    with pytest.raises(
        KindError, match=r"the key 'born' holds dates, bytes or other objects, .* make it text or numbers"
    ):
        sf.protect(data)


def test_the_page_and_the_text_name_what_was_done_and_no_record() -> None:
    frame = survey().frame
    rare = frame.with_columns(job=pl.when(pl.int_range(pl.len()) < 1).then(pl.lit("astronaut")).otherwise("job"))
    found = sf.protect(Microdata(rare, survey().schema), k=3)
    for shown in (str(found), found.to_html("Protection")):
        assert "Local suppression" in shown
        assert "expected_reidentifications" in shown
        assert "astronaut" not in shown


def test_a_limit_on_k_raises_k_and_others_are_told_where_they_are_not_met() -> None:
    found = sf.protect(survey(), k=3, limits=["k=6", "global_risk<=0.000001"])
    assert min(matching(found.data.frame, KEYS)) >= 6
    assert not found.after.meets_limits
    assert found.remarks[0].startswith("NOT WITHIN LIMITS: global_risk <= 0.000001")


def test_a_key_in_which_few_households_differ_is_told() -> None:
    frame = survey().frame
    home = frame["home"].value_counts().filter(pl.col("count") > 1)["home"][0]
    row = frame.with_row_index().filter(pl.col("home") == home)["index"][0]
    typo = frame.with_columns(town=pl.when(pl.int_range(pl.len()) == row).then(pl.lit("D")).otherwise("town"))
    found = sf.protect(Microdata(typo, survey().schema), k=3)
    assert any("town: members differ within 1 of the households" in remark for remark in found.remarks)


def test_what_is_released_as_it_was_is_told() -> None:
    found = sf.protect(survey())
    assert found.unchanged == ("weight",)  # households get new numbers
    assert found.released.frame["home"].to_list() != found.data.frame["home"].to_list()
    assert "Released as they were: weight." in str(found)


def test_what_a_notebook_shows_is_short_and_holds_no_seed() -> None:
    found = sf.protect(survey(), k=3, seed=31415926535)
    for shown in (repr(found), found._repr_html_(), repr(found.recipe), found.to_html(), str(found)):
        assert "31415926535" not in shown
    assert len(repr(found)) < 2000
    assert "at least 3 records" in found._repr_html_()


def test_a_page_says_what_figures_mean_in_sentences() -> None:
    page = sf.protect(survey(), k=3).to_html()
    assert "`" not in page
    assert "e+0" not in page
    assert "Count the" not in page


def test_weights_are_rounded_by_a_household_that_is_dropped() -> None:
    data = survey()
    data = data.with_schema(data.schema.with_roles(identifier=["home"], household=[]))
    rounding = sf.WeightRounding(columns=["weight"], household=["home"], k=10)
    found = sf.protect(data, number_steps=[sf.Mdav(columns=["tax"], k=3), rounding])
    assert not {"home", "name"} & set(found.data.frame.columns)
    sharing = found.data.frame.select("weight").with_columns(home=data.frame["home"])
    assert sharing.group_by("weight").agg(pl.col("home").n_unique())["home"].min() >= 10
    assert [step.name() for step in found.recipe.steps][-1] == "hint_suppression"
