"""Intervals: how they are written, and what is refused."""

from re import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.study.search.interval import between, read_interval


@given(
    low=st.floats(1e-6, 1e6),
    width=st.floats(1e-6, 1e6),
    share=st.floats(0, 1),
)
def test_a_rounded_value_stays_inside_and_near(low: float, width: float, share: float) -> None:
    interval = between(low, low + width)
    value = low + share * width
    rounded = interval.round_inside(value)
    assert interval.low <= rounded <= interval.high
    assert abs(rounded - value) <= 5e-4 * abs(value)


@pytest.mark.parametrize("interval", [between(1, 30), between(0.01, 2.5, logarithmic=True)])
def test_what_is_written_is_read_again(interval: object) -> None:
    assert read_interval(str(interval), "RankSwapping.window") == interval


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("between(1)", 'RankSwapping.window must be an interval as in "between(1, 30)"'),
        ("between(1, 2, 3)", "must be an interval"),
        ("between(1, many)", "must be an interval"),
        ("between(1", "inside braces an interval needs quotes"),
        ("between(5, 1)", "RankSwapping.window: between must have its lower end first; got 5 and 1"),
        ("between(0, 1, logarithmic)", "must lie above 0 to be logarithmic"),
        ("between(1, inf)", "must have two finite numbers as ends; got inf"),
    ],
)
def test_what_is_no_interval_is_refused(text: str, words: str) -> None:
    with pytest.raises(ParameterError, match=escape(words)):
        read_interval(text, "RankSwapping.window")
