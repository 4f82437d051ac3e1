import pickle
from collections.abc import Callable
from datetime import date
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Hierarchy
from sfumato.errors import ParameterError, SchemaError

PAIRS = [
    ("Italy", "Tuscany"),
    ("Tuscany", "Pisa"),
    ("Italy", "Rome"),
    ("Tuscany", "Lucca"),
    ("Italy", "Veneto"),
    ("Veneto", "Verona"),
]
ITALY = Hierarchy.from_pairs(PAIRS)
CHAIN = 100_000


@st.composite
def parents(draw: st.DrawFn) -> dict[int, int]:
    """Return a random tree on 0, 1, ..., as the parent of each code but the root 0."""
    size = draw(st.integers(2, 30))
    return {code: draw(st.integers(0, code - 1)) for code in range(1, size)}


def path(parent: dict[int, int], code: int) -> list[int]:
    """Return a code and all above it, by the plain definition."""
    return [code] if code == 0 else [code, *path(parent, parent[code])]


def hierarchy_of(parent: dict[int, int]) -> Hierarchy:
    return Hierarchy.from_pairs([(above, code) for code, above in parent.items()])


@given(parents())
def test_every_query_agrees_with_its_plain_definition(parent: dict[int, int]) -> None:
    tree = hierarchy_of(parent)
    everything = range(len(parent) + 1)
    leaves = [code for code in parent if code not in parent.values()]
    assert tree.root == 0
    assert list(tree.leaves) == leaves
    assert len(tree) == len(everything)
    for code in everything:
        above = path(parent, code)[1:]
        assert code in tree
        assert tree.parent(code) == (above[0] if above else None)
        assert list(tree.ancestors(code)) == above
        assert tree.depth_of(code) == len(above)
        assert list(tree.children(code)) == [child for child in parent if parent[child] == code]
        assert list(tree.leaves_under(code)) == [leaf for leaf in leaves if code in path(parent, leaf)]
    assert tree.depth == max(len(path(parent, leaf)) - 1 for leaf in leaves)
    assert tree.is_balanced == (len({len(path(parent, leaf)) for leaf in leaves}) == 1)


@given(parents())
def test_recoding_agrees_with_at_depth_and_with_its_plain_definition(parent: dict[int, int]) -> None:
    tree = hierarchy_of(parent)
    for level in range(tree.depth + 1):
        recoding = tree.recoding(level)
        assert list(recoding) == list(tree.leaves)
        for leaf, becomes in recoding.items():
            from_root = path(parent, cast(int, leaf))[::-1]
            assert becomes == tree.at_depth(leaf, level) == from_root[min(level, len(from_root) - 1)]


@given(parents(), st.randoms(use_true_random=False))
def test_the_order_of_the_pairs_does_not_make_another_tree(parent: dict[int, int], random: Any) -> None:
    tree = hierarchy_of(parent)
    shuffled = [(above, code) for code, above in parent.items()]
    random.shuffle(shuffled)
    other = Hierarchy.from_pairs(shuffled)
    assert other == tree
    assert hash(other) == hash(tree)
    assert set(other.leaves) == set(tree.leaves)


@given(parents())
def test_rows_of_levels_make_the_same_tree_as_pairs(parent: dict[int, int]) -> None:
    tree = hierarchy_of(parent)
    levels = Hierarchy.from_levels([(leaf, *tree.ancestors(leaf)) for leaf in tree.leaves])
    assert levels == tree
    assert levels.leaves == tree.leaves


def test_codes_come_depth_first_in_the_order_of_the_input() -> None:
    assert ITALY.codes == ("Italy", "Tuscany", "Pisa", "Lucca", "Rome", "Veneto", "Verona")
    assert ITALY.leaves == ("Pisa", "Rome", "Lucca", "Verona")
    assert ITALY.leaves_under("Tuscany") == ("Pisa", "Lucca")
    assert ITALY.leaves_under("Pisa") == ("Pisa",)


def test_a_leaf_above_the_depth_stays_itself() -> None:
    assert not ITALY.is_balanced
    assert ITALY.recoding(2)["Rome"] == "Rome"
    assert ITALY.recoding(1) == {"Pisa": "Tuscany", "Rome": "Rome", "Lucca": "Tuscany", "Verona": "Veneto"}
    assert set(ITALY.recoding(0).values()) == {"Italy"}


def test_padding_in_a_row_of_levels_counts_once() -> None:
    padded = Hierarchy.from_levels([("White", "White", "*"), ("Black", "Other", "*"), ("Asian", "Other", "*")])
    assert padded == Hierarchy.from_levels([("White", "*"), ("Black", "Other", "*"), ("Asian", "Other", "*")])


