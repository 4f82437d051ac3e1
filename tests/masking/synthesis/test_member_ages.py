"""Ages within households: differences by relation are kept, also of relations that few households know."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis
from sfumato.masking.synthesis._households.age_gaps import AgeGaps
from sfumato.numerics.arrays import FloatColumn
from tests.masking.synthesis.made_households import COLUMNS, SCHEMA, households, impossible

METHOD = HouseholdSynthesis(columns=COLUMNS, relation="relation", age="age")


@cache
def original() -> Microdata:
    return households(300, 3)


@cache
def made() -> pl.DataFrame:
    frame: pl.DataFrame = pl.concat(
        [
            run_step(METHOD, original(), seed=seed, step=0).frame.with_columns(pl.col("home") + 1000 * seed)
            for seed in range(4)
        ]
    )
    return frame


def gaps(frame: pl.DataFrame, relation: str, column: str = "age") -> FloatColumn:
    """Return how much older than the head the members of a relation are."""
    heads = frame.filter(pl.col("relation") == "head").select("home", head=column)
    members = frame.filter(pl.col("relation") == relation).join(heads, on="home")
    return np.asarray((members[column] - members["head"]).to_numpy())


def test_no_household_is_impossible_without_a_condition() -> None:
    assert impossible(made()) == 0
    assert impossible(run_step(METHOD.replace(age=None), original(), seed=1, step=0).frame) > 0


@pytest.mark.parametrize("draw", [20, 21])
def test_members_of_few_households_are_kept_apart_as_well(draw: int) -> None:
    few = households(60, draw)
    drawn = run_step(METHOD, few, seed=draw, step=0).frame
    assert impossible(drawn) == 0
    assert drawn.filter(pl.col("relation") == "child").height > 10


@pytest.mark.parametrize("relation", ["spouse", "child", "parent"])
def test_age_differences_are_those_of_the_relation(relation: str) -> None:
    before, after = gaps(original().frame, relation), gaps(made(), relation)
    assert before.size > 10
    assert after.mean() == pytest.approx(before.mean(), abs=4 * before.std() / np.sqrt(before.size))
    assert after.size / 4 == pytest.approx(before.size, rel=0.5)


def test_how_old_the_members_of_one_household_are_does_not_show() -> None:
    frame = original().frame
    found = []
    for years in (150, 5000):
        first = frame.with_row_index().filter(pl.col("relation") == "spouse")["index"][0]
        old = frame.with_columns(
            age=pl.when(pl.int_range(pl.len()) == first).then(years).otherwise(pl.col("age")).cast(pl.Int64)
        )
        found.append(run_step(METHOD, Microdata(old, SCHEMA), seed=1, step=0).frame)
    assert found[0].equals(found[1])


def test_dates_of_birth_are_kept_apart_as_ages_are() -> None:
    born = original().frame.with_columns(birth=pl.date(2020, 6, 1) - pl.duration(days=pl.col("age") * 365 + 100))
    frame = born.drop("age")
    variables = [SCHEMA[name] for name in frame.columns if name != "birth"]
    schema = Schema(variables=(*variables, Schema.infer(frame)["birth"]))
    assert schema["birth"].kind is Kind.DATE
    columns = tuple(name for name in COLUMNS if name != "age")
    method = HouseholdSynthesis(columns=(*columns, "birth"), relation="relation", age="birth")
    drawn = run_step(method, Microdata(frame, schema), seed=1, step=0).frame
    years = {
        relation: gaps(drawn, relation, "birth").astype("timedelta64[D]").astype(np.float64) / 365
        for relation in ("spouse", "child")
    }
    assert -12 < years["spouse"].min() <= years["spouse"].max() < 15
    assert 15 < years["child"].min() <= years["child"].max() < 62
    children = drawn.filter(pl.col("relation") == "child")
    assert children.filter(pl.col("birth") > frame["birth"].max()).height == 0  # nobody is yet to be born


def test_ranges_are_told_by_as_many_households_as_a_value_rests_on() -> None:
    relation, sizes = np.tile([1, 2], 30), np.full(30, 2)
    age = np.ravel(np.column_stack([np.full(30, 50.0), 20 + np.arange(30) % 5]))
    ranges = AgeGaps.of(("relation", "age"), relation, age, sizes, 5)
    assert ranges.is_broken(np.array([1, 2]), np.array([50.0, 22.0]), np.array([2])).tolist() == [False]
    assert ranges.is_broken(np.array([1, 2]), np.array([50.0, 44.0]), np.array([2])).tolist() == [True]
    assert ranges.is_broken(np.array([1, 2]), np.array([50.0, np.nan]), np.array([2])).tolist() == [False]
    few = AgeGaps.of(("relation", "age"), relation[:8], age[:8], sizes[:4], 5)
    assert few.is_broken(np.array([1, 2]), np.array([50.0, 44.0]), np.array([2])).tolist() == [False]
