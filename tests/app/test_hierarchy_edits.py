"""A tree of categories that is edited stays a tree, and can be taken back step by step."""

import polars as pl
import pytest

import sfumato as sf
from sfumato.app.hierarchy_edits import flat_tree, join, plain_tree, read_tree, rename, split, with_text_codes
from sfumato.app.proposed_trees import neighbour_tree
from sfumato.errors import ParameterError

TOWNS = flat_tree(["Pisa", "Lucca", "Rome", "Bari"])


def test_a_group_can_be_joined_with_others() -> None:
    tree = join(join(TOWNS, ["Pisa", "Lucca"], "Tuscany"), ["Tuscany", "Rome"], "centre")
    assert tree.recoding(1) == {"Bari": "Bari", "Rome": "centre", "Pisa": "centre", "Lucca": "centre"}
    assert tree.recoding(2) == {"Bari": "Bari", "Rome": "Rome", "Pisa": "Tuscany", "Lucca": "Tuscany"}


def test_splitting_takes_joining_back() -> None:
    assert split(join(TOWNS, ["Pisa", "Lucca"], "Tuscany"), "Tuscany") == TOWNS


def test_a_tree_is_kept_with_codes_that_are_numbers() -> None:
    tree = rename(join(flat_tree([1, 2, 3]), [1, 2], "low"), "low", "1 to 2")
    assert read_tree(plain_tree(tree)) == tree
    assert tree.leaves == (3, 1, 2)


def test_numbers_that_are_joined_under_a_name_can_be_masked() -> None:
    table = pl.DataFrame({"roof": [1, 2, 3, 3, None]})
    data = sf.Microdata(table, schema=sf.Schema.infer(table).with_kinds(nominal=["roof"]))
    tree = with_text_codes(join(flat_tree([1, 2, 3]), [1, 2], "other"))
    step = sf.Generalisation(columns=("roof",), hierarchy=tree, depth=1)
    assert sf.Recipe(steps=(step,), seed=1, keep_order=True).run(data).table["roof"].to_list() == [
        *("other", "other", "3", "3", None)
    ]


@pytest.mark.parametrize("tree", [TOWNS, join(TOWNS, ["Pisa", "Lucca"], "north"), flat_tree([1, 2, 3])])
def test_a_tree_of_one_sort_of_codes_stays_as_it_is(tree: sf.Hierarchy) -> None:
    assert with_text_codes(tree) == tree


@pytest.mark.parametrize(
    ("codes", "name", "problem"),
    [
        (["Pisa"], "Tuscany", "two or more"),
        (["Pisa", "Rome"], "Tuscany", "side by side"),
        (["Rome", "Bari"], "Pisa", "no other group or category"),
        (["Rome", "Bari"], " ", "needs a name"),
    ],
)
def test_refuses_what_makes_no_tree(codes: list[str], name: str, problem: str) -> None:
    tree = join(TOWNS, ["Pisa", "Lucca"], "north")
    with pytest.raises(ParameterError, match=problem):
        join(tree, codes, name)


def test_categories_of_the_file_keep_their_names() -> None:
    with pytest.raises(ParameterError, match="keeps its name"):
        rename(TOWNS, "Pisa", "Livorno")
    with pytest.raises(ParameterError, match="choose a group"):
        split(TOWNS, "Pisa")


def test_no_level_of_a_tree_with_several_mixes_numbers_and_names() -> None:
    tree = with_text_codes(neighbour_tree(list(range(1, 10)), [3, 2]))  # 7 to 9 stay beside pairs of threes
    levels = [set(map(type, tree.recoding(depth).values())) for depth in range(1, tree.depth)]
    assert levels == [{str}, {str}]
    assert tree.recoding(2)[7] == "7"