def test_a_row_or_pair_that_is_repeated_counts_once() -> None:
    assert Hierarchy.from_pairs(PAIRS + PAIRS) == ITALY
    assert Hierarchy.from_levels([("a", "T"), ("a", "T"), ("b", "T")]).leaves == ("a", "b")


def test_a_single_code_is_root_and_leaf() -> None:
    tree = Hierarchy.from_levels([("everyone",)])
    assert (tree.root, tree.leaves, tree.depth, tree.is_balanced) == ("everyone", ("everyone",), 0, True)
    assert tree.recoding(0) == {"everyone": "everyone"}


def test_codes_may_be_numbers_with_groups_of_text() -> None:
    ages = Hierarchy.from_levels([(age, f"{age // 10}0s", "all") for age in range(20, 40)])
    assert ages.recoding(1)[37] == "30s"
    assert Hierarchy.from_pairs([("all", cast(int, code)) for code in np.arange(3)]).leaves == (0, 1, 2)


def test_a_root_is_put_above_several_tops() -> None:
    tops = [("North", "a"), ("South", "b")]
    tree = Hierarchy.from_pairs(tops, root="Total")
    assert tree.children("Total") == ("North", "South")
    assert tree == Hierarchy.from_levels([("a", "North"), ("b", "South")], root="Total")
    assert Hierarchy.from_levels([("a",), ("b", "B")], root="Total").leaves == ("a", "b")


