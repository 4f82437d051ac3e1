"""Limits as people write them, read in one place."""

import pytest

from sfumato.errors import ParameterError
from sfumato.parameters.limits import Comparison, Limit, format_limits, read_limits


def test_a_limit_is_a_figure_a_comparison_and_a_number() -> None:
    assert read_limits("DLD<=5") == (Limit("DLD", Comparison.AT_MOST, 5.0),)
    assert read_limits([" worst_case_linkage <= 2.5 "])[0].number == 2.5
    assert read_limits("DLD[max_keys=1]_outliers<=5")[0].figure == "DLD[max_keys=1]_outliers"


@pytest.mark.parametrize("text", ["k=3", "k>=3", "k >= 3"])
def test_k_has_a_lower_limit_and_may_be_written_with_one_sign(text: str) -> None:
    (limit,) = read_limits(text)
    assert limit == Limit("k", Comparison.AT_LEAST, 3)
    assert (limit.is_met(3), limit.is_met(2)) == (True, False)


def test_an_upper_limit_is_met_up_to_its_number_and_by_nothing_unknown() -> None:
    (limit,) = read_limits("global_risk<=1")
    assert (limit.is_met(1.0), limit.is_met(1.01), limit.is_met(float("nan"))) == (True, False, False)


def test_what_is_written_is_read_again() -> None:
    limits = read_limits(["k>=3", "DLD<=5", "IL<=30.5"])
    assert read_limits(format_limits(limits).split(", ")) == limits == read_limits(limits)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("DLD", "limits: a limit is a figure and a number, as in 'DLD<=5' or 'k>=3'; got 'DLD'"),
        ("DLD<=", "got 'DLD<='"),
        ("<=5", "got '<=5'"),
        ("DLD<5", "got 'DLD<5'"),
        ("DLD<=inf", "got 'DLD<=inf'"),
        ("DLD=5", "DLD may have an upper limit, as in 'DLD<=5'; got 'DLD=5'"),
        ("DLD>=5", "DLD may have an upper limit"),
        ("k<=3", "k must be at least a whole number from 2 on, as in 'k>=3'; got 'k<=3'"),
        ("k=2.5", "a whole number"),
        ("k=1", "from 2 on"),
    ],
)
def test_what_is_no_limit_is_refused(text: str, words: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_limits(text)
    assert words in str(refused.value)


def test_everything_wrong_is_told_at_once_with_its_place() -> None:
    with pytest.raises(ParameterError) as refused:
        read_limits(["DLD=5", "ID<=5", "ID<=6"], "search.limits")
    assert refused.value.places == ((0,), (2,))
    assert refused.value.problems[1] == "search.limits must limit each figure once; ID is there twice"


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"limits must be a list, as in \['DLD<=5'\]; got a dict"):
        read_limits({"DLD": 5})  # type: ignore[arg-type]
