"""What is said of how often attacks were tried: never exactly how many took part."""

import pytest

from sfumato.contracts import Measurement, Trials
from sfumato.reports.release.words.trial_words import (
    BEYOND_CHANCE,
    ONLY_CHANCE,
    TRACE,
    comparisons_in_words,
    interval_words,
    rounded_count,
    tried_words,
)


def found(*, shows_leak: bool | None, shows_trace: bool = False, comparisons: int = 3) -> Measurement:
    trials = Trials("persons", 1234, 567, comparisons, (0.0, 9.0))
    return Measurement("linkability", "LINK", 2.0, trials=trials, shows_leak=shows_leak, shows_trace=shows_trace)


@pytest.mark.parametrize("count", [11, 37, 99, 101, 359, 4321, 987_654])
def test_a_count_of_persons_is_rounded_by_at_most_a_tenth_or_five(count: int) -> None:
    told = int(rounded_count(count).removeprefix("about ").replace(",", ""))
    assert told % 10 == 0
    assert abs(told - count) <= max(5, count / 10)


def test_fewer_than_ten_are_not_counted() -> None:
    assert rounded_count(3) == rounded_count(9) == "fewer than 10"


def test_it_is_said_whether_chance_explains_what_was_found() -> None:
    assert tried_words(found(shows_leak=False)).endswith(
        f"{ONLY_CHANCE}; leaks up to 10 %, rounded up, by this attack are not ruled out."
    )
    assert tried_words(found(shows_leak=False, shows_trace=True)).endswith(TRACE)
    assert tried_words(found(shows_leak=True)).endswith(BEYOND_CHANCE)
    assert tried_words(found(shows_leak=None)).endswith("of the control.")
    assert "1234" not in tried_words(found(shows_leak=True)).replace(",", "")


def test_chance_is_never_said_to_be_all_that_explains_a_difference() -> None:
    without = Measurement("disco", "DiSCO", 2.0, trials=Trials("persons", 1234, 567), shows_leak=False)
    assert tried_words(without).endswith(
        "Chance can explain the difference from the control; which leaks are ruled out was not computed."
    )
    assert "alone" not in tried_words(without)


def test_the_chance_of_a_false_alarm_adds_up_over_attacks() -> None:
    words = comparisons_in_words(
        [found(shows_leak=False), found(shows_leak=False, comparisons=5), found(shows_leak=None)]
    )
    assert "2 attacks with 8 comparisons" in words
    assert "at most 0.4 %" in words


def test_the_wider_interval_is_told_only_beside_a_control() -> None:
    assert "0.00 to 9.00 %" in interval_words((1.0, 3.0), found(shows_leak=False).trials)
    assert "wider as the most" in interval_words((1.0, 3.0), None, is_of_most=True)
    assert "wider" not in interval_words((1.0, 3.0), None)
    assert "together" not in interval_words((1.0, 3.0), Trials("persons", 50, joint_interval=(0.0, 9.0)))
