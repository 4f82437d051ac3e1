"""Periods: what a class is called tells its first day again."""

import numpy as np
import pytest

from sfumato.data.periods import Period, first_day, period_label, period_numbers


@pytest.mark.parametrize("periods", [1, 3, 5])
@pytest.mark.parametrize("to", [Period.WEEK, Period.MONTH, Period.QUARTER, Period.YEAR])
def test_the_first_day_that_a_label_tells_begins_the_class(to: Period, periods: int) -> None:
    days = np.arange(-9000, 20_000, 97)
    for number in np.unique(period_numbers(days, to, periods)):
        first = first_day(period_label(int(number), to, periods))
        assert first is not None
        assert period_numbers(np.array([first - 1, first]), to, periods).tolist() == [number - 1, number]


def test_what_is_no_period_has_no_first_day() -> None:
    assert [first_day(text) for text in ("other", "1990-13", "1990-W60", "19900", "")] == [None] * 5
