from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.masking import AdditiveNoise, Mdav, MixtureNoise, RankSwapping, TopCoding
from sfumato.study.grid import alternatives, range_values, values_of


def test_a_list_where_a_single_value_belongs_is_a_grid() -> None:
    assert values_of(RankSwapping, "window", [1, 2, 5]) == [1, 2, 5]
    assert values_of(AdditiveNoise, "rescaled", [True, False]) == [True, False]


def test_a_list_that_is_valid_as_it_is_stays_as_it_is() -> None:
    assert values_of(RankSwapping, "columns", ["income", "tax"]) == [["income", "tax"]]
    assert values_of(RankSwapping, "within", []) == [[]]
    assert values_of(MixtureNoise, "weights", [0.3, 0.7]) == [[0.3, 0.7]]


def test_a_list_of_lists_is_a_grid_of_what_is_a_list_by_nature() -> None:
    assert values_of(RankSwapping, "columns", [["income"], ["tax"]]) == [["income"], ["tax"]]
    assert values_of(RankSwapping, "columns", ["numeric", ["tax"]]) == ["numeric", ["tax"]]
    assert values_of(MixtureNoise, "weights", [[0.3, 0.7], [0.5, 0.5]]) == [[0.3, 0.7], [0.5, 0.5]]


def test_a_threshold_that_may_be_text_takes_a_range_for_a_grid() -> None:
    assert values_of(TopCoding, "at", "range(80, 90, 5)") == [80, 85, 90]
    assert values_of(TopCoding, "at", "good") == ["good"]


def test_all_combinations_are_made_the_last_grid_fastest() -> None:
    made = alternatives({"mdav": {"columns": "numeric", "k": [3, 5], "refine": [True, False]}})
    settings = [(entry["mdav"]["k"], entry["mdav"]["refine"]) for entry in made]
    assert settings == [(3, True), (3, False), (5, True), (5, False)]


@pytest.mark.parametrize("entry", ["mdav", {"mdv": {"k": [3, 5]}}, {"a": 1, "b": 2}, 7, {"mdav": 3}, {}])
def test_what_is_no_method_with_parameters_is_left_to_its_reader(entry: Any) -> None:
    assert alternatives(entry) == [entry]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("range(1, 5)", [1, 2, 3, 4, 5]),
        ("range(1, 6, 2)", [1, 3, 5]),
        ("range(0.02, 0.2, 0.02)", [0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2]),
        (" range( 5 , 1 , -2 ) ", [5, 3, 1]),
        ("range(3, 3)", [3]),
        ("range(0.5, 2)", [0.5, 1.5]),
    ],
)
def test_a_range_has_both_its_ends(text: str, values: list[float]) -> None:
    found = range_values(text, "RankSwapping.window")
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@given(first=st.integers(-50, 50), steps=st.integers(0, 60), step=st.integers(1, 30), digits=st.integers(0, 6))
def test_a_range_of_written_numbers_is_exact(first: int, steps: int, step: int, digits: int) -> None:
    written = [f"{value}e-{digits}" for value in (first, first + steps * step, step)]
    expected = [float(f"{first + number * step}e-{digits}") for number in range(steps + 1)]
    assert range_values(f"range({', '.join(written)})", "RankSwapping.window") == expected


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], r"RankSwapping.window must have at least one value; the grid is empty"),
        ("range(5, 1)", r"the grid range\(5, 1\) is empty"),
        ("range(1, 5, 0)", r"the grid range\(1, 5, 0\) is empty"),
        ("range(1)", r'must be a range as in "range\(1, 20\)"'),
        ("range(1, inf)", r'must be a range as in "range\(1, 20\)"'),
        ("range(1", "inside braces a range needs quotes"),
        ("range(0, 1, 1e-9)", "at most 10000 values; .* has 1000000001"),
        ([5, 101], r"RankSwapping.window must be in \(0, 100\]; got 101"),
        ([200, 300], r"got \[200, 300\]; taken as a grid: RankSwapping.window must be in \(0, 100\]; got 200"),
    ],
)
def test_refuses_a_grid_that_is_empty_or_wrong(value: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        values_of(RankSwapping, "window", value)


def test_columns_that_are_no_names_are_refused_as_they_are() -> None:
    with pytest.raises(ParameterError, match=r"Mdav.columns must be a list of column names.*got \['income', 5\]"):
        values_of(Mdav, "columns", ["income", 5])


def test_all_problems_of_an_entry_are_told_at_once_with_their_places() -> None:
    with pytest.raises(ParameterError) as caught:
        alternatives({"rank_swapping": {"columns": [], "window": [5, 101]}})
    assert caught.value.places == (("rank_swapping", "columns"), ("rank_swapping", "window", 1))
