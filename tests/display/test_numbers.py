import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.display import format_number, format_percent
from sfumato.display.numbers import LARGEST, SMALLEST, format_compact

NOTHING = re.compile(r"-0(\.0*)?( %)?")
READABLE = st.floats(SMALLEST, LARGEST / 10) | st.floats(-LARGEST / 10, -SMALLEST) | st.sampled_from([0.0, -0.0])


@given(READABLE, st.integers(1, 8))
def test_no_number_is_written_as_a_power_of_ten_or_as_minus_nothing(value: float, digits: int) -> None:
    for text in (format_number(value), format_percent(value), format_compact(value, digits)):
        assert "e" not in text.removeprefix("below ").removeprefix("above ")
        assert not NOTHING.fullmatch(text)


@given(READABLE)
def test_what_is_written_is_the_number_to_the_digits_that_are_shown(value: float) -> None:
    assert float(format_compact(value)) == pytest.approx(value, rel=1e-5)
    assert float(format_number(value).replace(",", "")) == pytest.approx(value, abs=0.005, rel=1e-12)
    share = format_percent(value)
    if share in ("below 0.01 %", "above -0.01 %"):
        assert 0 < abs(value) < 0.005
    else:
        assert float(share.removesuffix(" %").replace(",", "")) == pytest.approx(value, abs=0.005, rel=1e-12)
