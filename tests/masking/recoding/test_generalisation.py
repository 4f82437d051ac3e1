from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Hierarchy, Kind, Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import Generalisation
from sfumato.parameters.hierarchies import as_groups, as_hierarchy
from sfumato.recipe import Recipe
from tests.data.frames import column

ITALY = {"Italy": {"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]}}
CODES = ("Italy", "Tuscany", "Lazio", "Pisa", "Lucca", "Rome")


def generalised(values: list[Any], level: int, hierarchy: Any = ITALY, **description: Any) -> Microdata:
    data = column(lambda frame: frame, values, **({"kind": Kind.NOMINAL} | description))
    return run_step(Generalisation(columns=("x",), hierarchy=hierarchy, depth=level), data, seed=1, step=0)


@given(values=st.lists(st.sampled_from([*CODES, None]), min_size=1, max_size=20).filter(any), level=st.integers(0, 2))
def test_each_category_becomes_its_ancestor_by_a_walk_up_the_tree(values: list[str | None], level: int) -> None:
    tree = Hierarchy.from_levels(
        [("Pisa", "Tuscany", "Italy"), ("Lucca", "Tuscany", "Italy"), ("Rome", "Lazio", "Italy")]
    )
    expected: list[Any] = []
    for value in values:
        path = [*reversed(tree.ancestors(value)), value] if value else [None]
        expected.append(path[min(level, len(path) - 1)])
    assert generalised(values, level).frame["x"].to_list() == expected


def test_the_lowest_level_changes_nothing_and_the_root_makes_all_equal() -> None:
    values = ["Pisa", "Rome", None]
    assert generalised(values, 2).frame["x"].to_list() == values
    assert generalised(values, 0).frame["x"].to_list() == ["Italy", "Italy", None]


def test_groups_without_a_root_get_one() -> None:
    groups = {"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]}
    assert generalised(["Pisa", "Rome"], 1, groups).frame["x"].to_list() == ["Tuscany", "Lazio"]
    assert generalised(["Pisa", "Rome"], 0, groups).frame["x"].to_list() == ["*", "*"]


@pytest.mark.parametrize(
    "written",
    [
        ITALY,
        {"Italy": ["Tuscany", "Lazio"], "Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]},
        [["Pisa", "Tuscany", "Italy"], ["Lucca", "Tuscany", "Italy"], ["Rome", "Lazio", "Italy"]],
    ],
)
def test_one_tree_can_be_written_in_several_ways(written: Any) -> None:
    assert as_hierarchy(written) == as_hierarchy(ITALY)
    assert as_hierarchy(as_groups(as_hierarchy(written))) == as_hierarchy(ITALY)


def test_a_recipe_holds_the_tree_and_comes_back_as_it_was() -> None:
    recipe = Recipe(steps=[Generalisation(columns=("x",), hierarchy={10: [1, 2], 20: [3]}, depth=1)], seed=1)
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe


def test_numeric_codes_stay_numbers_and_their_labels_follow_the_codes() -> None:
    labels = {1: "Pisa", 2: "Lucca", 3: "Rome"}
    after = generalised([1, 2, 3, None], 1, {10: [1, 2], 20: [3]}, value_labels=labels)
    assert after.frame["x"].to_list() == [10, 10, 20, None]
    assert after.frame["x"].dtype == pl.Int64
    assert after.schema["x"].value_labels == {}


def test_leaves_above_the_level_stay_and_keep_their_labels() -> None:
    after = generalised(["Pisa", "Malta"], 1, {"Italy": ["Pisa"], "Malta": []}, value_labels={"Malta": "an island"})
    assert after.frame["x"].to_list() == ["Italy", "Malta"]
    assert after.schema["x"].value_labels == {"Malta": "an island"}


def test_ordinal_categories_keep_their_order_in_every_block() -> None:
    ages = [f"{age:02}" for age in range(20)]
    tree = {f"{ten}0s": [age for age in ages if int(age) // 10 == ten] for ten in (1, 0)}
    values = np.array(ages)[np.random.default_rng(1).integers(0, 20, 150_000)].tolist()
    after = generalised(values, 1, tree, kind=Kind.ORDINAL, categories=tuple(ages))
    assert after.schema["x"].categories == ("00s", "10s")
    assert after.frame["x"].to_list() == [f"{value[0]}0s" for value in values]


def test_refuses_categories_that_the_tree_does_not_have_without_naming_them() -> None:
    with pytest.raises(DataError, match=r"Generalisation\.hierarchy lacks 1 category of 'x'") as caught:
        generalised(["Pisa", "Siena"], 1)
    assert "Siena" not in str(caught.value)


def test_refuses_a_level_below_the_leaves() -> None:
    with pytest.raises(ParameterError, match=r"Generalisation\.depth must be in \[0, 2\], the depth .*; got 3"):
        Generalisation(columns=("x",), hierarchy=ITALY, depth=3)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"a": ["b"], "c": ["b"]}, "code 'b' has several parents"),
        ({"a": "b"}, "'a' must have a list of children"),
        ({}, "must be a tree of categories, such as"),
        ("Italy", "must be a tree of categories, such as"),
        ([["a", "b"], "c"], "must be a tree of categories, such as"),
        ([["a", "b", "a"]], "must be a tree of categories"),
    ],
)
def test_refuses_what_is_not_a_tree(written: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=rf"Generalisation\.hierarchy must be a tree.*|{words}") as caught:
        Generalisation(columns=("x",), hierarchy=written, depth=0)
    assert words in str(caught.value)
