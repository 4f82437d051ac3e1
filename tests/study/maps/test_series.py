from sfumato.masking import RankSwapping, TopCoding
from sfumato.study.maps.series import series_of
from tests.study.examples import COLUMNS, mdav, noise, recipe, swapping


def test_a_family_is_joined_in_the_order_of_its_parameter() -> None:
    assert series_of([swapping(10), swapping(2), swapping(5)]) == ((1, 2, 0),)


def test_families_are_apart() -> None:
    assert series_of([swapping(10), mdav(3), swapping(5), noise(0.1), mdav(5)]) == ((2, 0), (1, 4), (3,))


def test_whatever_else_differs_makes_a_line_of_its_own() -> None:
    strata = [recipe(RankSwapping(columns=COLUMNS, window=window, within=("region",))) for window in (9, 4)]
    assert series_of([swapping(9), strata[0], swapping(4), strata[1]]) == ((2, 0), (3, 1))


def test_thresholds_by_value_and_by_percent_are_not_joined() -> None:
    percents = [recipe(TopCoding(columns=COLUMNS, percent=percent)) for percent in (5, 1)]
    values = [recipe(TopCoding(columns=COLUMNS, at=at)) for at in (80, 90)]
    assert series_of([*percents, *values]) == ((1, 0), (2, 3))


def test_candidates_that_differ_in_no_number_stand_alone() -> None:
    columns = [recipe(RankSwapping(columns=(name,), window=5)) for name in COLUMNS]
    assert series_of(columns) == ((0,), (1,))


def test_every_candidate_is_on_exactly_one_line() -> None:
    recipes = [swapping(3), swapping(3), mdav(3), noise(0.1), noise(0.2)]
    assert sorted(position for line in series_of(recipes) for position in line) == list(range(5))
