import numpy as np
import pytest

from sfumato.data import numeric
from sfumato.errors import DocumentError, ParameterError
from sfumato.masking import Mdav
from sfumato.masking.microaggregation._column_sets import column_sets
from sfumato.recipe import Recipe
from tests.matrices import microdata

NAMES = tuple("abcdefghijklm")
ABC = ("a", "b", "c")


def test_thirteen_columns_four_at_a_time_are_four_four_four_and_one() -> None:
    assert [len(names) for names in column_sets(NAMES, None, 4)] == [4, 4, 4, 1]
    assert sum(column_sets(NAMES, None, 4), ()) == NAMES


def test_more_at_a_time_than_there_are_is_all_at_once() -> None:
    assert column_sets(ABC, None, 9) == (ABC,)


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        ([["a"], ["b"]], "must name the same columns as `columns`; lacking: c"),
        ([["a", "b"], ["c", "d"]], "must name the same columns as `columns`; not there: d"),
        ([["a", "b"], ["d"]], "must name the same columns as `columns`; lacking: c; not there: d"),
        ([["a", "b"], ["b", "c"]], "must name each column once; repeated: b"),
        ([["a", "b", "c"], []], "must name at least one column in each group; got an empty group"),
        ([], "must name the same columns as `columns`; lacking: a, b, c"),
    ],
)
def test_refuses_groups_that_do_not_divide_the_columns(groups: list[list[str]], problem: str) -> None:
    with pytest.raises(ParameterError, match=f"^Mdav.column_groups {problem}$"):
        Mdav(columns=ABC, column_groups=groups)


def test_refuses_both_ways_to_divide_at_once() -> None:
    with pytest.raises(
        ParameterError, match=r"^Mdav.columns_at_a_time must not be given beside column_groups; leave one of them out$"
    ):
        Mdav(columns=ABC, column_groups=[["a", "b"], ["c"]], columns_at_a_time=2)


def test_refuses_no_columns_at_a_time() -> None:
    with pytest.raises(ParameterError, match=r"^Mdav.columns_at_a_time must be in \[1, inf\); got 0$"):
        Mdav(columns=ABC, columns_at_a_time=0)


def test_a_rule_for_columns_is_held_against_the_groups_when_the_data_are_there() -> None:
    data = microdata(np.random.default_rng(0).normal(size=(12, 2)))
    fitting = Mdav(columns=numeric, column_groups=[["v0"], ["v1"]])
    assert fitting.bound_to(data).columns == ("v0", "v1")
    with pytest.raises(
        ParameterError, match=r"^Mdav.column_groups must name the same columns as `columns`; lacking: v1$"
    ):
        Mdav(columns=numeric, column_groups=[["v0"]]).mask(data, np.random.default_rng())


def test_a_recipe_tells_in_which_step_the_groups_do_not_fit_a_rule() -> None:
    data = microdata(np.random.default_rng(0).normal(size=(12, 2)))
    recipe = Recipe(steps=[Mdav(columns=numeric, column_groups=[["v0"]])])
    with pytest.raises(DocumentError, match=r"step 1 \(mdav\): Mdav.column_groups must name the same columns"):
        recipe.run(data)
