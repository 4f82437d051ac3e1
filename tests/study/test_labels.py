from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking import CorrelatedNoise, Mdav, RankSwapping, TopCoding
from sfumato.study.labels import family_of, labels_of, short_labels_of
from tests.study.examples import COLUMNS, mdav, noise, recipe, swapping


def test_shows_the_parameter_that_differs() -> None:
    assert labels_of([swapping(5), swapping(10)]) == ("rank swapping 5", "rank swapping 10")


def test_a_method_that_never_differs_shows_its_first_number() -> None:
    assert labels_of([swapping(10), mdav(5)]) == ("rank swapping 10", "mdav 5")


def test_joins_the_steps_of_a_recipe() -> None:
    both = recipe(CorrelatedNoise(columns=COLUMNS, variance_ratio=0.1), TopCoding(columns=COLUMNS, at=90))
    assert labels_of([both, noise(0.2)]) == ("correlated noise 0.1 + top coding 90", "correlated noise 0.2")


def test_leaves_out_what_all_candidates_share() -> None:
    strata = [recipe(RankSwapping(columns=COLUMNS, window=window, within=("region",))) for window in (5, 10)]
    assert labels_of(strata) == ("rank swapping 5", "rank swapping 10")


def test_names_columns_and_strata_that_differ() -> None:
    recipes = [
        recipe(Mdav(columns=COLUMNS, k=3)),
        recipe(Mdav(columns=COLUMNS, k=3, within=("region",))),
        recipe(Mdav(columns=("income",), k=3)),
    ]
    assert labels_of(recipes) == ("mdav on income, tax", "mdav on income, tax within region", "mdav on income")


def test_counts_columns_beyond_the_third() -> None:
    recipes = [recipe(Mdav(columns=columns, k=3)) for columns in (("a", "b", "c", "d", "e"), ("a",))]
    assert labels_of(recipes)[0] == "mdav on a, b, c and 2 more"


def test_names_the_parameters_when_more_than_one_differs() -> None:
    recipes = [recipe(TopCoding(columns=COLUMNS, at=90)), recipe(TopCoding(columns=COLUMNS, percent=5))]
    assert labels_of(recipes) == ("top coding at 90", "top coding percent 5")


def test_names_a_number_that_is_not_the_first_of_its_method() -> None:
    grouped, whole = (recipe(Mdav(columns=COLUMNS, k=28, columns_at_a_time=n)) for n in (3, None))
    assert labels_of([grouped, whole]) == ("mdav columns at a time 3", "mdav")


def test_tells_steps_of_the_same_method_apart_by_their_order() -> None:
    steps = (TopCoding(columns=("income",), at=1000), TopCoding(columns=("tax",), at=90))
    assert labels_of([recipe(*steps)]) == ("top coding 1000 + top coding 90",)


def test_numbers_equal_candidates() -> None:
    assert labels_of([mdav(5), mdav(5), mdav(5)]) == ("mdav 5", "mdav 5 (2)", "mdav 5 (3)")


def test_short_labels_leave_out_the_methods() -> None:
    both = recipe(CorrelatedNoise(columns=COLUMNS, variance_ratio=0.1), TopCoding(columns=COLUMNS, at=90))
    assert short_labels_of([both, noise(0.2)]) == ("0.1 + 90", "0.2")


def test_a_family_is_the_methods_in_their_order() -> None:
    both = recipe(CorrelatedNoise(columns=COLUMNS), TopCoding(columns=COLUMNS, at=90))
    assert family_of(both) == "correlated noise + top coding"


@given(sizes=st.lists(st.integers(2, 6), max_size=8), windows=st.lists(st.sampled_from([1.0, 2.5, 1e-7]), max_size=8))
def test_labels_are_distinct(sizes: list[int], windows: list[float]) -> None:
    labels = labels_of([*map(mdav, sizes), *map(swapping, windows)])
    assert len(set(labels)) == len(sizes) + len(windows)
