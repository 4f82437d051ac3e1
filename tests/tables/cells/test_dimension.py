import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Hierarchy
from sfumato.errors import SchemaError
from sfumato.tables.cells.dimension import Dimension
from tests.tables.records import OTHER, PLACES


@st.composite
def trees(draw: st.DrawFn) -> Hierarchy:
    size = draw(st.integers(2, 20))
    return Hierarchy.from_pairs([(draw(st.integers(0, code - 1)), code) for code in range(1, size)])


@given(trees())
def test_one_hierarchy_keeps_its_codes_sums_leaves_and_levels(tree: Hierarchy) -> None:
    dimension = Dimension.from_hierarchies("place", [tree])
    assert dimension.codes == tree.codes
    assert {dimension.codes[leaf] for leaf in dimension.leaves} == set(tree.leaves)
    for place, code in enumerate(tree.codes):
        assert dimension.levels[place] == tree.depth_of(code)
        assert {dimension.codes[leaf] for leaf in dimension.covered[place]} == set(tree.leaves_under(code))
    for total, parts in dimension.sums:
        assert tuple(dimension.codes[part] for part in parts) == tree.children(dimension.codes[total])
    assert len(dimension.sums) == len(tree) - len(tree.leaves)


@given(trees())
def test_every_code_is_in_one_layer_with_all_its_leaves(tree: Hierarchy) -> None:
    dimension = Dimension.from_hierarchies("place", [tree])
    for place in range(len(dimension.codes)):
        holding = [layer for layer in dimension.layers if (layer == place).any()]
        assert len(holding) == 1
        assert np.array_equal(np.flatnonzero(holding[0] == place), dimension.covered[place])
    assert len(dimension.layers) <= tree.depth + 1


def test_two_groupings_of_the_same_leaves_give_two_sums_of_the_total() -> None:
    dimension = Dimension.from_hierarchies("place", [PLACES, OTHER])
    assert dimension.codes == ("Total", "x", "a", "b", "y", "c", "d", "u", "v")
    named = [
        (dimension.codes[total], tuple(dimension.codes[part] for part in parts)) for total, parts in dimension.sums
    ]
    assert named.count(("Total", ("x", "y", "d"))) == named.count(("Total", ("u", "v"))) == 1
    assert len(named) == 6


def test_a_sum_that_two_groupings_share_counts_once() -> None:
    assert Dimension.from_hierarchies("place", [PLACES, PLACES]).sums == Dimension.from_hierarchies("p", [PLACES]).sums


def test_groupings_of_different_leaves_are_refused_by_name() -> None:
    smaller = Hierarchy.from_pairs([("Total", "a"), ("Total", "b"), ("Total", "c")])
    with pytest.raises(SchemaError, match="all groupings must have the same leaves; 'd' is a leaf of one"):
        Dimension.from_hierarchies("place", [PLACES, smaller])


def test_groupings_under_different_roots_are_refused() -> None:
    with pytest.raises(SchemaError, match="must have one root; got 'Total' and 'All'"):
        Dimension.from_hierarchies("place", [PLACES, Hierarchy.from_pairs([("All", leaf) for leaf in PLACES.leaves])])


def test_one_group_cannot_stand_for_different_leaves_in_two_groupings() -> None:
    other = Hierarchy.from_levels([("a", "x", "Total"), ("c", "x", "Total"), ("b", "Total"), ("d", "Total")])
    with pytest.raises(SchemaError, match="the parts of 'x' must be the same leaves in every grouping"):
        Dimension.from_hierarchies("place", [PLACES, other])


def test_a_total_among_the_codes_of_a_flat_dimension_is_refused() -> None:
    with pytest.raises(SchemaError, match="has 'Total' among its own codes; choose another code for the total"):
        Dimension.flat("place", ["Total", "a"])
    assert Dimension.flat("place", ["Total", "a"], total="All").codes == ("All", "Total", "a")


def test_an_unknown_code_is_refused_with_the_nearest() -> None:
    with pytest.raises(SchemaError, match="dimension 'place' has no code 'Totl'; did you mean 'Total'"):
        Dimension.from_hierarchies("place", [PLACES]).known("Totl")


def test_sums_that_go_in_a_circle_are_refused() -> None:
    with pytest.raises(SchemaError, match="is a part of itself"):
        Dimension("place", ("a", "b"), ((0, (1,)), (1, (0,))))
