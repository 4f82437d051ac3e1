"""A tree that follows from codes has each of them in the group that its characters or its size say."""

import pytest

import sfumato as sf
from sfumato.app.proposed_trees import class_tree, neighbour_tree, prefix_tree
from sfumato.errors import ParameterError

POSTAL = ["1010", "1020", "1110", "8010"]


def test_every_code_lies_under_its_first_characters() -> None:
    tree = prefix_tree(POSTAL, [1, 1])
    for depth in (1, 2):
        assert tree.recoding(depth) == {code: code[:depth] + "*" * (4 - depth) for code in POSTAL}
    assert set(tree.leaves) == set(POSTAL)


def test_every_number_lies_in_its_class_also_below_zero() -> None:
    ages = [-3, 0, 4, 5, 19, 20]
    tree = class_tree(ages, [5, 20])
    for depth, width in ((2, 5), (1, 20)):
        for age, name in tree.recoding(depth).items():
            low, high = map(int, str(name).split(" to "))
            assert low <= float(age) <= high
            assert (high - low + 1, low % width) == (width, 0)


@pytest.mark.parametrize("digits", [[], [0], [4], [-1, 2]])
def test_characters_that_leave_no_group_are_refused(digits: list[int]) -> None:
    with pytest.raises(ParameterError, match="first characters must be 1 to 3"):
        prefix_tree(POSTAL, digits)


def test_codes_of_several_lengths_are_refused() -> None:
    with pytest.raises(ParameterError, match="as many characters"):
        prefix_tree(["10", "101"], [1])


@pytest.mark.parametrize("widths", [[], [1], [5, 12], [5, 5], [10, 5]])
def test_classes_that_do_not_lie_in_each_other_are_refused(widths: list[int]) -> None:
    with pytest.raises(ParameterError, match="multiple"):
        class_tree([1, 2], widths)


def test_codes_that_are_no_whole_numbers_have_no_classes() -> None:
    with pytest.raises(ParameterError, match="whole numbers"):
        class_tree(["a", 2], [5])


def test_a_step_made_of_such_a_tree_releases_the_groups() -> None:
    import polars as pl

    data = sf.Microdata(pl.DataFrame({"place": POSTAL}))
    step = sf.Generalisation(columns=("place",), hierarchy=prefix_tree(POSTAL, [2]), depth=1)
    assert sf.Recipe(steps=[step], seed=1, keep_order=True).run(data).frame["place"].to_list() == [
        "10**",
        "10**",
        "11**",
        "80**",
    ]


def test_neighbours_in_an_order_are_joined_and_the_last_group_may_be_smaller() -> None:
    levels = ["none", "school", "college", "degree", "doctorate"]
    tree = neighbour_tree(levels, [2, 2])
    pairs = ["none to school", "none to school", "college to degree", "college to degree", "doctorate"]
    assert tree.recoding(2) == dict(zip(levels, pairs, strict=True))
    assert tree.recoding(1) == dict(zip(levels, ["none to degree"] * 4 + ["doctorate"], strict=True))
    assert set(tree.leaves) == set(levels)


@pytest.mark.parametrize("sizes", [[], [1], [5], [2, 1]])
def test_sizes_that_join_nothing_or_everything_are_refused(sizes: list[int]) -> None:
    with pytest.raises(ParameterError, match="level must join"):
        neighbour_tree(["a", "b", "c", "d", "e"], sizes)