def test_a_root_that_is_there_already_is_not_added_twice() -> None:
    assert Hierarchy.from_pairs(PAIRS, root="Italy") == ITALY
    assert Hierarchy.from_levels([("a", "Total"), ("b", "Total")], root="Total").depth == 1


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "needs at least one pair"),
        ([("T", "a"), ("U", "a")], r"code 'a' has several parents: 'T', 'U'; a code may have one"),
        ([("a", "b"), ("b", "c"), ("c", "a")], "is its own ancestor: 'b' under 'a' under 'c' under 'b'"),
        ([("T", "x"), ("a", "b"), ("b", "a")], "code 'b' is its own ancestor: 'b' under 'a' under 'b'"),
        ([("a", "a")], "code 'a' is its own ancestor: 'a' under 'a'"),
        ([("T", "a"), ("U", "b"), ("V", "c")], "must have one root; got several: 'T', 'U', 'V'; say root='Total'"),
        ([("T", "")], "must not have empty codes; there is one under 'T'"),
        ([("  ", "a")], "must not have empty codes; there is one above 'a'"),
        ([("T", None)], "must not have empty codes; there is one under 'T'"),
        ([("T", float("nan"))], "must not have empty codes; there is one under 'T'"),
        ([("T", "a", "b")], r"expected pairs \(parent, child\); got \('T', 'a', 'b'\)"),
        (["ab"], r"expected pairs \(parent, child\); got 'ab'"),
        ([("T", date(2020, 1, 1))], "codes must be text or numbers; got .*, a date"),
    ],
    ids=str,
)
def test_pairs_that_are_no_tree_are_refused_with_the_code(pairs: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Hierarchy.from_pairs(pairs)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "needs at least one row"),
        ([("a", "X", "T"), ("a", "Y", "T")], "leaf 'a' is repeated with different ancestors"),
        ([("a", "X", "T"), ("b", "X", "S")], "code 'X' has several parents: 'T', 'S'"),
        ([("a", "X", "T"), ("X", "T")], "code 'X' is a leaf in one row and a group in another"),
        ([("a", "X"), ("b", "Y")], "must have one root; got several: 'X', 'Y'"),
        ([("a", "X"), ("b",)], "must have one root; got several: 'b', 'X'"),
        ([("a",), ("b",)], "must have one root; got several: 'a', 'b'"),
        ([("a", "X", "Y", "X")], "code 'X' is its own ancestor"),
        ([("a", "", "T")], r"must not have empty codes; there is one in the row \('a', '', 'T'\)"),
        ([()], "must not have empty codes"),
        (["abc"], "got the text 'abc'"),
    ],
    ids=str,
)
def test_rows_that_are_no_tree_are_refused_with_the_code(rows: Any, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        Hierarchy.from_levels(rows)


def test_a_root_that_stands_under_another_code_or_is_empty_is_refused() -> None:
    with pytest.raises(SchemaError, match="root 'Tuscany' already stands under another code"):
        Hierarchy.from_pairs(PAIRS, root="Tuscany")
    with pytest.raises(SchemaError, match="its root is one"):
        Hierarchy.from_pairs(PAIRS, root="")


def test_an_unknown_code_is_refused_with_the_nearest_one() -> None:
    questions: list[Callable[[str], object]] = [
        ITALY.parent,
        ITALY.children,
        ITALY.ancestors,
        ITALY.depth_of,
        ITALY.leaves_under,
        lambda code: ITALY.at_depth(code, 1),
    ]
    for question in questions:
        with pytest.raises(SchemaError, match=r"the hierarchy has no code 'Tuscani'; did you mean 'Tuscany'\?"):
            question("Tuscani")


@pytest.mark.parametrize("depth", [-1, 3])
def test_a_depth_outside_the_tree_is_refused(depth: int) -> None:
    for question in (ITALY.recoding, lambda depth: ITALY.at_depth("Pisa", depth)):
        with pytest.raises(ParameterError, match=rf"depth must be in \[0, 2\]; got {depth}"):
            question(depth)


def test_a_frame_of_pairs_is_read_with_its_levels_checked(as_backend: Callable[[pl.DataFrame], Any]) -> None:
    frame = pl.DataFrame(PAIRS, schema=["parent", "child"], orient="row")
    assert Hierarchy.from_frame(as_backend(frame)) == ITALY
    levels = frame.with_columns(level=pl.Series([1, 2, 1, 2, 1, 2]))
    assert Hierarchy.from_frame(as_backend(levels)) == ITALY
    with pytest.raises(SchemaError, match="code 'Lucca' must be at level 2; got 1"):
        Hierarchy.from_frame(as_backend(frame.with_columns(level=pl.Series([1, 2, 1, 1, 1, 2]))))


def test_levels_of_a_frame_count_from_its_own_tops_when_a_root_is_added() -> None:
    frame = pl.DataFrame({"parent": ["N", "S"], "child": ["a", "b"], "level": [1, 1]})
    assert Hierarchy.from_frame(frame, root="Total").depth_of("a") == 2


def test_a_frame_of_levels_is_read_and_may_end_early(as_backend: Callable[[pl.DataFrame], Any]) -> None:
    frame = pl.DataFrame({"leaf": ["Pisa", "Rome", "Lucca"], "up": ["Tuscany", "Italy", "Tuscany"]}).with_columns(
        top=pl.Series(["Italy", None, "Italy"])
    )
    tree = Hierarchy.from_frame(as_backend(frame))
    assert tree == Hierarchy.from_levels(
        [("Pisa", "Tuscany", "Italy"), ("Rome", "Italy"), ("Lucca", "Tuscany", "Italy")]
    )


@pytest.mark.parametrize("row", [("a", None, "T"), (None, "X", "T"), (None, None, None)])
def test_a_gap_inside_a_row_of_levels_is_refused(row: tuple[str | None, ...]) -> None:
    frame = pl.DataFrame([("b", "X", "T"), row], schema=["leaf", "up", "top"], orient="row")
    with pytest.raises(SchemaError, match="must not have empty codes"):
        Hierarchy.from_frame(frame)


@pytest.mark.parametrize("upside_down", [False, True])
def test_a_chain_of_a_hundred_thousand_codes_needs_no_recursion(upside_down: bool) -> None:
    pairs = [(code, code + 1) for code in range(CHAIN)]
    tree = Hierarchy.from_pairs(pairs[::-1] if upside_down else pairs)
    assert (tree.depth, tree.leaves) == (CHAIN, (CHAIN,))
    assert len(tree.ancestors(CHAIN)) == CHAIN
    assert tree.recoding(7) == {CHAIN: 7}
    assert tree.leaves_under(3) == (CHAIN,)
    assert pickle.loads(pickle.dumps(tree)) == tree  # noqa: S301 - made here


def test_a_circle_of_a_hundred_thousand_codes_is_refused_in_a_short_message() -> None:
    with pytest.raises(SchemaError, match="is its own ancestor") as caught:
        Hierarchy.from_pairs([(code, (code + 1) % CHAIN) for code in range(CHAIN)])
    assert len(str(caught.value)) < 200


def test_trees_that_differ_are_not_equal() -> None:
    assert Hierarchy.from_pairs(PAIRS[:-1]) != ITALY
    assert Hierarchy.from_levels([("a", "X", "T"), ("b", "T")]) != Hierarchy.from_levels([("a", "T"), ("b", "X", "T")])
    assert ITALY != "Italy"


def test_it_survives_pickling_and_cannot_be_changed() -> None:
    back = pickle.loads(pickle.dumps(ITALY))  # noqa: S301 - made here
    assert back == ITALY
    assert back.codes == ITALY.codes
    assert len({back, ITALY}) == 1
    with pytest.raises(AttributeError):
        ITALY.root = "France"  # type: ignore[misc]


def test_what_is_shown_of_it_is_short() -> None:
    assert repr(ITALY) == "Hierarchy(root='Italy', 7 codes, depth 2)"
